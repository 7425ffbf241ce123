import pytest
import torch

from model_serving.models.translators.alignment import Alignment, combine
from model_serving.models.translators.placeholders import MARKS


def test_subwords_are_merged_to_words_weights_added_and_averaged():
    weights = torch.tensor([[0.1, 0.2, 0.3, 0.1, 0.3], [0.5, 0.1, 0.2, 0.1, 0.1], [0.0, 0.0, 1.0, 0.0, 0.0]])
    found = Alignment.of(["▁up", "dated", "▁", MARKS[0], "."], ["▁re", "new", "ed"], weights, ["%s"])
    assert found.source == ["updated", "%s", "."]
    assert found.target == ["renewed"]
    assert found.weights.tolist() == [pytest.approx([0.9 / 3, 1.7 / 3, 0.4 / 3])]


def test_chinese_stays_in_its_subwords():
    found = Alignment.of(["▁a"], ["打开", "GI", "MP", "文件", "。"], torch.ones(5, 1), [])
    assert found.target == ["打开", "GIMP", "文件", "。"]


def test_sentences_stand_one_after_the_other():
    one, two = Alignment(["a", "b"], ["c"], torch.tensor([[0.25, 0.75]])), Alignment(["d"], ["e"], torch.ones(1, 1))
    assert combine([one, two]) == {
        "source": ["a", "b", "d"],
        "target": ["c", "e"],
        "weights": [[0.25, 0.75, 0.0], [0.0, 0.0, 1.0]],
    }
    assert combine([]) == {"source": [], "target": [], "weights": []}
