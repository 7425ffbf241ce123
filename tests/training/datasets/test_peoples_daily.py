import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_serving.models.taggers.schemes import Span
from model_serving.training.datasets import packages, peoples_daily
from model_serving.training.datasets.corpus import TaggedSentence


def sentences_of(line):
    """The sentences of ``line``, among ten lines so that it falls into the training part."""
    return peoples_daily.read([line, *(f"甲/{number}" for number in range(9))]).train[:-7]


def words_of(sentence):
    return [(sentence.units[start:end], tag) for start, end, tag in sentence.spans]


def test_words_become_spans_with_their_tags():
    assert sentences_of("小明/nr 爱/v 读书/v") == [
        TaggedSentence("小明爱读书", [Span(0, 2, "nr"), Span(2, 3, "v"), Span(3, 5, "v")])
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("我/r 来/v 。/w 你/r 呢/y ？/w 好/a ！/w 走/v", ["我来。", "你呢?", "好!", "走"]),
        ("“/w 好/a 。/w ”/w 他/r 说/v", ["“好。”", "他说"]),
        ("（/w 好/a 。/w ）/w 走/v", ["(好。)", "走"]),
        ("真/d 的/y ？/w ！/w 是/v", ["真的?!", "是"]),
        ("好/a 。/w", ["好。"]),
        ("甲/n ，/w 乙/n ；/w", ["甲,乙;"]),
    ],
)
def test_sentences_end_with_their_mark_and_what_it_closes(line, expected):
    assert [sentence.units for sentence in sentences_of(line)] == expected


def test_full_width_digits_fold_and_spans_keep_their_places():
    (sentence,) = sentences_of("１９９８年/t Ｎｏ．７/nx 好/a")
    assert words_of(sentence) == [("1998年", "t"), ("No.7", "nx"), ("好", "a")]


def test_only_the_last_slash_parts_a_word_from_its_tag():
    (sentence,) = sentences_of("1/2/m //w")
    assert words_of(sentence) == [("1/2", "m"), ("/", "w")]


@given(st.lists(st.tuples(st.text("小明读书。，！”", min_size=1, max_size=4), st.sampled_from("nvw")), min_size=1))
def test_sentences_of_a_line_hold_all_its_words_in_order(words):
    sentences = sentences_of("  ".join(f"{word}/{tag}" for word, tag in words))
    assert [pair for sentence in sentences for pair in words_of(sentence)] == [
        (word.replace("，", ",").replace("！", "!"), tag) for word, tag in words
    ]


def test_parts_follow_the_position_of_the_lines_with_repeated_and_blank_ones_dropped():
    lines = [f"第{number}/m" for number in range(20)]
    corpus = peoples_daily.read(["", *lines[:5], lines[0], "  ", *lines, lines[-1]])
    train, dev, test = ([s.units for s in part] for part in (corpus.train, corpus.dev, corpus.test))
    numbers = [f"第{number}" for number in range(20)]
    assert (train, dev, test) == (numbers[:16], numbers[16:18], numbers[18:])


def test_load_reads_the_archive_and_says_where_the_data_come_from(monkeypatch):
    content = "\r\n".join(f"第{number}/m 。/w" for number in range(10)).encode()
    monkeypatch.setattr(packages.Package, "read", lambda package, member: {peoples_daily.MEMBER: content}[member])
    corpus = peoples_daily.load()
    assert [len(part) for part in (corpus.train, corpus.dev, corpus.test)] == [8, 1, 1]
    assert corpus.source.keys() == {"name", "package", "licence", "sha256"}
    assert "80 %" in corpus.split
