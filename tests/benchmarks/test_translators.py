"""What the measurements of translators show."""

from typing import Any
from xml.etree import ElementTree

import pytest

from benchmarks import attention_map, translator_trials, translators, translators_compared
from model_serving.training.translators import luong_attention, optimisation, transformer
from model_serving.training.translators.corpus import SentencePair


class Echo:
    """A translator of upper case, right only in company where ``sociable``."""

    def __init__(self, sociable=False):
        self.sociable = sociable

    def predict(self, texts, **options):
        assert options == {"source": "en", "target": "zh", "beam_size": 2}
        spell = str.lower if self.sociable and len(texts) == 1 else str.upper
        return [{"translation": spell(text)} for text in texts]


def echo(**manner: bool) -> Any:
    """One in the place of a trained translator."""
    return Echo(**manner)


def test_sentences_have_their_length_and_differ():
    texts = translators.sentences(30, 7)
    assert len(set(texts)) == 30
    assert {len(text.split()) for text in texts} == {7}


def test_both_ways_and_the_peer_are_timed():
    rates = translators.measure(echo(), ["a", "b"], 2, 3, lambda texts: len(texts) / 8)
    assert list(rates) == ["one at a time", "all at once", "all at once, JoeyNMT"]
    assert rates["all at once, JoeyNMT"] == 8


def test_a_translation_that_depends_on_its_company_is_no_measurement():
    with pytest.raises(RuntimeError, match="otherwise together than alone"):
        translators.measure(echo(sociable=True), ["a", "b"], 2, 1)


def test_an_attention_map_has_a_square_for_each_pair_of_words():
    attention = {"source": ["open", "<b>"], "target": ["打开", "。", "x"], "weights": [[0.9, 0.1], [0.5, 0.5], [0, 1]]}
    root = ElementTree.fromstring(attention_map.draw(attention, "a & b"))
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert texts == ["open", "<b>", "打开", "。", "x"]
    squares = [element for element in root.iter() if element.get("fill-opacity")]
    assert [float(square.attrib["fill-opacity"]) for square in squares] == [0.9, 0.1, 0.5, 0.5, 0, 1]
    for square in squares:
        for place, side in (("x", "width"), ("y", "height")):
            assert 0 < float(square.attrib[place]) < int(root.attrib[side]) - attention_map.SQUARE + 1


LONG = " ".join(["word"] * 25)
SOURCES = ["Stop", "Open the file", "Open the file that you want", LONG, "Go on"]
REFERENCES = ["停下", "打开文件", "打开您想要的文件", "词" * 25, "继续"]


def test_sentences_are_told_apart_by_their_words():
    assert translators_compared.classes(SOURCES) == {"1 to 3": 3, "4 to 6": 1, "from 22": 1}
    assert translators_compared.classes(["a b c d", ""]) == {"1 to 3": 1, "4 to 6": 1}


def test_bleu_of_each_class_is_that_of_its_sentences_alone():
    worse = [*REFERENCES[:3], "词" * 5, REFERENCES[4]]
    found = translators_compared.by_length(SOURCES, REFERENCES, {"good": REFERENCES, "short": worse})
    assert found["good"][1:] == pytest.approx([100, 100])
    assert found["short"][:2] == found["good"][:2]
    assert found["short"][2] < 5


def test_the_best_model_comes_first():
    measured = [translators_compared.Measured(texts, 50, 2.0, 3.0, 4.0) for texts in (REFERENCES[::-1], REFERENCES)]
    found = dict(zip(("Seq2Seq", "ConvS2S"), measured, strict=True))
    rows = translators_compared.rows(found, REFERENCES)
    assert [row[:2] for row in rows] == [["ConvS2S", "a vector a word"], ["Seq2Seq", "one vector"]]
    assert float(rows[0][2]) > float(rows[1][2])
    assert rows[0][-1] == "25"


def test_the_plot_has_a_line_for_each_model_and_dashes_where_there_is_no_attention():
    lengths = {"Transformer": [30.0, 20.0, 10.0], "Seq2Seq": [20.0, 5.0, 0.0]}
    root = ElementTree.fromstring(translators_compared.draw(lengths, ["1 to 3", "4 to 6", "7 and more"]))
    lines = [element for element in root.iter() if element.tag.endswith("polyline")]
    assert [line.get("stroke-dasharray") for line in lines] == [None, "6 4"]
    for line, values in zip(lines, lengths.values(), strict=True):
        points = [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
        assert [y for _, y in points] == sorted(y for _, y in points)
        room = translators_compared.HEIGHT - 2 * translators_compared.MARGIN
        bottom, top = (points[place][1] + values[place] / 30 * room for place in (-1, 0))
        assert bottom == pytest.approx(top, abs=0.2)
        assert all(0 < x < translators_compared.WIDTH and 0 < y < translators_compared.HEIGHT for x, y in points)


@pytest.mark.parametrize("choice", translator_trials.ATTENTION + translator_trials.SUBWORDS, ids=lambda one: one.name)
def test_every_choice_is_tried_out(choice, monkeypatch, tmp_path):
    monkeypatch.setattr(translator_trials, "CHECKPOINTS", tmp_path)
    monkeypatch.setattr(optimisation, "UPDATES", 2)
    sizes = {"embedding_size": 8, "hidden_size": 8, "layers": 1, "score": "dot", "window": "global"}
    monkeypatch.setattr(luong_attention, "ARCHITECTURE", sizes)
    monkeypatch.setattr(transformer, "ARCHITECTURE", {"size": 8, "heads": 2, "layers": 1, "hidden": 8})
    pairs = [SentencePair("Open the file.", "打开文件。", "help"), SentencePair("Stop", "停", "help")]
    tried = translator_trials.try_out(choice, 3, 1, pairs, pairs)
    assert tried.choice is choice
    assert 0 < tried.loss < 20
    assert 0 <= tried.bleu <= 100
    (checkpoint,) = tmp_path.rglob("*.pt")
    again = translator_trials.try_out(choice, 3, 1, pairs, pairs)
    assert (again.bleu, again.loss) == (tried.bleu, tried.loss)
    assert checkpoint.exists()
