"""Train FastText: skip-gram with negative sampling over words made of character n-grams."""

from pathlib import Path

import torch

from model_serving.models.layers.outputs import NoiseOutput
from model_serving.models.packing import pack
from model_serving.models.word_vectors.fasttext import parts
from model_serving.models.word_vectors.subwords import bags
from model_serving.training.word_vectors import schedule
from model_serving.training.word_vectors.prediction import Composed, SkipGram
from model_serving.training.word_vectors.recipe import Trained
from model_serving.training.word_vectors.text import EncodedText
from model_serving.training.word_vectors.windows import TextWindows

PAPER = "Bojanowski, Grave, Joulin and Mikolov, 2017, Enriching Word Vectors with Subword Information, arXiv:1607.04606"
VARIANTS = ("zh", "en")
WORDS = 20_000
SIZE = 100
BUCKETS = 20_000
RATE = 0.05
EPOCHS = {"zh": 4, "en": 4}


def train(text: EncodedText, variant: str, checkpoint: Path, *, seed: int) -> Trained:
    """Train on the text; picks up at ``checkpoint`` where it exists."""
    chosen = bags(text.words.symbols, parts, BUCKETS)
    words = Composed(chosen, len(text.words) + BUCKETS, SIZE, torch.Generator().manual_seed(seed))
    learner = SkipGram(words, NoiseOutput(text.counts, SIZE))
    record = schedule.run(learner, TextWindows(text), checkpoint, epochs=EPOCHS[variant], rate=RATE, seed=seed)
    return Trained(pack(words.vectors), {"words": text.words.symbols}, record | {"buckets": BUCKETS})
