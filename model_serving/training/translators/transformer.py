"""Train the Transformer: small, for a corpus of a million sub-words and a processor without an accelerator."""

from model_serving.models.translators.transformer import TransformerNetwork
from model_serving.training.translators.optimisation import Schedule

PAPER = "Vaswani et al., 2017, Attention Is All You Need, arXiv:1706.03762"
BUILD = TransformerNetwork
ARCHITECTURE = {"size": 256, "heads": 4, "layers": 3, "hidden": 1024}
DROPOUT = 0.2
SCHEDULES = {
    "en-zh": Schedule(stages=24, rate=2e-3, warm_up=1000, subwords=1000, cooling=4),
    "zh-en": Schedule(stages=12, rate=1e-3, warm_up=1000, subwords=1000),
}
