import pytest
import torch
from torch import nn
from torch.testing import assert_close

from model_serving.models import artifact
from model_serving.models.errors import ArtifactError
from model_serving.models.taggers import lattice_lstm
from model_serving.models.taggers.lattice_lstm import build
from model_serving.models.taggers.tagger import Tagger

ARCHITECTURE = {"character_size": 4, "bigram_size": 3, "word_size": 3, "hidden_size": 5}
VOCABULARY = {
    "characters": list("小明在北京读书。市长江"),
    "bigrams": ["\n小", "小明", "北京", "读书", "书。", "。\n"],
    "words": ["北京", "读书", "小明", "市长", "京市长"],
    "labels": ["O", "B-x", "I-x", "E-x", "S-x"],
}
TEXTS = ["小明在北京读书。", "京", "", "北京市长在长江。" * 9, "x" * 40, "明 在", "北京。小明！读书"]


@pytest.fixture
def labeller():
    torch.manual_seed(11)
    labeller = build(VOCABULARY, ARCHITECTURE)
    for scores in (labeller.network.emission.weight, *labeller.network.crf.scores()):
        nn.init.normal_(scores)
    labeller.network.emission.bias.data[0] = -4
    labeller.network.eval()
    return labeller


@pytest.fixture
def folder(tmp_path, labeller):
    card = {"architecture": labeller.architecture}
    artifact.save(tmp_path / "zh-ner", card, labeller.weights(), labeller.vocabulary())
    return tmp_path


def test_sentences_together_score_as_each_alone(labeller):
    sentences = ["小明在北京读书。", "京", "北京市长在", "未知"]
    together = labeller.network(*labeller.encode(sentences))
    for row, sentence in enumerate(sentences):
        assert_close(together[row, : len(sentence)], labeller.network(*labeller.encode([sentence]))[0])


def test_words_of_the_lexicon_change_what_is_read(labeller):
    without = build(VOCABULARY | {"words": []}, ARCHITECTURE)
    state = labeller.network.state_dict()
    state["word_embedding.weight"] = state["word_embedding.weight"][:2]
    without.network.load_state_dict(state)
    without.network.eval()
    for sentence, same in (("在明小", True), ("在北京", False)):
        ours, theirs = (one.network(*one.encode([sentence])) for one in (labeller, without))
        assert torch.allclose(ours, theirs) == same


def test_texts_together_are_answered_as_each_alone(labeller):
    served = Tagger({"ner": labeller})
    together = served.predict(TEXTS, task="ner", confidence=True)
    for text, tagging in zip(TEXTS, together, strict=True):
        (alone,) = served.predict([text], task="ner", confidence=True)
        for item, other in zip(tagging["entities"], alone["entities"], strict=True):
            assert item.pop("confidence") == pytest.approx(other.pop("confidence"), abs=1.1e-4)
            assert item == other


def test_odd_texts_are_answered_in_place(labeller, odd_text):
    (tagging,) = Tagger({"ner": labeller}).predict([odd_text], task="ner", confidence=True)
    for item in tagging["entities"]:
        assert odd_text[item["start"] : item["end"]] == item["text"]
        assert 0 <= item["confidence"] <= 1


def test_a_trained_variant_answers_after_saving_as_before(folder, labeller):
    served = lattice_lstm.load(folder)
    (found,) = served.predict(["北京市长在长江。"], task="ner", confidence=True)
    (wanted,) = Tagger({"ner": labeller}).predict(["北京市长在长江。"], task="ner", confidence=True)
    for item, other in zip(found["entities"], wanted["entities"], strict=True):
        assert item.pop("confidence") == pytest.approx(other.pop("confidence"), abs=0.03)
    assert found == wanted
    assert wanted["entities"]


@pytest.mark.parametrize("name", ["characters", "bigrams", "words", "labels"])
def test_a_vocabulary_shorter_than_its_weights_is_refused(folder, labeller, name):
    shorter = VOCABULARY | {name: VOCABULARY[name][:-1]}
    artifact.save(folder / "zh-ner", {"architecture": ARCHITECTURE}, labeller.weights(), shorter)
    with pytest.raises(ArtifactError, match="does not fit its network"):
        lattice_lstm.load(folder)
