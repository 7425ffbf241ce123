import pytest
import torch

from model_serving.models.layers.huffman import paths
from model_serving.models.layers.noise import Noise
from model_serving.training.word_vectors import windows as module
from model_serving.training.word_vectors.cooccurrence import Matrix, count
from model_serving.training.word_vectors.text import encode
from model_serving.training.word_vectors.windows import STRETCH, TextWindows

SENTENCES = [["b", "a", "b", "c", "x"], ["a", "y"], [], ["b", "b", "c", "a", "b"]] * 20


@pytest.fixture
def text():
    return encode(SENTENCES, most=3, least=5)


@pytest.fixture
def random():
    return torch.Generator().manual_seed(5)


def test_a_text_is_numbered_by_frequency_and_rare_words_are_left_out(text):
    assert text.words.symbols == ["b", "a", "c"]
    assert text.counts.tolist() == [100, 60, 40]
    assert text.tokens[:9].tolist() == [0, 1, 0, 2, 1, 0, 0, 2, 1]
    assert text.sentences[:6].tolist() == [0, 0, 0, 0, 1, 3]


def test_words_of_equal_count_come_in_their_own_order():
    assert encode([["d", "c", "b"]] * 5, most=2).words.symbols == ["b", "c"]


def sentences_of(text):
    return [text.tokens[text.sentences == number].tolist() for number in text.sentences.unique().tolist()]


def pairs_of(batches):
    """All (centre, context) pairs of some batches, with how often each occurs."""
    found: dict[tuple[int, int], int] = {}
    for _, batch in batches:
        for block, n, m in batch.pairs.nonzero().tolist():
            pair = (int(batch.centres[block, n]), int(batch.contexts[block, m]))
            found[pair] = found.get(pair, 0) + 1
    return found


def test_windows_hold_every_pair_of_neighbours_once(text, random, monkeypatch):
    monkeypatch.setattr(torch, "randint", lambda low, high, size, generator: torch.full(size, high - 1))
    found = pairs_of(TextWindows(text, window=2, sample=1e9).epoch(random))
    expected: dict[tuple[int, int], int] = {}
    for sentence in sentences_of(text):
        for i, centre in enumerate(sentence):
            for j, context in enumerate(sentence):
                if 0 < abs(i - j) <= 2:
                    expected[centre, context] = expected.get((centre, context), 0) + 1
    assert found == expected


def test_a_context_at_distance_d_of_a_window_w_is_seen_in_the_share_that_is_wide_enough(random):
    text = encode([[f"{number:04}" for number in range(1000)]] * 5, most=1000)
    near = [0] * 5
    for _, batch in TextWindows(text, window=4, sample=1e9).epoch(random):
        for block, n, m in batch.pairs.nonzero().tolist():
            near[abs(int(batch.centres[block, n]) - int(batch.contexts[block, m]))] += 1
    assert [count / 10_000 for count in near] == pytest.approx([0, 1, 0.75, 0.5, 0.25], abs=0.03)


def test_windows_end_with_the_epoch(text, random):
    shares = [share for share, _ in TextWindows(text).epoch(random)]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert len(shares) <= -(-len(text.tokens) // (STRETCH * module.BLOCKS)) + 1


def test_frequent_words_are_thinned_out_by_the_formula(random):
    text = encode([["b", "a", "b", "c", "b", "a", "b", "c", "a", "b"] * 4] * 20, most=3)
    windows = TextWindows(text, sample=0.1)
    ratio = 0.1 / torch.tensor([0.5, 0.3, 0.2])
    torch.testing.assert_close(windows.keeping(), (ratio.sqrt() + ratio).clamp(max=1))
    epochs = [batch for _ in range(40) for _, batch in windows.epoch(random)]
    seen = torch.cat([batch.centres[batch.pairs.sum(2) > 0] for batch in epochs])
    kept = torch.bincount(seen) / (40 * text.counts)
    torch.testing.assert_close(kept.float(), windows.keeping(), atol=0.04, rtol=0)


def test_noise_follows_the_counts_to_the_power_of_three_quarters(random):
    counts = torch.tensor([1000, 100, 10, 1])
    drawn = Noise(counts).draw(200_000, random)
    expected = counts.double() ** 0.75
    torch.testing.assert_close(torch.bincount(drawn) / 200_000, (expected / expected.sum()).float(), atol=3e-3, rtol=0)


def test_noise_of_power_one_never_draws_what_was_not_seen(random):
    drawn = Noise(torch.tensor([0, 3, 0, 1, 0]), power=1).draw(50_000, random)
    torch.testing.assert_close(
        torch.bincount(drawn, minlength=5) / 50_000, torch.tensor([0, 0.75, 0, 0.25, 0]), atol=0.01, rtol=0
    )


def test_a_huffman_tree_is_the_textbooks():
    turns = paths([45, 13, 12, 16, 9, 5]).turns  # Cormen et al., section on Huffman codes: 1 3 3 3 4 4 bits
    assert (turns != 0).sum(1).tolist() == [1, 3, 3, 3, 4, 4]


def test_no_way_in_a_huffman_tree_is_the_beginning_of_another_and_the_choices_sum_to_one():
    random = torch.Generator().manual_seed(1)
    tree = paths(torch.randint(1, 100, (50,), generator=random).tolist())
    nodes = torch.randn(50, generator=random, dtype=torch.float64)
    shares = torch.sigmoid(tree.turns.double() * nodes[tree.nodes])
    assert torch.where(tree.turns == 0, 1, shares).prod(1).sum().item() == pytest.approx(1)
    assert tree.nodes.max() == 48  # one inner node fewer than words
    assert set(tree.nodes[:, 0].tolist()) == {0}


def test_cooccurrences_are_those_counted_pair_by_pair(text):
    found = count(text, 3).toarray()
    for one in range(3):
        for other in range(3):
            expected = sum(
                1 / abs(i - j)
                for sentence in sentences_of(text)
                for i, a in enumerate(sentence)
                for j, b in enumerate(sentence)
                if (a, b) == (one, other) and 0 < abs(i - j) <= 3
            )
            assert found[one, other] == pytest.approx(expected, rel=1e-5)


def test_a_matrix_gives_every_cell_once_an_epoch(text, random, monkeypatch):
    monkeypatch.setattr("model_serving.training.word_vectors.cooccurrence.BATCH", 2)
    matrix = Matrix.of(text, 3)
    batches = [batch for _, batch in matrix.epoch(random)]
    places = torch.cat([batch.places for batch in batches])
    assert sorted(places.tolist()) == list(range(len(matrix.cells.places)))
    for batch in batches:
        assert torch.equal(batch.counts, matrix.cells.counts[batch.places])
        assert torch.equal(batch.words, matrix.cells.words[batch.places])
