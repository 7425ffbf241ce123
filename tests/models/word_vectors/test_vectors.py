import math

import pytest
import torch

from model_serving.models.errors import InputError
from model_serving.models.word_vectors.vectors import WordVectors


@pytest.fixture
def ask(space):
    """Ask one question of the small space."""

    def ask(action, *items, **options):
        return WordVectors({"tiny": space}).predict(list(items), action=action, variant="tiny", **options)

    return ask


def test_vectors_are_looked_up_and_unknown_words_are_told(ask):
    assert ask("vectors", "King", "kong", "") == [
        {"word": "King", "known": True, "vector": pytest.approx([1.0, 0.1, 0.5])},
        {"word": "kong", "known": False, "vector": None},
        {"word": "", "known": False, "vector": None},
    ]


def test_a_word_is_not_its_own_neighbour_in_any_spelling(ask):
    for word in ("king", "KING", "ｋｉｎｇ"):
        (answer,) = ask("neighbors", word, top=100)
        assert "king" not in [found["word"] for found in answer["neighbors"]]
        assert len(answer["neighbors"]) == 8


def test_an_unknown_word_has_no_neighbours(ask):
    assert ask("neighbors", "kong") == [{"word": "kong", "known": False, "neighbors": []}]


def test_a_restriction_is_to_known_words_in_any_spelling(ask):
    (answer,) = ask("neighbors", "king", among=["QUEEN", "queen", "apple", "kong"])
    assert [found["word"] for found in answer["neighbors"]] == ["queen", "apple"]
    assert ask("neighbors", "king", among=["kong"])[0]["neighbors"] == []


@pytest.mark.parametrize(("pair", "score"), [
    (["king", "king"], 1.0),
    (["king", "queen"], (1 + 0.01 - 0.25) / 1.26),
    (["king", "nothing"], 0.0),
    (["nothing", "nothing"], 0.0),
    (["king", "kong"], None),
])  # fmt: skip
def test_similarity_is_the_cosine(ask, pair, score):
    (answer,) = ask("similarity", pair)
    assert answer["score"] == (score if score is None else pytest.approx(score, abs=1e-6))
    assert answer["known"] == [word != "kong" for word in pair]


@pytest.mark.parametrize("method", ["3cosadd", "3cosmul"])
def test_the_classic_analogy(ask, method):
    (answer,) = ask("analogy", ["man", "king", "woman"], method=method, top=3)
    assert answer["answers"][0]["word"] == "queen"
    assert not {"man", "king", "woman"} & {found["word"] for found in answer["answers"]}


def test_analogies_are_scored_as_written_in_the_paper(ask, space):
    words = ["man", "king", "woman"]
    man, king, woman = (space.unit[space.words.row(word)] for word in words)
    (added,) = ask("analogy", words, top=9)
    (multiplied,) = ask("analogy", words, top=9, method="3cosmul")
    target = king - man + woman

    def near(one, other):
        return (float(one @ other) + 1) / 2

    for found in added["answers"]:
        word = space.unit[space.words.row(found["word"])]
        assert found["score"] == pytest.approx(float(word @ target / target.norm()), abs=1e-5)
    for found in multiplied["answers"]:
        word = space.unit[space.words.row(found["word"])]
        expected = near(word, king) * near(word, woman) / (near(word, man) + 0.001)
        assert found["score"] == pytest.approx(expected, abs=1e-5)
    for answer in (added, multiplied):
        scores = [found["score"] for found in answer["answers"]]
        assert scores == sorted(scores, reverse=True)
        assert all(map(math.isfinite, scores))


@pytest.mark.parametrize("triple", [["king", "king", "king"], ["king", "king", "queen"], ["nothing"] * 3])
def test_degenerate_analogies_are_answered(ask, triple):
    for method in ("3cosadd", "3cosmul"):
        (answer,) = ask("analogy", triple, method=method, top=2)
        assert len(answer["answers"]) == 2
        assert all(math.isfinite(found["score"]) for found in answer["answers"])


def test_the_odd_one_out(ask):
    groups = [["king", "queen", "apple", "king"], ["king", "kong", "queen", "apple"], ["kong", "kang", "king"]]
    found = ask("odd_one_out", *groups)
    assert [answer["odd"] for answer in found] == ["apple", "apple", None]
    assert found[1]["known"] == [True, False, True, True]


def test_equally_odd_words_are_told_apart_by_their_order(ask):
    assert ask("odd_one_out", ["apple", "apple", "apple"])[0]["odd"] == "apple"
    assert ask("odd_one_out", ["nothing", "nothing", "nothing"])[0]["odd"] == "nothing"


@pytest.mark.parametrize(("action", "short"), [
    ("similarity", ["king"]), ("similarity", ["king", "queen", "man"]), ("analogy", ["king"]),
    ("odd_one_out", ["king"]), ("similarity", []), ("analogy", []), ("odd_one_out", []),
])  # fmt: skip
def test_a_wrong_number_of_words_is_an_error_of_that_item_alone(ask, action, short):
    right = {
        "similarity": ["king", "man"],
        "analogy": ["man", "king", "woman"],
        "odd_one_out": ["king", "man", "apple"],
    }
    answers = ask(action, right[action], short, right[action])
    assert isinstance(answers[1], InputError)
    assert str(len(short)) in str(answers[1])
    assert answers[0] == answers[2] == ask(action, right[action])[0]


def test_odd_names_are_words_like_others(ask):
    for word in ("nan", "new york", '"'):
        (answer,) = ask("neighbors", word, top=1)
        assert answer["known"]
        assert math.isfinite(answer["neighbors"][0]["score"])


def test_answers_hold_plain_values(ask):
    (vector,), (pair,) = ask("vectors", "king"), ask("similarity", ["king", "man"])
    assert all(type(number) is float for number in vector["vector"])
    assert type(pair["score"]) is float


def test_predict_writes_nothing_to_the_model(space):
    served = WordVectors({"tiny": space})
    before = {name: value.clone() for name, value in vars(space).items() if isinstance(value, torch.Tensor)}
    keys = set(vars(served)), set(vars(space))
    served.predict(["king", "kong"], action="neighbors", variant="tiny")
    assert (set(vars(served)), set(vars(space))) == keys
    assert all(torch.equal(vars(space)[name], value) for name, value in before.items())
