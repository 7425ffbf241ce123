"""The game of generator and discriminator.

Each batch the discriminator learns to tell real pictures from drawn ones, then the generator to draw what it takes for
real: it maximises log D(G(z)) and does not minimise log(1 - D(G(z))) (Goodfellow et al., 2014, section 3). Real
pictures count as 0.9 real (Salimans et al., 2016, "Improved techniques for training GANs", section 3.4). What is kept
is the average of the generator's weights over its last steps (Yazici et al., 2019, "The unusual effectiveness of
averaging in GAN training"), with the statistics of batch normalisation counted anew for it.
"""

import copy
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, one_hot
from torch.nn.modules.batchnorm import _BatchNorm
from tqdm import tqdm

from model_serving.models.generators.generator import Networks
from model_serving.models.generators.latent import join
from model_serving.models.generators.pictures import to_pixels, to_signed
from model_serving.training import checkpoints
from model_serving.training.datasets.mnist import Pictures

REAL = 0.9
"""How real the discriminator is told that real pictures are."""

STRIP = 10
"""Pictures drawn after every epoch from the same noise, one of each class where there are classes."""

COUNTED = 10_000
"""Pictures over which the statistics of the averaged generator are counted."""

log = logging.getLogger("training")


@dataclass(frozen=True)
class Recipe:
    """How to train.

    ``average`` is what the averaged weights keep of themselves at each step. The rates are those of Adam (its first
    moment keeping 0.5; Radford et al., 2016), constant over the first half, then falling to zero.
    """

    batch: int
    generator_rate: float
    discriminator_rate: float
    average: float = 0.999


@dataclass
class Record:
    """What happened in each epoch: mean losses, the share of pictures the discriminator told right, and the strip.

    ``strip`` holds (STRIP, 28, 28) uint8 for each epoch.
    """

    generator_loss: list[float] = field(default_factory=list)
    discriminator_loss: list[float] = field(default_factory=list)
    accuracy: list[float] = field(default_factory=list)
    strip: list[Tensor] = field(default_factory=list)
    seconds: float = 0.0

    def summary(self) -> dict[str, Any]:
        """What a card says of it."""
        return {
            "epochs": len(self.strip),
            "minutes": round(self.seconds / 60, 1),
            "generator_loss": self.generator_loss,
            "discriminator_loss": self.discriminator_loss,
            "discriminator_accuracy": self.accuracy,
        }


class Game:
    """One training in progress.

    Args:
        networks: to be trained.
        noise: its size.
        classes: how many the networks tell apart; 1 means none.
        recipe: how to train.
        steps: in how many batches; the rates fall towards the last.
    """

    def __init__(self, networks: Networks, noise: int, classes: int, recipe: Recipe, steps: int):
        networks.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.generator, self.discriminator = networks.generator, networks.discriminator
        self.averaged = copy.deepcopy(self.generator).requires_grad_(False)
        self.noise, self.classes, self.recipe = noise, classes, recipe
        rates = {self.generator: recipe.generator_rate, self.discriminator: recipe.discriminator_rate}
        self.optimisers = [
            torch.optim.Adam(network.parameters(), lr=rate, betas=(0.5, 0.999), fused=True)
            for network, rate in rates.items()
        ]
        self.schedules = [
            torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: min(1.0, 2 * (1 - step / steps)))
            for optimiser in self.optimisers
        ]
        self.strip_noise = torch.randn(STRIP, noise)
        self.record = Record()

    @property
    def epoch(self) -> int:
        """How many epochs are done."""
        return len(self.record.strip)

    def train_epoch(self, pictures: Pictures) -> None:
        """One pass over the pictures in random order; what does not fill a batch is left out."""
        began = time.monotonic()
        order = torch.randperm(len(pictures.labels))
        batches = [batch for batch in torch.split(order, self.recipe.batch) if len(batch) == self.recipe.batch]
        totals = torch.zeros(3)
        for batch in tqdm(batches, desc=f"epoch {self.epoch + 1}", unit="batch", mininterval=5):
            real = to_signed(pictures.pixels[batch]).contiguous(memory_format=torch.channels_last)
            totals += self._step(real, pictures.labels[batch] if self.classes > 1 else torch.zeros_like(batch))
        count_statistics(self.averaged, self._latent, COUNTED)
        record = self.record
        losses = (record.generator_loss, record.discriminator_loss, record.accuracy)
        for values, total in zip(losses, totals.tolist(), strict=True):
            values.append(round(total / len(batches), 4))
        record.strip.append(self._strip())
        record.seconds += time.monotonic() - began

    def _step(self, real: Tensor, labels: Tensor) -> Tensor:
        """Move both networks once; gives both losses and the discriminator's accuracy."""
        learns_to_draw, learns_to_tell = self.optimisers
        latent, wanted = self._latent(len(real))
        drawn = self.generator(latent)
        real_odds = _odds(self.discriminator(real), labels)
        drawn_odds = _odds(self.discriminator(drawn.detach()), wanted)
        told = _loss(real_odds, REAL) + _loss(drawn_odds, 0.0)
        _move(learns_to_tell, told)

        self.discriminator.requires_grad_(False)
        deceived = _loss(_odds(self.discriminator(drawn), wanted), 1.0)
        _move(learns_to_draw, deceived)
        self.discriminator.requires_grad_(True)

        for schedule in self.schedules:
            schedule.step()
        for mean, new in zip(self.averaged.parameters(), self.generator.parameters(), strict=True):
            mean.lerp_(new.detach(), 1 - self.recipe.average)
        accuracy = ((real_odds > 0).float().mean() + (drawn_odds < 0).float().mean()) / 2
        return torch.stack([deceived.detach(), told.detach(), accuracy])

    def _latent(self, count: int) -> tuple[Tensor, Tensor]:
        """Random noise joined to random classes, and those classes (count,)."""
        labels = torch.randint(self.classes, (count,))
        return join(torch.randn(count, self.noise), one_hot(labels, self.classes).float()), labels

    @torch.inference_mode()
    def _strip(self) -> Tensor:
        labels = torch.arange(STRIP) % self.classes
        pictures = self.averaged(join(self.strip_noise, one_hot(labels, self.classes).float()))
        return to_pixels(pictures).squeeze(1).clone()

    def save(self, checkpoint: Path) -> None:
        """Write all that a resumed training needs."""
        parts = {name: part.state_dict() for name, part in self._parts().items()}
        record = {**vars(self.record), "strip_noise": self.strip_noise}
        checkpoints.save({"parts": parts, "record": record, "random": torch.get_rng_state()}, checkpoint)

    def resume(self, checkpoint: Path) -> None:
        """Take up where :meth:`save` left off."""
        state = checkpoints.load(checkpoint)
        for name, part in self._parts().items():
            part.load_state_dict(state["parts"][name])
        self.strip_noise = state["record"].pop("strip_noise")
        self.record = Record(**state["record"])
        torch.set_rng_state(state["random"])

    def _parts(self) -> dict[str, Any]:
        networks = {"generator": self.generator, "discriminator": self.discriminator, "averaged": self.averaged}
        optimisers = {f"optimiser {place}": part for place, part in enumerate(self.optimisers)}
        return networks | optimisers | {f"schedule {place}": part for place, part in enumerate(self.schedules)}


def play(game: Game, pictures: Pictures, epochs: int, checkpoint: Path) -> Networks:
    """Train for so many epochs, keeping a checkpoint after each and taking up one that is there.

    Returns the averaged generator and the discriminator.
    """
    if checkpoint.exists():
        game.resume(checkpoint)
        log.info("Resuming at %s after epoch %d of %d", checkpoint, game.epoch, epochs)
    while game.epoch < epochs:
        game.train_epoch(pictures)
        game.save(checkpoint)
        record = game.record
        log.info(
            "Epoch %d: generator loss %.3f, discriminator loss %.3f, accuracy %.3f",
            game.epoch, record.generator_loss[-1], record.discriminator_loss[-1], record.accuracy[-1],
        )  # fmt: skip
    return Networks(game.averaged, game.discriminator).eval()


@torch.no_grad()
def count_statistics(
    generator: nn.Module, latents: Callable[[int], tuple[Tensor, Tensor]], pictures: int, batch: int = 250
) -> None:
    """Set the running averages of batch normalisation to the plain means over freshly drawn pictures.

    Args:
        generator: set to evaluation afterwards.
        latents: makes so many latents, and their classes.
        pictures: how many to draw.
        batch: so many at once.
    """
    layers = [layer for layer in generator.modules() if isinstance(layer, _BatchNorm)]
    momenta = [layer.momentum for layer in layers]
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None  # the plain mean
    generator.train()
    for _ in range(pictures // batch):
        generator(latents(batch)[0])
    generator.eval()
    for layer, momentum in zip(layers, momenta, strict=True):
        layer.momentum = momentum


def _odds(odds: Tensor, labels: Tensor) -> Tensor:
    """Of each picture (batch, classes) those of its own class (batch,)."""
    return odds.gather(1, labels.unsqueeze(1)).squeeze(1)


def _loss(odds: Tensor, real: float) -> Tensor:
    return binary_cross_entropy_with_logits(odds, torch.full_like(odds, real))


def _move(optimiser: torch.optim.Optimizer, loss: Tensor) -> None:
    optimiser.zero_grad()
    torch.autograd.backward(loss)
    optimiser.step()
