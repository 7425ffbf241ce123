"""The recipe learns, and takes up where it was interrupted."""

import pytest
import torch

from model_serving.models.taggers.schemes import Span
from model_serving.training.datasets.corpus import Corpus, TaggedSentence
from model_serving.training.taggers import bilstm_crf as recipe
from model_serving.training.taggers import bilstm_crf_words, chinese, optimisation
from model_serving.training.taggers.metrics import evaluate


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    torch.set_num_threads(1)
    monkeypatch.setattr(recipe, "ARCHITECTURE", {"character_size": 8, "bigram_size": 4, "hidden_size": 8})
    monkeypatch.setattr(recipe, "BATCH_UNITS", {"zh": 24, "en": 8})
    monkeypatch.setattr(chinese, "RAREST_BIGRAM", 1)
    monkeypatch.setattr(chinese, "text", lambda: ["我在北京读书。", "小明在上海读书。"] * 3)
    monkeypatch.setattr(optimisation, "fast_bfloat16", lambda: False)


@pytest.fixture
def corpus():
    """Names of places behind 在, in sentences of a few words."""
    sentences = [
        TaggedSentence(f"{who}在{where}读书。", [Span(len(who) + 1, len(who) + 1 + len(where), "LOC")])
        for who in ("我", "小明", "老师")
        for where in ("北京", "上海", "青海湖")
    ]
    return Corpus(sentences, sentences, sentences, {"name": "places"}, "none")


def same(left, right):
    return all(torch.equal(left[name], right[name]) for name in left | right)


def test_an_interrupted_training_ends_with_the_same_weights(corpus, tmp_path, monkeypatch):
    whole, record = recipe.train(corpus, tmp_path / "whole.pt", seed=1, epochs=4)
    train_epoch = optimisation._Run.train_epoch

    def interrupted(run, batches):
        if run.epoch == 2:
            raise KeyboardInterrupt
        train_epoch(run, batches)

    monkeypatch.setattr(optimisation._Run, "train_epoch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        recipe.train(corpus, tmp_path / "broken.pt", seed=1, epochs=4)
    monkeypatch.setattr(optimisation._Run, "train_epoch", train_epoch)
    resumed, _ = recipe.train(corpus, tmp_path / "broken.pt", seed=1, epochs=4)
    assert same(whole.network.state_dict(), resumed.network.state_dict())
    assert record["epochs"] == 4


def test_another_seed_gives_other_weights(corpus, tmp_path):
    one, other = (recipe.train(corpus, tmp_path / f"{seed}.pt", seed=seed, epochs=1)[0] for seed in (1, 2))
    assert not same(one.network.state_dict(), other.network.state_dict())


def test_a_checkpoint_of_other_data_is_refused(corpus, tmp_path):
    recipe.train(corpus, tmp_path / "checkpoint.pt", seed=1, epochs=1)
    fewer = Corpus(corpus.train[:3], corpus.dev, corpus.test, corpus.source, corpus.split)
    with pytest.raises(ValueError, match="other data"):
        recipe.train(fewer, tmp_path / "checkpoint.pt", seed=1, epochs=1)


def test_what_was_seen_often_enough_is_learnt(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(optimisation, "LEARNING_RATE", 3e-2)
    labeller, record = recipe.train(corpus, tmp_path / "checkpoint.pt", seed=1, epochs=20)
    assert evaluate(labeller, corpus.test) == pytest.approx(record["dev_f1"], abs=0.01)
    assert record["dev_f1"] == 100


@pytest.fixture
def english(monkeypatch):
    """The same in English, with vectors for two words that training does not hold."""
    monkeypatch.setattr(bilstm_crf_words, "ARCHITECTURE", dict.fromkeys(bilstm_crf_words.ARCHITECTURE, 8))
    monkeypatch.setattr(bilstm_crf_words, "RAREST_LETTER", 1)
    monkeypatch.setattr(bilstm_crf_words, "vectors", lambda: {"rome": torch.ones(8), "in": torch.full((8,), 2.0)})
    sentences = [
        TaggedSentence([who, "reads", "in", *where.split()], [Span(3, 3 + len(where.split()), "LOC")])
        for who in ("I", "Anna", "teachers")
        for where in ("New York", "Bern", "Oslo")
    ]
    return Corpus(sentences, sentences, sentences, {"name": "places"}, "none", language="en")


def test_english_is_learnt_in_words_and_letters(english, tmp_path, monkeypatch):
    monkeypatch.setattr(optimisation, "LEARNING_RATE", 3e-2)
    labeller, record = recipe.train(english, tmp_path / "checkpoint.pt", seed=1, epochs=20)
    assert record["dev_f1"] == 100
    assert evaluate(labeller, english.test) == 100


def test_words_with_vectors_are_known_and_start_from_them(english):
    labeller = bilstm_crf_words.start(english.train, dropout=0.0)
    rome, reads, unknown = labeller.words.numbers(["rome", "reads", "paris"])
    table = labeller.network.word_embedding.weight
    assert unknown == 1 < reads < rome
    assert table[rome].tolist() == pytest.approx([bilstm_crf_words.SPREAD] * 8)
    assert table[labeller.words.numbers(["in"])[0]].tolist() == pytest.approx([2 * bilstm_crf_words.SPREAD] * 8)
    assert not table[0].any()


def test_the_committed_vectors_have_the_spelling_of_the_vocabulary():
    found = bilstm_crf_words.vectors()
    assert len(found) > 10_000
    assert torch.stack(list(found.values())).std().item() == pytest.approx(1, abs=0.01)
    assert all(word == word.lower() for word in found)
