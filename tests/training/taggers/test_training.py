"""From a corpus to an artifact with its card, on a corpus of a few sentences."""

from types import SimpleNamespace

import pytest

from model_serving.models import artifact
from model_serving.models.taggers import hmm
from model_serving.models.taggers.labelling import Reading
from model_serving.models.taggers.schemes import Span
from model_serving.training.datasets.corpus import Corpus, TaggedSentence
from model_serving.training.taggers import hmm as recipe
from model_serving.training.taggers import training
from model_serving.training.taggers.training import TaggerTraining

SOURCE = {"name": "Toy", "package": "none", "licence": "none", "sha256": "0" * 64}


@pytest.fixture(autouse=True)
def _corpora(monkeypatch):
    words = [TaggedSentence("我爱你", [Span(0, 1, "r"), Span(1, 2, "v"), Span(2, 3, "r")])] * 4
    names = [TaggedSentence("我在北京", [Span(2, 4, "LOC")])] * 4
    modules = {
        variant: SimpleNamespace(load=lambda part=part: Corpus(part, part, part, SOURCE, "the same thrice"))
        for variant, part in (("zh-pos", words), ("zh-ner", names))
    }
    monkeypatch.setattr(training, "CORPORA", modules)


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("zh-pos", {("seg", "word F1"), ("seg", "unknown-word recall"), ("pos", "word and tag F1"),
                    ("pos", "unknown-word recall")}),
        ("zh-ner", {("ner", "entity F1"), ("ner", "entity precision"), ("ner", "entity recall")}),
    ],
)  # fmt: skip
def test_training_writes_an_artifact_whose_card_says_what_it_reaches(tmp_path, variant, expected):
    metrics = TaggerTraining(hmm, recipe).train("HMM", tmp_path / variant, tmp_path / "none.pt", seed=7)
    card = artifact.cards(tmp_path)[variant]
    assert card["metrics"] == metrics
    assert {(metric["task"], metric["metric"]) for metric in metrics} == expected
    assert all(metric["value"] == 100 for metric in metrics if metric["metric"].endswith("F1"))
    assert (card["seed"], card["data"], card["split"]) == (7, [SOURCE], "the same thrice")
    assert card["training"]["minutes"] >= 0
    assert hmm.load_labeller(tmp_path / variant).label(["我"], Reading())
