"""Train the RNN encoder-decoder."""

from model_serving.models.translators.rnn_encoder_decoder import RNNEncoderDecoderNetwork
from model_serving.training.translators.optimisation import Schedule

PAPER = (
    "Cho et al., 2014, Learning Phrase Representations using RNN Encoder-Decoder for Statistical Machine Translation, "
    "arXiv:1406.1078"
)
BUILD = RNNEncoderDecoderNetwork
ARCHITECTURE = {"embedding_size": 256, "hidden_size": 512}
DROPOUT = 0.2
SCHEDULES = {"en-zh": Schedule(stages=8, rate=3e-3, warm_up=500, subwords=1000)}
