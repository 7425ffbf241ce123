import pytest
import torch

from model_serving.models.taggers.schemes import Span
from model_serving.training.datasets import jieba_words
from model_serving.training.datasets.corpus import Corpus, TaggedSentence
from model_serving.training.taggers import chinese, optimisation
from model_serving.training.taggers import lattice_lstm as recipe
from model_serving.training.taggers.metrics import evaluate

SENTENCES = [
    TaggedSentence(f"{who}在{where}读书。", [Span(len(who) + 1, len(who) + 1 + len(where), "LOC")])
    for who in ("我", "小明", "老师")
    for where in ("北京", "上海", "青海湖")
]
CORPUS = Corpus(SENTENCES, SENTENCES, SENTENCES, {"name": "places"}, "none")


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(recipe, "ARCHITECTURE", dict.fromkeys(recipe.ARCHITECTURE, 8))
    monkeypatch.setattr(recipe, "BATCH_UNITS", 24)
    monkeypatch.setattr(chinese, "RAREST_BIGRAM", 1)
    monkeypatch.setattr(chinese, "text", lambda: ["".join(sentence.units) for sentence in SENTENCES])
    monkeypatch.setattr(jieba_words, "load", lambda: ["北京", "上海", "海湖", "南京", "湖读"])
    monkeypatch.setattr(recipe, "word_vectors", lambda size: {"北京": torch.full((size,), 2.0)})
    monkeypatch.setattr(optimisation, "fast_bfloat16", lambda: False)
    monkeypatch.setattr(optimisation, "LEARNING_RATE", 3e-2)


def test_places_are_learnt_with_the_words_that_were_seen(tmp_path):
    labeller, record = recipe.train(CORPUS, tmp_path / "checkpoint.pt", seed=1, epochs=12)
    assert record["dev_f1"] == 100
    assert evaluate(labeller, CORPUS.test) == 100
    assert labeller.lexicon.words == ["北京", "上海", "海湖", "湖读"]
    assert record["lexicon"] == 4


def test_an_interrupted_training_ends_with_the_same_weights(tmp_path, monkeypatch):
    whole, _ = recipe.train(CORPUS, tmp_path / "whole.pt", seed=1, epochs=4)
    train_epoch = optimisation._Run.train_epoch

    def interrupted(run, batches):
        if run.epoch == 2:
            raise KeyboardInterrupt
        train_epoch(run, batches)

    monkeypatch.setattr(optimisation._Run, "train_epoch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        recipe.train(CORPUS, tmp_path / "broken.pt", seed=1, epochs=4)
    monkeypatch.setattr(optimisation._Run, "train_epoch", train_epoch)
    resumed, _ = recipe.train(CORPUS, tmp_path / "broken.pt", seed=1, epochs=4)
    ours, theirs = whole.network.state_dict(), resumed.network.state_dict()
    assert all(torch.equal(weight, theirs[name]) for name, weight in ours.items())


def test_a_lexicon_holds_the_words_seen_twice_most_frequent_first():
    text = ["北京上海北京", "上海北京", "南京"]
    assert recipe.lexicon(["南京", "上海", "北京", "天津", "京" * 9], text) == ["北京", "上海"]
