import math

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from model_serving.models.translators.luong_attention import LuongAttentionNetwork

SOURCE = torch.tensor([[5, 6, 7, 8, 9], [4, 5, 0, 0, 0], [10, 4, 6, 0, 0]])
TARGET = torch.tensor([[2, 5, 6, 7], [2, 4, 0, 0], [2, 8, 9, 0]])
LENGTHS = ((5, 4), (2, 2), (3, 3))
REACH = 1


def score(kind, layer, state, sources):
    """Equations 8 and 9 for one target state and the source states one by one."""
    if kind == "location":
        return (layer.place.weight @ state)[: len(sources)]
    if kind == "concat":
        both = [torch.tanh(layer.query.weight @ state + layer.query.bias + layer.key.weight @ one) for one in sources]
        return torch.stack([layer.score.weight[0] @ hidden for hidden in both])
    compared = [layer.between.weight @ one for one in sources] if kind == "general" else list(sources)
    return torch.stack([state @ one for one in compared])


def align(window, layer, state, scores, place):
    """Section 3.2 for one step."""
    last = len(scores) - 1
    if window == "global":
        return scores.softmax(0)
    middle = min(place, last)
    if window == "predictive":
        share = 1 / (1 + math.exp(-(layer.middle.weight[0] @ torch.tanh(layer.hidden.weight @ state)).item()))
        middle = share * last
    seen = [source for source in range(last + 1) if abs(source - middle) <= REACH]
    weights = torch.zeros(last + 1)
    weights[seen] = scores[seen].softmax(0)
    if window == "predictive":
        deviation = REACH / 2
        weights *= torch.tensor(
            [math.exp(-((source - middle) ** 2) / (2 * deviation**2)) for source in range(last + 1)]
        )
    return weights


@pytest.mark.parametrize("window", ["global", "monotonic", "predictive"])
@pytest.mark.parametrize("kind", ["dot", "general", "concat", "location"])
def test_scores_follow_the_paper_one_sentence_and_word_at_a_time(kind, window):
    torch.manual_seed(4)
    network = LuongAttentionNetwork(
        sources=11, targets=10, embedding_size=4, hidden_size=5, layers=2, score=kind, window=window, reach=REACH
    ).eval()
    for weight in network.parameters():
        nn.init.normal_(weight, std=0.5)
    found, shown = network(SOURCE, TARGET), network.attention(SOURCE, TARGET)
    for row, (length, written) in enumerate(LENGTHS):
        words = network.source_embedding(SOURCE[row, :length].flip(0))
        states, (hidden, cell) = network.encoder(words)
        sources = states.flip(0)
        layers = list(zip(hidden, cell, strict=True))
        fed = torch.zeros(4)
        for place in range(written):
            below = torch.cat([network.target_embedding.weight[TARGET[row, place]], fed])
            for layer, (step, state) in enumerate(zip(network.cells, layers, strict=True)):
                layers[layer] = step(below, state)
                below = layers[layer][0]
            weights = align(window, network.window, below, score(kind, network.score, below, sources), place)
            fed = torch.tanh(network.attentional.weight @ torch.cat([weights @ sources, below]))
            assert_close(found[row, place], network.target_embedding.weight @ fed + network.output_bias)
            assert_close(shown[row, place, :length], weights / weights.sum())


def test_other_scores_and_windows_are_refused():
    sizes = {"sources": 11, "targets": 10, "embedding_size": 4, "hidden_size": 5, "layers": 1}
    with pytest.raises(ValueError, match="sum is no score; take dot, general, concat or location"):
        LuongAttentionNetwork(score="sum", window="global", **sizes)
    with pytest.raises(ValueError, match="wide is no window; take global, monotonic or predictive"):
        LuongAttentionNetwork(score="dot", window="wide", **sizes)
