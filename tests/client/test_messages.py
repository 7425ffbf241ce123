"""Texts of programs taken apart and put together again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_serving.client.messages import Message, accelerator_mark, damage, placeholders


@pytest.mark.parametrize(
    ("text", "mark", "expected"),
    [
        ("_File", "_", Message("File", accelerator="_F")),
        ("Hei_ght:", "_", Message("Height:", accelerator="_G")),
        ("&Open...", "&", Message("Open...", accelerator="&O")),
        ("~Save", "~", Message("Save", accelerator="~S")),
        ("  Name: \n", "_", Message("Name:", "  ", " \n")),
        ("\n_Quit\n", "_", Message("Quit", "\n", "\n", "_Q")),
        ("Search & Replace", "&", Message("Search & Replace")),
        ("AT&T &amp; others", "&", Message("AT&T &amp; others")),
        ("__init__", "_", Message("__init__")),
        ("Open %(file_name)s", "_", Message("Open %(file_name)s")),
        ("_Open %(file_name)s", "_", Message("Open %(file_name)s", accelerator="_O")),
        ("_File", "", Message("_File")),
        ("_File", "&", Message("_File")),
        ("", "_", Message("")),
        (" \n", "_", Message("", " \n")),
    ],
)
def test_a_text_is_taken_apart(text, mark, expected):
    assert Message.of(text, mark) == expected


@pytest.mark.parametrize(
    ("text", "mark", "translation", "expected"),
    [
        ("_File", "_", "文件", "文件(_F)"),
        ("_Open…", "_", "打开…", "打开(_O)…"),
        ("_Open...", "_", "打开…", "打开(_O)..."),
        ("&Name:", "&", "名称：", "名称(&N)："),
        ("Stop!\n", "", "停下！", "停下！\n"),
        (" a ", "_", "一", " 一 "),
        ("Wait...", "", "等待…", "等待..."),
        ("Wait…", "", "等待…", "等待…"),
    ],
)
def test_a_translation_is_put_where_the_text_was(text, mark, translation, expected):
    assert Message.of(text, mark).put_together(translation) == expected


@given(st.text(), st.sampled_from(["", "_", "&", "~"]))
def test_a_text_put_together_again_has_its_ends_and_one_accelerator_at_most(text, mark):
    message = Message.of(text, mark)
    again = message.put_together(message.text)
    assert again.startswith(message.before)
    assert again.endswith(message.after)
    if message.accelerator:
        assert again.count(mark) == text.count(mark)
        assert f"({message.accelerator})" in again
    else:
        assert again == text


@pytest.mark.parametrize(
    "text",
    [
        "%s", "%d", "%-5.2lf", "%1$s", "%(name)s", "%<PRIu64>", "%%", "%1", "%L1", "%n",
        "${HOME}", "$(dir)", "$name", "{}", "{0}", "{name!r:>10}",
        "<b>", "</b>", '<a href="x">', "&lt;", "&#160;", "https://a.org/x?y=1", "me@a.org", "\t",
    ],
)  # fmt: skip
def test_each_placeholder_is_found_whole(text):
    assert placeholders(text) == [text]
    assert placeholders(f"in {text}, here") == [text]
    assert damage(f"in {text}", "在里面", formatted=False)
    assert damage("in it", f"在{text}里面", formatted=False)
    assert damage(f"in {text}", f"在{text}里面", formatted=False) is None


@pytest.mark.parametrize("text", ["100 % of it", "a < b and c > d", "R&D", "{ a }", "5 $ a day", "snake_case"])
def test_what_only_looks_like_a_placeholder_is_none(text):
    assert placeholders(text) == []


@pytest.mark.parametrize(
    ("original", "translation", "reason"),
    [
        ("%s of %d", "%d 的 %s", "%s %d would come in another order"),
        ("{} of {:d}", "{:d} 的 {}", "{} {:d} would come in another order"),
        ("%s of %s", "%s", "%s would be lost"),
        ("<b>a</b>", "甲</b>", "<b> would be lost"),
        ("a", "甲%s", "%s would be added"),
        ("a\tb", "甲 乙", r"\t would be lost"),
    ],
)
def test_damage_is_told(original, translation, reason):
    assert damage(original, translation, formatted=True) == reason


@pytest.mark.parametrize(
    ("original", "translation"),
    [
        ("%1$s of %2$d", "%2$d 的 %1$s"),
        ("%(a)s of %(b)d", "%(b)d 的 %(a)s"),
        ("{a} of {b}", "{b} 的 {a}"),
        ("%1 of %2", "%2 的 %1"),
        ("%d%% of %s", "%d 的 %%%s"),
        ("{0} of {1}", "{1} 的 {0}"),
    ],
)
def test_what_has_a_name_or_number_may_move(original, translation):
    assert damage(original, translation, formatted=True) is None


def test_a_code_with_a_space_is_left_to_people_where_texts_are_filled_in():
    assert damage("50% discount", "五折", formatted=True) == "it may hold a format code with a space"
    assert damage("50% discount", "五折", formatted=False) is None


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([("_File", "文件(_F)"), ("Done", "完成")], "_"),
        ([("_File", ""), ("_Open", "")], "_"),
        ([("&File", "文件(&F)"), ("_name", "")], "&"),
        ([("Salt & Pepper", ""), ("Done", "")], ""),
        ([("_foo is not a known name of a thing", "")], ""),
        ([("_foo", "_foo"), ("_bar", "_bar")], "_"),
        ([("_foo", "甲"), ("_bar", "乙"), ("_File", "文件(_F)")], ""),
        ([], ""),
    ],
)
def test_the_mark_is_told_from_the_catalogue(pairs, expected):
    assert accelerator_mark(pairs) == expected
