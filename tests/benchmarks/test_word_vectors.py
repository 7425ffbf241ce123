import re
from math import log
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from benchmarks import word_map, word_vectors
from model_serving.models.space import Space
from model_serving.models.word_vectors.words import Words
from model_serving.training.word_vectors.cooccurrence import count
from model_serving.training.word_vectors.text import encode


@pytest.fixture
def text():
    random = torch.Generator().manual_seed(1)
    sentences = torch.randint(0, 8, (60, 6), generator=random).tolist()
    return encode(
        [[f"w{word}" for word in sentence if word <= place + 3] for place, sentence in enumerate(sentences)], most=8
    )


def test_ppmi_is_cut_as_numpy_cuts_it(text):
    counts = count(text, 5).toarray()
    smoothed = counts.sum(0) ** 0.75 / (counts.sum(0) ** 0.75).sum()
    information = np.zeros_like(counts)
    for word, context in zip(*counts.nonzero(), strict=True):
        share = counts[word, context] / counts[word].sum()
        information[word, context] = max(0.0, log(share / smoothed[context]))
    left, values, _ = np.linalg.svd(information)
    expected = left[:, :4] * np.sqrt(values[:4])
    found = word_vectors.ppmi_svd(text, 4).numpy()
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-4)


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
