"""The served model of the family: questions about words, answered by their vectors.

The analogies are those of Levy and Goldberg, 2014, "Linguistic regularities in sparse and explicit word
representations": equation 2, 3CosAdd, and equation 4, 3CosMul.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import normalize

from model_serving.models import artifact
from model_serving.models.errors import InputError
from model_serving.models.packing import unpack
from model_serving.models.space import DECIMALS, Neighbour, Place, Space, cosine
from model_serving.models.word_vectors.words import Words

WORK_OF_A_WORD = 32
"""What one search adds to a batch; the products of a batch are in memory all at once."""

Answer = dict[str, Any]


class WordVectors:
    """Answers questions about words.

    Args:
        spaces: by variant.
    """

    def __init__(self, spaces: Mapping[str, Space]):
        self._spaces = spaces

    def cost(self, item: str | list[str]) -> int:
        """The work an item makes."""
        return WORK_OF_A_WORD * (1 if isinstance(item, str) else max(1, len(item)))

    def predict(
        self,
        items: list[Any],
        *,
        action: str,
        variant: str,
        top: int = 10,
        among: Sequence[str] | None = None,
        method: str = "3cosadd",
    ) -> list[Answer | InputError]:
        """Answer each item.

        Args:
            items: words for ``vectors`` and ``neighbors``; two words each for ``similarity``, three for ``analogy``
                (the first is to the second as the third is to what is asked), at least three for ``odd_one_out``.
            action: what is asked.
            variant: of which space.
            top: how many words answer ``neighbors`` and ``analogy``.
            among: words that alone may answer those two; ones outside the vocabulary do not.
            method: of ``analogy``, ``3cosadd`` or ``3cosmul``.

        Returns:
            One answer an item; words without a vector are marked as such. An error for an item of too few words or
            too many.
        """
        space = self._spaces[variant]
        answers: dict[str, Callable[[], list[Any]]] = {
            "vectors": lambda: [_vector(space, word) for word in items],
            "neighbors": lambda: _neighbors(space, items, top, _rows(space, among)),
            "similarity": lambda: [_similarity(space, pair) for pair in items],
            "analogy": lambda: _analogies(space, items, top, _rows(space, among), method),
            "odd_one_out": lambda: [_odd_one_out(space, group) for group in items],
        }
        return answers[action]()


def load(folder: Path, load_space: Callable[[artifact.Artifact], Space]) -> WordVectors:
    """The served vectors over all trained variants in ``folder``.

    Raises:
        ArtifactError: one can not be read.
    """
    return WordVectors({path.parent.name: load_space(artifact.load(path.parent)) for path in variants(folder)})


def variants(folder: Path) -> list[Path]:
    """The cards of the artifacts in a model's folder."""
    return sorted(folder.glob(f"*/{artifact.CARD}"))


def load_rows(trained: artifact.Artifact) -> Space:
    """The space of a model that gives each word of the vocabulary a row and no other word a vector."""
    return Space(Words(trained.vocabulary["words"]), unpack(trained.weights))


def _rows(space: Space, among: Sequence[str] | None) -> Tensor | None:
    if among is None:
        return None
    rows = {row for word in among if (row := space.words.row(word)) is not None}
    return torch.tensor(sorted(rows), dtype=torch.int64)


def _named(space: Space, neighbours: list[Neighbour]) -> list[Answer]:
    return [{"word": space.words.symbols[row], "score": score} for row, score in neighbours]


def _vector(space: Space, word: str) -> Answer:
    row, vector = space.find(word)
    numbers = None if vector is None else [round(number, DECIMALS) for number in vector.tolist()]
    return {"word": word, "known": row is not None, "vector": numbers}


def _neighbors(space: Space, words: list[str], top: int, among: Tensor | None) -> list[Answer]:
    places = [space.find(word) for word in words]
    found = _search(space, [[place] for place in places], _unchanged, top, among)
    return [
        {"word": word, "known": place.row is not None, "neighbors": _named(space, neighbours)}
        for word, place, neighbours in zip(words, places, found, strict=True)
    ]


def _similarity(space: Space, pair: list[str]) -> Answer | InputError:
    if len(pair) != 2:
        return InputError(f"must be two words, not {len(pair)}")
    places = [space.find(word) for word in pair]
    vectors = _directions(places)
    score = None
    if vectors is not None:
        product = float(vectors[0].double() @ vectors[1].double())
        score = round(min(1.0, max(-1.0, product)), DECIMALS)
    return {"words": pair, "known": _known(places), "score": score}


def _analogies(
    space: Space, triples: list[list[str]], top: int, among: Tensor | None, method: str
) -> list[Answer | InputError]:
    right = [triple for triple in triples if len(triple) == 3]
    places = [[space.find(word) for word in triple] for triple in right]
    queries, combine = (_sum_of_three, cosine) if method == "3cosadd" else (_unchanged, _ratio_of_three)
    found = iter(zip(places, _search(space, places, queries, top, among, combine), strict=True))
    answers: list[Answer | InputError] = []
    for triple in triples:
        if len(triple) != 3:
            answers.append(InputError(f"must be three words, not {len(triple)}"))
            continue
        own, neighbours = next(found)
        answers.append({"words": triple, "known": _known(own), "answers": _named(space, neighbours)})
    return answers


def _odd_one_out(space: Space, group: list[str]) -> Answer | InputError:
    """The word least like the mean of all; of equals the first."""
    if len(group) < 3:
        return InputError(f"must be at least three words, not {len(group)}")
    places = [space.find(word) for word in group]
    held = [number for number, place in enumerate(places) if place.vector is not None]
    vectors = _directions([places[number] for number in held])
    odd = None
    if vectors is not None and len(held) > 1:
        likeness = (vectors.double() @ vectors.double().mean(0)).mul(10**DECIMALS).round().tolist()
        odd = group[held[likeness.index(min(likeness))]]
    return {"words": group, "known": _known(places), "odd": odd}


def _search(
    space: Space,
    places: list[list[Place]],
    queries: Callable[[Tensor], Tensor],
    top: int,
    among: Tensor | None,
    combine: Callable[[Tensor], Tensor] = cosine,
) -> list[list[Neighbour]]:
    """The nearest words to what ``queries`` makes of each item's directions; none where a word has no vector."""
    directions = [_directions(item) for item in places]
    asked = [number for number, vectors in enumerate(directions) if vectors is not None]
    results: list[list[Neighbour]] = [[] for _ in places]
    if asked:
        given = torch.stack([vectors for vectors in directions if vectors is not None])
        own = [[place.row for place in places[number] if place.row is not None] for number in asked]
        found = space.nearest(queries(given), top, own, among, combine)
        for number, neighbours in zip(asked, found, strict=True):
            results[number] = neighbours
    return results


def _directions(places: Sequence[Place]) -> Tensor | None:
    """The unit vectors (words, size), a zero vector staying zero; None where one is missing or there is no word."""
    vectors = [place.vector for place in places if place.vector is not None]
    return normalize(torch.stack(vectors), dim=1) if vectors and len(vectors) == len(places) else None


def _known(places: Sequence[Place]) -> list[bool]:
    return [place.row is not None for place in places]


def _unchanged(directions: Tensor) -> Tensor:
    return directions


def _sum_of_three(directions: Tensor) -> Tensor:
    """3CosAdd: the direction of ``second - first + third``, (items, 3, size) -> (items, 1, size)."""
    first, second, third = directions.unbind(1)
    return normalize(second - first + third, dim=1).unsqueeze(1)


def _ratio_of_three(products: Tensor) -> Tensor:
    """3CosMul: nearness to the second and third over nearness to the first, cosines moved to 0..1."""
    first, second, third = ((products + 1) / 2).unbind(1)
    return second * third / (first + 0.001)
