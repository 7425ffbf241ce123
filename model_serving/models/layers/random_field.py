"""The conditional random field as a layer on top of a network."""

import torch
from torch import Tensor, nn

from model_serving.models.layers import linear_chain
from model_serving.models.layers.linear_chain import Chain


class CRF(nn.Module):
    """A linear-chain conditional random field (Lafferty et al., 2001; on a BiLSTM: Huang et al., 2015, section 2.5).

    START and END are states with transitions of their own: ``start`` holds the scores of leaving START, ``end``
    those of reaching END.

    Args:
        labels: how many labels there are.
        allowed: which moves a tagging scheme permits, as 0/1 of the same shapes as the scores. They bind when
            decoding only: training sees every path, so the partition function stays that of the whole model.
    """

    def __init__(self, labels: int, allowed: Chain | None = None):
        super().__init__()
        self.transitions = nn.Parameter(torch.empty(labels, labels).uniform_(-0.1, 0.1))
        self.start = nn.Parameter(torch.empty(labels).uniform_(-0.1, 0.1))
        self.end = nn.Parameter(torch.empty(labels).uniform_(-0.1, 0.1))
        self.allowed = allowed

    def scores(self) -> Chain:
        """The learnt scores, free of constraints."""
        return Chain(self.transitions, self.start, self.end)

    def constrained_scores(self) -> Chain:
        """The learnt scores with forbidden moves at ``-inf``."""
        if self.allowed is None:
            return self.scores()
        pairs = zip(self.scores(), self.allowed, strict=True)
        return Chain(*(score.masked_fill(mask == 0, -torch.inf) for score, mask in pairs))

    def forward(self, emissions: Tensor, labels: Tensor, lengths: Tensor) -> Tensor:
        """Log-likelihood of ``labels`` (batch, time) int64 given ``emissions`` (batch, time, labels) -> (batch,).

        ``lengths``: (batch,) int64, 1..time; what stands past them is ignored.
        """
        chain = self.scores()
        partition = linear_chain.log_partition(emissions, lengths, chain)
        return linear_chain.path_score(emissions, labels, lengths, chain) - partition

    def decode(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        """The likeliest permitted labels -> (batch, time) int64."""
        return linear_chain.viterbi(emissions, lengths, self.constrained_scores())

    def marginals(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        """Probability of each label at each position over the permitted paths -> (batch, time, labels) float64."""
        return linear_chain.marginals(emissions, lengths, self.constrained_scores())
