import random as chance

import pytest
import torch

from model_serving.models.layers.huffman import paths
from model_serving.models.layers.outputs import NoiseOutput, TreeOutput
from model_serving.models.space import Space
from model_serving.models.word_vectors import fasttext
from model_serving.models.word_vectors.nnlm import START, UNKNOWN, NNLMNetwork
from model_serving.models.word_vectors.subwords import Bags, bags, means
from model_serving.models.word_vectors.words import Words
from model_serving.training.word_vectors import glove, nnlm, schedule, wordrank
from model_serving.training.word_vectors.adagrad import AdaptiveTable
from model_serving.training.word_vectors.cooccurrence import Matrix
from model_serving.training.word_vectors.prediction import CBOW, Composed, Rows, SkipGram
from model_serving.training.word_vectors.text import encode
from model_serving.training.word_vectors.windows import TextWindows

SIZE = 12
TOPICS = [["sun", "moon", "star", "sky"], ["bread", "milk", "salt", "rice"], ["red", "blue", "green", "black"]]


@pytest.fixture(scope="module")
def text():
    """Sentences that each keep to one of three topics."""
    random = chance.Random(1)
    return encode([random.choices(random.choice(TOPICS), k=8) for _ in range(400)], most=100)


def seeded():
    return torch.Generator().manual_seed(1)


def prediction(form, output):
    def make(text):
        target = NoiseOutput(text.counts, SIZE) if output == "neg" else TreeOutput(paths(text.counts.tolist()), SIZE)
        words = Rows(len(text.words), SIZE, seeded())
        return form(words, target), TextWindows(text, sample=1.0), lambda: words.vectors

    return make


def composed(text):
    chosen = bags(text.words.symbols, fasttext.parts, 300)
    words = Composed(chosen, len(text.words) + 300, SIZE, seeded())
    learner = SkipGram(words, NoiseOutput(text.counts, SIZE))
    return learner, TextWindows(text, sample=1.0), lambda: means(words.vectors, chosen)


def from_counts(text):
    learner = glove.GloVeLearner(len(text.words), SIZE, seeded())
    return learner, Matrix.of(text, 5), learner.vectors


def from_ranks(text):
    matrix = Matrix.of(text, 5)
    learner = wordrank.WordRankLearner(len(text.words), len(matrix.cells.places), SIZE, seeded())
    return learner, matrix, lambda: learner.words.rows


LEARNERS = {
    "skipgram-neg": (prediction(SkipGram, "neg"), 10, 0.03),
    "skipgram-hs": (prediction(SkipGram, "hs"), 10, 0.03),
    "cbow-neg": (prediction(CBOW, "neg"), 15, 0.03),
    "cbow-hs": (prediction(CBOW, "hs"), 10, 0.03),
    "fasttext": (composed, 8, 0.03),
    "glove": (from_counts, 150, 0.3),
    "wordrank": (from_ranks, 150, 0.3),
}


@pytest.fixture(params=LEARNERS)
def case(request, monkeypatch):
    monkeypatch.setattr("model_serving.training.word_vectors.windows.BLOCKS", 1)  # for a vocabulary of twelve
    return LEARNERS[request.param]


def test_words_of_one_topic_come_together(text, case, tmp_path):
    make, epochs, rate = case
    learner, batches, vectors = make(text)
    schedule.run(learner, batches, tmp_path / "checkpoint", epochs=epochs, rate=rate, seed=1)
    space = Space(text.words, vectors())
    for topic in TOPICS:
        for word in topic:
            row = text.words.symbols.index(word)
            (near,) = space.nearest(space.unit[row][None, None], 3, [[row]])
            assert {text.words.symbols[other] for other, _ in near} == set(topic) - {word}


def test_an_interrupted_training_ends_where_an_uninterrupted_one_does(text, case, tmp_path):
    make, _, rate = case
    whole, batches, vectors = make(text)
    schedule.run(whole, batches, tmp_path / "whole", epochs=3, rate=rate, seed=1)

    class Interrupted:
        def epoch(self, random):
            if random.initial_seed() == 1002:
                raise KeyboardInterrupt
            return batches.epoch(random)

    first, _, _ = make(text)
    with pytest.raises(KeyboardInterrupt):
        schedule.run(first, Interrupted(), tmp_path / "part", epochs=3, rate=rate, seed=1)
    second, _, again = make(text)
    schedule.run(second, batches, tmp_path / "part", epochs=3, rate=rate, seed=1)
    assert torch.equal(vectors(), again())


def test_a_checkpoint_of_another_training_is_refused(text, tmp_path):
    learner, batches, _ = from_counts(text)
    schedule.run(learner, batches, tmp_path / "checkpoint", epochs=1, rate=0.1, seed=1)
    other = glove.GloVeLearner(len(text.words), SIZE + 1, seeded())
    for refused, epochs in ((other, 1), (learner, 2)):
        with pytest.raises(ValueError, match="delete it"):
            schedule.run(refused, batches, tmp_path / "checkpoint", epochs=epochs, rate=0.1, seed=1)


def test_the_rate_falls_linearly_to_almost_nothing(tmp_path):
    class Recorder:
        rates: list[float] = []

        def learn(self, batch, rate, random):
            self.rates.append(rate)
            return 0.0

        def state(self):
            return {}

    class Four:
        def epoch(self, random):
            return ((share / 4, None) for share in range(1, 5))

    schedule.run(Recorder(), Four(), tmp_path / "checkpoint", epochs=2, rate=0.8, seed=1)
    assert Recorder.rates == pytest.approx([0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.8e-4])


def test_the_root_of_the_tree_moves_by_no_more_than_a_bounded_number_of_pairs():
    tree = paths([8, 4, 2, 1])
    hidden, targets = torch.ones(1, 5, 3), torch.tensor([[0, 3]])
    pairs = torch.ones(1, 5, 2)  # ten pairs pass the root, five go on to word 3
    moved = {}
    for most in (1000, 5, 2):
        output = TreeOutput(tree, 3, most)
        output.vectors += 0.1
        output.learn(hidden, targets, pairs, 0.1, seeded())
        moved[most] = output.vectors - 0.1
    root, below = tree.nodes[0, 0], tree.nodes[3, 1]
    torch.testing.assert_close(moved[5][root], moved[1000][root] * 5 / 10)
    torch.testing.assert_close(moved[5][below], moved[1000][below])
    torch.testing.assert_close(moved[2][below], moved[1000][below] * 2 / 5)


def test_adagrad_steps_as_torchs():
    mine = AdaptiveTable(torch.ones(4, 3), 0.5)
    theirs = torch.nn.Parameter(torch.ones(4, 3))
    optimiser = torch.optim.Adagrad([theirs], lr=0.1, initial_accumulator_value=0.5, eps=0)
    random = seeded()
    for _ in range(5):
        places, gradient = torch.randperm(4, generator=random)[:2], torch.randn(2, 3, generator=random)
        mine.descend(places, gradient, 0.1)
        theirs.grad = torch.zeros(4, 3).index_add_(0, places, gradient)
        optimiser.step()
    torch.testing.assert_close(mine.rows, theirs.detach())


def test_the_gradient_of_a_composed_word_reaches_each_of_its_parts():
    chosen = bags(["abc", "bcd", "xyz"], fasttext.parts, 40)
    words = Composed(chosen, 43, 2, seeded())
    before = words.vectors.clone()
    words.learn(torch.tensor([[0, 1, 0]]), torch.tensor([[[1.0, 0], [0, 1], [1, 0]]]), 0.5)
    expected = before.clone()
    for row, gradient in ((0, [1.0, 0]), (1, [0, 1]), (0, [1, 0])):
        end = chosen.offsets[row + 1]
        for part in chosen.rows[chosen.offsets[row] : end].tolist():
            expected[part] -= 0.5 * torch.tensor(gradient)
    torch.testing.assert_close(words.vectors, expected)


def test_a_part_that_many_words_share_moves_as_if_few_did():
    chosen = Bags(torch.tensor([0, 3, 1, 3, 2]), torch.tensor([0, 2, 4]))  # words 0 and 1 share row 3
    words = Composed(chosen, 4, 1, seeded(), most_words=2)
    before = words.vectors.clone()
    words.learn(torch.tensor([0, 0, 1, 2]), torch.tensor([[1.0], [2], [4], [8]]), 1.0)
    moved = (before - words.vectors).flatten()
    torch.testing.assert_close(moved, torch.tensor([3.0, 4, 8, 7 * 2 / 3]))


def test_the_steps_of_a_language_model_are_every_word_after_those_before_it():
    found = nnlm.steps([["a", "b", "x"], ["b"]], Words(["a", "b"]), before=2)
    a, b = 2, 3
    assert found.contexts.tolist() == [[START, START], [START, a], [a, b], [START, START]]
    assert found.targets.tolist() == [a, b, UNKNOWN, b]


def test_a_language_model_learns_the_shares_of_what_comes_next(tmp_path):
    torch.manual_seed(1)
    sentences = [["a", "b", "c"] * 4, ["b", "a"] * 3, ["x", "c"]] * 60
    learnt = nnlm.steps(sentences, Words(["a", "b", "c"]), before=2)
    network = NNLMNetwork(rows=5, size=8, hidden_size=8, before=2)
    learner = nnlm.NNLMLearner(network, learnt.targets)
    schedule.run(learner, nnlm.Shuffled(learnt), tmp_path / "checkpoint", epochs=25, rate=0.2, seed=1)
    contexts, numbers = torch.unique(learnt.contexts, dim=0, return_inverse=True)
    shares = torch.zeros(len(contexts), 5).index_put((numbers, learnt.targets), torch.tensor(1.0), accumulate=True)
    shares /= shares.sum(1, keepdim=True)
    torch.testing.assert_close(network.log_probabilities(contexts).exp(), shares, atol=0.05, rtol=0)
    best = shares[numbers, learnt.targets].log().mean().neg().exp().item()
    assert nnlm.perplexity(network, learnt) == pytest.approx(best, rel=0.02)


def test_the_perplexity_of_knowing_nothing_is_the_number_of_what_can_come():
    network = NNLMNetwork(rows=7, size=2, hidden_size=2, before=2)
    torch.nn.init.zeros_(network.output.weight)
    held_out = nnlm.steps([["a", "b", "c"]], Words(["a", "b", "c"]), before=2)
    assert nnlm.perplexity(network, held_out) == pytest.approx(6)  # all but START


def test_a_unigram_perplexity_computed_by_hand():
    learnt, held_out = torch.tensor([2, 2, 3]), torch.tensor([2, 3, 4])
    shares = [(2 + 1) / 7, (1 + 1) / 7, (0 + 1) / 7]
    expected = (shares[0] * shares[1] * shares[2]) ** (-1 / 3)
    assert nnlm.unigram_perplexity(learnt, held_out) == pytest.approx(expected)
