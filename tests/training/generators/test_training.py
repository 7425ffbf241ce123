"""From pictures to artifacts with their cards, on pictures of a few squares."""

import dataclasses
from types import SimpleNamespace

import pytest

from model_serving.models import artifact
from model_serving.models.generators import dcgan
from model_serving.models.generators.generator import load_artist
from model_serving.training.generators import dcgan as recipe
from model_serving.training.generators import lenet, training
from model_serving.training.generators.training import ClassifierTraining, GeneratorTraining


@pytest.fixture(autouse=True)
def _small(monkeypatch, data):
    monkeypatch.setattr(training, "DATASETS", {"toys": SimpleNamespace(load=lambda: data)})
    monkeypatch.setattr(training, "SAMPLES", 200)
    monkeypatch.setattr(training, "NEIGHBOURS", 50)
    monkeypatch.setattr(lenet, "ARCHITECTURE", {"maps": [4, 8], "hidden": [20, 16], "classes": 10})
    monkeypatch.setattr(lenet, "EPOCHS", 1)
    monkeypatch.setattr(lenet, "BATCH", 20)
    sizes = {"noise": 6, "classes": 10, "generator": [8, 4], "discriminator": [4, 8]}
    monkeypatch.setattr(recipe, "ARCHITECTURE", sizes)
    monkeypatch.setattr(recipe, "RECIPE", dataclasses.replace(recipe.RECIPE, batch=20))
    monkeypatch.setattr(recipe, "EPOCHS", {"toys": 1})


def test_training_writes_artifacts_whose_cards_say_what_they_reach(tmp_path, data, caplog):
    (accuracy,) = ClassifierTraining().train("LeNet", tmp_path / "lenet/toys", tmp_path / "lenet.pt", seed=1)
    assert (accuracy["metric"], accuracy["baseline"]) == ("accuracy", {"name": "nearest class mean", "value": 100})
    folder = tmp_path / "dcgan/toys"
    with caplog.at_level("INFO"):
        metrics = GeneratorTraining(dcgan, recipe).train("DCGAN", folder, tmp_path / "dcgan.pt", seed=7)
    card = artifact.cards(tmp_path / "dcgan")["toys"]
    assert card["metrics"] == metrics == GeneratorTraining(dcgan, recipe).measure(folder)
    assert [metric["metric"] for metric in metrics] == [
        "Frechet distance", "confident share", "class entropy", "rarest class", "commonest class",
        "distance to the nearest training picture",
    ]  # fmt: skip
    assert (card["seed"], card["split"], card["training"]["epochs"]) == (7, "the same twice", 1)
    assert len(card["training"]["discriminator_accuracy"]) == 1
    assert card["judge"] == artifact.cards(tmp_path / "lenet")["toys"]["files"][artifact.WEIGHTS]
    assert (folder / "training.png").read_bytes().startswith(b"\x89PNG")
    for name in ("training pictures", "Gaussian over 100 principal components", "noise"):
        assert f"For comparison, {name}: Frechet distance" in caplog.text
    assert load_artist(folder, dcgan.build).classes == data.classes
