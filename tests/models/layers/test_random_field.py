import math
from itertools import pairwise, product

import pytest
import torch
from torch.testing import assert_close

from model_serving.models.layers import linear_chain
from model_serving.models.layers.linear_chain import Chain
from model_serving.models.layers.random_field import CRF
from model_serving.models.taggers import schemes

NAMES = ["O", "B-LOC", "I-LOC", "E-LOC", "S-LOC", "B-PER", "I-PER", "E-PER", "S-PER"]
LENGTHS = torch.tensor([4, 1, 3])


@pytest.fixture
def crf():
    """Nine labels under BIOES, with scores strong enough to prefer broken sequences."""
    torch.manual_seed(7)
    crf = CRF(len(NAMES), schemes.allowed(NAMES))
    for scores in crf.scores():
        torch.nn.init.normal_(scores)
    return crf


@pytest.fixture
def emissions():
    return torch.randn(len(LENGTHS), 4, len(NAMES), generator=torch.Generator().manual_seed(8))


def is_whole(labels):
    """Whether every label belongs to a complete span: the spans read off it say it all."""
    names = [NAMES[label] for label in labels]
    return schemes.encode(schemes.decode(names), len(names)) == names


@pytest.mark.parametrize("scheme", [None, "BIOES"])
def test_the_likelihoods_of_all_sequences_sum_to_one(scheme):
    """Training sees every path: a scheme's constraints take nothing from the sum."""
    torch.manual_seed(1)
    names = NAMES[:5]
    crf = CRF(len(names), schemes.allowed(names) if scheme else None)
    for length in (1, 2, 4):
        sequences = torch.tensor(list(product(range(len(names)), repeat=length)))
        emissions = torch.randn(1, length, len(names)).expand(len(sequences), -1, -1)
        likelihoods = crf(emissions, sequences, torch.full((len(sequences),), length))
        assert likelihoods.exp().sum().item() == pytest.approx(1)


def test_likelihood_is_the_score_over_that_of_all_sequences_and_ignores_the_padding(crf, emissions, enumerate_paths):
    labels = torch.tensor([[1, 2, 3, 0], [4, 8, 8, 8], [0, 5, 2, 7]])
    for padding in (0.0, 1e6, math.nan):
        inside = torch.arange(4) < LENGTHS.unsqueeze(1)
        found = crf(emissions.masked_fill(~inside.unsqueeze(2), padding), labels, LENGTHS)
        for row, length in enumerate(LENGTHS.tolist()):
            paths, scores = enumerate_paths(emissions[row, :length], crf.scores())
            own = scores[(paths == labels[row, :length]).all(1)].squeeze()
            assert_close(found[row], own - scores.logsumexp(0), rtol=1e-5, atol=1e-5)


def test_moves_alone_can_be_learnt_where_emissions_say_nothing():
    torch.manual_seed(2)
    crf, emissions = CRF(3), torch.zeros(1, 4, 3)
    labels, lengths = torch.tensor([[0, 1, 1, 2]]), torch.tensor([4])
    optimiser = torch.optim.SGD(crf.parameters(), lr=1.0)
    for _ in range(100):
        optimiser.zero_grad()
        (-crf(emissions, labels, lengths).mean()).backward()
        optimiser.step()
    assert crf(emissions, labels, lengths).exp().item() > 0.9
    assert crf.decode(emissions, lengths).tolist() == labels.tolist()


def test_decoding_takes_the_best_of_the_whole_sequences(crf, emissions, enumerate_paths):
    found = crf.decode(emissions, LENGTHS)
    for row, length in enumerate(LENGTHS.tolist()):
        paths, scores = enumerate_paths(emissions[row, :length], crf.scores())
        best = max(pair for pair in zip(scores.tolist(), paths.tolist(), strict=True) if is_whole(pair[1]))
        assert found[row, :length].tolist() == best[1]


def test_constrained_decoding_never_breaks_the_scheme_where_free_decoding_does(crf):
    emissions = 3 * torch.randn(64, 30, len(NAMES), generator=torch.Generator().manual_seed(9))
    lengths = torch.arange(64) % 30 + 1

    def broken():
        rows = zip(crf.decode(emissions, lengths).tolist(), lengths.tolist(), strict=True)
        return [row for row, length in rows if not is_whole(row[:length])]

    assert not broken()
    crf.allowed = None
    assert broken()


def test_marginals_and_segments_count_whole_sequences_only(crf, emissions, enumerate_paths):
    marginals = crf.marginals(emissions, LENGTHS)
    path = crf.decode(emissions, LENGTHS)
    terms = linear_chain.segment_scores(emissions, path.unsqueeze(2), LENGTHS, crf.constrained_scores())
    opening, closing = (term.squeeze(2) for term in terms)
    for row, length in enumerate(LENGTHS.tolist()):
        paths, scores = enumerate_paths(emissions[row, :length], crf.scores())
        whole = torch.tensor([is_whole(path) for path in paths.tolist()])
        paths, shares = paths[whole], scores[whole].softmax(0)
        for step in range(length):
            expected = torch.zeros(len(NAMES), dtype=torch.float64).index_add(0, paths[:, step], shares)
            assert_close(marginals[row, step], expected, rtol=1e-5, atol=1e-7)
            same = (paths[:, : step + 1] == path[row, : step + 1]).all(1)
            assert_close((opening[row, 0] + closing[row, step]).exp(), shares[same].sum(), rtol=1e-5, atol=1e-7)


def test_the_worked_example_with_start_and_end_as_states_of_one_table():
    """Emissions and layout of QUALITY.md: five labels, and START and END as two more states of one move table."""
    labels, start, end = ["B-PER", "I-PER", "B-ORG", "I-ORG", "O"], 5, 6
    moves = [
        [0.6, 0.9, 0.2, 0.0006, 0.6, 0.0, 0.009],
        [0.5, 0.53, 0.55, 0.0003, 0.85, 0.0, 0.008],
        [0.5, 0.0003, 0.25, 0.8, 0.77, 0.0, 0.006],
        [0.45, 0.007, 0.7, 0.65, 0.76, 0.0, 0.2],
        [0.65, 0.0007, 0.7, 0.0008, 0.9, 0.0, 0.08],
        [0.8, 0.007, 0.7, 0.0008, 0.9, 0.0, 0.08],
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ]
    emitted = [[1.5, 0.9, 0.1, 0.08, 0.05], [0.2, 0.4, 0.1, 0.11, 0.05], [0.09, 0.02, 0.03, 0.08, 0.1]]
    totals = {}
    for path in product(range(len(labels)), repeat=3):
        states = [start, *path, end]
        moved = sum(moves[before][after] for before, after in pairwise(states))
        totals[path] = moved + sum(row[label] for row, label in zip(emitted, path, strict=True))
    everything = math.log(sum(math.exp(total) for total in totals.values()))

    crf = CRF(len(labels))
    table = torch.tensor(moves)
    learnt = Chain(table[:start, :start], table[start, :start], table[:start, end])
    for weight, scores in zip(crf.scores(), learnt, strict=True):
        weight.data.copy_(scores)
    emissions, lengths = torch.tensor([emitted]), torch.tensor([3])
    gold = (0, 1, 4)
    likelihood = crf(emissions, torch.tensor([gold]), lengths)
    assert likelihood.item() == pytest.approx(totals[gold] - everything, abs=1e-5)
    best = max(totals, key=lambda path: totals[path])
    assert crf.decode(emissions, lengths).tolist() == [list(best)]
    assert crf.marginals(emissions, lengths)[0, 0, 0].item() == pytest.approx(
        sum(math.exp(total - everything) for path, total in totals.items() if path[0] == 0), abs=1e-5
    )
