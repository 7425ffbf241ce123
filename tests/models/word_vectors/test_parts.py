import pytest
import torch

from model_serving.models.packing import pack, unpack
from model_serving.models.word_vectors import cw2vec, fasttext, strokes
from model_serving.models.word_vectors.subwords import bags, bucket, composed_space, means, ngrams
from model_serving.models.word_vectors.words import Words, fold, is_word

TABLE = {"大": strokes.classes("jsl"), "人": strokes.classes("sl")}


def test_the_trigrams_of_where_are_those_of_the_paper():
    assert ngrams("<where>", 3, 3) == ["<wh", "whe", "her", "ere", "re>"]
    assert set(fasttext.parts("where")) >= {"<wh", "whe", "her", "ere", "re>"}


def test_the_word_itself_is_no_ngram_and_the_longest_have_six_characters():
    assert "<her>" not in fasttext.parts("her")
    assert "her" in fasttext.parts("where")
    assert {len(part) for part in fasttext.parts("whereabouts")} == {3, 4, 5, 6}
    assert fasttext.parts("a") == fasttext.parts("") == []


def test_the_strokes_of_the_papers_example():
    assert strokes.of_word("大人", TABLE) == "13434"
    parts = cw2vec.parts_by(TABLE)("大人")
    assert parts == ["134", "343", "434", "1343", "3434", "13434"]


def test_every_stroke_is_of_one_of_five_classes():
    assert strokes.classes("jifgslkd") == "11223444"
    assert set(strokes.classes("abcehmnopqrtuvwxyz")) == {"5"}


@pytest.mark.parametrize("word", ["", "人x", "x"])
def test_a_word_with_a_character_without_strokes_has_no_parts(word):
    assert cw2vec.parts_by(TABLE)(word) == []


def test_buckets_are_the_same_everywhere_and_evenly_filled():
    assert [bucket(part, 20_000) for part in ("<wh", "北京", "")] == [10246, 8006, 9876]
    filled = torch.bincount(torch.tensor([bucket(str(number), 10) for number in range(5000)]), minlength=10)
    assert filled.min() > 400


def test_a_word_is_the_mean_of_its_own_row_and_its_parts():
    words, buckets = ["where", "her", "a"], 50
    table = torch.randn(len(words) + buckets, 4, generator=torch.Generator().manual_seed(1))
    found = means(table, bags(words, fasttext.parts, buckets))
    for row, word in enumerate(words):
        rows = [table[row], *(table[3 + bucket(part, buckets)] for part in fasttext.parts(word))]
        torch.testing.assert_close(found[row], torch.stack(rows).mean(0))


def test_an_unknown_word_is_the_mean_of_its_parts_alone():
    table = torch.randn(52, 4, generator=torch.Generator().manual_seed(1))
    space = composed_space(Words(["where", "her"]), {"vectors": table}, fasttext.parts)
    place = space.find("ＨＥRE")
    expected = torch.stack([table[2 + bucket(part, 50)] for part in fasttext.parts("here")]).mean(0)
    assert place.row is None
    torch.testing.assert_close(place.vector, expected)
    assert space.find("a").vector is None
    assert space.find("her").row == 1


def test_packed_vectors_keep_their_directions():
    vectors = torch.randn(500, 100, generator=torch.Generator().manual_seed(1)) * torch.logspace(-6, 6, 500)[:, None]
    vectors[7] = 0
    packed = pack(vectors)
    assert packed["vectors"].dtype == torch.int8
    again = unpack(packed)
    assert again[7].tolist() == [0] * 100
    kept = torch.arange(500) != 7
    assert torch.cosine_similarity(vectors[kept], again[kept]).min() > 0.9999
    step = vectors.abs().amax(1, keepdim=True) / 127
    assert ((vectors - again).abs() <= step * 0.501).all()


def test_vectors_that_are_not_packed_are_read_too():
    assert unpack({"vectors": torch.tensor([[0.5, 2.0]]).half()}).tolist() == [[0.5, 2.0]]


def test_words_are_folded_and_punctuation_is_none():
    assert [fold(word) for word in ("Ｐａｒｉｓ", "PARIS", "cafe\u0301")] == ["paris", "paris", "café"]
    assert [is_word(token) for token in ("好", "3", "n't", "。", "--", "", " ")] == [True] * 3 + [False] * 4
