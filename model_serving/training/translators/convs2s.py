"""Train the convolutional sequence-to-sequence network."""

from model_serving.models.translators.convs2s import ConvS2SNetwork
from model_serving.training.translators.optimisation import Schedule

PAPER = "Gehring et al., 2017, Convolutional Sequence to Sequence Learning, arXiv:1705.03122"
BUILD = ConvS2SNetwork
ARCHITECTURE = {"embedding_size": 256, "hidden_size": 256, "layers": 4, "width": 3, "places": 100}
DROPOUT = 0.2
SCHEDULES = {"en-zh": Schedule(stages=10, rate=2e-3, warm_up=500, subwords=1000)}
