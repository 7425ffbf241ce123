"""The lattice LSTM: a character's cell takes in every word of a lexicon that ends there.

Zhang and Yang, 2018, "Chinese NER using lattice LSTM", arXiv:1805.02023, section 3.2, equations 11 to 15. A word has a
cell without output gate, fed by its vector and by the state at its first character; the cells of the words that end
at a character and the character's own input are mixed by gates that sum to one. The gradient is written out, for that
is several times faster than automatic differentiation of so many small steps.
"""

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from model_serving.models.layers.recurrent import reverse_by_length


class Matches(NamedTuple):
    """Words found in a batch, one row each: ``rows``, ``starts``, ``ends`` (inclusive) and ``words``, all (n,) int64.

    They stand in rising order of ``ends``, and each has two characters at least.
    """

    rows: Tensor
    starts: Tensor
    ends: Tensor
    words: Tensor

    def reversed(self, lengths: Tensor) -> "Matches":
        """The same words in sentences turned round, each by its length."""
        last = lengths[self.rows] - 1
        ends = last - self.starts
        order = ends.argsort(stable=True)
        return Matches(self.rows[order], (last - self.ends)[order], ends[order], self.words[order])


class _Step(NamedTuple):
    """What a step leaves for the way back; the last five are of the words that end there."""

    gates: Tensor
    mixed: Tensor
    share: Tensor
    word_gates: Tensor
    word_cells: Tensor
    link: Tensor


class _Lattice(torch.autograd.Function):
    """The steps of one direction.

    Args:
        characters: (time, batch, 5 * hidden), what the inputs say to the gates input, forget, output, to the new
            value, and to the gate of words.
        words: (n, 3 * hidden), what the words' vectors say to their gates input and forget, and to their new value.
        across: (hidden, 4 * hidden), from a state to the next one's gates.
        into: (hidden, 3 * hidden), from the state at a word's start to its gates.
        link: (hidden, hidden), from a word's cell to the gate of words.
        rows, starts, ends: of the words, as in :class:`Matches`.

    Returns:
        (time, batch, hidden).
    """

    @staticmethod
    def forward(
        ctx: Any,
        characters: Tensor,
        words: Tensor,
        across: Tensor,
        into: Tensor,
        link: Tensor,
        rows: Tensor,
        starts: Tensor,
        ends: Tensor,
    ) -> Tensor:
        time, batch, width = characters.shape
        size = width // 5
        states = characters.new_zeros(time + 1, batch, size)  # the last row stands for the one before the first
        cells = torch.zeros_like(states)
        bounds = torch.searchsorted(ends, torch.arange(time + 1)).tolist()
        steps = []
        for step in range(time):
            scores = torch.addmm(characters[step, :, : 4 * size], states[step - 1], across)
            gates = torch.cat([scores[:, : 3 * size].sigmoid(), scores[:, 3 * size :].tanh()], 1)
            entry, forget, out, value = gates.chunk(4, 1)
            cell = forget * cells[step - 1] + entry * value
            first, last = bounds[step], bounds[step + 1]
            if first < last:
                row, start = rows[first:last], starts[first:last]
                word_gates = _word_gates(words[first:last], states[start, row], into)
                word_entry, word_forget, word_value = word_gates.chunk(3, 1)
                word_cells = word_forget * cells[start, row] + word_entry * word_value
                gate = torch.addmm(characters[step, row, 4 * size :], word_cells, link).sigmoid()
                weight = gate.exp()
                own = entry.exp()
                total = own.index_add(0, row, weight)
                mixed = (own * value).index_add_(0, row, weight * word_cells) / total
                cell[row] = mixed[row]
                steps.append(_Step(gates, mixed, total, word_gates, word_cells, gate))
            else:
                steps.append(_Step(gates, *[gates[:0]] * 5))
            cells[step] = cell
            states[step] = out * cell.tanh()
        ctx.save_for_backward(across, into, link, rows, starts, states, cells)
        ctx.steps, ctx.bounds = steps, bounds
        return states[:time]

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        across, into, link, rows, starts, states, cells = ctx.saved_tensors
        time, batch, size = gradient.shape
        of_states = torch.cat([gradient, gradient.new_zeros(1, batch, size)])
        of_cells = torch.zeros_like(of_states)
        of_characters = gradient.new_zeros(time, batch, 5 * size)
        of_words = gradient.new_zeros(len(rows), 3 * size)
        of_links = gradient.new_zeros(len(rows), size)
        word_cells = gradient.new_zeros(len(rows), size)
        for step in range(time - 1, -1, -1):
            taken: _Step = ctx.steps[step]
            entry, forget, out, value = taken.gates.chunk(4, 1)
            bent = cells[step].tanh()
            of_cell = of_cells[step] + of_states[step] * out * (1 - bent * bent)
            parts = torch.cat([of_cell * value, of_cell * cells[step - 1], of_states[step] * bent, of_cell * entry], 1)
            kept = of_cell * forget
            first, last = ctx.bounds[step], ctx.bounds[step + 1]
            if first < last:
                row, start = rows[first:last], starts[first:last]
                of_mix = of_cell / taken.share
                own = entry[row].exp()
                parts[row, :size] = own * of_mix[row] * (value - taken.mixed)[row]
                parts[row, size : 2 * size] = 0
                parts[row, 3 * size :] = own * of_mix[row]
                kept[row] = 0
                of_word = of_mix[row] * taken.link.exp()
                of_gate = of_word * (taken.word_cells - taken.mixed[row])
                of_links[first:last] = of_gate * taken.link * (1 - taken.link)
                word_cells[first:last] = taken.word_cells
                of_word = torch.addmm(of_word, of_links[first:last], link.T)
                word_entry, word_forget, word_value = taken.word_gates.chunk(3, 1)
                of_words[first:last] = torch.cat(
                    [
                        of_word * word_value * word_entry * (1 - word_entry),
                        of_word * cells[start, row] * word_forget * (1 - word_forget),
                        of_word * word_entry * (1 - word_value * word_value),
                    ],
                    1,
                )
                of_cells[start, row] += of_word * word_forget  # a word begins at one place once, so none is lost
                of_states[start, row] += of_words[first:last] @ into.T
                of_characters[step, :, 4 * size :].index_add_(0, row, of_links[first:last])
            slopes = taken.gates * (1 - taken.gates)
            slopes[:, 3 * size :] = 1 - value * value
            of_characters[step, :, : 4 * size] = parts * slopes
            of_cells[step - 1] += kept
            of_states[step - 1] += of_characters[step, :, : 4 * size] @ across.T
        of_gates = of_characters[:, :, : 4 * size].flatten(0, 1)
        before = torch.cat([states[-1:], states[: time - 1]]).flatten(0, 1)
        of_into = states[starts, rows].T @ of_words
        return of_characters, of_words, before.T @ of_gates, of_into, word_cells.T @ of_links, None, None, None


def _word_gates(said: Tensor, states: Tensor, into: Tensor) -> Tensor:
    scores = torch.addmm(said, states, into)
    size = scores.size(1) // 3
    return torch.cat([scores[:, : 2 * size].sigmoid(), scores[:, 2 * size :].tanh()], 1)


class LatticeDirection(nn.Module):
    """One direction of a lattice LSTM.

    Args:
        inputs: size of a character's vector.
        word_size: size of a word's vector.
        hidden: size of the state.
    """

    def __init__(self, inputs: int, word_size: int, hidden: int):
        super().__init__()
        self.characters = nn.Linear(inputs, 5 * hidden)
        self.words = nn.Linear(word_size, 3 * hidden)
        bound = hidden**-0.5
        self.across = nn.Parameter(torch.empty(hidden, 4 * hidden).uniform_(-bound, bound))
        self.into = nn.Parameter(torch.empty(hidden, 3 * hidden).uniform_(-bound, bound))
        self.link = nn.Parameter(torch.empty(hidden, hidden).uniform_(-bound, bound))

    def forward(self, inputs: Tensor, vectors: Tensor, matches: Matches) -> Tensor:
        """Read a batch from left to right.

        Args:
            inputs: (batch, time, inputs).
            vectors: (n, word_size), of the words of ``matches``.
            matches: where words stand.

        Returns:
            (batch, time, hidden); past a row's length the values mean nothing.
        """
        said = self.characters(inputs.transpose(0, 1).contiguous())
        weights = (self.across, self.into, self.link)
        places = (matches.rows, matches.starts, matches.ends)
        states: Tensor = _Lattice.apply(said, self.words(vectors), *weights, *places)  # type: ignore[no-untyped-call]
        return states.transpose(0, 1)


class LatticeLSTM(nn.Module):
    """A lattice LSTM each way, over characters, and over words that both ways share.

    Args:
        inputs: size of a character's vector.
        word_size: size of a word's vector.
        hidden: size of each direction's state; the result has twice that.
    """

    def __init__(self, inputs: int, word_size: int, hidden: int):
        super().__init__()
        self.forwards = LatticeDirection(inputs, word_size, hidden)
        self.backwards = LatticeDirection(inputs, word_size, hidden)

    def forward(self, inputs: Tensor, lengths: Tensor, words: nn.Module, matches: Matches) -> Tensor:
        """``inputs`` (batch, time, inputs), ``lengths`` (batch,) int64 -> (batch, time, 2 * hidden).

        ``words`` gives the vectors (n, word_size) of the numbers (n,) in ``matches``.
        """
        mirrored = matches.reversed(lengths)
        ahead = self.forwards(inputs, words(matches.words), matches)
        back = self.backwards(reverse_by_length(inputs, lengths), words(mirrored.words), mirrored)
        return torch.cat([ahead, reverse_by_length(back, lengths)], dim=2)
