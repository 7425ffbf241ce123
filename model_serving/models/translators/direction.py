"""One way between two languages: a trained network and the sub-words it reads and writes."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

import torch
from torch import Tensor
from torch.nn.functional import pad
from torch.nn.utils.rnn import pad_sequence

from model_serving.models import artifact
from model_serving.models.errors import ArtifactError
from model_serving.models.layers.eight_bit import unpack
from model_serving.models.translators import placeholders
from model_serving.models.translators.alignment import Alignment
from model_serving.models.translators.beam_search import State, beam_search
from model_serving.models.translators.subwords import END, PADDING, START, UNKNOWN, Subwords
from model_serving.models.translators.units import Unit

LONGEST_TRANSLATION = 256
"""Sub-words, the end included."""
BATCH_SUBWORDS = 4096
"""Source sub-words, padding included, times the beam, that a network is given at once."""
LEAST, STRIDE = 16, 8
"""Sources are padded to the least length and to multiples of the other, for which sums over padding come out alike: the
last bits of a score do not hang on a sentence's company."""
SOURCE, TARGET = "source.model", "target.model"
"""The files of an artifact with the sub-words."""


class Network(Protocol):
    """What the networks of this family have in common."""

    def encode(self, source: Tensor) -> State:
        """What decoding needs of ``source`` (batch, read) int64, padded with 0 to the right."""

    def start(self, memory: State) -> State:
        """The decoder's state before the first token, (batch, 1, ...)."""

    def step(self, tokens: Tensor, memory: State, past: State) -> tuple[Tensor, State]:
        """See :data:`model_serving.models.translators.beam_search.Step`."""

    def __call__(self, source: Tensor, target: Tensor) -> Tensor:
        """The logits of each next sub-word, row t after those of ``target`` (batch, written) up to t."""


class AttentiveNetwork(Network, Protocol):
    """Those that look at the source while they write; what is read into one vector can not be looked at."""

    def attention(self, source: Tensor, target: Tensor) -> Tensor:
        """How writing each sub-word after those of ``target`` attends to the source: (batch, written, read)."""


class Search(NamedTuple):
    """How to look for translations; see :func:`model_serving.models.translators.beam_search.beam_search`.

    ``max_length`` is in sub-words; twice those of the source and 10 bound it too.
    """

    beam_size: int = 4
    length_penalty: float = 1.0
    max_length: int = LONGEST_TRANSLATION


class Candidate(NamedTuple):
    """One translation of a unit, and its sub-words by number; see
    :class:`model_serving.models.translators.beam_search.Hypothesis`."""

    text: str
    score: float
    finished: bool
    tokens: list[int]


class Direction:
    """Translates units.

    Args:
        network: trained, set to evaluation.
        source, target: the sub-words of the two languages.
    """

    def __init__(self, network: Network, source: Subwords, target: Subwords):
        self.network = network
        self.source = source
        self.target = target
        self._words = torch.tensor(target.words())

    def translate(self, units: list[Unit], search: Search) -> list[list[Candidate]]:
        """The translations of each unit, best first and no two alike; one that can not be read stays as it is."""
        found = [[Candidate(unit.text, 0.0, True, [])] for unit in units]
        readable = [place for place, unit in enumerate(units) if unit.readable]
        readable.sort(key=lambda place: len(units[place].numbers))
        for batch in _batches(readable, [len(unit.numbers) * search.beam_size for unit in units]):
            for place, candidates in zip(batch, self._search([units[each] for each in batch], search), strict=True):
                found[place] = candidates
        return found

    def align(self, unit: Unit, candidate: Candidate) -> Alignment:
        """How a translation attends to its unit; to be asked of an attentive network alone."""
        if not unit.readable:
            return Alignment([unit.text], [candidate.text], torch.ones(1, 1))
        source, target = torch.tensor([unit.numbers]), torch.tensor([[START, *candidate.tokens]])
        weights = cast(AttentiveNetwork, self.network).attention(source, target)[0, :-1]
        return Alignment.of(unit.pieces, self.target.spelling(candidate.tokens), weights, unit.known)

    def log_probabilities(self, pairs: list[tuple[list[int], list[int]]]) -> list[list[float]]:
        """How likely each sub-word of given translations is after those before it, and then the end.

        Args:
            pairs: the sub-words of a sentence and of its translation, at least one of the former.
        """
        found: list[list[float]] = [[] for _ in pairs]
        sizes = [max(len(source), len(target) + 1) for source, target in pairs]
        for batch in _batches(sorted(range(len(pairs)), key=sizes.__getitem__), sizes):
            source, target = (
                pad_sequence([torch.tensor(each) for each in side], batch_first=True, padding_value=PADDING)
                for side in zip(*((pairs[place][0], [START, *pairs[place][1], END]) for place in batch), strict=True)
            )
            log_probs = self.network(source, target[:, :-1]).log_softmax(dim=2)
            wanted = log_probs.gather(2, target[:, 1:].unsqueeze(2)).squeeze(2)
            for row, place in enumerate(batch):
                found[place] = wanted[row, : len(pairs[place][1]) + 1].tolist()
        return found

    def _search(self, units: list[Unit], search: Search) -> list[list[Candidate]]:
        source = pad_sequence([torch.tensor(unit.numbers) for unit in units], batch_first=True, padding_value=PADDING)
        length = max(LEAST, math.ceil(source.size(1) / STRIDE) * STRIDE)
        memory = self.network.encode(pad(source, (0, length - source.size(1)), value=PADDING))
        found = beam_search(
            self._step,
            memory,
            self.network.start(memory),
            [min(search.max_length, 2 * len(unit.numbers) + 10) for unit in units],
            start=START,
            end=END,
            beam_size=search.beam_size,
            length_penalty=search.length_penalty,
            barred=(PADDING, UNKNOWN, START),
            once=self._words,
        )
        candidates = []
        for unit, hypotheses in zip(units, found, strict=True):
            distinct: dict[str, Candidate] = {}
            for tokens, score, finished in hypotheses:
                text = placeholders.unmask(self.target.decode(tokens), unit.known)
                distinct.setdefault(text, Candidate(text, score, finished, tokens))
            candidates.append(list(distinct.values()))
        return candidates

    def _step(self, tokens: Tensor, memory: State, past: State) -> tuple[Tensor, State]:
        """The network's step; a lone hypothesis takes it twice over, for a single row is added up in another order."""
        if tokens.numel() > 1:
            return self.network.step(tokens, memory, past)
        log_probs, past = self.network.step(tokens.expand(2, 1), _twice(memory), _twice(past))
        return log_probs[:1], {name: tensor[:1] for name, tensor in past.items()}


def load(folder: Path, build: Callable[..., Any]) -> Direction:
    """One trained variant, ready to run.

    Args:
        folder: ``data/<model>/<variant>``.
        build: makes the network of ``sources``, ``targets`` and the sizes in the card.

    Raises:
        ArtifactError: the artifact is missing or damaged.
    """
    trained = artifact.load(folder)
    if not {SOURCE, TARGET} <= trained.files.keys():
        raise ArtifactError(f"{folder} lacks {SOURCE} or {TARGET}; restore them or train the model")
    source, target = Subwords(trained.files[SOURCE]), Subwords(trained.files[TARGET])
    network = build(sources=len(source), targets=len(target), **trained.card["architecture"])
    replace(trained, weights=unpack(trained.weights)).fill(network)
    return Direction(network, source, target)


def _twice(state: State) -> State:
    """Two rows of the only one."""
    return {name: torch.cat([tensor, tensor]) for name, tensor in state.items()}


def _batches(order: Iterable[int], sizes: list[int]) -> Iterator[list[int]]:
    """Cut places, ordered by rising size, into batches of at most ``BATCH_SUBWORDS`` with padding."""
    batch: list[int] = []
    for place in order:
        if batch and sizes[place] * (len(batch) + 1) > BATCH_SUBWORDS:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
