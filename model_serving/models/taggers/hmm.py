"""HMM: behind each character a hidden state, which says what is written and which state comes next.

Rabiner, 1989, "A tutorial on hidden Markov models and selected applications in speech recognition", sections II and
III. The states are seen in training, so its equations 40 are plain counts. Departures: END is a state too, beside
START; a character depends on its state and on the character before it, P(x_t | y_t, x_(t-1)), backed off to
P(x_t | y_t) (Bikel, Schwartz and Weischedel, 1999, "An algorithm that learns what's in a name", their word bigrams).
Forward, backward and Viterbi stay as they are, for the characters are given. Smoothing is Witten and Bell's (1991,
"The zero-frequency problem", method C), its mass scaled by a factor (Collins, 1999, "Head-driven statistical models
for natural language parsing", who takes 5).

States are BIOES labels, but a character outside all spans also knows the kinds of span on either side: ``PER<O>LOC``
writes what links a person to a place. A plain HMM sees no context but its states (Carpenter, 2009, "Coding chunkers as
taggers: IO, BIO, BMEWO, and BMEWO+", who splits them by one side). Over a sentence labels and states are one to one,
so the best path of states is the best path of labels.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import pad
from torch.nn.utils.rnn import pad_sequence

from model_serving.models import artifact
from model_serving.models.errors import ArtifactError
from model_serving.models.layers.linear_chain import Chain
from model_serving.models.taggers import schemes, tagger
from model_serving.models.taggers.labelling import Labelling, Reading, read_labels, temperature_of
from model_serving.models.taggers.tagger import Tagger
from model_serving.models.vocabulary import PADDING, Vocabulary

VARIANTS = ("zh-pos", "zh-ner")

_OUTSIDE = f"<{schemes.OUTSIDE}>"


class Counts(NamedTuple):
    """How often things happened in training.

    ``moves`` (states + 1, states + 1): from state to state; the last row is START, the last column END.
    ``written`` (n, 3): previous character, character, state, in rising order; before the first stands PADDING.
    ``times`` (n,): how often each row of ``written`` was seen.
    """

    moves: Tensor
    written: Tensor
    times: Tensor


class BackOff(NamedTuple):
    """How much each distribution leaves to the one it backs off to: the factors on Witten and Bell's mass.

    ``moves`` back off to all permitted moves alike, ``characters`` (given their state) to all characters alike, and
    ``pairs`` (characters given state and previous character) to ``characters``.
    """

    moves: float
    characters: float
    pairs: float


class HMM:
    """The smoothed distributions: characters to emissions, and the chain that reads them.

    Args:
        counts: what was seen in training; every state was.
        permitted: which moves the states allow, shaped as ``counts.moves``; all others have probability zero.
        characters: size of the vocabulary, padding and unknown included.
        back_off: the factors of the smoothing.
    """

    def __init__(self, counts: Counts, permitted: Tensor, characters: int, back_off: BackOff):
        self.chain = _chain(counts.moves.double(), permitted, back_off.moves)
        previous, character, state = counts.written.long().T
        times = counts.times.double()
        zero = times.new_zeros(characters, len(permitted) - 1)

        seen = zero.index_put((character, state), times, accumulate=True)
        total, left = _witten_bell(seen.sum(0), (seen > 0).sum(0), back_off.characters)
        self._given_state = (seen / total + left / (characters - 1)).float()  # all but padding

        seen = zero.index_put((previous, state), times, accumulate=True)
        kinds = zero.index_put((previous, state), torch.ones_like(times), accumulate=True)
        total, left = _witten_bell(seen, kinds, back_off.pairs)
        self._left = left.float()
        self._pair = self._pair_number(previous, character)
        self._pair_state = state
        self._pair_share = (times / total[previous, state]).float()

    def emissions(self, characters: Tensor) -> Tensor:
        """Log probability of each character given its state and the character before.

        Args:
            characters: (batch, time) int64, 0 is padding.

        Returns:
            (batch, time, states) float32, to be read by ``chain``.
        """
        previous = pad(characters, (1, -1), value=PADDING)
        scores = self._given_state[characters] * self._left[previous]
        wanted = self._pair_number(previous, characters).flatten()
        first = torch.searchsorted(self._pair, wanted)
        found = torch.searchsorted(self._pair, wanted, right=True) - first
        place = torch.repeat_interleave(found)  # a character that has rows in ``written``, once for each of them
        row = torch.arange(len(place)) + (first - found.cumsum(0) + found)[place]
        scores.flatten(0, 1)[place, self._pair_state[row]] += self._pair_share[row]
        return scores.log()

    def _pair_number(self, previous: Tensor, characters: Tensor) -> Tensor:
        return previous * len(self._given_state) + characters


class HMMLabeller:
    """Labels sentences by the counts of a training corpus."""

    temperature = 1.0
    """Divides the scores before they become confidences; a card may hold another."""

    def __init__(self, counts: Counts, characters: Vocabulary, states: list[str], back_off: BackOff):
        self.counts = counts
        self.characters = characters
        self.states = states
        self.back_off = back_off
        self.labels = [label_of(state) for state in states]
        self.hmm = HMM(counts, permitted_moves(states), len(characters), back_off)

    @property
    def architecture(self) -> dict[str, Any]:
        """The factors of the smoothing, to be read again by :func:`load_labeller`."""
        return {"back_off": self.back_off._asdict()}

    def weights(self) -> dict[str, Tensor]:
        """The counts, as they are stored."""
        return self.counts._asdict()

    def vocabulary(self) -> dict[str, list[str]]:
        """The symbols behind the numbers in the counts."""
        return {"characters": self.characters.symbols, "states": self.states}

    def encode(self, sentences: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor]:
        """Number the characters of non-empty sentences -> (batch, time) int64, and their lengths (batch,)."""
        characters = [torch.tensor(self.characters.numbers(sentence)) for sentence in sentences]
        lengths = torch.tensor([len(sentence) for sentence in sentences])
        return pad_sequence(characters, batch_first=True, padding_value=PADDING), lengths

    @torch.inference_mode()
    def label(self, sentences: Sequence[Sequence[str]], how: Reading) -> list[Labelling]:
        """See :class:`model_serving.models.taggers.tagger.Labeller`."""
        characters, lengths = self.encode(sentences)
        emissions = self.hmm.emissions(characters)
        return read_labels(emissions, sentences, lengths, self.hmm.chain, self.labels, how, self.temperature)


def states_of(labels: list[str]) -> list[str]:
    """The states behind the labels of one sentence."""
    kinds = ["", *map(_kind, labels), ""]
    around = zip(kinds, labels, kinds[2:], strict=False)
    return [f"{left}{_OUTSIDE}{right}" if label == schemes.OUTSIDE else label for left, label, right in around]


def label_of(state: str) -> str:
    """The label of a state."""
    return schemes.OUTSIDE if _OUTSIDE in state else state


def permitted_moves(states: list[str]) -> Tensor:
    """Which moves keep to BIOES and to what the states say of each other, 0/1 in the shape of ``Counts.moves``."""
    scheme = schemes.allowed([label_of(state) for state in states])
    agreed = torch.tensor([[_agree(before, after) for after in [*states, ""]] for before in [*states, ""]])
    moves = torch.zeros_like(agreed)
    moves[:-1, :-1], moves[-1, :-1], moves[:-1, -1] = scheme
    return moves & agreed


def load_labeller(folder: Path) -> HMMLabeller:
    """The labeller of one trained variant, ready to run.

    Raises:
        ArtifactError: the files can not be used, or the counts are not of this vocabulary.
    """
    trained = artifact.load(folder)
    characters, states = Vocabulary(trained.vocabulary["characters"]), trained.vocabulary["states"]
    counts = Counts(**trained.weights)
    sizes = torch.tensor([len(characters), len(characters), len(states)])
    if len(counts.moves) != len(states) + 1 or (counts.written.amax(0) >= sizes).any():
        raise ArtifactError(f"{folder / artifact.WEIGHTS} does not fit its vocabulary; train the model again")
    labeller = HMMLabeller(counts, characters, states, BackOff(**trained.card["architecture"]["back_off"]))
    labeller.temperature = temperature_of(trained.card)
    return labeller


def load(folder: Path) -> Tagger:
    """The served tagger over the trained variants in ``folder``."""
    return tagger.load(folder, load_labeller, VARIANTS)


def _kind(label: str) -> str:
    """The kind of span a label belongs to; none outside."""
    return label[2:]


def _agree(before: str, after: str) -> bool:
    """Whether two neighbours are what an outside state among them says they are; START and END come as ``""``."""
    _, is_outside, said_right = before.partition(_OUTSIDE)
    if is_outside and said_right != _kind(label_of(after)):
        return False
    said_left, is_outside, _ = after.partition(_OUTSIDE)
    return not is_outside or said_left == _kind(label_of(before))


def _chain(moves: Tensor, permitted: Tensor, factor: float) -> Chain:
    """Smoothed log probabilities of the permitted moves."""
    total, left = _witten_bell(moves.sum(1, keepdim=True), (moves > 0).sum(1, keepdim=True), factor)
    scores = (moves / total + left * permitted / permitted.sum(1, keepdim=True)).log().float()
    return Chain(transitions=scores[:-1, :-1], start=scores[-1, :-1], end=scores[:-1, -1])


def _witten_bell(seen: Tensor, kinds: Tensor, factor: float) -> tuple[Tensor, Tensor]:
    """Split a context's probability between what was seen in it and what was not.

    ``seen`` counts the outcomes in each context, ``kinds`` the different ones among them. An outcome seen c times,
    and having probability q by the distribution to back off to, gets ``c / total + left * q``.
    """
    novel = factor * kinds
    total = (seen + novel).clamp(min=torch.finfo(seen.dtype).tiny)
    return total, torch.where(seen > 0, novel / total, 1.0)
