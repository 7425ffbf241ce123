import numpy as np
import pytest
import torch
from gensim.models import KeyedVectors

from model_serving.models.word_vectors import word2vec_format
from model_serving.models.word_vectors.word2vec_format import FormatError

WORDS = ["北京", "the", "café", "nan", "3.14", "😀", "a" * 300]


@pytest.fixture
def vectors():
    made = torch.randn(len(WORDS), 7, generator=torch.Generator().manual_seed(1))
    made[2] = 0
    made[3, 0] = 1e-30
    return made


@pytest.mark.parametrize("binary", [False, True])
def test_what_is_written_gensim_reads(tmp_path, vectors, binary):
    word2vec_format.write(tmp_path / "file", WORDS, vectors, binary=binary)
    read = KeyedVectors.load_word2vec_format(str(tmp_path / "file"), binary=binary)
    assert read.index_to_key == WORDS
    np.testing.assert_array_equal(read.vectors, vectors.numpy())


@pytest.mark.parametrize("binary", [False, True])
def test_what_gensim_writes_is_read(tmp_path, vectors, binary):
    written = KeyedVectors(7)
    written.add_vectors(WORDS, vectors.numpy())
    written.save_word2vec_format(str(tmp_path / "file"), binary=binary)
    words, found = word2vec_format.read(tmp_path / "file", binary=binary)
    assert words == WORDS
    assert torch.equal(found, vectors)


def test_the_line_breaks_of_the_authors_program_are_read(tmp_path):
    entry = np.array([1.5, -2.0], dtype="<f4").tobytes()
    (tmp_path / "file").write_bytes(b"2 2\n" + b"one " + entry + b"\n" + b"two " + entry + b"\n")
    words, found = word2vec_format.read(tmp_path / "file", binary=True)
    assert words == ["one", "two"]
    assert found.tolist() == [[1.5, -2.0]] * 2


def test_trailing_spaces_and_spaces_in_words_are_read_from_text(tmp_path):
    (tmp_path / "file").write_bytes(b"2 2\nnew york 1 2 \r\nthe 3 4\n")
    words, found = word2vec_format.read(tmp_path / "file", binary=False)
    assert words == ["new york", "the"]
    assert found.tolist() == [[1, 2], [3, 4]]


def test_a_space_in_a_word_is_written_as_a_low_line(tmp_path):
    word2vec_format.write(tmp_path / "file", ["new york"], torch.ones(1, 2), binary=False)
    assert (tmp_path / "file").read_text() == "1 2\nnew_york 1.0 1.0\n"


def test_of_a_word_that_comes_again_the_first_vector_counts(tmp_path):
    (tmp_path / "file").write_text("3 1\na 1\nb 2\na 3\n")
    words, found = word2vec_format.read(tmp_path / "file", binary=False)
    assert (words, found.tolist()) == (["a", "b"], [[1], [2]])


@pytest.mark.parametrize("content", [
    b"", b"the 1 2\n", b"-1 2\n", b"1 0\n", b"2 2\nthe 1 2\n", b"1 2\nthe 1\n", b"1 2\nthe 1 x\n", b"1 2\nthe 1 nan\n",
    b"1 2\nthe 1 inf\n", b"1 1\n\xff\xfe 1\n", b"1000000 3\nthe 1 2 3\n",
])  # fmt: skip
def test_a_broken_text_file_is_refused(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(FormatError, match="file"):
        word2vec_format.read(tmp_path / "file", binary=False)


@pytest.mark.parametrize("content", [b"1 2\nthe \0\0", b"1 2\nthe", b"1 1\n" + b"a" * 5000, b"1 1\nthe \0\0\x80\x7f"])
def test_a_broken_binary_file_is_refused(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(FormatError, match="file"):
        word2vec_format.read(tmp_path / "file", binary=True)
