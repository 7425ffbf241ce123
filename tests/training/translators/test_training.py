"""From a corpus to an artifact with its card, on a corpus of a few sentences."""

import pytest

from model_serving.models import artifact
from model_serving.models.translators import (
    bahdanau_attention,
    convs2s,
    luong_attention,
    rnn_encoder_decoder,
    seq2seq,
    transformer,
)
from model_serving.training.translators import bahdanau_attention as bahdanau_recipe
from model_serving.training.translators import convs2s as convs2s_recipe
from model_serving.training.translators import corpus, optimisation, training
from model_serving.training.translators import luong_attention as luong_recipe
from model_serving.training.translators import rnn_encoder_decoder as rnn_recipe
from model_serving.training.translators import seq2seq as seq2seq_recipe
from model_serving.training.translators import transformer as transformer_recipe
from model_serving.training.translators.corpus import ParallelCorpus, SentencePair
from model_serving.training.translators.optimisation import Schedule
from model_serving.training.translators.training import TranslatorTraining

VERBS = {"open": "打开", "close": "关闭", "save": "保存", "print": "打印"}
THINGS = {"file": "文件", "window": "窗口", "page": "页面", "picture": "图片"}
PAIRS = [
    SentencePair(f"{verb} the {thing}", f"{written}{named}", "interface" if verb == "open" else "help")
    for verb, written in VERBS.items()
    for thing, named in THINGS.items()
]
PARALLEL = ParallelCorpus(PAIRS, PAIRS, PAIRS, [{"name": "Toy"}], "the same thrice")


SIZES = {"embedding_size": 16, "hidden_size": 16}
WIDE = {"embedding_size": 48, "hidden_size": 48}
SMALL = [
    (transformer, transformer_recipe, 2e-2, {"size": 16, "heads": 2, "layers": 1, "hidden": 16}),
    (bahdanau_attention, bahdanau_recipe, 2e-2, SIZES),
    (rnn_encoder_decoder, rnn_recipe, 2e-2, WIDE),
    (seq2seq, seq2seq_recipe, 1e-2, WIDE | {"layers": 1}),
    (luong_attention, luong_recipe, 1e-2, WIDE | {"layers": 1, "score": "general", "window": "global"}),
    (convs2s, convs2s_recipe, 5e-3, WIDE | {"layers": 1, "width": 3, "places": 20}),
]


@pytest.fixture(params=SMALL, ids=[model.__name__.rpartition(".")[2] for model, *_ in SMALL])
def trainable(request, monkeypatch):
    model, recipe, rate, architecture = request.param
    monkeypatch.setattr(recipe, "ARCHITECTURE", architecture)
    monkeypatch.setattr(recipe, "DROPOUT", 0.0)
    schedule = Schedule(stages=12, rate=rate, warm_up=100, subwords=60)
    monkeypatch.setattr(recipe, "SCHEDULES", dict.fromkeys(("en-zh", "zh-en"), schedule))
    monkeypatch.setattr(optimisation, "UPDATES", 20)
    monkeypatch.setattr(optimisation, "SMOOTHING", 0.0)
    monkeypatch.setattr(training, "VOCABULARY_SIZE", 60)
    monkeypatch.setattr(corpus, "load", lambda: PARALLEL)
    return TranslatorTraining(model, recipe)


def test_training_writes_an_artifact_whose_card_says_what_it_reaches(trainable, tmp_path):
    metrics = trainable.train("Toy", tmp_path / "en-zh", tmp_path / "checkpoint.pt", seed=3)
    card = artifact.cards(tmp_path)["en-zh"]
    assert card["metrics"] == metrics == trainable.measure(tmp_path / "en-zh")
    assert (card["seed"], card["data"], card["split"]) == (3, [{"name": "Toy"}], "the same thrice")
    assert [(each["dataset"], each["metric"]) for each in metrics] == [
        (kind, metric) for kind in ("all kinds", "interface", "help") for metric in ("BLEU", "chrF")
    ]
    assert {each["task"] for each in metrics} == {"en-zh"}
    assert metrics[1]["value"] > 90
    (answer,) = trainable.model.load(tmp_path).predict(["close the page"], source="en", target="zh")
    assert answer["translation"] == "关闭页面"


def test_each_translator_learns_from_every_package_and_is_named_after_its_module(trainable):
    assert trainable.slug in {model.__name__.rpartition(".")[2] for model, *_ in SMALL}
    assert len(trainable.packages) > 40
    assert set(trainable.variants) <= {"en-zh", "zh-en"}


def test_the_subwords_of_each_side_are_those_of_its_language():
    chinese, english = training.learn_subwords(PAIRS, "zh-en", 60)
    assert "".join(chinese.encode("打开文件")[1]) == "打开文件"
    assert "".join(english.encode("open the file")[1]) == "▁open▁the▁file"
    assert [subwords.model for subwords in training.learn_subwords(PAIRS, "en-zh", 60)] == [
        english.model,
        chinese.model,
    ]
