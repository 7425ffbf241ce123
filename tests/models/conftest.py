"""What the tests of models share: one thread, and the oracle of all linear-chain tests."""

from itertools import pairwise, product

import pytest
import torch


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def enumerate_paths():
    return _enumerate_paths


def _enumerate_paths(emissions, chain):
    """All label sequences over ``emissions`` (time, labels), one by one: (paths, time) int64 and scores (paths,)."""
    emitted, transitions, start, end = (scores.double().tolist() for scores in (emissions, *chain))
    paths = list(product(range(len(start)), repeat=len(emitted)))
    scores = [
        start[path[0]]
        + sum(row[label] for row, label in zip(emitted, path, strict=True))
        + sum(transitions[before][after] for before, after in pairwise(path))
        + end[path[-1]]
        for path in paths
    ]
    return torch.tensor(paths), torch.tensor(scores, dtype=torch.float64)
