import math
from pathlib import Path

import pytest
import torch

from model_serving.models.taggers import schemes
from model_serving.models.taggers.hmm import BackOff, HMMLabeller
from model_serving.models.taggers.labelling import Reading
from model_serving.models.taggers.schemes import Span
from model_serving.models.vocabulary import UNKNOWN, Vocabulary
from model_serving.training.datasets.corpus import Corpus, TaggedSentence
from model_serving.training.taggers.hmm import BACK_OFF, count, train

NOWHERE = Path("no checkpoint is written")
SENTENCES = [
    TaggedSentence("在京", [Span(1, 2, "LOC")]),
    TaggedSentence("在京", [Span(1, 2, "LOC")]),
    TaggedSentence("去京", [Span(1, 2, "LOC")]),
    TaggedSentence("京在", [Span(0, 1, "LOC")]),
]


def corpus(sentences):
    return Corpus(sentences, [], [], {"name": "written for this test"}, "all of it is train")


@pytest.fixture
def labeller():
    labeller, _ = train(corpus(SENTENCES), NOWHERE, seed=1)
    return labeller


def test_characters_seen_once_are_unknown(labeller):
    assert labeller.vocabulary() == {"characters": ["京", "在"], "states": ["S-LOC", "<O>LOC", "LOC<O>"]}


def test_a_small_corpus_is_counted_by_hand(labeller):
    assert labeller.counts.moves.tolist() == [
        # S-LOC, <O>LOC, LOC<O>, END
        [0, 0, 1, 3],
        [3, 0, 0, 0],
        [0, 0, 0, 1],
        [1, 3, 0, 0],  # START
    ]
    rows = zip(labeller.counts.written.tolist(), labeller.counts.times.tolist(), strict=True)
    unknown, capital, at = 1, 2, 3
    assert list(rows) == [
        ([0, unknown, 1], 1),
        ([0, capital, 0], 1),
        ([0, at, 1], 2),
        ([unknown, capital, 0], 1),
        ([capital, at, 2], 1),
        ([at, capital, 0], 2),
    ]


def test_the_probabilities_of_a_small_corpus_are_those_computed_by_hand(labeller):
    hmm = HMMLabeller(labeller.counts, labeller.characters, labeller.states, BackOff(1.0, 1.0, 1.0)).hmm
    assert hmm.chain.start.exp().tolist() == pytest.approx([1 / 3, 2 / 3, 0])
    assert hmm.chain.end.exp().tolist() == pytest.approx([11 / 18, 0, 3 / 4])
    expected = torch.tensor([[2 / 18, 0, 5 / 18], [1, 0, 0], [0, 1 / 4, 0]])
    torch.testing.assert_close(hmm.chain.transitions.exp(), expected)
    emitted = hmm.emissions(labeller.encode(["在京", "京京", "去在"])[0]).exp()
    assert emitted[0, 0, 1].item() == pytest.approx(46 / 75)  # 在 first, twice in three: 2/5 + 2/5 * 8/15
    assert emitted[0, 1, 0].item() == pytest.approx(43 / 45)  # 京 after 在, twice in two: 2/3 + 1/3 * 13/15
    assert emitted[1, 1, 0].item() == pytest.approx(13 / 15)  # 京 after 京, where nothing was: 4/5 + 1/5 * 1/3
    assert emitted[2, 0, 1].item() == pytest.approx(1 / 5 + 2 / 5 * 1 / 3)  # unknown first, once in three
    assert emitted[2, 1, 2].item() == pytest.approx(1 / 2 + 1 / 2 * 1 / 3)  # 在 after the unknown, where nothing was


def test_the_path_of_a_sentence_has_the_probability_computed_by_hand(labeller):
    hmm = HMMLabeller(labeller.counts, labeller.characters, labeller.states, BackOff(1.0, 1.0, 1.0)).hmm
    emissions = hmm.emissions(labeller.encode(["在京"])[0])
    found = (
        hmm.chain.start[1] + emissions[0, 0, 1] + hmm.chain.transitions[1, 0] + emissions[0, 1, 0] + hmm.chain.end[0]
    )
    assert found.item() == pytest.approx(math.log(2 / 3 * 46 / 75 * 1 * 43 / 45 * 11 / 18), rel=1e-5)


def test_what_was_counted_is_labelled_again(labeller):
    texts = ["在京", "去京", "京在", "x京"]
    found = [schemes.decode(labelling.labels) for labelling in labeller.label(texts, Reading())]
    assert found == [[Span(1, 2, "LOC")], [Span(1, 2, "LOC")], [Span(0, 1, "LOC")], [Span(1, 2, "LOC")]]


def test_words_with_tags_have_their_labels_as_states():
    sentences = [TaggedSentence("小明在读书", [Span(0, 2, "nr"), Span(2, 3, "p"), Span(3, 5, "v")])] * 2
    labeller, record = train(corpus(sentences), NOWHERE, seed=1)
    assert set(labeller.states) == {"B-nr", "E-nr", "S-p", "B-v", "E-v"}
    (labelling,) = labeller.label(["小明在读书"], Reading(confidence=True))
    assert schemes.decode(labelling.labels) == sentences[0].spans
    assert record == {"sentences": 2, "characters": 10}


def test_training_takes_no_chance_and_leaves_no_checkpoint(tmp_path):
    first, _ = train(corpus(SENTENCES), tmp_path / "checkpoint", seed=1)
    second, _ = train(corpus(SENTENCES[::-1]), tmp_path / "checkpoint", seed=2)
    assert first.vocabulary() == second.vocabulary()
    assert first.architecture == second.architecture == {"back_off": BACK_OFF._asdict()}
    assert all(torch.equal(counts, second.weights()[name]) for name, counts in first.weights().items())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("times", "kind"), [(255, torch.uint8), (256, torch.int16), (40_000, torch.int32)])
def test_counts_are_kept_whole_in_the_narrowest_integers(times, kind):
    counts = count(["京"] * times, [["S-LOC"]] * times, Vocabulary("京"), ["S-LOC"])
    assert counts.moves.tolist() == [[0, times], [times, 0]]
    assert counts.written.tolist() == [[0, UNKNOWN + 1, 0]]
    assert counts.times.tolist() == [times]
    assert counts.times.dtype == counts.moves.dtype == kind
