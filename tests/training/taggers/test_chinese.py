"""What the Chinese taggers start from."""

import pytest
import torch

from model_serving.training.datasets import msra, peoples_daily
from model_serving.training.datasets.corpus import Corpus, TaggedSentence
from model_serving.training.taggers import chinese


@pytest.fixture
def _corpora(monkeypatch):
    def corpus(name, train, dev, test):
        parts = [[TaggedSentence(text, []) for text in part] for part in (train, dev, test)]
        return Corpus(parts[0], parts[1], parts[2], {"name": name}, "")

    monkeypatch.setattr(msra, "load", lambda: corpus("names", ["我们", "北京"], ["上海"], ["南京"]))
    monkeypatch.setattr(peoples_daily, "load", lambda: corpus("words", ["南京", "读书", "上海"], [], ["我们"]))


@pytest.mark.usefixtures("_corpora")
def test_no_sentence_that_measures_one_tagger_teaches_another():
    assert chinese.text() == ["北京", "读书"]


@pytest.mark.usefixtures("_corpora")
def test_the_corpus_whose_tags_are_seen_is_named_first():
    assert [source["name"] for source in chinese.sources({"name": "words"})] == ["words", "names"]


def test_rare_characters_and_bigrams_are_unknown(monkeypatch):
    monkeypatch.setattr(chinese, "RAREST_BIGRAM", 2)
    found = chinese.vocabulary([TaggedSentence("北京人", []), TaggedSentence("北京", [])])
    assert set(found["characters"]) == {"北", "京"}
    assert "北京" in found["bigrams"]
    assert "京人" not in found["bigrams"]


def test_tables_start_from_the_vectors_there_are():
    table = torch.nn.Embedding(4, 2, padding_idx=0)
    chinese.fill(table, ["甲", "乙"], {"乙": torch.tensor([1.0, 2.0])})
    assert table.weight[3].tolist() == pytest.approx([chinese.SPREAD, 2 * chinese.SPREAD])
    assert not table.weight[0].any()
    assert table.weight[2].any()


def test_symbols_in_like_company_come_to_like_vectors(tmp_path):
    found = chinese.learn(["甲乙", "甲丙", "丁戊"] * 200, 4, tmp_path / "vectors.pt", seed=1)
    assert set(found) == set("甲乙丙丁戊")
    near, far = (torch.cosine_similarity(found["乙"], found[other], dim=0).item() for other in "丙丁")
    assert near > far
