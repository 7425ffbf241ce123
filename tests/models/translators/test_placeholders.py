import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_serving.models.translators.placeholders import MARKS, formats, mask, mask_as, unmask


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Copy %s to %1$d", ["%s", "%1$d"]),
        ("%(spouse)s and %-5.2f", ["%(spouse)s", "%-5.2f"]),
        ("{name} has {0} of {} in ${HOME} or $x", ["{name}", "{0}", "{}", "${HOME}", "$x"]),
        ("%PRODUCTNAME %NEXT, %qE %+D %lu %%", ["%PRODUCTNAME", "%NEXT", "%qE", "%+D", "%lu", "%%"]),
        ("%1 of %2", ["%1", "%2"]),
        ("100% sure, a % b, 5 $", ["100"]),
        ("see https://a.org/x_y. Mail a.b@c.org", ["https://a.org/x_y", "a.b@c.org"]),
        ("<b>3</b> at 12:30 on 1,000", ["<b>", "</b>", "12:30", "1,000"]),
        ("😀 and ❤\ufe0f", ["😀", "❤\ufe0f"]),
        ("plain \ue005 text", ["\ue005"]),
        ("打开%s文件", ["%s"]),
    ],
)
def test_each_placeholder_gets_the_next_mark(text, expected):
    masked, known = mask(text)
    assert known == expected
    assert [character for character in masked if character in MARKS] == MARKS[: len(expected)]
    assert unmask(masked, known) == text


def test_a_placeholder_that_comes_again_has_the_mark_it_had():
    masked, known = mask("%s, %d, %s")
    assert masked == f"{MARKS[0]}, {MARKS[1]}, {MARKS[0]}"
    assert known == ["%s", "%d"]


def test_beside_a_translation_only_what_both_hold_is_masked():
    masked, known = mask("On page 10 of 100: %s", "%s：第100页")
    assert (masked, known) == (f"On page 10 of {MARKS[0]}: {MARKS[1]}", ["100", "%s"])
    assert mask_as("%s：第100页，共10页", known) == f"{MARKS[1]}：第{MARKS[0]}页，共10页"


def test_an_eleventh_placeholder_is_left_as_it_is():
    text = " ".join(f"%{number}" for number in range(1, 13))
    masked, known = mask(text)
    assert len(known) == 10
    assert masked.endswith("%11 %12")
    assert unmask(masked, known) == text


def test_a_mark_that_stands_for_nothing_vanishes():
    assert unmask(f"a{MARKS[0]}b{MARKS[3]}", ["%s"]) == "a%sb"


def test_format_codes_are_listed_whatever_their_order():
    assert formats("%2$s then %1$s in 2024") == formats("在 %1$s 之后 %2$s") == ["%1$s", "%2$s"]


@given(st.text(max_size=60))
def test_every_text_comes_back(text):
    assert unmask(*mask(text)) == text
