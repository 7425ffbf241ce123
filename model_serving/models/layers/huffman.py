"""The tree of hierarchical softmax: frequent words are few turns from the root."""

import heapq
from typing import NamedTuple

import torch
from torch import Tensor


class Paths(NamedTuple):
    """The way from the root to each word.

    ``nodes`` (words, depth) int64 are the inner nodes passed, the root first, 0 behind the end; ``turns`` (words,
    depth) are 1 where the way goes left, -1 right, and 0 behind its end.
    """

    nodes: Tensor
    turns: Tensor


def paths(counts: list[int]) -> Paths:
    """The ways of a Huffman tree over at least two words (Huffman, 1952; Mikolov et al., 2013, section 2.1)."""
    number = len(counts)
    parent = [0] * (2 * number - 1)
    left = [False] * (2 * number - 1)
    heap = [(count, word) for word, count in enumerate(counts)]
    heapq.heapify(heap)
    for inner in range(number, 2 * number - 1):
        (first, one), (second, other) = heapq.heappop(heap), heapq.heappop(heap)
        parent[one] = parent[other] = inner
        left[one] = True
        heapq.heappush(heap, (first + second, inner))
    root = 2 * number - 2
    ways = [_way(word, parent, left, root) for word in range(number)]
    depth = max(map(len, ways))
    nodes = torch.zeros(number, depth, dtype=torch.int64)
    turns = torch.zeros(number, depth)
    for word, way in enumerate(ways):
        nodes[word, : len(way)] = torch.tensor([root - node for node, _ in way])
        turns[word, : len(way)] = torch.tensor([turn for _, turn in way])
    return Paths(nodes, turns)


def _way(word: int, parent: list[int], left: list[bool], root: int) -> list[tuple[int, float]]:
    """The inner nodes above a word, the root first, each with the turn taken there."""
    way = []
    node = word
    while node != root:
        way.append((parent[node], 1.0 if left[node] else -1.0))
        node = parent[node]
    return way[::-1]
