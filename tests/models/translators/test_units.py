import pytest

from model_serving.models.errors import ArtifactError
from model_serving.models.translators import placeholders
from model_serving.models.translators.subwords import Subwords
from model_serving.models.translators.units import LONGEST, units


def test_sentences_become_units_that_spell_them(english):
    found = list(units("Open the file. Save %s!\nStop", "en", english))
    assert [unit.text for unit in found] == ["Open the file.", "Save %s!", "Stop"]
    assert [unit.ends_line for unit in found] == [False, True, True]
    assert found[1].known == ["%s"]
    assert [english.spelling(unit.numbers) for unit in found] == [unit.pieces for unit in found]
    assert english.decode(found[0].numbers) == "Open the file."


@pytest.mark.parametrize(
    ("text", "readable"),
    [("file", True), (".", False), ("12345", False), ("😀", False), ("%s", False), ("жук", False), ("a%s", True),
     ("https://example.org/", False), ("\u200d", False)],
)  # fmt: skip
def test_without_a_letter_that_is_known_there_is_nothing_to_read(english, text, readable):
    (unit,) = units(text, "en", english)
    assert unit.readable == readable
    assert unit.text == text


def test_long_sentences_are_cut_at_a_mark_or_anywhere(english):
    text = "go on, " * 60 + "p" * 400
    found = list(units(text, "en", english))
    assert len(found) > 3
    assert max(len(unit.numbers) for unit in found) <= LONGEST
    assert found[0].pieces[-1].endswith(",")
    assert [unit.ends_line for unit in found] == [False] * (len(found) - 1) + [True]
    together = "".join(piece for unit in found for piece in unit.pieces)
    assert together.replace("▁", " ").strip() == text


def test_a_sentence_of_just_the_longest_is_not_cut(english):
    assert len(list(units("go," * (LONGEST // 3), "en", english))) == 1


def test_what_is_no_model_of_subwords_is_refused():
    with pytest.raises(ArtifactError, match="restore it or train"):
        Subwords(b"nonsense")


def test_words_are_told_from_characters_endings_and_marks(english, chinese):
    for subwords in (english, chinese):
        pieces = subwords.spelling(list(range(len(subwords))))
        words = {piece for piece, is_word in zip(pieces, subwords.words(), strict=True) if is_word}
        assert words
        assert not words & {"<pad>", "<unk>", "<s>", "</s>", "▁", "s", "，", "。", *placeholders.MARKS}
        assert all(len(word.lstrip("▁")) > 1 for word in words)
