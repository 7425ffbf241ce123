import itertools

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from model_serving.models import artifact
from model_serving.models.errors import ArtifactError
from model_serving.models.layers import eight_bit
from model_serving.models.ngrams import code_points
from model_serving.models.taggers import bilstm_crf, schemes
from model_serving.models.taggers.bilstm_crf import build
from model_serving.models.taggers.characters import bigrams_of
from model_serving.models.taggers.labelling import Reading
from model_serving.models.taggers.tagger import Tagger

ARCHITECTURE = {"character_size": 4, "bigram_size": 3, "hidden_size": 5}
VOCABULARY = {
    "characters": list("小明在北京读书。"),
    "bigrams": ["\n小", "小明", "北京", "读书", "书。", "。\n"],
    "labels": ["O", "B-x", "I-x", "E-x", "S-x"],
}


@pytest.fixture
def labeller():
    """An untrained labeller unsure of much but not of everything, and with few characters outside all spans."""
    torch.manual_seed(11)
    labeller = build(VOCABULARY, ARCHITECTURE)
    for scores in (labeller.network.emission.weight, *labeller.network.crf.scores()):
        nn.init.normal_(scores)
    labeller.network.emission.bias.data[labeller.labels.index("O")] = -4
    labeller.network.eval()
    return labeller


@pytest.fixture
def folder(tmp_path, labeller):
    """A folder with the same labeller as all variants."""
    for variant in bilstm_crf.VARIANTS:
        artifact.save(tmp_path / variant, {"architecture": ARCHITECTURE}, labeller.weights(), VOCABULARY)
    return tmp_path


@pytest.fixture
def permitted(enumerate_paths):
    """For a labeller and a sentence, all whole label sequences and their probabilities."""

    def permitted(labeller, sentence):
        with torch.no_grad():
            emissions = labeller.network(*labeller.encode([sentence]))[0]
        paths, scores = enumerate_paths(emissions, labeller.network.crf.scores())
        names = [[labeller.labels[label] for label in path] for path in paths.tolist()]
        whole = torch.tensor([schemes.encode(schemes.decode(row), len(row)) == row for row in names])
        return list(itertools.compress(names, whole)), scores[whole].softmax(0).tolist()

    return permitted


def test_bigrams_frame_each_character_from_both_sides():
    assert bigrams_of("北京市") == ["\n北", "北京", "京市", "市\n"]
    assert bigrams_of("京") == ["\n京", "京\n"]


def test_emissions_follow_from_the_embeddings_of_each_character_and_its_two_bigrams(labeller):
    """Computed again one sentence at a time, with torch's own bidirectional LSTM."""
    network = labeller.network
    lstm = nn.LSTM(4 + 2 * 3, 5, batch_first=True, bidirectional=True)
    backwards = {f"{name}_reverse": weight for name, weight in network.lstm.backwards.state_dict().items()}
    lstm.load_state_dict(network.lstm.forwards.state_dict() | backwards)
    sentences = ["小明在北京读书。", "京", "未知明"]
    found = network(*labeller.encode(sentences))
    assert found.dtype == torch.float32
    for row, sentence in enumerate(sentences):
        vectors = []
        for before, character, after in zip("\n" + sentence[:-1], sentence, sentence[1:] + "\n", strict=True):
            pairs = labeller.bigrams.numbers(code_points(before + character + after)).tolist()
            own = network.character_embedding.weight[labeller.characters.numbers(code_points(character))[0]]
            vectors.append(torch.cat([own, *network.bigram_embedding.weight[pairs]]))
        expected = network.emission(lstm(torch.stack(vectors).unsqueeze(0))[0][0])
        assert_close(found[row, : len(sentence)], expected)


@pytest.mark.parametrize("sentence", ["京", "小明", "在北京", "小明在北", "x京读书。"])
def test_labels_are_the_likeliest_whole_sequence_by_enumeration(labeller, permitted, sentence):
    paths, shares = permitted(labeller, sentence)
    (found,) = labeller.label([sentence], Reading())
    assert found.labels == paths[shares.index(max(shares))]
    assert found.opening is found.closing is None


@pytest.mark.parametrize("sentence", ["京", "小明", "在北京", "小明在北", "x京读书。"])
def test_confidence_is_the_share_of_whole_sequences_with_that_span_by_enumeration(labeller, permitted, sentence):
    paths, shares = permitted(labeller, sentence)
    (tagging,) = Tagger({"pos": labeller}).predict([sentence], task="pos", confidence=True)
    assert tagging["tokens"]
    for token in tagging["tokens"]:
        span = schemes.Span(token["start"], token["end"], token["tag"])
        expected = sum(share for path, share in zip(paths, shares, strict=True) if span in schemes.decode(path))
        assert token["confidence"] == pytest.approx(expected, abs=1e-4)
        assert 0 < token["confidence"] <= 1


@pytest.mark.parametrize("sentence", ["京", "小明", "在北京", "小明在北", "x京读书。"])
def test_confidence_of_a_word_alone_sums_over_its_tags_by_enumeration(labeller, permitted, sentence):
    paths, shares = permitted(labeller, sentence)
    (tagging,) = Tagger({"seg": labeller}).predict([sentence], task="seg", confidence=True)
    assert tagging["tokens"]
    for token in tagging["tokens"]:
        place = (token["start"], token["end"])
        words = [{(start, end) for start, end, _ in schemes.decode(path)} for path in paths]
        expected = sum(share for word, share in zip(words, shares, strict=True) if place in word)
        assert token["confidence"] == pytest.approx(expected, abs=1e-4)


def test_texts_together_are_answered_as_each_alone(labeller):
    served = Tagger({"pos": labeller})
    texts = ["小明在北京读书。", "京", "", "小明在北京读书。" * 9, "x" * 40, "明 在", "北京。小明！读书"]
    together = served.predict(texts, task="pos", confidence=True)
    for text, tagging in zip(texts, together, strict=True):
        (alone,) = served.predict([text], task="pos", confidence=True)
        for token, other in zip(tagging["tokens"], alone["tokens"], strict=True):
            assert token.pop("confidence") == pytest.approx(other.pop("confidence"), abs=1.1e-4)
            assert token == other
    assert served.predict(texts[::-1], task="pos") == served.predict(texts, task="pos")[::-1]


def test_odd_texts_are_answered_in_place(labeller, odd_text):
    served = Tagger({"pos": labeller, "ner": labeller})
    for task, name in (("pos", "tokens"), ("ner", "entities")):
        (tagging,) = served.predict([odd_text], task=task, confidence=True)
        for item in tagging[name]:
            assert odd_text[item["start"] : item["end"]] == item["text"]
            assert 0 <= item["confidence"] <= 1


def test_answering_neither_builds_graphs_nor_changes_the_network(labeller):
    before = {name: weight.clone() for name, weight in labeller.network.state_dict().items()}
    seen = []
    labeller.network.register_forward_hook(lambda *_: seen.append(torch.is_inference_mode_enabled()))
    first, second = (labeller.label(["小明在北京"], Reading(confidence=True)) for _ in range(2))
    assert first == second
    assert seen == [True, True]
    assert all(torch.equal(weight, before[name]) for name, weight in labeller.network.state_dict().items())


def test_a_few_sentences_can_be_learnt_by_heart():
    torch.manual_seed(5)
    sentences = ["小明在北京。", "京", "在读书"]
    gold = [["B-x", "E-x", "O", "B-x", "E-x", "O"], ["S-x"], ["O", "B-x", "E-x"]]
    labeller = build(VOCABULARY, ARCHITECTURE, dropout=0.1)
    numbers = [torch.tensor([labeller.labels.index(label) for label in row]) for row in gold]
    targets = nn.utils.rnn.pad_sequence(numbers, batch_first=True)
    characters, bigrams, lengths = labeller.encode(sentences)
    optimiser = torch.optim.SGD(labeller.network.parameters(), lr=0.5)
    for _ in range(100):
        optimiser.zero_grad()
        (-labeller.network.crf(labeller.network(characters, bigrams, lengths), targets, lengths).mean()).backward()
        optimiser.step()
    labeller.network.eval()
    assert [found.labels for found in labeller.label(sentences, Reading())] == gold
    assert labeller.network.character_embedding.weight[0].count_nonzero() == 0
    assert labeller.network.bigram_embedding.weight[0].count_nonzero() == 0


@pytest.mark.parametrize(("bfloat16", "tolerance"), [(False, 0.0), (True, 0.01)])
def test_a_trained_variant_answers_after_saving_as_before(folder, labeller, monkeypatch, bfloat16, tolerance):
    monkeypatch.setattr(bilstm_crf, "fast_bfloat16", lambda: bfloat16)
    labeller.network.load_state_dict(eight_bit.unpack(labeller.weights()))
    served = bilstm_crf.load(folder)
    for task in ("pos", "seg", "ner"):
        expected = Tagger({task: labeller}).predict(["小明在北京读书。"], task=task, confidence=True)
        (found,), (wanted,) = served.predict(["小明在北京读书。"], task=task, confidence=True), expected
        assert found.pop("language") == "zh"
        for item, other in zip(*found.values(), *wanted.values(), strict=True):
            assert item.pop("confidence") == pytest.approx(other.pop("confidence"), abs=tolerance)
        assert found == wanted


@pytest.mark.parametrize("name", ["characters", "bigrams", "labels"])
def test_a_vocabulary_shorter_than_its_weights_is_refused(folder, labeller, name):
    shorter = VOCABULARY | {name: VOCABULARY[name][:-1]}
    artifact.save(folder / "zh-ner", {"architecture": ARCHITECTURE}, labeller.network.state_dict(), shorter)
    with pytest.raises(ArtifactError, match="does not fit its network"):
        bilstm_crf.load(folder)
