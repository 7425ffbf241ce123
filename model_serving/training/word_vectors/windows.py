"""Words with their neighbours, in blocks: what skip-gram and CBOW learn from.

A block is a stretch of text. Its words need each vector once however many windows it stands in, and all products of a
block are one matrix product.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import pad

from model_serving.training.word_vectors.text import EncodedText

STRETCH = 32
"""Words of a block that are centres of a window."""
BLOCKS = 16
"""Blocks of a batch; more are faster and learn worse, for all of a batch move at once."""


class Windows(NamedTuple):
    """A batch of blocks.

    ``centres`` (blocks, n) and ``contexts`` (blocks, m) are rows; ``pairs`` (blocks, n, m) is 1 where the context
    stands in the window of the centre, else 0.
    """

    centres: Tensor
    contexts: Tensor
    pairs: Tensor


@dataclass(frozen=True)
class TextWindows:
    """The windows of a text, those of frequent words thinned out.

    Args:
        text: the text.
        window: the furthest neighbours; each centre draws its own window from 1 to this (Mikolov et al., 2013,
            "Efficient estimation of word representations in vector space", arXiv:1301.3781, section 3.2).
        sample: words of more than about this share of the text are left out at times (arXiv:1310.4546, section 2.3,
            by the formula of the authors' program).
    """

    text: EncodedText
    window: int = 5
    sample: float = 1e-3

    def epoch(self, random: torch.Generator) -> Iterator[tuple[float, Windows]]:
        """Once through the text in random order; with each batch the share of the epoch done after it."""
        kept = torch.rand(len(self.text.tokens), generator=random) < self.keeping()[self.text.tokens]
        edge = (self.window, self.window + STRETCH)
        tokens = pad(self.text.tokens[kept], edge)
        sentences = pad(self.text.sentences[kept], edge, value=-1)
        starts = torch.arange(0, int(kept.sum()), STRETCH)
        order = starts[torch.randperm(len(starts), generator=random)]
        batches = torch.split(order, BLOCKS)
        for done, chosen in enumerate(batches, 1):
            places = chosen.unsqueeze(1) + torch.arange(STRETCH + 2 * self.window)
            yield done / len(batches), self._windows(tokens[places], sentences[places], random)

    def keeping(self) -> Tensor:
        """The probability of each word to be kept at a place: (words,)."""
        share = self.text.counts / (self.sample * self.text.counts.sum())
        return (share.rsqrt() + share.reciprocal()).clamp(max=1)

    def _windows(self, contexts: Tensor, sentences: Tensor, random: torch.Generator) -> Windows:
        inner = slice(self.window, self.window + STRETCH)
        distance = (torch.arange(contexts.shape[1]) - torch.arange(STRETCH).unsqueeze(1) - self.window).abs()
        width = torch.randint(1, self.window + 1, (len(contexts), STRETCH, 1), generator=random)
        near = (distance > 0) & (distance <= width)
        same = (sentences[:, inner].unsqueeze(2) == sentences.unsqueeze(1)) & (sentences[:, inner].unsqueeze(2) >= 0)
        return Windows(contexts[:, inner], contexts, (near & same).float())
