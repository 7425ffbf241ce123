"""A translator that also says how likely it finds a translation that is given."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch

from model_serving.models.errors import InputError
from model_serving.models.translators import placeholders, translator
from model_serving.models.translators.direction import Direction
from model_serving.models.translators.subwords import SPACE
from model_serving.models.translators.text import Sentence, join, sentences
from model_serving.models.translators.translator import Translation, Translator
from model_serving.models.translators.units import LONGEST


class Pair(NamedTuple):
    """A text, and a translation of it to be scored."""

    text: str
    reference: str


class Scored(NamedTuple):
    """One sentence beside its reference: sub-words by number, and as the reference's stand in it."""

    source: list[int]
    target: list[int]
    pieces: list[str]


class ReferenceTranslator:
    """Translates texts, and scores the references given with them.

    Args:
        directions: what translates from one language into another, by both.
    """

    def __init__(self, directions: Mapping[tuple[str, str], Direction]):
        self._directions = directions
        self._translator = Translator(directions)

    def cost(self, item: str | Pair) -> int:
        """The work an item makes, in characters."""
        return len(item) if isinstance(item, str) else len(item.text) + len(item.reference)

    @torch.inference_mode()
    def predict(
        self, items: list[str | Pair], *, source: str, target: str, length_penalty: float = 1.0, **options: Any
    ) -> list[Translation | InputError]:
        """Translate each text, see :meth:`Translator.predict`, and score the references.

        A reference becomes ``{"score", "tokens": [{"text", "log_probability"}]}``; each of its sentences ends with a
        token of no text, which stands for the end. The score is made as that of a translation is.
        """
        texts = [item if isinstance(item, str) else item.text for item in items]
        answers: list[Translation | InputError] = [
            *self._translator.predict(texts, source=source, target=target, length_penalty=length_penalty, **options)
        ]
        way = self._directions[source, target]
        cut = {
            place: _sentences(item, way, source, target) for place, item in enumerate(items) if isinstance(item, Pair)
        }
        wanted = [each for scored in cut.values() if not isinstance(scored, InputError) for each in scored]
        found = iter(way.log_probabilities([(each.source, each.target) for each in wanted]))
        for place, scored in cut.items():
            answer = answers[place]
            if isinstance(scored, InputError):
                answers[place] = scored
            elif isinstance(answer, dict):
                answer["reference"] = _answer(scored, [next(found) for _ in scored], length_penalty)
        return answers


def load(folder: Path, build: Callable[..., Any]) -> ReferenceTranslator:
    """A translator over the variants in ``folder``; see :func:`model_serving.models.translators.translator.load`."""
    return ReferenceTranslator(translator.load_directions(folder, build))


def _sentences(pair: Pair, way: Direction, source: str, target: str) -> list[Scored] | InputError:
    """The sentences of a pair one by one where both sides have as many, otherwise together."""
    read, written = list(sentences(pair.text, source)), list(sentences(pair.reference, target))
    if not (read and written):
        return [] if not (read or written) else InputError("and reference must both hold text, or neither")
    if len(read) == len(written):
        sides = [(one.text, other.text) for one, other in zip(read, written, strict=True)]
    else:
        sides = [(_one_line(read, source), _one_line(written, target))]
    found = []
    for one, other in sides:
        masked, known = placeholders.mask(one, other)
        numbers, _ = way.source.encode(masked)
        targets, pieces = way.target.encode(placeholders.mask_as(other, known))
        if max(len(numbers), len(targets)) > LONGEST:
            return InputError(f"with a reference must have at most {LONGEST} sub-words a sentence, both")
        spelt = [placeholders.unmask(piece.replace(SPACE, " "), known) for piece in pieces]
        found.append(Scored(numbers, targets, spelt))
    return found


def _one_line(parts: list[Sentence], language: str) -> str:
    return join([Sentence(part.text, False) for part in parts], language)


def _answer(scored: list[Scored], log_probabilities: list[list[float]], length_penalty: float) -> dict[str, Any]:
    scores = [sum(values) / len(values) ** length_penalty for values in log_probabilities]
    return {
        "score": round(sum(scores) / max(1, len(scores)), 4),
        "tokens": [
            {"text": piece, "log_probability": round(value, 4)}
            for each, values in zip(scored, log_probabilities, strict=True)
            for piece, value in zip([*each.pieces, ""], values, strict=True)
        ],
    }
