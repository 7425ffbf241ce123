from model_serving.models.taggers.schemes import Span
from model_serving.training.datasets import conll2003, packages
from model_serving.training.datasets.corpus import TaggedSentence

CONTENT = """-DOCSTART- -X- -X- O

Anna NNP B-NP B-PER
Berg NNP I-NP I-PER
visits VBZ B-VP O
Rome NNP B-NP B-LOC
Milan NNP B-NP B-LOC

No DT B-NP O

"""


def test_names_become_spans_and_document_starts_are_no_sentences():
    assert conll2003.read(CONTENT) == conll2003.read(CONTENT.replace("\n", "\r\n")) == [
        TaggedSentence(
            ["Anna", "Berg", "visits", "Rome", "Milan"], [Span(0, 2, "PER"), Span(3, 4, "LOC"), Span(4, 5, "LOC")]
        ),
        TaggedSentence(["No"], []),
    ]  # fmt: skip


def test_each_file_is_a_part(monkeypatch):
    monkeypatch.setattr(packages.Package, "read", lambda package, member: f"{member[-9:]} NN B-NP O\n".encode())
    corpus = conll2003.load()
    assert [part[0].units for part in (corpus.train, corpus.dev, corpus.test)] == [
        ["train.txt"],
        ["valid.txt"],
        ["/test.txt"],
    ]
    assert (corpus.language, corpus.source["name"]) == ("en", "CoNLL-2003")
