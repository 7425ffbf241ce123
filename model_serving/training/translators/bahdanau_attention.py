"""Train the encoder-decoder with Bahdanau's attention."""

from model_serving.models.translators.bahdanau_attention import BahdanauAttentionNetwork
from model_serving.training.translators.optimisation import Schedule

PAPER = (
    "Bahdanau, Cho and Bengio, 2014, Neural Machine Translation by Jointly Learning to Align and Translate, "
    "arXiv:1409.0473"
)
BUILD = BahdanauAttentionNetwork
ARCHITECTURE = {"embedding_size": 256, "hidden_size": 384}
DROPOUT = 0.3
SCHEDULES = {"en-zh": Schedule(stages=13, rate=3e-3, warm_up=500, subwords=1000, cooling=3)}
