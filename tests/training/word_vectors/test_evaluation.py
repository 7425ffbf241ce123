import pytest
import torch

from model_serving.models.word_vectors.space import Space
from model_serving.models.word_vectors.words import Words
from model_serving.training.datasets import word_tests
from model_serving.training.datasets.packages import DatasetError
from model_serving.training.datasets.word_tests import Judged, Question, Sense
from model_serving.training.word_vectors import evaluation

GRID = {
    f"{x}{y}": [1.0 if at == i else 0.0 for at in range(3)] + [2.0 if at == j else 0.0 for at in range(3)]
    for i, x in enumerate("abc")
    for j, y in enumerate("uvw")
}


@pytest.fixture
def grid():
    """Words of two letters, each letter a direction of its own: all analogies hold."""
    return Space(Words(GRID), torch.tensor(list(GRID.values())))


def test_a_correlation_of_ranks_is_that_of_the_textbook():
    judged = [Judged("a", "b", 1), Judged("a", "c", 2), Judged("a", "d", 3), Judged("a", "e", 4)]
    assert evaluation.rank_correlation(judged, lambda pairs: [10, 20, 30, 40]) == pytest.approx(100)
    assert evaluation.rank_correlation(judged, lambda pairs: [2, 1, 4, 3]) == pytest.approx(100 * (1 - 6 * 4 / 60))


def test_an_area_counts_the_pairs_in_the_right_order():
    scores = {"a": 3.0, "b": 1.0, "c": 2.0, "d": 1.0}
    area = evaluation.area([("a", ""), ("b", "")], [("c", ""), ("d", "")], lambda p: [scores[one] for one, _ in p])
    assert area == pytest.approx(100 * (1 + 1 + 0 + 0.5) / 4)


def test_a_report_tells_what_could_be_asked_and_the_analogies_by_section(grid, monkeypatch):
    monkeypatch.setattr(word_tests, "judgements", lambda member: [Judged("au", "av", 1), Judged("au", "none", 2)])
    asked = [Question("one", "au", "av", "bu", "bv"), Question("one", "au", "av", "cu", "cw")]
    monkeypatch.setattr(word_tests, "questions", lambda: [*asked, Question("one", "au", "none", "bu", "bv")])
    assert list(evaluation.report(grid, "en")) == [
        "WordSim-353: 1 of 2 pairs",
        "SimLex-999: 1 of 2 pairs",
        "Google analogies: 2 of 3 questions",
        "Google analogies, one: 1 of 2 right, 50.0",
    ]


def test_analogies_are_counted_by_section(grid):
    asked = [Question("one", "au", "av", "bu", "bv"), Question("one", "au", "av", "cu", "cw")]
    asked += [Question("two", "au", "bu", "av", "bv")]
    for method in ("3cosadd", "3cosmul"):
        assert evaluation.analogies(grid, asked, method) == {"one": (1, 2), "two": (1, 1)}


def test_the_baseline_of_analogies_sees_the_third_word_alone(grid):
    asked = [Question("", "au", "cu", "av", answer) for answer in ("bv", "cv", "au")]
    assert evaluation.only_third(grid, asked) == pytest.approx(100 / 3)


def test_spelling_compares_pairs_of_letters():
    assert evaluation.spelling([("night", "nacht"), ("same", "same"), ("a", "b"), ("", "")]) == [0.25, 1, 0, 0]


def test_frequency_compares_places_in_the_vocabulary(grid):
    assert evaluation.frequency(grid)([("au", "au"), ("au", "bu"), ("cw", "cu")]) == [0, -3, -2]


THESAURUS = [
    Sense(word, way)
    for word, way in [
        ("江", ("A", "a", "1", "A", "1=")), ("河", ("A", "a", "1", "A", "1=")), ("江河", ("A", "a", "1", "A", "1=")),
        ("山", ("A", "a", "1", "B", "1=")), ("树", ("A", "b", "1", "A", "1=")), ("说", ("H", "a", "1", "A", "1=")),
        ("讲", ("H", "a", "1", "A", "1=")), ("河", ("H", "a", "1", "A", "1=")),
    ]
]  # fmt: skip


@pytest.fixture
def thesaurus(monkeypatch):
    monkeypatch.setattr(word_tests, "senses", lambda: THESAURUS)
    return {sense.word for sense in THESAURUS}


@pytest.mark.usefixtures("thesaurus")
def test_synonyms_share_a_group_and_no_character(thesaurus):
    alike, unlike = word_tests.synonyms(thesaurus, pairs=4)
    assert {frozenset(pair) for pair in alike} == {frozenset(p) for p in ("江河", "说讲", "河说", "河讲")}
    of = {word: {sense.way for sense in THESAURUS if sense.word == word} for word in thesaurus}
    assert unlike
    for one, other in unlike:
        assert not of[one] & of[other]
        assert not {*one} & {*other}


def test_related_words_are_as_near_as_their_nearest_senses(thesaurus):
    judged = word_tests.related(thesaurus, pairs=600)
    assert {score for _, _, score in judged} == {0, 1, 3, 5}
    found = {frozenset((one, other)): score for one, other, score in judged}
    assert found[frozenset("江河")] == found[frozenset("河讲")] == 5
    assert found[frozenset("山江")] == 3
    assert found[frozenset("树江")] == 1
    assert found[frozenset("说山")] == 0
    assert frozenset(("江", "江河")) not in found
    assert judged == word_tests.related(thesaurus, pairs=600)


def test_a_test_file_of_another_content_is_refused(monkeypatch):
    monkeypatch.setitem(word_tests.GENSIM_FILES, "simlex999.txt", "0" * 64)
    with pytest.raises(DatasetError, match="install gensim again"):
        word_tests.judgements("simlex999.txt")


def test_the_english_tests_are_whole():
    judged = word_tests.judgements("wordsim353.tsv")
    assert len(judged) == 353
    assert judged[0] == Judged("love", "sex", 6.77)
    assert len(word_tests.judgements("simlex999.txt")) == 999
    questions = word_tests.questions()
    assert len(questions) == 19_544
    assert questions[0] == Question("capital-common-countries", "athens", "greece", "baghdad", "iraq")
    assert len({question.section for question in questions}) == 14
