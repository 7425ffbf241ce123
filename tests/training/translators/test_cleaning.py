import pytest

from model_serving.training.translators.cleaning import clean, fault


@pytest.mark.parametrize(
    ("english", "chinese", "expected"),
    [
        ("_File", "文件(_F)", ("File", "文件")),
        ("&Open...", "打开(&O)...", ("Open…", "打开…")),
        ("Hei_ght:", "高度(_G)：", ("Height:", "高度：")),
        ("~Save (~S)", "保存(~S)", ("Save", "保存")),
        ("Search & Replace", "查找和替换(&R)", ("Search & Replace", "查找和替换")),
        ("the snake_case name", "变量snake_case的名称", ("the snake_case name", "变量snake_case的名称")),
        ("<b>Bold</b> &amp; <i>thin</i>", "<b>粗</b>和<i>细</i>", ("Bold & thin", "粗和细")),
        ("Wrapped\nline here", "换行\n文字", ("Wrapped line here", "换行文字")),
        ("Open  “it”", "打开 「它」", ('Open "it"', "打开“它”")),
    ],
)
def test_what_is_written_for_programs_goes(english, chinese, expected):
    assert list(clean(english, chinese)) == [expected]


def test_paragraphs_and_sentences_are_taken_one_by_one_where_there_are_as_many():
    found = clean("Stop here. Go on!\n\nThe end is near.", "停在这里。继续！\n\n结局快到了。")
    assert list(found) == [("Stop here.", "停在这里。"), ("Go on!", "继续！"), ("The end is near.", "结局快到了。")]
    assert list(clean("Stop here. Go on!", "停在这里，继续！")) == [("Stop here. Go on!", "停在这里，继续！")]
    assert list(clean("Stop here.\n\nGo on!", "停在这里，继续！")) == [("Stop here. Go on!", "停在这里，继续！")]


@pytest.mark.parametrize(
    ("english", "chinese", "reason"),
    [
        ("", "打开", "empty"),
        ("打开", "打开", "not English"),
        ("3 + 4", "三加四", "not English"),
        ("Open", "Open", "not Chinese"),
        ("Use GIMP and Inkscape now", "用 GIMP and Inkscape", "not Chinese"),
        ("Copy %s", "复制", "other placeholders"),
        ("Copy %1$s to %2$s", "把%1$s复制到%1$s", "other placeholders"),
        ("word " * 61, "词" * 61, "too long"),
        ("word " * 50, "词" * 121, "too long"),
        ("one two three four", "一二三四五六七八九十一二三四五六七八九十一", "unequal lengths"),
        ("one two three four five six", "一二", "unequal lengths"),
    ],
)
def test_pairs_that_teach_nothing_are_left_out_with_a_reason(english, chinese, reason):
    assert list(clean(english, chinese)) == [reason]


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("Quit", "退出"),
        ("Copy %1$s to %2$s", "把%2$s作为%1$s的副本"),
        ("{name} is open", "{name}已打开"),
        ("a " * 4 + "bc", "二三"),
    ],
)
def test_good_pairs_have_no_fault(english, chinese):
    assert fault(english.strip(), chinese) is None
