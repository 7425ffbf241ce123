"""Measure the taggers beside others on the same test sentences: quality, and sentences a second of one processor.

Usage:
  taggers.py <task> [--sentences <n>] [--train <n>] [--iterations <n>]
  taggers.py confusion <task> <model> <file> [--sentences <n>]
  taggers.py -h | --help

Options:
  --sentences <n>   Test sentences, evenly taken from the test part; all of them by default.
  --train <n>       Sentences that rivals trained here learn from, evenly taken; all by default. 0: train none.
  --iterations <n>  Of the L-BFGS of python-crfsuite [default: 60].
  -h --help         Show this text.

A task is zh-seg, zh-pos, zh-ner, en-pos or en-ner. Chinese is given as raw sentences, English as the corpus' words.
python-crfsuite is trained here on the features of our CRF, and for words ltp-extension's perceptron and spacy-pkuseg on
theirs. jieba and snownlp bring their own dictionaries and weights, made for other rules of what a word is; snownlp's
were trained on the text that this test is part of, and are marked so.
Times are of the processor, so that other processes of the machine count for little.

confusion draws which tag was taken for which by one of our models, as an SVG.
"""

import sys
import time
from collections import Counter
from html import escape
from pathlib import Path

import torch
from docopt import docopt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import tagger_rivals
from benchmarks.tables import machine_class, number, table
from benchmarks.tagger_rivals import Finder
from model_serving.models.languages import CHINESE
from model_serving.models.taggers import bilstm_crf, crf, hmm, lattice_lstm
from model_serving.models.taggers.schemes import Span
from model_serving.training.datasets.corpus import Corpus, TaggedSentence, labels_of
from model_serving.training.taggers.metrics import span_scores, spans_of, unknown_recall, unlabelled
from model_serving.training.taggers.training import CORPORA
from model_serving.utils.settings import DATA

MODELS = {"HMM": hmm, "CRF": crf, "BiLSTMCRF": bilstm_crf, "LatticeLSTM": lattice_lstm}
TASKS = ("zh-seg", "zh-pos", "zh-ner", "en-pos", "en-ner")
TIMED = 500
"""Sentences that are timed, after as many to warm up."""
SHOWN = 16
"""Tags of a confusion picture, the most frequent ones."""


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    task = arguments["<task>"]
    if task not in TASKS:
        sys.exit(f"No task {task}; there are {', '.join(TASKS)}")
    torch.set_num_threads(1)
    corpus: Corpus = CORPORA[variant_of(task)].load()
    test = thinned(corpus.test, arguments["--sentences"])
    if arguments["confusion"]:
        name = arguments["<model>"]
        picture = draw(confusion(test, ours(name, task)([s.units for s in test]), task), f"{name}, {task}")
        Path(arguments["<file>"]).write_text(picture, encoding="utf-8")
        return
    train = thinned(corpus.train, arguments["--train"])
    print(compare(task, corpus, test, train, int(arguments["--iterations"])))


def variant_of(task: str) -> str:
    """The variant that serves a task, and whose corpus holds its words."""
    return task.replace("seg", "pos")


def folder_of(name: str, task: str) -> Path:
    """Where the artifact of a model for a task is, or would be; words come from one for them alone where there is."""
    folder = DATA / MODELS[name].__name__.rpartition(".")[2]
    return folder / task if (folder / task).exists() else folder / variant_of(task)


def thinned(sentences: list[TaggedSentence], most: str | None) -> list[TaggedSentence]:
    """At most so many of some sentences, evenly taken."""
    if most is None or int(most) >= len(sentences):
        return sentences
    wanted = int(most)
    return [sentences[place * len(sentences) // wanted] for place in range(wanted)]


def compare(task: str, corpus: Corpus, test: list[TaggedSentence], train: list[TaggedSentence], iterations: int) -> str:
    """The table of a task."""
    finders: dict[str, Finder] = {name: ours(name, task) for name in MODELS if folder_of(name, task).exists()}
    if train:
        finders["python-crfsuite"] = tagger_rivals.suite(task, train, iterations)
    if train and task == "zh-seg":
        finders["ltp-extension's perceptron"] = tagger_rivals.perceptron_spans(train, corpus.dev)
        finders["spacy-pkuseg"] = tagger_rivals.pkuseg_spans(train, corpus.dev)
    if corpus.language == CHINESE:
        finders["jieba"] = tagger_rivals.jieba_spans(task)
    if task in ("zh-seg", "zh-pos"):
        finders["snownlp (trained on the test text)"] = tagger_rivals.snownlp_spans(task)
    known = {"".join(s.units[start:end]) for s in corpus.train for start, end, _ in s.spans}
    rows = [[name, *figures(task, test, finder, known)] for name, finder in finders.items()]
    headings = ["model", "P", "R", "F1", "recall on unknown words", "sentences/s"]
    sizes = f"{len(test):,} sentences; those trained here learnt from {len(train):,}."
    return f"{machine_class(1)} {sizes}\n\n{table(headings, rows, words=1)}"


def figures(task: str, test: list[TaggedSentence], finder: Finder, known: set[str]) -> list[str]:
    """Precision, recall, F1, recall on what training does not hold, and speed."""
    units = [sentence.units for sentence in test]
    gold = [shape(sentence.spans, task) for sentence in test]
    found = [shape(spans, task) for spans in finder(units)]
    scores = span_scores(gold, found)
    new = unknown_recall(zip(units, gold, strict=True), found, known)
    timed = units[:TIMED]
    began = time.process_time()
    finder(timed)
    speed = len(timed) / max(1e-9, time.process_time() - began)
    return [*(f"{value:.2f}" for value in (scores.precision, scores.recall, scores.f1, new)), number(speed)]


def shape(spans: list[Span], task: str) -> list[Span]:
    """The spans as a task compares them."""
    return unlabelled(spans) if task == "zh-seg" else spans


def ours(name: str, task: str) -> Finder:
    """A committed model."""
    labeller = MODELS[name].load_labeller(folder_of(name, task))
    return lambda sentences: spans_of(labeller, sentences)


def confusion(test: list[TaggedSentence], found: list[list[Span]], task: str) -> Counter[tuple[str, str]]:
    """How often a unit of one tag was given another: of a word's characters its tag, of characters their place."""
    pairs: Counter[tuple[str, str]] = Counter()
    for sentence, spans in zip(test, found, strict=True):
        gold, answered = (labels_of(TaggedSentence(sentence.units, side)) for side in (sentence.spans, spans))
        for right, given in zip(gold, answered, strict=True):
            pairs[_shown(right, task), _shown(given, task)] += 1
    return pairs


def _shown(label: str, task: str) -> str:
    return label[0] if task == "zh-seg" else label[2:] or label


def draw(pairs: Counter[tuple[str, str]], title: str) -> str:
    """A square for each pair of the most frequent tags, the darker the larger its share of the row."""
    totals: Counter[str] = Counter()
    for (right, _), times in pairs.items():
        totals[right] += times
    tags = [tag for tag, _ in totals.most_common(SHOWN)]
    side, margin = 32, 60
    size = margin + side * len(tags) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}" '
        'font-family="sans-serif" font-size="11" text-anchor="middle">',
        f"<title>{escape(title)}: rows are right, columns given, in %</title>"
        f'<rect width="{size}" height="{size}" fill="#fff"/>',
    ]
    for row, right in enumerate(tags):
        y = margin + row * side
        parts.append(f'<text x="{margin / 2}" y="{y + 20}">{escape(right)}</text>')
        parts.append(f'<text x="{y + side / 2}" y="{margin - 10}">{escape(right)}</text>')
        for column, given in enumerate(tags):
            share = pairs[right, given] / totals[right]
            x = margin + column * side
            colour = "36,113,163" if row == column else "192,57,43"
            depth = share if row == column else min(1.0, 5 * share)
            parts.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="rgba({colour},{depth:.2f})"/>')
            if share >= 0.005:
                ink = "#fff" if depth > 0.6 else "#333"
                text = f"{100 * share:.0f}" if share >= 0.095 else f"{100 * share:.1f}"
                parts.append(f'<text x="{x + side / 2}" y="{y + 20}" fill="{ink}">{text}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    main()
