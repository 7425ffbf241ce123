from hypothesis import given
from hypothesis import strategies as st

from model_serving.models.taggers.lexicon import Lexicon


def places(sentences, words):
    found = Lexicon(words).matches(sentences)
    numbers = zip(*(part.tolist() for part in found), strict=True)
    return [(row, start, end, words[number - 2]) for row, start, end, number in numbers]


def test_words_that_overlap_are_all_found_in_the_order_of_their_ends():
    assert places(["南京市长江大桥", "大桥"], ["南京", "南京市", "市长", "长江", "大桥", "长江大桥"]) == [
        (0, 0, 1, "南京"), (1, 0, 1, "大桥"), (0, 0, 2, "南京市"), (0, 2, 3, "市长"), (0, 3, 4, "长江"),
        (0, 3, 6, "长江大桥"), (0, 5, 6, "大桥"),
    ]  # fmt: skip


def test_nothing_is_found_where_nothing_is():
    assert places(["南京", "京"], ["上海"]) == places(["南京"], []) == places(["京"], ["京"]) == []


@given(
    st.lists(st.text("京市长", min_size=1, max_size=6), min_size=1, max_size=4),
    st.sets(st.text("京市长", min_size=2, max_size=4)),
)
def test_what_is_found_is_what_a_search_for_each_word_finds(sentences, words):
    expected = {
        (row, start, start + len(word) - 1, word)
        for row, sentence in enumerate(sentences)
        for word in words
        for start in range(len(sentence))
        if sentence.startswith(word, start)
    }
    found = places(sentences, sorted(words))
    assert set(found) == expected
    assert len(found) == len(expected)
    assert [end for _, _, end, _ in found] == sorted(end for _, _, end, _ in found)


def test_rows_turn_round_with_their_sentences():
    lexicon = Lexicon(["南京", "长江"])
    lengths = [3, 5]
    found = lexicon.matches(["去南京", "长江南京去"])
    turned = found.reversed(found.rows.new_tensor(lengths))
    assert sorted(zip(turned.rows.tolist(), turned.starts.tolist(), turned.ends.tolist(), strict=True)) == [
        (0, 0, 1), (1, 1, 2), (1, 3, 4),
    ]  # fmt: skip
    assert turned.ends.tolist() == sorted(turned.ends.tolist())
