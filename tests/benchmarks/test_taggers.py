from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from benchmarks import tagger_rivals, taggers
from model_serving.models.taggers.schemes import Span
from model_serving.training.datasets.corpus import TaggedSentence
from model_serving.training.taggers.metrics import unlabelled

SENTENCES = [
    TaggedSentence(
        f"{who}在{where}",
        [Span(0, len(who), "r"), Span(len(who), len(who) + 1, "p"), Span(len(who) + 1, len(who) + 3, "ns")],
    )
    for who in ("我", "他们")
    for where in ("北京", "上海")
] * 4


def units(sentences):
    return [sentence.units for sentence in sentences]


def test_words_that_follow_one_another_become_spans():
    assert tagger_rivals.in_turn([("北京", "ns"), ("市", "n")]) == [Span(0, 2, "ns"), Span(2, 3, "n")]


@pytest.mark.parametrize(("most", "size"), [(None, 16), ("99", 16), ("5", 5), ("0", 0)])
def test_sentences_are_taken_evenly(most, size):
    found = taggers.thinned([TaggedSentence(str(number), []) for number in range(16)], most)
    numbers = [int("".join(sentence.units)) for sentence in found]
    assert len(numbers) == size
    assert all(later - earlier in (1, 3, 4) for earlier, later in pairwise(numbers))


@pytest.mark.parametrize("task", ["zh-pos", "zh-seg"])
def test_crfsuite_learns_what_it_is_given(task):
    finder = tagger_rivals.suite(task, SENTENCES, iterations=50)
    found = [taggers.shape(spans, task) for spans in finder(units(SENTENCES))]
    assert found == [taggers.shape(sentence.spans, task) for sentence in SENTENCES]


@pytest.mark.parametrize("make", [tagger_rivals.perceptron_spans, tagger_rivals.pkuseg_spans])
def test_segmenters_learn_the_words_they_are_given(make):
    found = make(SENTENCES, SENTENCES)(units(SENTENCES))
    assert found == [unlabelled(sentence.spans) for sentence in SENTENCES]


@pytest.mark.filterwarnings("ignore")
def test_jieba_and_snownlp_answer_with_words_in_place():
    for make in (tagger_rivals.jieba_spans, tagger_rivals.snownlp_spans):
        for task in ("zh-seg", "zh-pos"):
            for sentence, spans in zip(SENTENCES, make(task)(units(SENTENCES)), strict=True):
                assert [span.start for span in spans] == [0, *(span.end for span in spans[:-1])]
                assert spans[-1].end == len(sentence.units)


def test_the_figures_of_a_finder_that_knows_it_all_and_of_one_that_is_half_right():
    known = {"在"}
    best = taggers.figures("zh-pos", SENTENCES, lambda asked: [s.spans for s in SENTENCES[: len(asked)]], known)
    assert best[:4] == ["100.00"] * 4
    half = taggers.figures("zh-pos", SENTENCES, lambda asked: [s.spans[:1] for s in SENTENCES[: len(asked)]], known)
    assert half[:4] == ["100.00", "33.33", "50.00", "50.00"]


def test_confusions_are_counted_by_character_and_drawn_in_shares():
    found = [[Span(0, 1, "r"), Span(1, 2, "p"), Span(2, 4, "nt")], *(s.spans for s in SENTENCES[1:])]
    pairs = taggers.confusion(SENTENCES, found, "zh-pos")
    assert pairs["ns", "nt"] == 2
    assert pairs["ns", "ns"] == 30
    assert taggers.confusion(SENTENCES, found, "zh-seg") == Counter({("S", "S"): 24, ("B", "B"): 24, ("E", "E"): 24})
    picture = ElementTree.fromstring(taggers.draw(pairs, "all & sundry"))
    texts = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert "94" in texts
    assert {"r", "p", "ns"} <= set(texts)
