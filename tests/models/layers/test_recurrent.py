import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.testing import assert_close

from model_serving.models.layers import recurrent
from model_serving.models.layers.recurrent import BidirectionalGRU, BidirectionalLSTM, reverse_by_length, run_to_end

LENGTHS = torch.tensor([7, 1, 4, 6, 2])


@pytest.fixture(params=[16, 2])
def lstm(request, monkeypatch):
    """With all rows in every step, and with those that have ended left out of the next two."""
    monkeypatch.setattr(recurrent, "STRETCH", request.param)
    torch.manual_seed(3)
    return BidirectionalLSTM(inputs=4, hidden=5)


@pytest.fixture
def inputs():
    return torch.randn(len(LENGTHS), 7, 4, generator=torch.Generator().manual_seed(4))


def test_the_packed_bidirectional_lstm_of_torch_answers_the_same(lstm, inputs):
    reference = nn.LSTM(4, 5, batch_first=True, bidirectional=True)
    backwards = {f"{name}_reverse": weight for name, weight in lstm.backwards.state_dict().items()}
    reference.load_state_dict(lstm.forwards.state_dict() | backwards)
    packed = pack_padded_sequence(inputs, LENGTHS, batch_first=True, enforce_sorted=False)
    expected, _ = pad_packed_sequence(reference(packed)[0], batch_first=True)
    inside = torch.arange(7) < LENGTHS.unsqueeze(1)
    assert_close(lstm(inputs, LENGTHS)[inside], expected[inside])


def test_the_packed_bidirectional_gru_of_torch_answers_the_same(inputs):
    gru, reference = BidirectionalGRU(4, 5), nn.GRU(4, 5, batch_first=True, bidirectional=True)
    backwards = {f"{name}_reverse": weight for name, weight in gru.backwards.state_dict().items()}
    reference.load_state_dict(gru.forwards.state_dict() | backwards)
    packed = pack_padded_sequence(inputs, LENGTHS, batch_first=True, enforce_sorted=False)
    expected, _ = pad_packed_sequence(reference(packed)[0], batch_first=True)
    inside = torch.arange(7) < LENGTHS.unsqueeze(1)
    assert_close(gru(inputs, LENGTHS)[inside], expected[inside])


def test_a_row_alone_gives_what_it_gives_in_a_batch(lstm, inputs):
    together = lstm(inputs, LENGTHS)
    for row, length in enumerate(LENGTHS.tolist()):
        alone = lstm(inputs[row : row + 1, :length], LENGTHS[row : row + 1])
        assert_close(alone[0], together[row, :length])


def test_what_stands_in_the_padding_changes_nothing_before_it(lstm, inputs):
    inside = torch.arange(7) < LENGTHS.unsqueeze(1)
    garbage = inputs.masked_fill(~inside.unsqueeze(2), 1e6)
    assert torch.equal(lstm(garbage, LENGTHS)[inside], lstm(inputs, LENGTHS)[inside])


def test_other_rows_of_the_same_size_change_no_bit(lstm, inputs):
    others = torch.cat([inputs[:1], torch.randn(4, 7, 4)])
    assert torch.equal(lstm(others, LENGTHS)[0], lstm(inputs, LENGTHS)[0])


def test_gradients_reach_the_inputs_of_a_row_and_never_its_padding(lstm, inputs):
    inputs.requires_grad_()
    inside = torch.arange(7) < LENGTHS.unsqueeze(1)
    lstm(inputs, LENGTHS)[inside].sum().backward()
    assert ((inputs.grad != 0).any(2) == inside).all()


@settings(max_examples=50)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=5), st.integers(0, 3))
def test_reversing_turns_round_each_row_and_keeps_its_padding(lengths, padding):
    time = max(lengths) + padding
    states = torch.arange(float(len(lengths) * time * 2)).view(len(lengths), time, 2)
    turned = reverse_by_length(states, torch.tensor(lengths))
    for row, length in enumerate(lengths):
        expected = states[row, :length].tolist()[::-1] + states[row, length:].tolist()
        assert turned[row].tolist() == expected


@pytest.fixture(params=[nn.LSTM, nn.GRU])
def deep(request):
    torch.manual_seed(5)
    return request.param(4, 5, num_layers=2, batch_first=True)


def parts(state):
    """The tensors of a state: a GRU has one, an LSTM two."""
    return state if isinstance(state, tuple) else (state,)


@pytest.mark.parametrize("padding", [0, 2])
def test_running_to_the_end_leaves_the_states_of_the_packed_network(deep, inputs, padding):
    inputs = nn.functional.pad(inputs, (0, 0, 0, padding))
    states, last = run_to_end(deep, inputs, LENGTHS)
    packed = pack_padded_sequence(inputs, LENGTHS, batch_first=True, enforce_sorted=False)
    output, expected = deep(packed)
    inside = torch.arange(7 + padding) < LENGTHS.unsqueeze(1)
    assert_close(states[inside], pad_packed_sequence(output, batch_first=True, total_length=7 + padding)[0][inside])
    for ours, theirs in zip(parts(last), parts(expected), strict=True):
        assert_close(ours, theirs)


def test_no_bit_of_the_last_state_depends_on_padding_or_other_rows(deep, inputs):
    others = torch.cat([inputs[:1], torch.randn(4, 7, 4)])
    inside = torch.arange(7) < LENGTHS.unsqueeze(1)
    garbage = others.masked_fill(~inside.unsqueeze(2), 1e6)
    states, last = run_to_end(deep, inputs, LENGTHS)
    other_states, other_last = run_to_end(deep, garbage, LENGTHS)
    assert torch.equal(states[0], other_states[0])
    for ours, theirs in zip(parts(last), parts(other_last), strict=True):
        assert torch.equal(ours[:, 0], theirs[:, 0])


@pytest.mark.parametrize("network", [nn.LSTM(3, 2, 2), nn.LSTMCell(3, 2)], ids=["LSTM", "LSTMCell"])
def test_an_open_forget_gate_lets_a_state_last(network):
    """With weights of zero the cell decays by the gate alone: sigmoid(1), where it was a half."""
    recurrent.open_forget_gates(network)
    for name, weight in network.named_parameters():
        if name.startswith("weight"):
            nn.init.zeros_(weight)
    layers = getattr(network, "num_layers", None)
    first = torch.ones(1, 2) if layers is None else torch.ones(layers, 1, 2)
    inputs = torch.zeros(1, 3) if layers is None else torch.zeros(1, 1, 3)
    cell = network(inputs, (torch.zeros_like(first), first))[-1]
    cell = cell[-1] if layers else cell
    assert_close(cell, torch.full_like(first, torch.tensor(1.0).sigmoid().item()))


@pytest.mark.parametrize("build", [BidirectionalLSTM, BidirectionalGRU])
def test_a_row_alone_has_the_bits_it_has_in_a_batch(build):
    """At the size of a served network, whose products few rows take by other kernels."""
    torch.manual_seed(6)
    network = build(inputs=200, hidden=160)
    inputs, lengths = torch.randn(9, 40, 200), torch.tensor([40, 1, 5, 17, 33, 16, 32, 2, 40])
    together = network(inputs, lengths)
    for row, length in enumerate(lengths.tolist()):
        alone = network(inputs[row : row + 1, :length], lengths[row : row + 1])
        assert torch.equal(alone[0], together[row, :length])
