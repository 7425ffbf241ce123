"""Train CW2Vec: skip-gram with negative sampling over words made of stroke n-grams."""

from pathlib import Path

import torch

from model_serving.models.layers.outputs import NoiseOutput
from model_serving.models.packing import pack
from model_serving.models.word_vectors.cw2vec import parts_by
from model_serving.models.word_vectors.subwords import bags
from model_serving.training.datasets import stroke_table
from model_serving.training.word_vectors import schedule
from model_serving.training.word_vectors.prediction import Composed, SkipGram
from model_serving.training.word_vectors.recipe import Trained
from model_serving.training.word_vectors.text import EncodedText
from model_serving.training.word_vectors.windows import TextWindows

PAPER = "Cao, Lu, Zhou and Li, 2018, cw2vec: Learning Chinese Word Embeddings with Stroke n-gram Information, AAAI"
VARIANTS = ("zh",)
WORDS = 20_000
SIZE = 100
BUCKETS = 20_000
RATE = 0.05
EPOCHS = 8
MOST_WORDS = 2
"""Most words have the short stroke n-grams in common, so a batch would move them by the sum of all its words."""


def train(text: EncodedText, variant: str, checkpoint: Path, *, seed: int) -> Trained:
    """Train on the text; picks up at ``checkpoint`` where it exists."""
    table = stroke_table.load()
    chosen = bags(text.words.symbols, parts_by(table), BUCKETS)
    words = Composed(chosen, len(text.words) + BUCKETS, SIZE, torch.Generator().manual_seed(seed), MOST_WORDS)
    learner = SkipGram(words, NoiseOutput(text.counts, SIZE))
    record = schedule.run(learner, TextWindows(text), checkpoint, epochs=EPOCHS, rate=RATE, seed=seed)
    symbols = {"words": text.words.symbols, "characters": list(table), "strokes": list(table.values())}
    return Trained(pack(words.vectors), symbols, record | {"buckets": BUCKETS})
