"""Estimation against the enumeration of all paths, and its promise: the likelihood never falls."""

from itertools import pairwise, product
from pathlib import Path

import pytest
import torch

from model_serving.models.layers import linear_chain
from model_serving.models.taggers.hmm import BackOff, HMMLabeller
from model_serving.models.taggers.schemes import Span
from model_serving.models.vocabulary import PADDING
from model_serving.training.datasets.corpus import Corpus, TaggedSentence
from model_serving.training.taggers.baum_welch import baum_welch, expected_counts
from model_serving.training.taggers.hmm import train

TAGGED = [
    TaggedSentence("在京", [Span(1, 2, "LOC")]),
    TaggedSentence("去京", [Span(1, 2, "LOC")]),
    TaggedSentence("京在", [Span(0, 1, "LOC")]),
    TaggedSentence("在海", [Span(1, 2, "LOC")]),
    TaggedSentence("去海在京", [Span(1, 2, "LOC"), Span(3, 4, "LOC")]),
]
TEXTS = ["在京在海", "去海", "京", "海在京", "去去京"]


@pytest.fixture
def labeller():
    labeller, _ = train(Corpus(TAGGED, [], [], {}, ""), Path("none"), seed=1)
    return HMMLabeller(labeller.counts, labeller.characters, labeller.states, BackOff(1.0, 1.0, 1.0))


def test_expected_counts_are_the_sums_over_all_paths(labeller):
    counts, likelihood = expected_counts(labeller, TEXTS)
    moves = torch.zeros_like(counts.moves)
    written: dict[tuple[int, int, int], float] = {}
    total = 0.0
    for text in TEXTS:
        characters, _ = labeller.encode([text])
        paths = list(product(range(len(labeller.states)), repeat=len(text)))
        emissions = labeller.hmm.emissions(characters).double().expand(len(paths), -1, -1)
        lengths = torch.full((len(paths),), len(text))
        chain = linear_chain.Chain(*(scores.double() for scores in labeller.hmm.chain))
        scores = linear_chain.path_score(emissions, torch.tensor(paths), lengths, chain)
        total += scores.logsumexp(0).item()
        for path, share in zip(paths, scores.softmax(0).tolist(), strict=True):
            for before, after in pairwise([-1, *path, -1]):
                moves[before, after] += share
            read = characters[0].tolist()
            for before, here, state in zip([PADDING, *read], read, path, strict=False):
                written[before, here, state] = written.get((before, here, state), 0.0) + share
    assert likelihood == pytest.approx(total, abs=1e-4)
    torch.testing.assert_close(counts.moves, moves, atol=1e-5, rtol=1e-5)
    rows = zip(map(tuple, counts.written.tolist()), counts.times.tolist(), strict=True)
    found = {row: share for row, share in rows if share > 1e-6}
    assert found == pytest.approx({row: share for row, share in written.items() if share > 1e-6}, abs=1e-5)


def test_without_smoothing_the_likelihood_never_falls(labeller):
    counts, _ = expected_counts(labeller, TEXTS)
    bare = HMMLabeller(counts, labeller.characters, labeller.states, BackOff(0.0, 0.0, 0.0))
    _, likelihoods = baum_welch(bare, TEXTS, iterations=15)
    assert len(likelihoods) == 16
    assert all(after >= before - 1e-4 for before, after in pairwise(likelihoods))
    assert likelihoods[-1] > likelihoods[0] + 0.1


def test_tagged_counts_stay_in_the_estimate(labeller):
    alone, _ = expected_counts(labeller, TEXTS)
    both, _ = baum_welch(labeller, TEXTS, iterations=1, tagged=labeller.counts)
    torch.testing.assert_close(both.counts.moves, alone.moves + labeller.counts.moves.double())
    assert both.counts.times.sum() == pytest.approx(float(alone.times.sum() + labeller.counts.times.double().sum()))


def test_an_estimate_labels_as_a_model_does(labeller):
    estimated, _ = baum_welch(labeller, TEXTS, iterations=2, tagged=labeller.counts)
    emissions = estimated.hmm.emissions(estimated.encode(["在京"])[0])
    assert estimated.states[linear_chain.viterbi(emissions, torch.tensor([2]), estimated.hmm.chain)[0, 1]] == "S-LOC"
