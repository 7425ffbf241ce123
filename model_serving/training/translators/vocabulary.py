"""Learn the sub-words of each language."""

import io
from collections.abc import Iterable

import sentencepiece

from model_serving.models.translators import placeholders
from model_serving.models.translators.subwords import END, PADDING, START, UNKNOWN, Subwords


def learn(sentences: Iterable[str], size: int, *, spaced: bool) -> Subwords:
    """A unigram model of ``size`` pieces over masked sentences, fewer where the text has no more.

    ``spaced`` says that the language parts words by spaces, so a sentence's first word is spelt as any other. Every
    mark of a placeholder is a piece of its own; digits stand alone; sentences are taken as they are normalised.
    Characters that make up less than two in 10,000 of the text are unknown.
    """
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences),
        model_writer=model,
        model_type="unigram",
        vocab_size=size,
        hard_vocab_limit=False,
        character_coverage=0.9998,
        normalization_rule_name="identity",
        add_dummy_prefix=spaced,
        split_digits=True,
        user_defined_symbols=placeholders.MARKS,
        pad_id=PADDING,
        unk_id=UNKNOWN,
        bos_id=START,
        eos_id=END,
        num_threads=1,
        minloglevel=2,
    )
    return Subwords(model.getvalue())
