"""Train the encoder-decoder with Bahdanau's attention."""

from model_serving.models.translators.bahdanau_attention import BahdanauAttentionNetwork
from model_serving.training.translators.optimisation import Schedule

PAPER = (
    "Bahdanau, Cho and Bengio, 2014, Neural Machine Translation by Jointly Learning to Align and Translate, "
    "arXiv:1409.0473"
)
VARIANTS = ("en-zh",)
BUILD = BahdanauAttentionNetwork
ARCHITECTURE = {"embedding_size": 256, "hidden_size": 384}
DROPOUT = 0.3
SCHEDULE = Schedule(stages=8, rate=1e-3, warm_up=500, subwords=1000)
