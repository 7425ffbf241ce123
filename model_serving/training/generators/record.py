"""The course of a training as one picture: losses, the discriminator's accuracy, and the strip over time."""

import io

from matplotlib.figure import Figure

from model_serving.models.generators.pictures import sheet
from model_serving.training.generators.adversarial import Record

ROWS = 10
"""Rows of the strip that are shown, the last epoch's among them."""


def picture_of(record: Record, title: str) -> bytes:
    """A PNG file of a record."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    losses, strip = figure.subplots(1, 2)
    epochs = range(1, len(record.strip) + 1)
    losses.plot(epochs, record.generator_loss, label="generator loss")
    losses.plot(epochs, record.discriminator_loss, label="discriminator loss")
    losses.plot(epochs, record.accuracy, label="discriminator accuracy")
    losses.set(title=title, xlabel="epoch", ylim=(0, None))
    losses.legend()
    shown = sorted({round((place + 1) * len(epochs) / ROWS) for place in range(ROWS)} - {0})
    rows = [picture for epoch in shown for picture in record.strip[epoch - 1]]
    strip.imshow(sheet(rows, columns=len(record.strip[0])).numpy(), cmap="gray", vmin=0, vmax=255)
    strip.set(title="the same noise, by epoch", xticks=[])
    strip.set_yticks([15 + 30 * place for place in range(len(shown))], list(map(str, shown)))
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=80, metadata={"Software": None})
    return file.getvalue()
