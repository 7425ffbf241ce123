"""What the measurements of translators show."""

from typing import Any
from xml.etree import ElementTree

import pytest

from benchmarks import attention_map, translators


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
