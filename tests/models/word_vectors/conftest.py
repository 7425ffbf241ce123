import pytest
import torch

from model_serving.models.space import Space
from model_serving.models.word_vectors.words import Words

WORDS = {
    "king": [1.0, 0.1, 0.5],
    "queen": [1.0, 0.1, -0.5],
    "man": [0.1, 0.2, 0.5],
    "woman": [0.1, 0.2, -0.5],
    "apple": [0.0, 1.0, 0.1],
    "nothing": [0.0, 0.0, 0.0],
    "nan": [0.0, 1.0, 0.2],
    "new york": [0.3, 0.3, 0.1],
    '"': [-1.0, -0.2, 0.1],
}


@pytest.fixture
def space():
    """A few words in three dimensions, one of them nowhere."""
    return Space(Words(WORDS), torch.tensor(list(WORDS.values())))


@pytest.fixture
def make_space():
    """Build a space of numbered words at random places."""

    def make(words, size, seed=1, **changes):
        vectors = torch.randn(words, size, generator=torch.Generator().manual_seed(seed))
        for row, other in changes.get("equal", ()):
            vectors[row] = vectors[other]
        return Space(Words([f"w{number}" for number in range(words)]), vectors)

    return make
