import re
from xml.etree import ElementTree

import torch

from benchmarks import word_map, word_vectors
from model_serving.models.word_vectors.space import Space
from model_serving.models.word_vectors.words import Words


def test_the_search_is_timed_beside_the_bare_product():
    report = word_vectors.neighbors(300, 8, 3)
    rows = re.findall(r"^\| (\d+) \| (\d+) \| [\d.]+ \| [\d.]+ \| [\d.]+ \|$", report, re.MULTILINE)
    assert rows == [(batch, top) for batch in ("1", "8", "64") for top in ("10", "100")]


def test_a_map_shows_each_word_it_knows_inside_the_picture():
    space = Space(Words(["a", "b", "c<"]), torch.eye(3))
    root = ElementTree.fromstring(word_map.draw(space, {"#f00": "a b", "#00f": "c< d"}, "a & b"))
    texts = [element for element in root.iter() if element.tag.endswith("text")]
    assert {(text.text, text.get("fill")) for text in texts} == {("a", "#f00"), ("b", "#f00"), ("c<", "#00f")}
    for text in texts:
        assert 0 < float(text.attrib["x"]) < word_map.WIDTH
        assert 0 < float(text.attrib["y"]) < word_map.HEIGHT
