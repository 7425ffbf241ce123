"""Convert word vectors between the word2vec formats and artifacts.

Usage:
  convert <from> <to> [--binary] [--name <name>] [--licence <licence>]
  convert -h | --help

Options:
  --binary             The file is in the binary format, not in the text format.
  --name <name>        What the card calls the vectors [default: vectors of your own].
  --licence <licence>  What the card says of their licence [default: not stated].
  -h --help            Show this text.
"""

import hashlib
import sys
from pathlib import Path

from docopt import docopt

from model_serving.models import artifact
from model_serving.models.errors import ArtifactError
from model_serving.models.word_vectors import cw2vec, fasttext, glove, word2vec, word2vec_format, wordrank
from model_serving.models.word_vectors.word2vec_format import FormatError

ROWS = {"word2vec": "Word2Vec", "glove": "GloVe", "wordrank": "WordRank"}
"""Folders of the models that give each word a row of its own, so that any vectors can take their place."""
SPACES = {
    "word2vec": word2vec.load_space,
    "glove": glove.load_space,
    "wordrank": wordrank.load_space,
    "fasttext": fasttext.load_space,
    "cw2vec": cw2vec.load_space,
}


def to_artifact(file: Path, folder: Path, *, binary: bool, name: str, licence: str) -> int:
    """Make an artifact of a file, its numbers as they are; gives the number of words.

    Raises:
        ArtifactError: the folder is not of a model with a row a word.
        FormatError: the file is not in the format.
    """
    slug = folder.resolve().parent.name
    if slug not in ROWS:
        raise ArtifactError(f"{folder} is no place for vectors; name one like data/word2vec/en-skipgram-neg")
    words, vectors = word2vec_format.read(file, binary=binary)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    card = {
        "model": ROWS[slug],
        "variant": folder.name,
        "paper": "see where the vectors come from",
        "architecture": {"words": len(words), "size": vectors.shape[1]},
        "data": [{"name": name, "package": file.name, "licence": licence, "sha256": digest}],
        "split": "converted, not trained here",
        "metrics": [],
    }
    artifact.save(folder, card, {"vectors": vectors}, {"words": words})
    return len(words)


def to_file(folder: Path, file: Path, *, binary: bool) -> int:
    """Write the vectors of an artifact's words to a file; gives the number of words.

    Raises:
        ArtifactError: the artifact can not be read or is not of a model of word vectors.
    """
    slug = folder.resolve().parent.name
    if slug not in SPACES:
        raise ArtifactError(f"{folder} holds no word vectors; name a folder like data/word2vec/en-skipgram-neg")
    space = SPACES[slug](artifact.load(folder))
    word2vec_format.write(file, space.words.symbols, space.vectors(), binary=binary)
    return len(space.words)


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    source, target, binary = Path(arguments["<from>"]), Path(arguments["<to>"]), arguments["--binary"]
    try:
        if source.is_dir():
            number = to_file(source, target, binary=binary)
        else:
            labels = {"name": arguments["--name"], "licence": arguments["--licence"]}
            number = to_artifact(source, target, binary=binary, **labels)
    except (ArtifactError, FormatError, OSError) as error:
        sys.exit(str(error))
    print(f"{number} words written to {target}")


if __name__ == "__main__":
    main()
