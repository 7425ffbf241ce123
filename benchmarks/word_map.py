"""Draw a map of groups of words, as their vectors lie in the plane that shows most of them.

Usage:
  word_map.py <model> <variant> <file>
  word_map.py -h | --help

The plane is spanned by the first two principal components of the unit vectors drawn. The file is an SVG.
"""

import sys
from html import escape
from itertools import combinations
from pathlib import Path

import torch
from docopt import docopt
from torch import Tensor

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.svg import LETTER, breadth, picture
from model_serving.models import artifact
from model_serving.models.word_vectors import cw2vec, fasttext, glove, nnlm, word2vec, wordrank
from model_serving.models.word_vectors.space import Space
from model_serving.utils.settings import DATA

MODELS = {
    "Word2Vec": word2vec,
    "GloVe": glove,
    "FastText": fasttext,
    "WordRank": wordrank,
    "CW2Vec": cw2vec,
    "NNLM": nnlm,
}
GROUPS = {
    "zh": {
        "#c0392b": "北京 上海 天津 广州 深圳 南京",
        "#2471a3": "美国 日本 英国 法国 德国 俄罗斯",
        "#1e8449": "经济 贸易 金融 投资 银行 市场",
        "#b9770e": "父亲 母亲 儿子 女儿 妻子 孩子",
        "#7d3c98": "足球 比赛 冠军 球队 选手 决赛",
        "#566573": "高兴 感动 失望 喜欢 难过 幸福",
    },
    "en": {
        "#c0392b": "london paris berlin tokyo rome moscow",
        "#2471a3": "england france germany japan italy russia",
        "#1e8449": "money bank stock market price trade",
        "#b9770e": "father mother son daughter wife brother",
        "#7d3c98": "dog cat horse bird fish lion",
        "#566573": "happy sad angry afraid glad sorry",
    },
}
WIDTH, HEIGHT, MARGIN = 720, 440, 50


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    name, variant = arguments["<model>"], arguments["<variant>"]
    if name not in MODELS or variant[:2] not in GROUPS:
        sys.exit(f"No word vectors {name} {variant}; there are {', '.join(MODELS)}")
    space: Space = MODELS[name].load_space(artifact.load(DATA / name.lower() / variant))
    Path(arguments["<file>"]).write_text(draw(space, GROUPS[variant[:2]], f"{name}, {variant}"), encoding="utf-8")


def draw(space: Space, groups: dict[str, str], title: str) -> str:
    """The picture of the words that the space holds, each group in its colour."""
    words = [(word, colour) for colour, group in groups.items() for word in group.split()]
    words = [(word, colour) for word, colour in words if space.words.row(word) is not None]
    rows = torch.tensor([space.words.row(word) for word, _ in words])
    places = _apart(_plane(space.unit[rows]).tolist(), [breadth(word) for word, _ in words])
    texts = [
        f'<text x="{x:.0f}" y="{y:.0f}" fill="{colour}">{escape(word)}</text>'
        for (word, colour), (x, y) in zip(words, places, strict=True)
    ]
    return picture(WIDTH, HEIGHT, title, texts, anchor="middle")


def _plane(vectors: Tensor) -> Tensor:
    """The places of vectors (words, size) on the picture: (words, 2)."""
    centred = vectors - vectors.mean(0)
    places = centred @ torch.linalg.svd(centred, full_matrices=False).Vh[:2].T
    low, high = places.amin(0), places.amax(0)
    room = torch.tensor([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN])
    on_paper: Tensor = MARGIN + (places - low) / (high - low) * room
    return on_paper


def _apart(places: list[list[float]], widths: list[float]) -> list[list[float]]:
    """Push labels that cover each other apart, up and down, until none does or patience ends."""
    for _ in range(100):
        for (one, width), (other, space) in combinations(zip(places, widths, strict=True), 2):
            covered = LETTER - abs(one[1] - other[1])
            if covered > 0 and abs(one[0] - other[0]) < (width + space) / 2:
                upper, lower = sorted((one, other), key=lambda place: place[1])
                upper[1], lower[1] = upper[1] - covered / 2, lower[1] + covered / 2
    return places


if __name__ == "__main__":
    main()
