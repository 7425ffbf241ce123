"""Train and measure the generators, and the classifier that looks at their pictures."""

import logging
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import Tensor

from model_serving.models import artifact
from model_serving.models.generators.generator import Generator, load_artist
from model_serving.models.generators.latent import Draw
from model_serving.models.generators.lenet import LeNet, load_network
from model_serving.models.layers.eight_bit import pack
from model_serving.training.datasets.mnist import DATASETS, FASHION_MNIST, MNIST, PictureSet
from model_serving.training.generators import lenet
from model_serving.training.generators.adversarial import Game, play
from model_serving.training.generators.frechet import (
    COMPONENTS,
    Quality,
    Seen,
    gaussian_pictures,
    look,
    nearest,
    noise_pictures,
    quality,
)  # fmt: skip
from model_serving.training.generators.record import picture_of
from model_serving.training.trainable import Metrics

SAMPLES = 10_000
"""Pictures drawn to measure a generator."""

NEIGHBOURS = 1000
"""Pictures whose nearest training picture is looked for."""

SEED = 1
"""Of the pictures measured."""

log = logging.getLogger("training")


@dataclass(frozen=True)
class GeneratorTraining:
    """How a generator is trained and measured: the module of the served model and that of its recipe."""

    model: ModuleType
    recipe: ModuleType
    packages = (MNIST, FASHION_MNIST)
    variants = tuple(DATASETS)

    @property
    def slug(self) -> str:
        """The name of the model's module."""
        return self.model.__name__.rpartition(".")[2]

    def train(self, name: str, folder: Path, checkpoint: Path, seed: int) -> Metrics:
        """Train the variant that ``folder`` is named after; write its artifact and the picture of its training there.

        The classifier of the same variant must have been trained.
        """
        data = DATASETS[folder.name].load()
        torch.manual_seed(seed)
        architecture = self.recipe.ARCHITECTURE
        classes, epochs = architecture.get("classes", 1), self.recipe.EPOCHS[folder.name]
        steps = epochs * (len(data.train.labels) // self.recipe.RECIPE.batch)
        game = Game(self.model.build(architecture), architecture["noise"], classes, self.recipe.RECIPE, steps)
        trained = play(game, data.train, epochs, checkpoint)
        card = _card(name, folder, self.recipe.PAPER, architecture, data, seed)
        card |= {"training": game.record.summary(), "judge": _judge_digest(folder)}
        vocabulary = {"classes": data.classes if classes > 1 else []}
        artifact.save(folder, card, pack(trained.state_dict()), vocabulary)
        (folder / "training.png").write_bytes(picture_of(game.record, f"{name} on {data.source['name']}"))
        metrics = self.measure(folder)
        artifact.update_card(folder, metrics=metrics)
        return metrics

    def measure(self, folder: Path) -> Metrics:
        """How like real pictures those are that the artifact in ``folder`` draws; the log tells the scale."""
        artist = load_artist(folder, self.model.build)
        points = [Draw(SEED, number) for number in range(SAMPLES)]
        drawings = Generator({folder.name: artist}).predict(points, dataset=folder.name)
        return measure(torch.stack([drawing.pixels for drawing in drawings]), folder.name, _judge_of(folder))


@dataclass(frozen=True)
class ClassifierTraining:
    """How the classifier is trained and measured."""

    slug = "lenet"
    packages = (MNIST, FASHION_MNIST)
    variants = tuple(DATASETS)

    def train(self, name: str, folder: Path, checkpoint: Path, seed: int) -> Metrics:
        """Train the variant that ``folder`` is named after and write its artifact there."""
        data = DATASETS[folder.name].load()
        network, record = lenet.train(data, checkpoint, seed=seed, epochs=lenet.EPOCHS)
        card = _card(name, folder, lenet.PAPER, lenet.ARCHITECTURE, data, seed) | {"training": record}
        weights = {key: tensor.half() for key, tensor in network.state_dict().items()}
        artifact.save(folder, card, weights, {"classes": data.classes})
        metrics = self.measure(folder)
        artifact.update_card(folder, metrics=metrics)
        return metrics

    def measure(self, folder: Path) -> Metrics:
        """The accuracy of the artifact in ``folder`` on the test part."""
        data = DATASETS[folder.name].load()
        value = lenet.accuracy(load_network(folder), data.test)
        simple = lenet.nearest_mean_accuracy(data.train, data.test)
        return [_metric("classify", data, "accuracy", value, "nearest class mean", simple)]


def measure(pixels: Tensor, variant: str, judge: LeNet) -> Metrics:
    """The metrics of drawn pictures (n, 28, 28) uint8 beside those of the simple generator, as a card lists them."""
    data = DATASETS[variant].load()
    real = look(judge, data.test.pixels)
    drawn = quality(look(judge, pixels), real)
    simple = quality(look(judge, gaussian_pictures(data.train.pixels, SAMPLES, SEED)), real)
    _log_scale(judge, data, real, simple)
    name = f"Gaussian over {COMPONENTS} principal components"
    figures = [
        ("Frechet distance", drawn.distance, name, simple.distance),
        ("confident share", drawn.confident, name, simple.confident),
        ("class entropy", drawn.entropy, name, simple.entropy),
        ("rarest class", drawn.rarest, name, simple.rarest),
        ("commonest class", drawn.commonest, name, simple.commonest),
        (
            "distance to the nearest training picture",
            nearest(pixels[:NEIGHBOURS], data.train.pixels),
            "test pictures",
            nearest(data.test.pixels[:NEIGHBOURS], data.train.pixels),
        ),
    ]
    return [_metric("draw", data, *figure) for figure in figures]


def _log_scale(judge: LeNet, data: PictureSet, real: Seen, simple: Quality) -> None:
    """Tell what the figures of real pictures and of noise are."""
    noise = noise_pictures(SAMPLES, data.test.pixels.shape[-1], SEED)
    scale = {
        "training pictures": quality(look(judge, data.train.pixels), real),
        f"Gaussian over {COMPONENTS} principal components": simple,
        "noise": quality(look(judge, noise), real),
    }
    for name, figures in scale.items():
        log.info(
            "For comparison, %s: Frechet distance %.2f, confident share %.2f, class entropy %.2f",
            name, figures.distance, figures.confident, figures.entropy,
        )  # fmt: skip


@cache
def _judge_of(folder: Path) -> LeNet:
    """The classifier that looks at the pictures of the artifact in ``folder``."""
    return load_network(folder.parent.parent / "lenet" / folder.name)


def _judge_digest(folder: Path) -> str:
    """The SHA-256 of that classifier's weights."""
    digest: str = artifact.cards(folder.parent.parent / "lenet")[folder.name]["files"][artifact.WEIGHTS]
    return digest


def _card(
    name: str, folder: Path, paper: str, architecture: dict[str, Any], data: PictureSet, seed: int
) -> dict[str, Any]:
    return {
        "model": name,
        "variant": folder.name,
        "paper": paper,
        "architecture": architecture,
        "data": [data.source],
        "split": data.split,
        "seed": seed,
        "metrics": [],
    }


def _metric(task: str, data: PictureSet, metric: str, value: float, baseline: str, simple: float) -> dict[str, Any]:
    return {
        "task": task,
        "dataset": data.source["name"],
        "split": "test",
        "metric": metric,
        "value": round(value, 2),
        "baseline": {"name": baseline, "value": round(simple, 2)},
    }
