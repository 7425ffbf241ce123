"""Scoring given translations, on a small untrained network."""

import pytest
import torch

from model_serving.models.errors import InputError
from model_serving.models.translators import rnn_encoder_decoder
from model_serving.models.translators.direction import Direction, Search
from model_serving.models.translators.references import Pair, ReferenceTranslator
from model_serving.models.translators.rnn_encoder_decoder import RNNEncoderDecoderNetwork
from model_serving.models.translators.subwords import END, START
from model_serving.models.translators.units import units

WAY = {"source": "en", "target": "zh"}


@pytest.fixture
def way(english, chinese):
    torch.manual_seed(7)
    network = RNNEncoderDecoderNetwork(sources=len(english), targets=len(chinese), embedding_size=8, hidden_size=6)
    for weight in network.parameters():
        torch.nn.init.normal_(weight, std=0.6)
    return Direction(network.eval(), english, chinese)


@pytest.fixture
def served(way):
    return ReferenceTranslator({("en", "zh"): way})


def by_hand(way, text, reference):
    """One sub-word after the other."""
    memory = way.network.encode(torch.tensor([way.source.encode(text)[0]]))
    past, last, found = way.network.start(memory), START, []
    for number in [*way.target.encode(reference)[0], END]:
        log_probs, past = way.network.step(torch.tensor([[last]]), memory, past)
        found.append(log_probs[0, 0, number].item())
        last = number
    return found


def log_probabilities(answer):
    return [token["log_probability"] for token in answer["reference"]["tokens"]]


@pytest.mark.parametrize("penalty", [0.0, 1.0])
def test_each_sub_word_has_its_probability_after_those_before(served, way, penalty):
    (answer,) = served.predict([Pair("Open the file.", "打开文件。")], length_penalty=penalty, **WAY)
    expected = by_hand(way, "Open the file.", "打开文件。")
    assert log_probabilities(answer) == pytest.approx(expected, abs=1e-4)
    assert [token["text"] for token in answer["reference"]["tokens"]] == [*way.target.encode("打开文件。")[1], ""]
    assert answer["reference"]["score"] == pytest.approx(sum(expected) / len(expected) ** penalty, abs=1e-4)


def test_what_the_search_found_is_worth_what_it_said(way, english):
    (unit,) = units("Save all files", "en", english)
    candidates = [each for each in way.translate([unit], Search(beam_size=8))[0] if each.finished]
    assert candidates
    scored = way.log_probabilities([(unit.numbers, each.tokens) for each in candidates])
    for candidate, values in zip(candidates, scored, strict=True):
        assert candidate.score == pytest.approx(sum(values) / len(values), abs=1e-5)


def test_pairs_and_texts_together_are_answered_as_each_alone(served):
    items = [
        Pair("Open the file.", "打开文件。"),
        "Stop",
        Pair("", ""),
        Pair("Save all files", "保存"),
        Pair("Stop", "停下"),
    ]
    together = served.predict(items, beam_size=2, **WAY)
    for item, answer in zip(items, together, strict=True):
        (alone,) = served.predict([item], beam_size=2, **WAY)
        assert answer["translation"] == alone["translation"]
        assert ("reference" in answer) == ("reference" in alone) == isinstance(item, Pair)
        if isinstance(item, Pair):
            assert log_probabilities(answer) == pytest.approx(log_probabilities(alone), abs=1.1e-4)
            assert answer["reference"]["score"] == pytest.approx(alone["reference"]["score"], abs=1.1e-4)
    assert together[2]["reference"] == {"score": 0.0, "tokens": []}


def test_sentences_are_scored_one_by_one_where_both_sides_have_as_many(served, way):
    text = "Stop and go on. Save all files"
    (both,) = served.predict([Pair(text, "请停下。保存文件")], **WAY)
    first, second = by_hand(way, "Stop and go on.", "请停下。"), by_hand(way, "Save all files", "保存文件")
    assert log_probabilities(both) == pytest.approx(first + second, abs=1e-4)
    assert [token["text"] for token in both["reference"]["tokens"]].count("") == 2
    (other,) = served.predict([Pair(text, "请停下，保存文件")], **WAY)
    assert log_probabilities(other) == pytest.approx(by_hand(way, text, "请停下，保存文件"), abs=1e-4)


def test_placeholders_of_both_sides_are_read_as_marks_and_shown_as_they_stand(served):
    (answer,) = served.predict([Pair("Open %s", "打开%s")], **WAY)
    (other,) = served.predict([Pair("Open %1$d", "打开%1$d")], **WAY)
    assert log_probabilities(answer) == log_probabilities(other)
    assert answer["reference"]["tokens"][-2]["text"] == "%s"
    assert other["reference"]["tokens"][-2]["text"] == "%1$d"


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (Pair("Stop", ""), "and reference must both hold text, or neither"),
        (Pair(" ", "停下"), "and reference must both hold text, or neither"),
        (Pair("Stop", "停" * 129), "at most 128 sub-words a sentence"),
        (Pair("go" * 200, "停下"), "at most 128 sub-words a sentence"),
    ],
)
def test_what_can_not_be_scored_is_refused_and_nothing_else(served, pair, message):
    refused, answered = served.predict([pair, Pair("Stop", "停下")], **WAY)
    assert isinstance(refused, InputError)
    assert message in str(refused)
    assert log_probabilities(answered) == log_probabilities(served.predict([Pair("Stop", "停下")], **WAY)[0])


def test_an_item_costs_its_characters(served):
    assert served.cost("Stop") == 4
    assert served.cost(Pair("Stop", "停下")) == 6


def test_the_module_serves_it(tmp_path):
    assert isinstance(rnn_encoder_decoder.load(tmp_path), ReferenceTranslator)
