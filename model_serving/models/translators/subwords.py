"""Sub-words: the pieces of sentences that a network reads and writes, from a SentencePiece model for each language.

Kudo and Richardson, 2018, "SentencePiece: A simple and language independent subword tokenizer and detokenizer for
neural text processing", arXiv:1808.06226; Kudo, 2018, "Subword regularization", arXiv:1804.10959, for the unigram
model.
"""

import re

import sentencepiece

from model_serving.models.errors import ArtifactError

PADDING, UNKNOWN, START, END = range(4)
SPACE = "▁"

_WORD = re.compile(rf"{SPACE}?[\u4e00-\u9fff]{{2,}}|{SPACE}[A-Za-z]{{2,}}")


class Subwords:
    """Numbers the sub-words of one language.

    Args:
        model: a serialized SentencePiece model whose first four pieces are padding, unknown, start and end.

    Raises:
        ArtifactError: it is no such model.
    """

    def __init__(self, model: bytes):
        self.model = model
        try:
            self._processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        except RuntimeError as error:
            raise ArtifactError(f"no SentencePiece model ({error}); restore it or train the translator") from error
        ids = (self._processor.pad_id(), self._processor.unk_id(), self._processor.bos_id(), self._processor.eos_id())
        if ids != (PADDING, UNKNOWN, START, END):
            raise ArtifactError("a SentencePiece model numbers its special pieces otherwise; train the translator")

    def __len__(self) -> int:
        """How many sub-words there are, the special ones included."""
        return int(self._processor.get_piece_size())

    def encode(self, sentence: str) -> tuple[list[int], list[str]]:
        """The numbers of a masked sentence's sub-words, and how each stands in it, a space before it as ``SPACE``."""
        pieces: list[str] = self._processor.encode(sentence, out_type=str)
        return self._processor.piece_to_id(pieces), pieces

    def decode(self, numbers: list[int]) -> str:
        """The masked sentence that sub-words spell."""
        sentence: str = self._processor.decode(numbers)
        return sentence

    def words(self) -> list[bool]:
        """Of each sub-word, whether it is or begins a word: two Chinese characters, or two letters after a space."""
        return [_WORD.fullmatch(piece) is not None for piece in self.spelling(list(range(len(self))))]

    def spelling(self, numbers: list[int]) -> list[str]:
        """How each sub-word is spelt, a space before it as ``SPACE``."""
        pieces: list[str] = self._processor.id_to_piece(numbers)
        return pieces
