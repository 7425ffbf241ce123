"""What the tests of models share: one thread, odd texts, and the oracle of all linear-chain tests."""

from itertools import pairwise, product

import pytest
import torch

# What users type and programmers forget (shared/CASES.md, BB-33 and BB-35)
ODD_TEXTS = [
    "",
    " ",
    "\t\n\r\n",
    "\u00a0",
    "\u3000",
    "\u2028",
    "a  b",
    " a ",
    "a\u200bb",
    "\u200d",
    "ක්\u200dෂ",
    "می\u200cخواهم",
    "Anna\u0000Bob",
    "\u0007\u001b[31m",
    "\u202eabc\u202c",
    "\u2066x\u2069",
    "soft\u00adhyphen",
    "\ufffd",
    "\ue000",
    "\uffff",
    "❤\ufe0f",
    "a" + "\u0301" * 1000,
    "👩\u200d👩\u200d👧 和 🇨🇳",
    "cafe\u0301 caf\u00e9",
    "ﬁ ㎏ ① ½ ™",
    "北\u3000京\u2028上 海",
    "！？。!?",
    "”）。」",
    "\n\n。\n",
    "Ａ１，ｂ！？",
]


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


@pytest.fixture(params=ODD_TEXTS, ids=lambda text: ascii(text[:12]))
def odd_text(request):
    return request.param
