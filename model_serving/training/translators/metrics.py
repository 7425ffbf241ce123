"""Scores of translations against references, in points of 100.

Post, 2018, "A call for clarity in reporting BLEU scores", arXiv:1804.08771; Popovic, 2015, "chrF: character n-gram
F-score for automatic MT evaluation", with beta 2.
"""

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

_TOKENISERS = {"zh": "zh", "en": "13a"}


def bleu(found: list[str], references: list[str], language: str) -> float:
    """Corpus BLEU of detokenised text, by sacreBLEU."""
    return float(BLEU(tokenize=_TOKENISERS[language]).corpus_score(found, [references]).score)


def chrf(found: list[str], references: list[str], language: str) -> float:
    """chrF2, the same for every language."""
    return float(CHRF().corpus_score(found, [references]).score)


METRICS = {"BLEU": bleu, "chrF": chrf}


def signature(language: str) -> str:
    """What tells one way to compute BLEU from another; the version of sacreBLEU included."""
    metric = BLEU(tokenize=_TOKENISERS[language])
    metric.corpus_score(["a"], [["a"]])
    return str(metric.get_signature())
