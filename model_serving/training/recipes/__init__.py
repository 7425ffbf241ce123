"""How each model is trained: one module a model, each with ``train(corpus, checkpoint, *, seed)``."""

from model_serving.training.recipes import bilstm_crf, hmm

__all__ = ["bilstm_crf", "hmm"]
