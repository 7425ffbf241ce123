import pytest

from model_serving.models.taggers.schemes import Span
from model_serving.training.datasets import brown, packages
from model_serving.training.datasets.corpus import TaggedSentence


def test_words_have_their_tags_and_empty_lines_are_no_sentences():
    corpus = brown.read([["", "\tThe/at dog/nn ran/vbd ./.", "1/2/cd of/in it/ppo", ""]])
    assert corpus.train == [
        TaggedSentence(
            ["The", "dog", "ran", "."], [Span(n, n + 1, tag) for n, tag in enumerate(["at", "nn", "vbd", "."])]
        ),
        TaggedSentence(["1/2", "of", "it"], [Span(n, n + 1, tag) for n, tag in enumerate(["cd", "in", "ppo"])]),
    ]
    assert corpus.language == "en"


@pytest.mark.parametrize(
    ("tag", "base"),
    [("nn-tl", "nn"), ("fw-in", "in"), ("np$-tl-hl", "np$"), ("fw-nn-tl", "nn"), ("--", "--"), ("ppss+bez", "ppss+bez"),
     ("in-nc", "in"), ("*-hl", "*")],
)  # fmt: skip
def test_the_base_of_a_tag(tag, base):
    assert brown.base_tag(tag) == base


def test_of_each_ten_texts_one_is_dev_and_one_is_test():
    corpus = brown.read([[f"{number}/cd"] for number in range(1, 21)])
    assert [sentence.units for sentence in corpus.dev] == [["9"], ["19"]]
    assert [sentence.units for sentence in corpus.test] == [["10"], ["20"]]
    assert len(corpus.train) == 16


def test_texts_are_told_from_the_other_files(monkeypatch):
    files = [
        ("package/cb01", b"b/nn\n"),
        ("package/ca01", b"a/nn\n"),
        ("package/cats.txt", b"x"),
        ("package/ca1", b"x"),
    ]
    monkeypatch.setattr(packages.Package, "files", lambda package, prefix: iter(files))
    assert list(brown.texts()) == [("package/cb01", ["b/nn"]), ("package/ca01", ["a/nn"])]
    assert [sentence.units for sentence in brown.load().train] == [["a"], ["b"]]
