"""The lattice against the paper's equations, one sentence and one character at a time."""

import pytest
import torch
from torch.testing import assert_close

from model_serving.models.layers.lattice import LatticeDirection, LatticeLSTM, Matches

INPUTS, WORDS, HIDDEN = 4, 3, 5
LENGTHS = torch.tensor([6, 4, 1])
# rows, first and last characters, and numbers of the words of three sentences
FOUND = [(0, 0, 1, 2), (1, 0, 2, 0), (0, 0, 2, 1), (0, 1, 2, 3), (1, 1, 2, 2), (0, 3, 4, 0), (0, 2, 5, 3)]


@pytest.fixture
def matches():
    return Matches(*torch.tensor(FOUND).T.contiguous())


@pytest.fixture
def inputs():
    return torch.randn(3, 6, INPUTS, generator=torch.Generator().manual_seed(1), dtype=torch.float64)


@pytest.fixture
def table():
    torch.manual_seed(2)
    return torch.nn.Embedding(4, WORDS).double()


def direction():
    torch.manual_seed(3)
    layer = LatticeDirection(INPUTS, WORDS, HIDDEN).double()
    for weight in layer.parameters():
        torch.nn.init.normal_(weight)
    return layer


def by_the_equations(layer, inputs, vectors, found):
    """Equations 11 to 15 for one sentence: inputs (time, inputs), ``found`` (start, end, number) -> (time, hidden)."""
    zero = inputs.new_zeros(HIDDEN)
    states: list[torch.Tensor] = []
    cells: list[torch.Tensor] = []
    for step, vector in enumerate(inputs):
        state, cell = (states[-1], cells[-1]) if step else (zero, zero)
        *scores, linked = layer.characters(vector).chunk(5)
        scores = [score + part for score, part in zip(scores, (state @ layer.across).chunk(4), strict=True)]
        entry, forget, out = (score.sigmoid() for score in scores[:3])
        value = scores[3].tanh()
        ending = [(start, number) for start, end, number in found if end == step]
        if not ending:
            cells.append(forget * cell + entry * value)
        else:
            weights, values = [entry.exp()], [value]
            for start, number in ending:
                parts = (layer.words(vectors[number]) + states[start] @ layer.into).chunk(3)
                word = parts[1].sigmoid() * cells[start] + parts[0].sigmoid() * parts[2].tanh()
                weights.append((linked + word @ layer.link).sigmoid().exp())
                values.append(word)
            shares = torch.stack(weights) / torch.stack(weights).sum(0)
            cells.append((shares * torch.stack(values)).sum(0))
        states.append(out * cells[-1].tanh())
    return torch.stack(states)


def test_states_are_those_of_the_equations(inputs, matches, table):
    layer = direction()
    found = layer(inputs, table(matches.words), matches)
    for row, length in enumerate(LENGTHS.tolist()):
        own = [(start, end, number) for which, start, end, number in FOUND if which == row]
        expected = by_the_equations(layer, inputs[row, :length], table.weight, own)
        assert_close(found[row, :length], expected)


def test_gradients_are_those_of_automatic_differentiation_of_the_equations(inputs, matches, table):
    """Of all weights, of the inputs and of the words, for a loss that looks at the sentences' own characters."""
    layer = direction()
    inputs.requires_grad_()
    watched = [inputs, table.weight, *layer.parameters()]
    target = torch.randn(3, 6, HIDDEN, generator=torch.Generator().manual_seed(4), dtype=torch.float64)
    inside = (torch.arange(6) < LENGTHS.unsqueeze(1)).unsqueeze(2)
    found = torch.autograd.grad(((layer(inputs, table(matches.words), matches) * target) * inside).sum(), watched)
    loss = inputs.new_zeros(())
    for row, length in enumerate(LENGTHS.tolist()):
        own = [(start, end, number) for which, start, end, number in FOUND if which == row]
        states = by_the_equations(layer, inputs[row, :length], table.weight, own)
        loss = loss + (states * target[row, :length]).sum()
    for ours, theirs in zip(found, torch.autograd.grad(loss, watched), strict=True):
        assert_close(ours, theirs)


def test_without_words_it_is_an_lstm(inputs, table):
    layer = direction()
    none = Matches(*torch.empty(4, 0, dtype=torch.int64))
    lstm = torch.nn.LSTM(INPUTS, HIDDEN, batch_first=True).double()
    weights = dict(lstm.named_parameters())
    order = torch.cat(
        [torch.arange(0, 2 * HIDDEN), torch.arange(3 * HIDDEN, 4 * HIDDEN), torch.arange(2 * HIDDEN, 3 * HIDDEN)]
    )
    weights["weight_ih_l0"].data.copy_(layer.characters.weight[order])
    weights["weight_hh_l0"].data.copy_(layer.across.T[order])
    weights["bias_ih_l0"].data.copy_(layer.characters.bias[order])
    weights["bias_hh_l0"].data.zero_()
    assert_close(layer(inputs, table(none.words), none), lstm(inputs)[0])


def test_the_way_back_reads_each_sentence_turned_round(inputs, matches, table):
    torch.manual_seed(5)
    both = LatticeLSTM(INPUTS, WORDS, HIDDEN).double()
    found = both(inputs, LENGTHS, table, matches)
    for row, length in enumerate(LENGTHS.tolist()):
        own = [(start, end, number) for which, start, end, number in FOUND if which == row]
        turned = [(length - 1 - end, length - 1 - start, number) for start, end, number in own]
        ahead = by_the_equations(both.forwards, inputs[row, :length], table.weight, own)
        back = by_the_equations(both.backwards, inputs[row, :length].flip(0), table.weight, turned).flip(0)
        assert_close(found[row, :length], torch.cat([ahead, back], 1))
