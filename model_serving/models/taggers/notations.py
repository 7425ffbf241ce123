"""Other ways of writing spans as labels than the BIOES of :mod:`model_serving.models.taggers.schemes`.

For ``n`` kinds of span (Carpenter, 2009, "Coding chunkers as taggers: IO, BIO, BMEWO, and BMEWO+"):

- ``IO``, n + 1 labels: ``I-X`` inside a span; neighbours of one kind can not be told apart.
- ``BIO``, 2n + 1: ``B-X`` begins a span as well (Ramshaw and Marcus, 1995, in the form IOB2).
- ``BIOES``, 4n + 1: ``E-X`` ends one and ``S-X`` is one alone.
- ``BMEWO``, 4n + 1: the same with ``M`` for ``I`` and ``W`` for ``S``.
- ``BMEWO+``, 7n + 3: an ``O`` says what stands beside it. ``BB_O-X`` follows a span of X, ``EE_O-X`` comes before one,
  ``WW_O-X`` stands alone before one; ``BB_O-BOS`` and ``EE_O-EOS`` are at the ends of the sentence, ``MM_O`` is far
  from spans.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from model_serving.models.taggers import schemes
from model_serving.models.taggers.schemes import OUTSIDE, Span

NOTATIONS = ("IO", "BIO", "BIOES", "BMEWO", "BMEWO+")

_FROM_BIOES = {
    "IO": str.maketrans("BIES", "IIII"),
    "BIO": str.maketrans("BIES", "BIIB"),
    "BIOES": {},
    "BMEWO": str.maketrans("BIES", "BMEW"),
    "BMEWO+": str.maketrans("BIES", "BMEW"),
}
_TO_BIOES = str.maketrans("MW", "IS")


def encode(spans: Iterable[Span], length: int, notation: str) -> list[str]:
    """Write disjoint spans over ``length`` units in one of ``NOTATIONS``."""
    table = _FROM_BIOES[notation]
    labels = [label[0].translate(table) + label[1:] for label in schemes.encode(spans, length)]
    return _with_neighbours(labels) if notation == "BMEWO+" else labels


def decode(labels: Sequence[str], notation: str) -> list[Span]:
    """Read spans off labels, leniently: in IO and BIO a span is what hangs together.

    Spans of one kind that touch come back from IO as one.
    """
    if notation in ("IO", "BIO"):
        return _runs(labels)
    places = [OUTSIDE if _is_outside(label) else label[0].translate(_TO_BIOES) + label[1:] for label in labels]
    return schemes.decode(places)


def labels_of(kinds: Sequence[str], notation: str) -> list[str]:
    """Every label that a notation has for these kinds of span."""
    if notation == "BMEWO+":
        around = [f"{place}_O-{kind}" for place in ("BB", "EE", "WW") for kind in kinds]
        return [*labels_of(kinds, "BMEWO")[:-1], *around, "BB_O-BOS", "EE_O-EOS", "MM_O"]
    places = dict.fromkeys(place.translate(_FROM_BIOES[notation]) for place in "BIES")
    return [*(f"{place}-{kind}" for place in places for kind in kinds), OUTSIDE]


def _is_outside(label: str) -> bool:
    return label == OUTSIDE or label[:4] in ("BB_O", "EE_O", "WW_O", "MM_O")


def _with_neighbours(labels: list[str]) -> list[str]:
    """BMEWO labels, those outside written with what stands on either side."""
    kinds = ["BOS", *(label[2:] for label in labels), "EOS"]
    around = zip(kinds, labels, kinds[2:], strict=False)
    return [_outside(left, right) if label == OUTSIDE else label for left, label, right in around]


def _outside(left: str, right: str) -> str:
    if left and right:
        return f"WW_O-{right}" if right != "EOS" else "EE_O-EOS"
    if left:
        return f"BB_O-{left}"
    return f"EE_O-{right}" if right else "MM_O"


def _runs(labels: Sequence[str]) -> list[Span]:
    """Stretches of one kind, cut where a label begins anew."""
    begun = 0
    runs = []
    for label in labels:
        begun += label[0] == "B"
        runs.append((label[2:], begun))
    spans = []
    start = 0
    for (kind, _), stretch in groupby(runs):
        end = start + len(list(stretch))
        if kind:
            spans.append(Span(start, end, kind))
        start = end
    return spans
