import pytest
import torch
from torch.testing import assert_close

from model_serving.models import artifact
from model_serving.models.errors import ArtifactError
from model_serving.models.taggers import crf, features, schemes
from model_serving.models.taggers.crf import build
from model_serving.models.taggers.labelling import Reading
from model_serving.models.taggers.tagger import Tagger
from model_serving.models.vocabulary import RESERVED, Vocabulary

LABELS = ["O", "B-x", "I-x", "E-x", "S-x"]
TEXT = "小明在北京读书。"
KNOWN = sorted({feature for place in features.of_characters(TEXT) for feature in place[:10]})
WORDS = ["Anna", "saw", "Paris", "."]


def filled(known, language, seed=3):
    """A labeller with random weights on some of its features, and moves with a will of their own."""
    random = torch.Generator().manual_seed(seed)
    labeller = build(Vocabulary(known), LABELS, language)
    votes = torch.randn(len(known), len(LABELS), generator=random)
    labeller.network.votes.weight.data[RESERVED:] = torch.where(votes.abs() < 0.7, 0, votes)
    for scores in labeller.network.crf.scores():
        scores.data.copy_(torch.randn(scores.shape, generator=random))
    labeller.network.eval()
    return labeller


@pytest.fixture
def labeller():
    return filled(KNOWN, "zh")


def test_emissions_are_the_sums_of_the_votes_of_the_features(labeller):
    sentences = [TEXT, "京", "未知明"]
    found = labeller.network(*labeller.encode(sentences))
    numbers = {name: number for number, name in enumerate(KNOWN, RESERVED)}
    for row, sentence in enumerate(sentences):
        for place, described in enumerate(features.of_characters(sentence)):
            votes = [labeller.network.votes.weight[numbers[name]] for name in described if name in numbers]
            expected = torch.stack(votes).sum(0) if votes else torch.zeros(len(LABELS))
            assert_close(found[row, place], expected)


@pytest.mark.parametrize("sentence", ["京", "小明", "在北京", "小明在北", "x京读书。"])
def test_labels_and_confidence_are_those_of_all_whole_sequences_by_enumeration(labeller, enumerate_paths, sentence):
    with torch.no_grad():
        emissions = labeller.network(*labeller.encode([sentence]))[0]
    paths, scores = enumerate_paths(emissions, labeller.network.crf.scores())
    names = [[LABELS[label] for label in path] for path in paths.tolist()]
    whole = torch.tensor([schemes.encode(schemes.decode(row), len(row)) == row for row in names])
    shares = torch.where(whole, scores, -torch.inf).softmax(0).tolist()
    (found,) = labeller.label([sentence], Reading(confidence=True))
    assert found.labels == names[shares.index(max(shares))]
    for span in schemes.decode(found.labels):
        expected = sum(share for row, share in zip(names, shares, strict=True) if span in schemes.decode(row))
        assert found.confidence(span) == pytest.approx(expected, abs=1e-4)


def test_words_are_described_as_words():
    labeller = filled(sorted({feature for place in features.of_words(WORDS) for feature in place}), "en")
    tagger = Tagger({}, {"pos": labeller})
    (tagging,) = tagger.predict(["Anna saw Paris."], task="pos", confidence=True)
    (expected,) = labeller.label([WORDS], Reading(confidence=True))
    assert tagging["language"] == "en"
    spans = schemes.decode(expected.labels)
    assert [token["tag"] for token in tagging["tokens"]] == [span.label for span in spans]
    assert [token["confidence"] for token in tagging["tokens"]] == [expected.confidence(span) for span in spans]


def test_texts_together_are_answered_as_each_alone(labeller):
    served = Tagger({"pos": labeller})
    texts = [TEXT, "京", "", TEXT * 9, "x" * 40, "明 在", "北京。小明！读书"]
    together = served.predict(texts, task="pos", confidence=True)
    assert together == [served.predict([text], task="pos", confidence=True)[0] for text in texts]


def test_odd_texts_are_answered_in_place(labeller, odd_text):
    served = Tagger({"pos": labeller, "ner": labeller}, {"pos": filled(["wa"], "en"), "ner": filled(["wa"], "en")})
    for language in ("zh", "en"):
        for task, name in (("pos", "tokens"), ("ner", "entities")):
            (tagging,) = served.predict([odd_text], task=task, confidence=True, language=language)
            for item in tagging[name]:
                assert odd_text[item["start"] : item["end"]] == item["text"]
                assert 0 <= item["confidence"] <= 1


@pytest.fixture
def folder(tmp_path, labeller):
    for variant in crf.VARIANTS:
        card = {"architecture": labeller.architecture}
        artifact.save(tmp_path / variant, card, labeller.weights(), labeller.vocabulary())
    return tmp_path


def test_a_trained_variant_answers_after_saving_as_before_to_half_a_step(folder, labeller):
    loaded = crf.load_labeller(folder / "zh-seg")
    ours, theirs = labeller.network.votes.weight[RESERVED:], loaded.network.votes.weight[RESERVED:]
    step = ours.abs().max().item() / 127
    assert (ours - theirs).abs().max() <= step / 2 + 1e-6
    assert ((ours == 0) == (theirs == 0)).all()
    texts = [TEXT, "小明在读书"]
    expected, found = Tagger({"seg": loaded}).predict(texts, task="seg"), crf.load(folder).predict(texts, task="seg")
    assert [tagging["tokens"] for tagging in found] == [tagging["tokens"] for tagging in expected]
    assert_close(loaded.network.crf.transitions, labeller.network.crf.transitions, atol=2e-3, rtol=1e-3)


def test_weights_are_stored_for_the_pairs_that_have_one(labeller):
    stored = labeller.weights()
    assert len(stored["values"]) == labeller.network.votes.weight.count_nonzero()
    assert stored["counts"].sum() == len(stored["values"]) == len(stored["labels"])
    assert {tensor.element_size() for tensor in (stored["values"], stored["labels"], stored["counts"])} == {1}


@pytest.mark.parametrize("name", ["features", "labels"])
def test_a_vocabulary_shorter_than_its_weights_is_refused(folder, labeller, name):
    shorter = labeller.vocabulary() | {name: labeller.vocabulary()[name][:-1]}
    artifact.save(folder / "zh-ner", {"architecture": labeller.architecture}, labeller.weights(), shorter)
    with pytest.raises(ArtifactError, match="does not fit its network"):
        crf.load_labeller(folder / "zh-ner")


def test_answering_neither_builds_graphs_nor_changes_the_network(labeller):
    before = {name: weight.clone() for name, weight in labeller.network.state_dict().items()}
    seen = []
    labeller.network.register_forward_hook(lambda *_: seen.append(torch.is_inference_mode_enabled()))
    first, second = (labeller.label(["小明在北京"], Reading(confidence=True)) for _ in range(2))
    assert first == second
    assert seen == [True, True]
    assert all(torch.equal(weight, before[name]) for name, weight in labeller.network.state_dict().items())
