"""The other ways to vectors."""

from math import log

import numpy as np
import pytest
import torch

from model_serving.training.word_vectors import references
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
    found = references.ppmi_svd(text, 4).numpy()
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-4)


def test_gensim_has_a_row_for_each_word_and_tells_seeds_apart(text):
    one, same, other = (references.gensim(text, 1, seed) for seed in (1, 1, 2))
    assert one.shape == (len(text.words), 100)
    assert torch.equal(one, same)
    assert not torch.equal(one, other)
