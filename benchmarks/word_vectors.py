"""Measure the word vectors: their training beside gensim's, what each knows, and the search for neighbours.

Usage:
  word_vectors.py compare <language> [--epochs <n>] [--seeds <seeds>]
  word_vectors.py sections <model> <variant>
  word_vectors.py rare [--below <n>]
  word_vectors.py neighbors [--words <n>] [--size <n>] [--rounds <n>]
  word_vectors.py -h | --help

Options:
  --epochs <n>     Epochs of both trainings [default: 5].
  --seeds <seeds>  Of both trainings, the tables hold means [default: 1].
  --below <n>      Times that a rare word was seen at most, this one excluded [default: 20].
  --words <n>      Words of the made-up space [default: 100000].
  --size <n>       Its dimensions [default: 100].
  --rounds <n>     How often each search is timed; the table holds medians [default: 25].
  -h --help        Show this text.

compare trains skip-gram with negative sampling here and in gensim with one thread each, on the same tokens with the
same vocabulary, dimensions, window, negatives, epochs and learning rate, and prints processor time beside quality;
PPMI with SVD is the simple way to the same end. sections takes the analogies of a trained English variant apart. rare
asks trained Chinese models of one vocabulary for synonyms of which one word at least is rare.
neighbors holds the exact search against the bare matrix product with topk. Times are of the processor, so that other
processes of the machine count for little.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median

import torch
from docopt import docopt
from torch import Tensor

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.tables import machine_class, number, table
from model_serving.models import artifact
from model_serving.models.word_vectors.space import Space
from model_serving.models.word_vectors.words import Words
from model_serving.training.__main__ import TRAINABLE
from model_serving.training.datasets import word_tests
from model_serving.training.word_vectors import evaluation, references, word2vec
from model_serving.training.word_vectors.evaluation import Likeness
from model_serving.training.word_vectors.text import EncodedText, encode
from model_serving.utils.settings import DATA

RARE = (("Word2Vec", "zh-skipgram-neg"), ("FastText", "zh"), ("CW2Vec", "zh"))
"""Models of one vocabulary: a row a word, characters, strokes."""


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    torch.set_num_threads(1)
    try:
        if arguments["compare"]:
            seeds = [int(seed) for seed in arguments["--seeds"].split(",")]
            print(compare(arguments["<language>"], int(arguments["--epochs"]), seeds))
        elif arguments["sections"]:
            print(sections(arguments["<model>"], arguments["<variant>"]))
        elif arguments["rare"]:
            print(rare(int(arguments["--below"])))
        else:
            print(neighbors(*(int(arguments[f"--{name}"]) for name in ("words", "size", "rounds"))))
    except (ValueError, KeyError) as error:
        sys.exit(f"Not a language, model or number that is known: {error}")


def compare(language: str, epochs: int, seeds: list[int]) -> str:
    """Speed and quality of skip-gram here, in gensim, and of PPMI with SVD, on the same tokens."""
    text = encode(references.TEXTS[language].load().sentences, most=word2vec.WORDS)
    tokens = len(text.tokens)
    ways: dict[str, Callable[[int], Tensor]] = {
        "this trainer": lambda seed: trained_here(text, epochs, seed),
        "gensim": lambda seed: references.gensim(text, epochs, seed),
    }
    rows = []
    for way, train in ways.items():
        runs = [_timed(train, seed) for seed in seeds]
        speed = f"{mean(epochs * tokens / seconds for seconds, _ in runs):,.0f}"
        rows.append([way, speed, *_means([_figures(text, vectors, language) for _, vectors in runs])])
        print(rows[-1], file=sys.stderr)
    simple = evaluation.measure(Space(text.words, references.ppmi_svd(text)), language)
    rows.append(["PPMI + SVD", "", *(f"{metric['value']:.1f}" for metric in simple)])
    tests = [f"{metric['dataset']} {metric['metric']}" for metric in simple]
    circumstances = f"{tokens:,} tokens, {len(text.words):,} words, {epochs} epochs, seeds {seeds}, one thread each."
    return f"{machine_class(1)} {circumstances}\n\n{table(['vectors', 'words a processor second', *tests], rows)}"


def trained_here(text: EncodedText, epochs: int, seed: int) -> Tensor:
    """Our skip-gram with negative sampling."""
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = Path(folder) / "checkpoint"
        return word2vec.learn(text, "skipgram", "neg", checkpoint, epochs=epochs, seed=seed)[0]


def sections(name: str, variant: str) -> str:
    """The analogies by section, by both methods, and how many of each can be asked."""
    model = TRAINABLE[name]
    space: Space = model.model.load_space(artifact.load(DATA / model.slug / variant))  # type: ignore[attr-defined]
    asked = word_tests.questions()
    held = [question for question in asked if evaluation.known(space, question[1:])]
    added, multiplied = (evaluation.analogies(space, held, method) for method in ("3cosadd", "3cosmul"))
    rows = []
    for section in added:
        whole = sum(question.section == section for question in asked)
        figures = [f"{100 * scores[section][0] / scores[section][1]:.1f}" for scores in (added, multiplied)]
        rows.append([section, f"{added[section][1]:,} of {whole:,}", *figures])
    return table(["section", "asked", "3CosAdd", "3CosMul"], rows)


def rare(below: int) -> str:
    """How well the models tell synonyms of which one at least is rare, apart in writing or not."""
    text = encode(references.TEXTS["zh"].load().sentences, most=word2vec.WORDS)
    seen = dict(zip(text.words.symbols, text.counts.tolist(), strict=True))
    likeness: dict[str, Likeness] = {
        "spelling": lambda pairs: [len({*one} & {*other}) / len({*one} | {*other}) for one, other in pairs]
    }
    for name, variant in RARE:
        model = TRAINABLE[name]
        space: Space = model.model.load_space(artifact.load(DATA / model.slug / variant))  # type: ignore[attr-defined]
        likeness[name] = evaluation.cosines(space)
    columns = []
    for apart in (True, False):
        alike, unlike = (
            [pair for pair in pairs if min(seen[word] for word in pair) < below]
            for pairs in word_tests.synonyms(set(seen), apart=apart)
        )
        columns.append([f"{evaluation.area(alike, unlike, own):.1f}" for own in likeness.values()])
    rows = [[name, "zh", *figures] for name, *figures in zip(likeness, *columns, strict=True)]
    return table(["likeness by", "language", "AUC, no common character", "AUC, any pair"], rows)


def neighbors(words: int, size: int, rounds: int) -> str:
    """The exact search against the bare product and topk, in processor milliseconds a batch."""
    space = Space(Words(map(str, range(words))), torch.randn(words, size, generator=torch.Generator().manual_seed(1)))
    rows = []
    for batch in (1, 8, 64):
        for top in (10, 100):
            queries = space.unit[:batch]
            excluded = [[row] for row in range(batch)]
            bare, ours = [], []
            for _ in range(rounds):  # in turns
                bare.append(_milliseconds(lambda q, n: (q @ space.unit.T).topk(n), queries, top))
                ours.append(_milliseconds(lambda q, n, e: space.nearest(q, n, e), queries.unsqueeze(1), top, excluded))
            one, other = median(bare), median(ours)
            rows.append([str(batch), str(top), number(one), number(other), f"{other / one:.2f}"])
    circumstances = f"{words:,} words x {size}, medians of {rounds} rounds in turns, one thread."
    headings = ["queries", "top", "product and topk, ms", "search, ms", "in proportion"]
    return f"{machine_class(1)} {circumstances}\n\n{table(headings, rows)}"


def _milliseconds(work: Callable[..., object], *arguments: object) -> float:
    began = time.process_time()
    work(*arguments)
    return 1000 * (time.process_time() - began)


def _timed(train: Callable[[int], Tensor], seed: int) -> tuple[float, Tensor]:
    began = time.process_time()
    vectors = train(seed)
    return time.process_time() - began, vectors


def _figures(text: EncodedText, vectors: Tensor, language: str) -> list[float]:
    return [metric["value"] for metric in evaluation.measure(Space(text.words, vectors), language)]


def _means(runs: list[list[float]]) -> list[str]:
    return [f"{mean(figures):.1f}" for figures in zip(*runs, strict=True)]


if __name__ == "__main__":
    main()
