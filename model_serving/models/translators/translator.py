"""The served model of the family: raw text in, its translation out, with scores, alternatives and attention."""

from collections.abc import Callable, Mapping
from heapq import nlargest
from itertools import product
from pathlib import Path
from typing import Any

import torch

from model_serving.models import artifact
from model_serving.models.languages import language_of
from model_serving.models.translators import direction
from model_serving.models.translators.alignment import combine
from model_serving.models.translators.direction import LONGEST_TRANSLATION, Candidate, Direction, Search
from model_serving.models.translators.text import Sentence, join
from model_serving.models.translators.units import Unit, units

Translation = dict[str, Any]
"""``{"translation", "score", "finished", "alternatives"?, "attention"?}``, as in the HTTP contract."""


class Translator:
    """Translates text, sentence by sentence.

    Args:
        directions: what translates from one language into another, by both.
    """

    def __init__(self, directions: Mapping[tuple[str, str], Direction]):
        self._directions = directions

    def cost(self, text: str) -> int:
        """The work a text makes, in characters."""
        return len(text)

    @torch.inference_mode()
    def predict(
        self,
        texts: list[str],
        *,
        source: str | None = None,
        target: str | None = None,
        beam_size: int = 4,
        n_best: int = 1,
        length_penalty: float = 1.0,
        max_length: int = LONGEST_TRANSLATION,
        attention: bool = False,
    ) -> list[Translation]:
        """Translate each text; an empty one into an empty one.

        Args:
            texts: of any length.
            source, target: one of the directions, or neither: then each text's script tells.
            beam_size, length_penalty, max_length: of the search for each sentence; see
                :class:`model_serving.models.translators.direction.Search`.
            n_best: translations wanted, at most ``beam_size``; those after the best are the alternatives.
            attention: whether the weights of the best are wanted, of an attentive network.
        """
        search = Search(beam_size, length_penalty, max_length)
        languages = [(source, target) if source and target else self._languages(text) for text in texts]
        answers: list[Translation] = [{} for _ in texts]
        for pair in dict.fromkeys(languages):
            places = [place for place, each in enumerate(languages) if each == pair]
            found = self._translate([texts[place] for place in places], *pair, search, n_best, attention)
            for place, answer in zip(places, found, strict=True):
                answers[place] = answer
        return answers

    def _languages(self, text: str) -> tuple[str, str]:
        """The direction whose source is the language of a text, else the first."""
        language = language_of(text)
        return next((pair for pair in self._directions if pair[0] == language), next(iter(self._directions)))

    def _translate(
        self, texts: list[str], source: str, target: str, search: Search, n_best: int, attention: bool
    ) -> list[Translation]:
        way = self._directions[source, target]
        read = [list(units(text, source, way.source)) for text in texts]
        found = iter(way.translate([unit for text in read for unit in text], search))
        answers = []
        for text in read:
            candidates = [next(found) for _ in text]
            best, *others = _whole(text, candidates, target, n_best)
            if n_best > 1:
                best["alternatives"] = others
            if attention:
                pairs = zip(text, candidates, strict=True)
                best["attention"] = combine([way.align(unit, ranked[0]) for unit, ranked in pairs])
            answers.append(best)
        return answers


def load(folder: Path, build: Callable[..., Any]) -> Translator:
    """A translator over the variants in ``folder``, named ``en-zh`` for English into Chinese; ``build`` as in
    :func:`model_serving.models.translators.direction.load`."""
    return Translator(load_directions(folder, build))


def load_directions(folder: Path, build: Callable[..., Any]) -> dict[tuple[str, str], Direction]:
    """What is trained in ``folder``, by source and target; see :func:`load`."""
    ways = {}
    for variant in artifact.cards(folder):
        source, target = variant.split("-")
        ways[source, target] = direction.load(folder / variant, build)
    return ways


def _whole(text: list[Unit], candidates: list[list[Candidate]], language: str, n_best: int) -> list[Translation]:
    """The best translations of a text of which each unit has candidates, best first."""
    chosen: list[tuple[Candidate, ...]] = [()]
    for ranked in candidates:
        chosen = nlargest(n_best, ((*before, new) for before, new in product(chosen, ranked)), key=_worth)
    return [
        {
            "translation": join(
                [Sentence(each.text, unit.ends_line) for unit, each in zip(text, parts, strict=True)], language
            ),
            "score": round(sum(each.score for each in parts) / max(1, len(parts)), 4),
            "finished": all(each.finished for each in parts),
        }
        for parts in chosen
    ]


def _worth(parts: tuple[Candidate, ...]) -> tuple[int, float]:
    return sum(each.finished for each in parts), sum(each.score for each in parts)
