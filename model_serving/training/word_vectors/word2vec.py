"""Train Word2Vec: 100 numbers a word, windows of five.

The text is small, so the learning rate is twice that of the authors' program for skip-gram, and that for CBOW.
"""

from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model_serving.models.layers import huffman
from model_serving.models.layers.outputs import NoiseOutput, Output, TreeOutput
from model_serving.models.packing import pack
from model_serving.training.word_vectors import schedule
from model_serving.training.word_vectors.prediction import CBOW, Rows, SkipGram
from model_serving.training.word_vectors.recipe import Trained
from model_serving.training.word_vectors.text import EncodedText
from model_serving.training.word_vectors.windows import TextWindows

PAPER = (
    "Mikolov, Chen, Corrado and Dean, 2013, Efficient Estimation of Word Representations in Vector Space, "
    "arXiv:1301.3781"
)
EPOCHS = {"zh-skipgram-neg": 8, "zh-skipgram-hs": 3, "zh-cbow-neg": 8, "zh-cbow-hs": 5, "en-skipgram-neg": 5}
VARIANTS = tuple(EPOCHS)
WORDS = 20_000
SIZE = 100
RATE = 0.05


def train(text: EncodedText, variant: str, checkpoint: Path, *, seed: int) -> Trained:
    """Train the variant on the text; picks up at ``checkpoint`` where it exists."""
    _, form, output = variant.split("-")
    rows, record = learn(text, form, output, checkpoint, epochs=EPOCHS[variant], seed=seed)
    return Trained(pack(rows), {"words": text.words.symbols}, record)


def learn(
    text: EncodedText, form: str, output: str, checkpoint: Path, *, epochs: int, seed: int, size: int = SIZE
) -> tuple[Tensor, dict[str, Any]]:
    """The vectors (words, size) of one of the four forms, ``skipgram`` or ``cbow`` with ``neg`` or ``hs``."""
    words = Rows(len(text.words), size, torch.Generator().manual_seed(seed))
    target: Output = NoiseOutput(text.counts, size)
    if output == "hs":
        target = TreeOutput(huffman.paths(text.counts.tolist()), size)
    learner = SkipGram(words, target) if form == "skipgram" else CBOW(words, target)
    record = schedule.run(learner, TextWindows(text), checkpoint, epochs=epochs, rate=RATE, seed=seed)
    return words.vectors, record
