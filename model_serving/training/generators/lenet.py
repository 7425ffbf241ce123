"""Train the classifier that looks at drawn pictures.

Adam at 2e-3 falling along a cosine to zero, every batch moved by up to two pixels, dropout on the dense layers.
"""

import logging
import time
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy
from tqdm import tqdm

from model_serving.models.generators.lenet import LeNet
from model_serving.models.generators.pictures import to_signed
from model_serving.training import checkpoints
from model_serving.training.datasets.mnist import Pictures, PictureSet

PAPER = "LeCun, Bottou, Bengio and Haffner, 1998, Gradient-Based Learning Applied to Document Recognition"
ARCHITECTURE = {"maps": [24, 48], "hidden": [120, 84], "classes": 10}
DROPOUT = 0.3
EPOCHS = 10
LEARNING_RATE = 2e-3
BATCH = 128
MOVE = 2
"""Pixels that a batch is moved by at most."""

log = logging.getLogger("training")


def train(data: PictureSet, checkpoint: Path, *, seed: int, epochs: int) -> tuple[LeNet, dict[str, Any]]:
    """Train on ``data.train``; picks up at ``checkpoint`` where it exists.

    Returns the classifier and a record of the training for its card.
    """
    torch.manual_seed(seed)
    network = LeNet(**ARCHITECTURE, dropout=DROPOUT)  # type: ignore[arg-type]
    optimiser = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, epochs * -(-len(data.train.labels) // BATCH))
    parts = {"network": network, "optimiser": optimiser, "schedule": schedule}
    first, seconds = 0, 0.0
    if checkpoint.exists():
        state = checkpoints.load(checkpoint)
        for name, part in parts.items():
            part.load_state_dict(state[name])  # type: ignore[attr-defined]
        torch.set_rng_state(state["random"])
        first, seconds = state["epochs"], state["seconds"]
        log.info("Resuming at %s after epoch %d of %d", checkpoint, first, epochs)
    for epoch in range(first, epochs):
        began = time.monotonic()
        loss = _train_epoch(network, optimiser, schedule, data.train)
        seconds += time.monotonic() - began
        log.info("Epoch %d: loss %.4f", epoch + 1, loss)
        saved = {name: part.state_dict() for name, part in parts.items()}  # type: ignore[attr-defined]
        checkpoints.save(
            {**saved, "random": torch.get_rng_state(), "epochs": epoch + 1, "seconds": seconds}, checkpoint
        )
    network.eval()
    return network, {"epochs": epochs, "minutes": round(seconds / 60, 1)}


@torch.inference_mode()
def accuracy(network: LeNet, pictures: Pictures) -> float:
    """The share of pictures given their class, in points of 100."""
    found = torch.cat([network(to_signed(some)).argmax(1) for some in torch.split(pictures.pixels, 1000)])
    return 100 * float((found == pictures.labels).double().mean())


def nearest_mean_accuracy(train: Pictures, test: Pictures) -> float:
    """The accuracy of giving each picture the class whose mean picture is nearest, in points of 100."""
    pixels, others = (part.pixels.flatten(1).float() for part in (train, test))
    means = torch.stack([pixels[train.labels == label].mean(0) for label in range(10)])
    return 100 * (torch.cdist(others, means).argmin(1) == test.labels).double().mean().item()


def _train_epoch(network: LeNet, optimiser: torch.optim.Optimizer, schedule: Any, pictures: Pictures) -> float:
    network.train()
    total = 0.0
    batches = torch.split(torch.randperm(len(pictures.labels)), BATCH)
    for batch in tqdm(batches, unit="batch", mininterval=2):
        loss = cross_entropy(network(_moved(to_signed(pictures.pixels[batch]))), pictures.labels[batch])
        optimiser.zero_grad()
        torch.autograd.backward(loss)
        optimiser.step()
        schedule.step()
        total += loss.item()
    return total / len(batches)


def _moved(pictures: Tensor) -> Tensor:
    """All pictures of a batch moved by the same few pixels; what leaves at one side comes in at the other."""
    by = torch.randint(-MOVE, MOVE + 1, (2,)).tolist()
    return torch.roll(pictures, by, dims=(2, 3))
