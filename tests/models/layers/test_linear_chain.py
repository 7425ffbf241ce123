"""Every result is compared with the enumeration of all label sequences, row by row."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from model_serving.models.layers import linear_chain
from model_serving.models.layers.linear_chain import Chain

LABELS = 3
LENGTHS = torch.tensor([5, 1, 3, 2])
TIME = 5
INSIDE = torch.arange(TIME) < LENGTHS.unsqueeze(1)


def random(*shape, seed):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def random_chain(labels, seed):
    return Chain(random(labels, labels, seed=seed), random(labels, seed=seed + 1), random(labels, seed=seed + 2))


def probabilities(scores):
    return (scores - scores.logsumexp(0)).exp()


@pytest.fixture(params=["all moves", "forbidden moves"])
def chain(request):
    chain = random_chain(LABELS, seed=1)
    if request.param == "forbidden moves":
        chain.transitions[0, 1] = chain.transitions[2, 2] = chain.start[1] = chain.end[0] = -math.inf
    return chain


@pytest.fixture(params=[0.0, 1e4, math.inf, -math.inf, math.nan], ids="padded with {}".format)
def emissions(request):
    return random(len(LENGTHS), TIME, LABELS, seed=4).masked_fill(~INSIDE.unsqueeze(2), request.param)


@pytest.fixture
def rows(emissions, chain, enumerate_paths):
    """For each row its length, all paths of that length and their scores."""
    return [(n, *enumerate_paths(row[:n], chain)) for n, row in zip(LENGTHS.tolist(), emissions, strict=True)]


def test_log_partition_sums_over_all_sequences(emissions, chain, rows):
    expected = torch.stack([scores.logsumexp(0) for _, _, scores in rows])
    assert_close(linear_chain.log_partition(emissions, LENGTHS, chain), expected)


def test_forward_and_backward_scores_meet_in_the_same_sum_at_every_position(emissions, chain, rows):
    alpha = linear_chain.forward_scores(emissions, LENGTHS, chain)
    beta = linear_chain.backward_scores(emissions, LENGTHS, chain)
    met = (alpha + beta).logsumexp(2)
    for row, (length, _, scores) in enumerate(rows):
        assert_close(met[row, :length], scores.logsumexp(0).expand(length))


def test_path_score_scores_any_sequence(emissions, chain, rows):
    labels = torch.randint(LABELS, INSIDE.shape, generator=torch.Generator().manual_seed(5))
    found = linear_chain.path_score(emissions, labels, LENGTHS, chain)
    for row, (length, paths, scores) in enumerate(rows):
        assert_close(found[row], scores[(paths == labels[row, :length]).all(1)].squeeze())


def test_marginals_are_shares_of_all_sequences_and_zero_in_the_padding(emissions, chain, rows):
    expected = torch.zeros(emissions.shape, dtype=torch.float64)
    for row, (length, paths, scores) in enumerate(rows):
        for label in range(LABELS):
            expected[row, :length, label] = probabilities(scores) @ (paths == label).double()
    assert_close(linear_chain.marginals(emissions, LENGTHS, chain), expected)


def test_viterbi_finds_the_best_sequence_and_repeats_its_last_label(emissions, chain, rows):
    found = linear_chain.viterbi(emissions, LENGTHS, chain)
    for row, (length, paths, scores) in enumerate(rows):
        best = paths[scores.argmax()]
        assert found[row].tolist() == best.tolist() + [best[-1]] * (TIME - length)


def test_segment_scores_give_the_probability_of_every_segment(emissions, chain, rows):
    path = linear_chain.viterbi(emissions, LENGTHS, chain)
    terms = linear_chain.segment_scores(emissions, path.unsqueeze(2), LENGTHS, chain)
    opening, closing = (term.squeeze(2) for term in terms)
    for row, (length, paths, scores) in enumerate(rows):
        for first in range(length):
            for last in range(first, length):
                same = (paths[:, first : last + 1] == path[row, first : last + 1]).all(1)
                found = (opening[row, first] + closing[row, last]).exp()
                assert_close(found, probabilities(scores)[same].sum())


def test_segment_scores_hold_for_a_path_that_is_not_the_best(enumerate_paths):
    chain, emissions = random_chain(LABELS, seed=1), random(1, 4, LABELS, seed=2)
    given = torch.tensor([[[2, 0], [0, 1], [1, 2], [1, 0]]])
    opening, closing = linear_chain.segment_scores(emissions, given, torch.tensor([4]), chain)
    paths, scores = enumerate_paths(emissions[0], chain)
    for path in range(2):
        same = (paths[:, 1:4] == given[0, 1:4, path]).all(1)
        assert_close((opening[0, 1, path] + closing[0, 3, path]).exp(), probabilities(scores)[same].sum())


def test_a_segment_over_a_place_where_its_path_has_no_label_is_impossible(enumerate_paths):
    chain, emissions = random_chain(LABELS, seed=1), random(1, 4, LABELS, seed=2)
    given = torch.tensor([[[2], [-1], [1], [1]]])
    terms = linear_chain.segment_scores(emissions, given, torch.tensor([4]), chain)
    opening, closing = (term[0, :, 0] for term in terms)
    paths, scores = enumerate_paths(emissions[0], chain)
    for first in range(4):
        for last in range(first, 4):
            same = (paths[:, first : last + 1] == given[0, first : last + 1, 0]).all(1)
            assert_close((opening[first] + closing[last]).exp(), probabilities(scores)[same].sum())


@pytest.mark.parametrize("padding", [0.0, 1e4])
def test_gradient_of_log_partition_is_the_marginals(padding, enumerate_paths):
    chain = Chain(*(scores.requires_grad_() for scores in random_chain(LABELS, seed=1)))
    emissions = random(len(LENGTHS), TIME, LABELS, seed=4).masked_fill(~INSIDE.unsqueeze(2), padding).requires_grad_()
    linear_chain.log_partition(emissions, LENGTHS, chain).sum().backward()
    marginals = linear_chain.marginals(emissions, LENGTHS, chain).detach()
    assert_close(emissions.grad, marginals)
    assert_close(chain.start.grad, marginals[:, 0].sum(0))
    assert_close(chain.end.grad, marginals[torch.arange(len(LENGTHS)), LENGTHS - 1].sum(0))
    moves = torch.zeros(LABELS, LABELS, dtype=torch.float64)
    for length, row in zip(LENGTHS.tolist(), emissions, strict=True):
        paths, scores = enumerate_paths(row[:length].detach(), Chain(*(s.detach() for s in chain)))
        for path, probability in zip(paths, probabilities(scores), strict=True):
            moves.index_put_((path[:-1], path[1:]), probability, accumulate=True)
    assert_close(chain.transitions.grad, moves)


@settings(max_examples=50)
@given(
    lengths=st.lists(st.integers(1, 4), min_size=1, max_size=4),
    labels=st.integers(1, 4),
    seed=st.integers(0, 1000),
    data=st.data(),
)
def test_any_shape_and_any_forbidden_moves_agree_with_enumeration(enumerate_paths, lengths, labels, seed, data):
    chain = random_chain(labels, seed)
    forbidden = data.draw(st.lists(st.tuples(*[st.integers(0, labels - 1)] * 2), max_size=labels * labels))
    for before, after in forbidden:
        chain.transitions[before, after] = -math.inf
    emissions = random(len(lengths), max(lengths), labels, seed=seed + 3)
    partition = linear_chain.log_partition(emissions, torch.tensor(lengths), chain)
    best = linear_chain.viterbi(emissions, torch.tensor(lengths), chain)
    for row, length in enumerate(lengths):
        paths, scores = enumerate_paths(emissions[row, :length], chain)
        assert_close(partition[row], scores.logsumexp(0))
        found = scores[(paths == best[row, :length]).all(1)].squeeze()
        assert_close(found, scores.max())


def test_a_row_that_no_permitted_sequence_can_make_has_probability_zero():
    chain = Chain(torch.full((2, 2), -math.inf), torch.zeros(2), torch.zeros(2))
    partition = linear_chain.log_partition(torch.zeros(2, 3, 2), torch.tensor([3, 1]), chain)
    assert partition.tolist() == pytest.approx([-math.inf, math.log(2)])


def test_scores_hundreds_apart_neither_overflow_nor_vanish(enumerate_paths):
    chain, emissions = random_chain(LABELS, seed=1), 300 * random(1, 4, LABELS, seed=2)
    lengths = torch.tensor([4])
    paths, scores = enumerate_paths(emissions[0], chain)
    assert_close(linear_chain.log_partition(emissions, lengths, chain)[0], scores.logsumexp(0))
    marginals = linear_chain.marginals(emissions, lengths, chain)
    assert_close(marginals.sum(2), torch.ones(1, 4, dtype=torch.float64))
    assert linear_chain.viterbi(emissions, lengths, chain)[0].tolist() == paths[scores.argmax()].tolist()


def test_the_padding_of_a_wider_batch_changes_no_bit():
    chain, emissions = random_chain(LABELS, seed=1), random(len(LENGTHS), TIME, LABELS, seed=4)
    wider = torch.cat([emissions, random(len(LENGTHS), 4, LABELS, seed=6)], dim=1)
    for function in (linear_chain.marginals, linear_chain.viterbi):
        assert torch.equal(function(wider, LENGTHS, chain)[:, :TIME], function(emissions, LENGTHS, chain))
    assert torch.equal(*(linear_chain.log_partition(each, LENGTHS, chain) for each in (wider, emissions)))


def test_nothing_writes_to_its_arguments():
    chain, emissions = random_chain(LABELS, seed=1), random(len(LENGTHS), TIME, LABELS, seed=4)
    before = emissions.clone()
    path = linear_chain.viterbi(emissions, LENGTHS, chain)
    linear_chain.segment_scores(emissions, path.unsqueeze(2), LENGTHS, chain)
    linear_chain.marginals(emissions, LENGTHS, chain)
    assert torch.equal(emissions, before)


def test_expectations_are_the_sums_over_all_sequences(enumerate_paths):
    random = torch.Generator().manual_seed(4)
    lengths = torch.tensor([5, 3, 3, 1])
    emissions = 3 * torch.randn(4, 5, 3, generator=random, dtype=torch.float64)
    scores = (torch.randn(size, generator=random, dtype=torch.float64) for size in ((3, 3), (3,), (3,)))
    chain = Chain(*scores)
    inside = torch.arange(5) < lengths.unsqueeze(1)
    found = linear_chain.expectations(emissions.masked_fill(~inside.unsqueeze(2), 7.0), lengths, chain)
    moves = torch.zeros(3, 3, dtype=torch.float64)
    for row, length in enumerate(lengths.tolist()):
        paths, totals = enumerate_paths(emissions[row, :length], chain)
        shares = totals.softmax(0)
        assert found.log_partition[row].item() == pytest.approx(totals.logsumexp(0).item())
        for step in range(length):
            expected = torch.zeros(3, dtype=torch.float64).index_add(0, paths[:, step], shares)
            torch.testing.assert_close(found.marginals[row, step], expected)
        assert not found.marginals[row, length:].any()
        for step in range(length - 1):
            moves.index_put_((paths[:, step], paths[:, step + 1]), shares, accumulate=True)
    torch.testing.assert_close(found.moves, moves)
