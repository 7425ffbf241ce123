"""A set of pictures so simple that a small network learns it in a second: a bright square at one of ten places."""

import pytest
import torch

from model_serving.training.datasets.mnist import Pictures, PictureSet
from model_serving.training.generators import adversarial

SOURCE = {"name": "Squares", "package": "none", "licence": "none", "sha256": "0" * 64}


def squares(count):
    """Pictures of all classes in turn."""
    labels = torch.arange(count) % 10
    pixels = torch.zeros(count, 28, 28, dtype=torch.uint8)
    for place, label in enumerate(labels.tolist()):
        top, left = 2 + label // 5 * 14, 1 + label % 5 * 5
        pixels[place, top : top + 10, left : left + 5] = 255
    return Pictures(pixels, labels)


@pytest.fixture(scope="session")
def data():
    return PictureSet(squares(400), squares(100), [f"square {place}" for place in range(10)], SOURCE, "the same twice")


@pytest.fixture(autouse=True)
def _few_pictures_are_counted(monkeypatch):
    monkeypatch.setattr(adversarial, "COUNTED", 250)
