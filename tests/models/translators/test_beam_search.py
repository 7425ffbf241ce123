"""Beam search against a worked example, greedy search, exhaustive search, and itself on other batches."""

import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model_serving.models.translators.beam_search import Hypothesis, beam_search

START, END = 0, 1


def chain(probabilities):
    """A decoder whose next token depends on the last alone, by rows of probabilities, one table for all sentences."""
    table = torch.tensor(probabilities).log()

    def step(tokens, memory, past):
        return table[tokens].clone(), past

    return step


def noisy(vocabulary, seed=0):
    """A decoder of random weights with a memory a sentence and a past that remembers every token."""
    generator = torch.Generator().manual_seed(seed)
    mix = torch.randn(vocabulary, vocabulary, generator=generator)
    bias = torch.randn(5, vocabulary, generator=generator)

    def step(tokens, memory, past):
        seen = past["sum"] * 0.7 + mix[tokens]
        return (seen + memory["bias"].unsqueeze(1)).log_softmax(2), {"sum": seen}

    def search(rows, most, **options):
        memory = {"bias": bias[rows]}
        past = {"sum": torch.zeros(len(rows), 1, vocabulary)}
        return beam_search(step, memory, past, most, start=START, end=END, **options)

    def total(row, tokens):
        """The log probability of a whole sequence, computed alone."""
        past, sum_ = {"sum": torch.zeros(1, 1, vocabulary)}, 0.0
        for before, token in itertools.pairwise([START, *tokens]):
            log_probs, past = step(torch.tensor([[before]]), {"bias": bias[[row]]}, past)
            sum_ += log_probs[0, 0, token].item()
        return sum_

    return search, total


def test_the_worked_example_of_width_two():
    """From S keep SA and SB, then SAC and SBE, then SACH and SBEK (shared/QUALITY.md)."""
    names = ["S", "end", *"ABCDEFGHKL"]
    number = {name: place for place, name in enumerate(names)}
    after = {
        "S": {"A": 0.6, "B": 0.4},
        "A": {"C": 0.7, "D": 0.3},
        "B": {"E": 0.8, "F": 0.2},
        "C": {"G": 0.4, "H": 0.6},
        "E": {"K": 0.9, "L": 0.1},
    }
    rows = [[after.get(name, {"end": 1.0}).get(other, 0.0) for other in names] for name in names]
    seen = []
    step = chain(rows)

    def watched(tokens, memory, past):
        seen.append([names[token] for token in tokens[0].tolist()])
        return step(tokens, memory, past)

    (found,) = beam_search(watched, {}, {}, [5], start=0, end=1, beam_size=2, length_penalty=0.0)
    assert seen[1:] == [["A", "B"], ["C", "E"], ["K", "H"]]
    assert ["".join(names[token] for token in each.tokens) for each in found] == ["BEK", "ACH"]
    assert [each.score for each in found] == pytest.approx([math.log(0.4 * 0.8 * 0.9), math.log(0.6 * 0.7 * 0.6)])
    assert number["H"] in found[1].tokens


@pytest.mark.parametrize("seed", range(5))
def test_width_one_is_greedy_search(seed):
    search, total = noisy(7, seed)
    found = search(list(range(5)), [8] * 5, beam_size=1, length_penalty=1.0)
    for row, (hypothesis,) in enumerate(found):
        tokens: list[int] = []
        while len(tokens) < 8 and tokens[-1:] != [END]:
            tokens.append(max((total(row, [*tokens, token]), token) for token in range(7))[1])
        finished = tokens[-1] == END
        assert hypothesis.tokens == (tokens[:-1] if finished else tokens)
        assert hypothesis.finished == finished
        assert hypothesis.score == pytest.approx(total(row, tokens) / len(tokens), abs=1e-5)


@pytest.mark.parametrize(("seed", "penalty"), [(0, 0.0), (1, 0.6), (2, 1.0), (3, 1.0)])
def test_full_width_is_exhaustive_search(seed, penalty):
    vocabulary, most = 4, 4
    search, total = noisy(vocabulary, seed)
    others = [token for token in range(vocabulary) if token not in (START, END)]
    for row in range(3):
        (found,) = search([row], [most], beam_size=64, length_penalty=penalty, barred=(START,))
        expected = []
        for length in range(most):
            for tokens in itertools.product(others, repeat=length):
                score = total(row, [*tokens, END]) / (length + 1) ** penalty
                expected.append(Hypothesis(list(tokens), score, True))
        expected.sort(key=lambda hypothesis: -hypothesis.score)
        finished = [each for each in found if each.finished]
        assert [each.tokens for each in finished] == [each.tokens for each in expected]
        assert [each.score for each in finished] == pytest.approx([each.score for each in expected], abs=1e-5)
        assert sorted(each.tokens for each in found if not each.finished) == [
            list(tokens) for tokens in itertools.product(others, repeat=most)
        ]


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 6), st.lists(st.tuples(st.integers(0, 4), st.integers(1, 9)), min_size=1, max_size=6))
def test_sentences_together_are_searched_as_each_alone(width, sentences):
    search, _ = noisy(6)
    rows, most = [row for row, _ in sentences], [bound for _, bound in sentences]
    together = search(rows, most, beam_size=width, length_penalty=1.0)
    for (row, bound), found in zip(sentences, together, strict=True):
        (alone,) = search([row], [bound], beam_size=width, length_penalty=1.0)
        assert [(each.tokens, each.finished) for each in found] == [(each.tokens, each.finished) for each in alone]
        assert [each.score for each in found] == pytest.approx([each.score for each in alone], abs=1e-5)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 6), st.integers(1, 7), st.sampled_from([0.0, 1.0]))
def test_what_is_found_keeps_its_bounds_and_its_score(width, most, penalty):
    search, total = noisy(6, seed=2)
    (found,) = search([3], [most], beam_size=width, length_penalty=penalty, barred=(START, 4))
    assert 1 <= len(found) <= width
    assert [(not each.finished, -each.score) for each in found] == sorted(
        (not each.finished, -each.score) for each in found
    )
    assert len({tuple(each.tokens) for each in found}) == len(found)
    for each in found:
        written = [*each.tokens, END] if each.finished else each.tokens
        assert not {START, END, 4} & set(each.tokens)
        assert len(written) <= most
        assert each.finished or len(written) == most
        assert each.score == pytest.approx(total(3, written) / len(written) ** penalty, abs=1e-5)


def test_a_decoder_that_never_ends_holds_up_nobody():
    """Seven sentences end after three tokens; the eighth runs to its bound, alone (BB-37)."""
    batches = []

    def step(tokens, memory, past):
        batches.append(len(tokens))
        count = past["count"] + 1
        log_probs = torch.full((*tokens.shape, 4), -9.0)
        log_probs[..., 2] = -0.1
        log_probs[..., END] = torch.where((count[..., 0] > 3) & memory["ends"].unsqueeze(1), 0.0, -torch.inf)
        return log_probs, {"count": count}

    memory = {"ends": torch.tensor([True] * 5 + [False] + [True] * 2)}
    past = {"count": torch.zeros(8, 1, 1)}
    found = beam_search(step, memory, past, [60] * 8, start=0, end=1, beam_size=1, length_penalty=1.0)
    assert batches == [8] * 4 + [1] * 56
    for row, (best,) in enumerate(found):
        assert best.finished == (row != 5)
        assert best.tokens == [2] * (60 if row == 5 else 3)
        assert best.score == pytest.approx(-0.1 if row == 5 else -0.075)


@pytest.mark.parametrize("seed", range(3))
def test_what_may_be_written_once_is_not_written_twice_in_a_row(seed):
    """Held against exhaustive search over what is left."""
    most = 4
    search, total = noisy(4, seed)
    once = torch.tensor([False, False, True, False])
    (found,) = search([0], [most], beam_size=64, length_penalty=1.0, barred=(START,), once=once)
    written = [list(tokens) for length in range(most) for tokens in itertools.product((2, 3), repeat=length)]
    allowed = [tokens for tokens in written if (2, 2) not in itertools.pairwise(tokens)]
    allowed.sort(key=lambda tokens: -total(0, [*tokens, END]) / (len(tokens) + 1))
    assert [each.tokens for each in found if each.finished] == allowed
    assert len(allowed) < len(written)


def test_a_beam_wider_than_what_can_be_written_is_no_fault():
    step = chain([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5]])
    (found,) = beam_search(step, {}, {}, [3], start=0, end=1, beam_size=10, length_penalty=0.0)
    assert [(each.tokens, each.finished) for each in found] == [([2], True), ([2, 2], True), ([2, 2, 2], False)]
    assert all(math.isfinite(each.score) for each in found)


def test_no_sentences_have_no_translations():
    assert beam_search(chain([[1.0]]), {}, {}, [], start=0, end=1, beam_size=2, length_penalty=1.0) == []
