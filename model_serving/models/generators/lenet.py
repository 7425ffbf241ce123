"""LeNet: a small convolutional classifier, kept to look at drawn pictures with; it is not served.

LeCun, Bottou, Bengio and Haffner, 1998, "Gradient-based learning applied to document recognition", section II.
Departures: rectifiers, maximum pooling, dropout, a softmax at the end, and more maps.
"""

from pathlib import Path

from torch import Tensor, nn

from model_serving.models import artifact


class LeNet(nn.Module):
    """Pictures of 28 by 28 to classes.

    Args:
        maps: channels of the two convolutions.
        hidden: sizes of the two dense layers; the last is the penultimate one that a Frechet distance looks at.
        classes: how many there are.
        dropout: share of the dense layers' inputs left out in training.
    """

    def __init__(self, maps: list[int], hidden: list[int], classes: int, dropout: float = 0.0):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, maps[0], kernel_size=5),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(maps[0], maps[1], kernel_size=5),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Dropout(dropout),
            nn.Linear(maps[1] * 4 * 4, hidden[0]),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden[0], hidden[1]),
            nn.ReLU(),
        )
        self.classifier = nn.Linear(hidden[1], classes)

    def forward(self, pictures: Tensor) -> Tensor:
        """``pictures``: (batch, 1, 28, 28) in -1..1 -> class scores (batch, classes)."""
        scores: Tensor = self.classifier(self.features(pictures))
        return scores


def load_network(folder: Path) -> LeNet:
    """The classifier of one trained variant, ready to run."""
    trained = artifact.load(folder)
    network = LeNet(**trained.card["architecture"])
    trained.fill(network)
    return network
