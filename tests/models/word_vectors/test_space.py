import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.functional import cosine_similarity, normalize

from model_serving.models.space import Space
from model_serving.models.word_vectors.words import Words


def brute_force(space, query, top, excluded, among=None):
    """Score every word alone in double precision and sort."""
    scored = []
    for row in range(len(space.words)) if among is None else among:
        score = round(float(space.unit[row].double() @ query.double()), 6)
        if row not in excluded:
            scored.append((-score, row))
    return [(row, -score) for score, row in sorted(scored)[:top]]


def nearest(space, queries, top, excluded, among=None):
    return space.nearest(queries.unsqueeze(1), top, excluded, None if among is None else torch.tensor(among))


@pytest.mark.parametrize("top", [1, 7, 100, 500])
@pytest.mark.parametrize("batch", [1, 3, 64])
def test_neighbours_are_those_of_brute_force(make_space, batch, top):
    space = make_space(400, 8)
    queries = space.unit[:batch]
    excluded = [[number] for number in range(batch)]
    found = nearest(space, queries, top, excluded)
    for query, rows, answer in zip(queries, excluded, found, strict=True):
        expected = brute_force(space, query, top, rows)
        assert [row for row, _ in answer] == [row for row, _ in expected]
        assert [score for _, score in answer] == pytest.approx([score for _, score in expected], abs=1.1e-6)


def test_a_restriction_leaves_all_others_out(make_space):
    space = make_space(200, 8)
    among = [3, 5, 8, 13, 21]
    (found,) = nearest(space, space.unit[5:6], 10, [[5]], among)
    assert {row for row, _ in found} == {3, 8, 13, 21}
    assert found == brute_force(space, space.unit[5], 10, [5], among)


def test_nobody_answers_among_nobody(make_space):
    space = make_space(20, 4)
    assert space.nearest(space.unit[:2].unsqueeze(1), 3, [[0], [1]], torch.tensor([], dtype=torch.int64)) == [[], []]


def test_equals_come_in_the_order_of_rows_however_many_they_are(make_space):
    space = make_space(300, 6, equal=[(row, 7) for row in range(50, 150)])
    (found,) = nearest(space, space.unit[7:8], 20, [[]])
    assert [row for row, _ in found] == [7, *range(50, 69)]
    assert {score for _, score in found} == {1.0}


@given(st.integers(1, 40), st.integers(1, 12), st.integers(0, 99))
def test_a_batch_is_answered_as_its_queries_alone(batch, top, seed):
    random = torch.Generator().manual_seed(seed)
    vectors = torch.randint(-1, 2, (60, 3), generator=random).float()  # many ties
    space = Space(Words([str(number) for number in range(60)]), vectors)
    queries = normalize(torch.randn(batch, 3, generator=random), dim=1)
    excluded = [[number % 60] for number in range(batch)]
    together = nearest(space, queries, top, excluded)
    alone = [nearest(space, queries[n : n + 1], top, excluded[n : n + 1])[0] for n in range(batch)]
    assert together == alone


def test_scores_are_cosines_and_stay_within_their_bounds(make_space):
    space = make_space(50, 5)
    (found,) = nearest(space, space.unit[:1], 50, [[]])
    assert all(-1 <= score <= 1 for _, score in found)
    row, score = found[10]
    assert score == pytest.approx(cosine_similarity(space.unit[0], space.unit[row], dim=0).item(), abs=2e-6)


def test_a_zero_vector_is_near_to_nothing_and_makes_no_nan(space):
    row = space.words.row("nothing")
    (found,) = nearest(space, space.unit[row : row + 1], 3, [[row]])
    assert found == [(0, 0.0), (1, 0.0), (2, 0.0)]
    (around,) = nearest(space, space.unit[:1], 9, [[0]])
    assert dict(around)[row] == 0.0


def test_vectors_are_given_back_as_they_were(make_space):
    vectors = torch.tensor([[3.0, 4.0], [0.0, 0.0], [-0.5, 12.0]])
    space = Space(Words(["a", "b", "c"]), vectors)
    torch.testing.assert_close(space.vectors(), vectors)
    for word, vector in zip("abc", vectors, strict=True):
        torch.testing.assert_close(space.find(word).vector, vector)


@pytest.mark.parametrize(
    ("word", "known"),
    [("paris", True), ("PARIS", True), ("Ｐａｒｉｓ", True), ("cafe\u0301", True), ("pari", False), ("", False)],
)
def test_a_word_is_found_in_any_case_width_and_composition(word, known):
    space = Space(Words(["paris", "café"]), torch.eye(2))
    place = space.find(word)
    assert (place.row is not None) is known
    assert (place.vector is not None) is known


def test_the_exact_spelling_comes_before_the_folded():
    words = Words(["us", "US"])
    assert (words.row("US"), words.row("us"), words.row("Us")) == (1, 0, 0)
