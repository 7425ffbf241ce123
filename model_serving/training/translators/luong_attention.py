"""Train the LSTMs with Luong's attention."""

from model_serving.models.translators.luong_attention import LuongAttentionNetwork
from model_serving.training.translators.optimisation import Schedule

PAPER = (
    "Luong, Pham and Manning, 2015, Effective Approaches to Attention-based Neural Machine Translation, "
    "arXiv:1508.04025"
)
BUILD = LuongAttentionNetwork
ARCHITECTURE = {"embedding_size": 256, "hidden_size": 384, "layers": 2, "score": "dot", "window": "global"}
DROPOUT = 0.2
SCHEDULES = {"en-zh": Schedule(stages=13, rate=3e-3, warm_up=500, subwords=1000, cooling=3)}
