import random

import pytest
import torch

from model_serving.models.translators.placeholders import MARKS
from model_serving.training.translators.corpus import SentencePair
from model_serving.training.translators.examples import Example, batches, collate, encode, masked
from model_serving.training.translators.vocabulary import learn

ENGLISH = ["Open the file.", "Close the window!", "The file is open.", "Save all 10 files", f"{MARKS[0]} files"]


@pytest.fixture(scope="module")
def subwords():
    return learn(ENGLISH * 3, 60, spaced=True)


def test_what_stands_on_both_sides_is_masked_in_the_order_of_the_source():
    pairs = [SentencePair("Copy %s to %d, 10 times", "复制到%d：%s", "interface")]
    assert masked(pairs, "en-zh") == [(f"Copy {MARKS[0]} to {MARKS[1]}, 10 times", f"复制到{MARKS[1]}：{MARKS[0]}")]
    assert masked(pairs, "zh-en") == [(f"复制到{MARKS[0]}：{MARKS[1]}", f"Copy {MARKS[1]} to {MARKS[0]}, 10 times")]


def test_a_target_stands_between_start_and_end(subwords):
    (example,) = encode([("Open the file.", "Save all files")], subwords, subwords)
    assert example.target[0] == 2
    assert example.target[-1] == 3
    assert subwords.decode(example.target[1:-1]) == "Save all files"
    assert encode([("Open " * 101, "Open")], subwords, subwords) == []


def test_every_mark_is_a_piece_and_every_digit(subwords):
    numbers, pieces = subwords.encode(f"file{MARKS[0]}{MARKS[9]} 10")
    assert {MARKS[0], MARKS[9], "1", "0"} <= {piece.lstrip("▁") for piece in pieces}
    assert subwords.decode(numbers) == f"file{MARKS[0]}{MARKS[9]} 10"


def test_learning_subwords_repeats():
    assert learn(ENGLISH, 60, spaced=True).model == learn(ENGLISH, 60, spaced=True).model


def test_batches_hold_everything_once_within_their_size():
    chance = random.Random(5)
    examples = [Example([4] * chance.randint(1, 9), [2] + [number] * chance.randint(1, 20)) for number in range(4, 90)]
    found = list(batches(examples, 64, random.Random(1)))
    assert max(batch.target.numel() for batch in found) <= 64
    assert sorted(row[1].item() for batch in found for row in batch.target) == list(range(4, 90))
    assert all((batch.target == 0).sum() <= len(batch.target) * 3 for batch in found)
    again = list(batches(examples, 64, random.Random(1)))
    assert all(torch.equal(one.target, other.target) for one, other in zip(found, again, strict=True))
    assert any(
        one.target.shape != other.target.shape
        for one, other in zip(found, batches(examples, 64, random.Random(2)), strict=False)
    )


def test_examples_are_padded_to_the_right():
    batch = collate([Example([4], [2, 5, 3]), Example([4, 6], [2, 3])])
    assert batch.source.tolist() == [[4, 0], [4, 6]]
    assert batch.target.tolist() == [[2, 5, 3], [2, 3, 0]]
