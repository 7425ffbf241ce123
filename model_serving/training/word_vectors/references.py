"""Other ways to vectors from the same tokens: gensim's skip-gram, and counts cut to few dimensions."""

import logging
from functools import cache

import numpy as np
import torch
from gensim.models import Word2Vec
from scipy.sparse import csr_array, diags_array
from scipy.sparse.linalg import svds
from torch import Tensor

from model_serving.models.word_vectors.space import Space
from model_serving.training.datasets import en_text, zh_text
from model_serving.training.trainable import Metrics
from model_serving.training.word_vectors import evaluation, word2vec
from model_serving.training.word_vectors.cooccurrence import count
from model_serving.training.word_vectors.text import EncodedText, encode

TEXTS = {"zh": zh_text, "en": en_text}
"""The corpora by language."""
GENSIM, COUNTS = "gensim", "PPMI + SVD"

log = logging.getLogger("training")


@cache
def measured(language: str, words: int) -> dict[str, Metrics]:
    """What both reach on the text of a language with its most frequent ``words``; takes minutes the first time."""
    log.info("Training gensim and PPMI + SVD on the same text, to stand beside ...")
    text = encode(TEXTS[language].load().sentences, most=words)
    vectors = {GENSIM: gensim(text, word2vec.EPOCHS[f"{language}-skipgram-neg"], seed=1), COUNTS: ppmi_svd(text)}
    return {name: evaluation.measure(Space(text.words, rows), language) for name, rows in vectors.items()}


def gensim(text: EncodedText, epochs: int, seed: int) -> Tensor:
    """gensim's skip-gram with negative sampling by the settings of ours; a row a word of the text."""
    symbols = text.words.symbols
    lengths = torch.unique_consecutive(text.sentences, return_counts=True)[1].tolist()
    sentences = [[symbols[row] for row in rows.tolist()] for rows in torch.split(text.tokens, lengths)]
    settings = {"vector_size": word2vec.SIZE, "sg": 1, "negative": 5, "window": 5, "sample": 1e-3, "min_count": 1}
    model = Word2Vec(sentences, **settings, alpha=word2vec.RATE, epochs=epochs, workers=1, seed=seed)
    return torch.from_numpy(np.stack([model.wv[word] for word in symbols]))


def ppmi_svd(text: EncodedText, size: int = word2vec.SIZE) -> Tensor:
    """Positive pointwise mutual information cut to ``size`` dimensions, contexts smoothed by the power 0.75.

    Levy, Goldberg and Dagan, 2015, "Improving distributional similarity with lessons learned from word embeddings",
    TACL 3, section 3; singular values to the power 1/2.
    """
    counts = count(text, 5)
    words = np.maximum(np.asarray(counts.sum(axis=1)).ravel(), 1e-9)
    contexts = np.maximum(np.asarray(counts.sum(axis=0)).ravel(), 1e-9) ** 0.75
    information = csr_array(diags_array(1 / words) @ counts @ diags_array(contexts.sum() / contexts))
    information.data = np.maximum(np.log(information.data), 0).astype(np.float32)
    left, values, _ = svds(information, k=size, rng=np.random.default_rng(1))
    return torch.from_numpy(np.ascontiguousarray(left * np.sqrt(values))).float()
