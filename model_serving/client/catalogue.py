"""A gettext catalogue: which of its entries want a translation, and its file with these filled in.

Lines of other entries are never written anew, so a version control system shows what was filled and nothing else.
"""

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polib

FUZZY = "fuzzy"
CREDITS = ("translator-credits", "translator_credits", "Your names", "Your emails", "NAME OF TRANSLATORS")
"""Messages that stand for the translators' names."""

_PLURALS = re.compile(r"nplurals\s*=\s*(\d+)")
_STRING = ('"', "msgstr")


class CatalogueError(Exception):
    """A file that can not be read or written, or no catalogue; the message names the remedy."""


@dataclass(frozen=True)
class Wanted:
    """A translation that an entry lacks: of its text ``original``, for the plural ``form`` or for the whole entry."""

    entry: polib.POEntry
    original: str
    form: int | None = None


class Catalogue:
    """A catalogue and the file it was read from.

    Raises:
        CatalogueError: the file can not be read as one.
    """

    def __init__(self, path: Path):
        try:
            self.encoding = polib.detect_encoding(str(path))
            self.content = path.read_bytes().decode(self.encoding)
            self.entries = polib.pofile(str(path), encoding=self.encoding)
        except OSError as error:
            raise CatalogueError(f"{path} can not be read: {error.strerror or error}") from error
        except (UnicodeDecodeError, LookupError) as error:
            raise CatalogueError(f"{path} is not in the encoding that its header names: {error}") from error

    @property
    def language(self) -> str:
        """The language translated into, as the header has it: ``zh_CN``; empty where it is silent."""
        return str(self.entries.metadata.get("Language", ""))

    @property
    def plurals(self) -> int | None:
        """How many plural forms the header says there are."""
        found = _PLURALS.search(self.entries.metadata.get("Plural-Forms", ""))
        return int(found[1]) if found else None

    def pairs(self) -> list[tuple[str, str]]:
        """All originals with their translations, empty where there is none or it is uncertain."""
        return [(entry.msgid, "" if entry.fuzzy else entry.msgstr) for entry in self.entries if not entry.obsolete]

    def blank(self) -> list[polib.POEntry]:
        """The entries without any translation."""
        return [
            entry
            for entry in self.entries
            if not entry.obsolete and not entry.msgstr and not any(entry.msgstr_plural.values())
        ]

    def wanted(self, entry: polib.POEntry) -> list[Wanted] | str:
        """The translations that a blank entry lacks, or why there can be none."""
        if entry.msgid in CREDITS:
            return "names the translators"
        if not entry.msgid_plural:
            return [Wanted(entry, entry.msgid)]
        if self.plurals == 1:
            return [Wanted(entry, entry.msgid_plural, 0)]
        if self.plurals == 2:
            return [Wanted(entry, entry.msgid, 0), Wanted(entry, entry.msgid_plural, 1)]
        told = f"{self.plurals} plural forms" if self.plurals else "no Plural-Forms"
        return f"the header has {told}; one or two can be filled"

    def written(self, filled: list[polib.POEntry]) -> str:
        """The file's content with these entries as they are now, all other lines as they were."""
        lines = self.content.splitlines(keepends=True)
        ending = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
        starts = sorted({line_of(entry) - 1 for entry in self.entries})
        ends = dict(zip(starts, [*starts[1:], len(lines)], strict=True))
        for entry in sorted(filled, key=line_of, reverse=True):
            start = line_of(entry) - 1
            block = range(start, ends[start])
            end = max(number for number in block if lines[number].lstrip().startswith(_STRING)) + 1
            made = str(entry).rstrip("\n").split("\n")
            lines[start:end] = [line + ending for line in made]
        return "".join(lines)

    def write(self, path: Path, filled: list[polib.POEntry]) -> None:
        """Write the content to ``path``, whole or not at all.

        Raises:
            CatalogueError: it can not be written.
        """
        try:
            with _replacing(path) as file:
                file.write_bytes(self.written(filled).encode(self.encoding))
        except UnicodeEncodeError as error:
            raise CatalogueError(f"{path} is in {self.encoding}; convert it with msgconv --to-code=UTF-8") from error
        except OSError as error:
            raise CatalogueError(f"{path} can not be written: {error.strerror}") from error


def line_of(entry: polib.POEntry) -> int:
    """Where an entry that was read begins, its comments included, counted from 1."""
    return entry.linenum or 1


def fill(entry: polib.POEntry, translations: dict[int | None, str], comment: str) -> None:
    """Give an entry its translations by plural form, marked as uncertain, with a comment for who reads it."""
    for form, text in translations.items():
        if form is None:
            entry.msgstr = text
        else:
            entry.msgstr_plural[form] = text
    if FUZZY not in entry.flags:
        entry.flags.insert(0, FUZZY)
    entry.tcomment = f"{entry.tcomment}\n{comment}" if entry.tcomment else comment


@contextlib.contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """A file beside ``path`` that takes its place, and its permissions, when all went well."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
