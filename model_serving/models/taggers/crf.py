"""CRF: every feature of a place votes for its labels, every move between neighbours too, and the best whole path wins.

Lafferty, McCallum and Pereira, 2001, "Conditional random fields: probabilistic models for segmenting and labeling
sequence data". The features are strings (:mod:`model_serving.models.taggers.features`); a weight belongs to a feature
and a label that training saw together, so the weights are few and stored as such a list, in eight bits each.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from model_serving.models import artifact
from model_serving.models.errors import ArtifactError
from model_serving.models.layers.linear_chain import Chain
from model_serving.models.layers.random_field import CRF
from model_serving.models.taggers import features, schemes, tagger
from model_serving.models.taggers.labelling import Labelling, Reading, read_labels, temperature_of
from model_serving.models.taggers.tagger import Tagger
from model_serving.models.vocabulary import RESERVED, UNKNOWN, Vocabulary

VARIANTS = ("zh-seg", "zh-ner", "en-ner", "en-pos")

TEMPLATES: dict[str, Callable[[Sequence[str]], list[list[str]]]] = {
    "zh": features.of_characters,
    "en": features.of_words,
}
"""How the sentences of a language are described."""

_MOST = 127


class CRFNetwork(nn.Module):
    """Features to emissions, and the CRF that reads them.

    Args:
        features: how many are known, the reserved numbers included.
        labels: how many labels there are.
        allowed: which moves the labels' scheme permits when decoding.
    """

    def __init__(self, features: int, labels: int, allowed: Chain | None = None):
        super().__init__()
        self.votes = nn.EmbeddingBag(features, labels, mode="sum")
        self.crf = CRF(labels, allowed)
        for weight in self.parameters():
            nn.init.zeros_(weight)

    def forward(self, found: Tensor, starts: Tensor, lengths: Tensor) -> Tensor:
        """Score every label at every position.

        Args:
            found: (n,) int64, the features of all positions of all sentences in turn.
            starts: (positions,) int64, where those of each position begin in ``found``.
            lengths: (batch,) int64, the positions of each sentence.

        Returns:
            (batch, time, labels) float32, to be read by ``crf``; zero past a sentence's length.
        """
        votes = self.votes(found, starts)
        return pad_sequence(list(votes.split(lengths.tolist())), batch_first=True)


class CRFLabeller:
    """Labels sentences by weighted features.

    Args:
        network: over ``features`` and ``labels``.
        features: those that have weights.
        labels: BIOES labels.
        language: which of ``TEMPLATES`` describes a sentence.
    """

    temperature = 1.0
    """Divides the scores before they become confidences; a card may hold another."""

    def __init__(self, network: CRFNetwork, features: Vocabulary, labels: list[str], language: str):
        self.network = network
        self.features = features
        self.labels = labels
        self.language = language

    def encode(self, sentences: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor, Tensor]:
        """Number the features of non-empty sentences: the arguments of the network."""
        found: list[int] = []
        starts: list[int] = []
        for sentence in sentences:
            for described in TEMPLATES[self.language](sentence):
                starts.append(len(found))
                found += [number for number in self.features.numbers(described) if number != UNKNOWN]
        lengths = torch.tensor([len(sentence) for sentence in sentences])
        return torch.tensor(found, dtype=torch.int64), torch.tensor(starts), lengths

    @property
    def architecture(self) -> dict[str, Any]:
        """Which templates describe a sentence, to be read again by :func:`load_labeller`."""
        return {"language": self.language}

    def weights(self) -> dict[str, Tensor]:
        """The weights that are not zero, in steps of the largest over 127, and the moves in half precision.

        ``counts`` (features,): how many labels a feature has weights for; ``labels``, ``values`` (n,): which and what.
        """
        table = self.network.votes.weight[RESERVED:]
        step = table.abs().max().clamp(min=torch.finfo(torch.float32).tiny) / _MOST
        values = (table / step).round().to(torch.int8)
        features, labels = values.nonzero().T
        return {
            "step": step.reshape(1),
            "counts": torch.bincount(features, minlength=len(values)).to(torch.uint8),
            "labels": labels.to(torch.uint8),
            "values": values[features, labels],
            **{name: weight.half() for name, weight in self.network.crf.state_dict().items()},
        }

    def vocabulary(self) -> dict[str, list[str]]:
        """The symbols behind the numbers in the weights."""
        return {"features": self.features.symbols, "labels": self.labels}

    @torch.inference_mode()
    def label(self, sentences: Sequence[Sequence[str]], how: Reading) -> list[Labelling]:
        """See :class:`model_serving.models.taggers.tagger.Labeller`."""
        found, starts, lengths = self.encode(sentences)
        emissions = self.network(found, starts, lengths)
        chain = self.network.crf.constrained_scores()
        return read_labels(emissions, sentences, lengths, chain, self.labels, how, self.temperature)


def build(features: Vocabulary, labels: list[str], language: str) -> CRFLabeller:
    """A labeller whose weights are all zero."""
    return CRFLabeller(CRFNetwork(len(features), len(labels), schemes.allowed(labels)), features, labels, language)


def load_labeller(folder: Path) -> CRFLabeller:
    """The labeller of one trained variant, ready to run.

    Raises:
        ArtifactError: the files can not be used, or the weights are not of this vocabulary.
    """
    trained = artifact.load(folder)
    features, labels = Vocabulary(trained.vocabulary["features"]), trained.vocabulary["labels"]
    labeller = build(features, labels, trained.card["architecture"]["language"])
    weights = dict(trained.weights)
    try:
        counts, step = weights.pop("counts").long(), weights.pop("step")
        places = torch.repeat_interleave(torch.arange(len(counts)), counts) + RESERVED
        table = torch.zeros(len(counts) + RESERVED, len(labels))
        table[places, weights.pop("labels").long()] = weights.pop("values") * step
    except (IndexError, KeyError, RuntimeError) as error:
        raise ArtifactError(f"{folder / artifact.WEIGHTS} does not fit its network: {error}") from error
    crf = {f"crf.{name}": weight for name, weight in weights.items()}
    artifact.Artifact(folder, trained.card, {"votes.weight": table, **crf}, trained.vocabulary).fill(labeller.network)
    labeller.temperature = temperature_of(trained.card)
    return labeller


def load(folder: Path) -> Tagger:
    """The served tagger over the trained variants in ``folder``."""
    return tagger.load(folder, load_labeller, VARIANTS)
