import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_serving.models.translators.text import Sentence, join, normalise, sentences, split


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  a \t b\n", "a b"),
        ("“It’s” ‘so’ wait......", "\"It's\" 'so' wait…"),
        ("cafe\u0301", "caf\u00e9"),
        ("Anna\x00Bob \x07\x1b[31m", "AnnaBob [31m"),
        ("a\u200db 100,000 (one)", "a\u200db 100,000 (one)"),
    ],
)
def test_english_is_written_one_way(text, expected):
    assert normalise(text, "en") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("打开 GIMP 文件, 好吗?", "打开GIMP文件，好吗？"),
        ("文件(旧版): 3.5 MB.", "文件（旧版）：3.5 MB."),
        ("文件（旧版）,打开。。。", "文件（旧版），打开…"),
        ("「点击」关闭.", "“点击”关闭。"),
        ("见 index.html, a, b", "见index.html, a, b"),
        ("版本(1.2)", "版本(1.2)"),
    ],
)
def test_chinese_is_written_one_way(text, expected):
    assert normalise(text, "zh") == expected


@given(st.text(max_size=60))
def test_what_is_normal_stays(text):
    once = normalise(text, "en")
    assert normalise(once, "en") == once


@given(st.text(st.sampled_from("中a1 .,()（）。…“”\t\n\x00"), max_size=30), st.sampled_from(["en", "zh"]))
def test_normal_text_is_one_line_without_spare_space_that_spells_the_same(text, language):
    once = normalise(text, language)
    assert once == " ".join(once.split())
    assert [c for c in once if c in "中a1"] == [c for c in text if c in "中a1"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Stop. Go!", ["Stop.", "Go!"]),
        ("See e.g. Foo or Mr. Smith. It is 3.5 MB.", ["See e.g. Foo or Mr. Smith.", "It is 3.5 MB."]),
        ('"Go!" He went… But why? (He knew.) Yes', ['"Go!"', "He went…", "But why?", "(He knew.)", "Yes"]),
        ("wait... no", ["wait... no"]),
        ("J. Smith", ["J. Smith"]),
        ("", []),
    ],
)
def test_english_sentences_end_before_a_capital(line, expected):
    assert split(line, "en") == expected


def test_chinese_sentences_end_with_their_marks_and_what_those_close():
    assert split("他说：“走！”然后走了。好？！对", "zh") == ["他说：“走！”", "然后走了。", "好？！", "对"]


@given(st.text(st.sampled_from("Ab.!? \"')(1。！”"), max_size=40), st.sampled_from(["en", "zh"]))
def test_splitting_loses_nothing_but_space(line, language):
    assert "".join("".join(split(line, language)).split()) == "".join(line.split())


def test_lines_are_kept_apart():
    found = list(sentences("One. Two.\n\n Three \r\n", "en"))
    assert found == [Sentence("One.", False), Sentence("Two.", True), Sentence("Three", True)]
    assert join(found, "en") == "One. Two.\nThree"
    assert join([Sentence("一。", False), Sentence("二。", True), Sentence("三", True)], "zh") == "一。二。\n三"
    assert join([], "zh") == ""
    assert list(sentences(" \t\n\u3000\u2028", "en")) == []
