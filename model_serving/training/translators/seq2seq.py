"""Train the sequence-to-sequence LSTMs."""

from model_serving.models.translators.seq2seq import Seq2SeqNetwork
from model_serving.training.translators.optimisation import Schedule

PAPER = "Sutskever, Vinyals and Le, 2014, Sequence to Sequence Learning with Neural Networks, arXiv:1409.3215"
BUILD = Seq2SeqNetwork
ARCHITECTURE = {"embedding_size": 256, "hidden_size": 384, "layers": 2}
DROPOUT = 0.1
SCHEDULES = {"en-zh": Schedule(stages=9, rate=3e-3, warm_up=500, subwords=1000, cooling=3)}
