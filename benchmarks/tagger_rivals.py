"""Other taggers on the test sentences of ours: some trained here, some with weights of their own."""

import contextlib
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pycrfsuite

from model_serving.models.taggers.crf import TEMPLATES
from model_serving.models.taggers.schemes import Span, decode
from model_serving.training.datasets.corpus import TaggedSentence, labels_of

Finder = Callable[[Sequence[Sequence[str]]], list[list[Span]]]
"""From sentences to the spans found in them."""

PERCEPTRON_EPOCHS = 5
PKUSEG_ITERATIONS = 10

_JIEBA_NAMES = {"nr": "PER", "nrt": "PER", "nrfg": "PER", "ns": "LOC", "nt": "ORG"}
_JIEBA_TAGS = {"x": "w", "eng": "nx", "nrt": "nr", "nrfg": "nr"}
_JIEBA_TAGS |= dict.fromkeys(("uj", "ul", "uz", "ud", "ug", "uv"), "u")


def suite(task: str, train: list[TaggedSentence], iterations: int) -> Finder:
    """python-crfsuite on the features of our CRF, trained here; for zh-seg on words alone."""
    describe = TEMPLATES[task[:2]]
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0, "c2": 0.3, "max_iterations": iterations, "feature.minfreq": 3})
    for sentence in train:
        spans = [Span(start, end, "w") for start, end, _ in sentence.spans] if task == "zh-seg" else sentence.spans
        trainer.append(describe(sentence.units), labels_of(TaggedSentence(sentence.units, spans)))
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(f"{folder}/model")
        model = Path(folder, "model").read_bytes()

    def find(sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        tagger = pycrfsuite.Tagger()
        tagger.open_inmemory(model)  # it reads these very bytes while it tags, so they must outlive it
        return [decode(tagger.tag(describe(units))) for units in sentences]

    return find


def perceptron_spans(train: list[TaggedSentence], dev: list[TaggedSentence]) -> Finder:
    """ltp-extension's averaged perceptron for words, trained here."""
    from ltp_extension.perceptron import CWSTrainer

    trainer = CWSTrainer()
    trainer.epoch, trainer.eval_threads, trainer.verbose = PERCEPTRON_EPOCHS, 1, False
    with _written(train, dev) as (learnt, held_out):
        trainer.load_train_data(learnt)
        trainer.load_eval_data(held_out)
        model = trainer.train()
    return lambda sentences: [in_turn((word, "") for word in model.predict("".join(units))) for units in sentences]


def pkuseg_spans(train: list[TaggedSentence], dev: list[TaggedSentence]) -> Finder:
    """spacy-pkuseg's CRF for words, trained here, without its dictionary."""
    import spacy_pkuseg

    with (
        _written(train, dev) as (learnt, held_out),
        tempfile.TemporaryDirectory() as folder,
        contextlib.redirect_stdout(sys.stderr),
    ):
        spacy_pkuseg.train(learnt, held_out, folder, train_iter=PKUSEG_ITERATIONS)
        segmenter = spacy_pkuseg.pkuseg(model_name=folder, user_dict=None)
    return lambda sentences: [in_turn((word, "") for word in segmenter.cut("".join(units))) for units in sentences]


@contextlib.contextmanager
def _written(*parts: list[TaggedSentence]) -> Iterator[list[str]]:
    """Files of sentences, one a line, a space between words."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, str(number)) for number in range(len(parts))]
        for file, part in zip(files, parts, strict=True):
            lines = [" ".join("".join(s.units[start:end]) for start, end, _ in s.spans) for s in part]
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        yield list(map(str, files))


def jieba_spans(task: str) -> Finder:
    """jieba with its hidden Markov model for unknown words; its tags in the corpus' terms where they differ in name."""
    import jieba
    import jieba.posseg

    jieba.setLogLevel(60)

    def find(sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        if task == "zh-seg":
            return [in_turn((word, "") for word in jieba.cut("".join(units))) for units in sentences]
        tagged = [in_turn((word, tag) for word, tag in jieba.posseg.cut("".join(units))) for units in sentences]
        if task == "zh-ner":
            return [
                [s._replace(label=_JIEBA_NAMES[s.label]) for s in spans if s.label in _JIEBA_NAMES] for spans in tagged
            ]
        return [[s._replace(label=_JIEBA_TAGS.get(s.label, s.label)) for s in spans] for spans in tagged]

    return find


def snownlp_spans(task: str) -> Finder:
    """snownlp's character tagger for words and its trigram tagger for parts of speech."""
    from snownlp import seg, tag

    def find(sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        found = []
        for units in sentences:
            words = list(seg.seg("".join(units)))
            tags = tag.tag(words) if task == "zh-pos" else [""] * len(words)
            found.append(in_turn(zip(words, tags, strict=True)))
        return found

    return find


def in_turn(words: Iterable[tuple[str, str]]) -> list[Span]:
    """Words that follow one another as spans."""
    spans = []
    start = 0
    for word, label in words:
        spans.append(Span(start, start + len(word), label))
        start += len(word)
    return spans
