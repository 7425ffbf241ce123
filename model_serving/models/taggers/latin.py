"""Words of Latin letters and digits inside Chinese text are never cut: ``Yor`` is no name and ``199`` no year."""

import re
from collections.abc import Sequence

import torch
from torch import Tensor

_RUN = re.compile(r"[A-Za-z0-9]{2,}")


def keep_whole(emissions: Tensor, sentences: Sequence[Sequence[str]], labels: list[str]) -> Tensor:
    """Forbid every label that would begin or end a span inside a run of Latin letters and digits.

    Args:
        emissions: (batch, time, labels).
        sentences: the characters behind each row; where they come as words instead, nothing can be cut.
        labels: BIOES labels.

    Returns:
        ``emissions``, or a copy with ``-inf`` where such a label would stand.
    """
    joints = [
        (row, place)  # this character and the next are of one run
        for row, sentence in enumerate(sentences)
        if isinstance(sentence, str)
        for run in _RUN.finditer(sentence)
        for place in range(run.start(), run.end() - 1)
    ]
    if not joints:
        return emissions
    rows, places = torch.tensor(joints).T
    closes = torch.tensor([label[0] in "ES" for label in labels])
    opens = torch.tensor([label[0] in "BS" for label in labels])
    forbidden = torch.zeros_like(emissions, dtype=torch.bool)
    forbidden[rows, places] |= closes
    forbidden[rows, places + 1] |= opens
    return emissions.masked_fill(forbidden, -torch.inf)
