import subprocess
from pathlib import Path

import pytest
import torch

from model_serving.models import artifact
from model_serving.models.errors import ArtifactError
from model_serving.models.packing import pack
from model_serving.models.word_vectors import fasttext, word2vec, word2vec_format
from model_serving.training.word_vectors import convert

SCRIPT = Path(__file__).resolve().parents[3] / "bin" / "convert-vectors.sh"
WORDS = ["Paris", "paris", "北京"]


@pytest.fixture
def vectors():
    return torch.randn(3, 4, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("binary", [False, True])
def test_a_file_becomes_an_artifact_that_answers_and_a_file_again(tmp_path, vectors, binary):
    word2vec_format.write(tmp_path / "file", WORDS, vectors, binary=binary)
    folder = tmp_path / "word2vec" / "en-skipgram-neg"
    assert convert.to_artifact(tmp_path / "file", folder, binary=binary, name="mine", licence="CC0") == 3
    served = word2vec.load(folder.parent)
    found = served.predict(WORDS, action="vectors", variant="en-skipgram-neg")
    for word, answer, row in zip(WORDS, found, vectors.tolist(), strict=True):
        assert answer == {"word": word, "known": True, "vector": pytest.approx(row, abs=2e-6)}
    (source,) = artifact.cards(folder.parent)["en-skipgram-neg"]["data"]
    assert (source["name"], source["licence"]) == ("mine", "CC0")
    assert convert.to_file(folder, tmp_path / "again", binary=binary) == 3
    words, again = word2vec_format.read(tmp_path / "again", binary=binary)
    assert words == WORDS
    torch.testing.assert_close(again, vectors)


def test_words_made_of_parts_are_written_whole(tmp_path):
    table = torch.randn(42, 4, generator=torch.Generator().manual_seed(1))
    artifact.save(tmp_path / "fasttext" / "en", {}, pack(table), {"words": ["where", "her"]})
    convert.to_file(tmp_path / "fasttext" / "en", tmp_path / "file", binary=True)
    words, found = word2vec_format.read(tmp_path / "file", binary=True)
    space = fasttext.load_space(artifact.load(tmp_path / "fasttext" / "en"))
    assert words == space.words.symbols
    torch.testing.assert_close(found, space.vectors())


def test_other_folders_are_refused(tmp_path, vectors):
    word2vec_format.write(tmp_path / "file", WORDS, vectors, binary=False)
    with pytest.raises(ArtifactError, match="no place for vectors"):
        convert.to_artifact(tmp_path / "file", tmp_path / "hmm" / "zh", binary=False, name="", licence="")
    (tmp_path / "hmm" / "zh").mkdir(parents=True)
    with pytest.raises(ArtifactError, match="holds no word vectors"):
        convert.to_file(tmp_path / "hmm" / "zh", tmp_path / "other", binary=False)


def test_the_script_takes_paths_from_where_it_is_called_and_says_what_it_did(tmp_path, vectors):
    word2vec_format.write(tmp_path / "file", WORDS, vectors, binary=False)
    done = subprocess.run([str(SCRIPT), "file", "glove/en"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"3 words written to {tmp_path / 'glove' / 'en'}\n")


def test_a_mistake_is_told_in_one_line(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("nonsense")
    monkeypatch.setattr("sys.argv", ["convert", str(tmp_path / "file"), str(tmp_path / "glove" / "en")])
    with pytest.raises(SystemExit) as end:
        convert.main()
    assert end.value.code == f"{tmp_path / 'file'} does not begin with the numbers of words and of dimensions"
