"""Help texts: the pages of LibreOffice Help in English and Chinese, joined paragraph by paragraph."""

from collections.abc import Iterator
from html.parser import HTMLParser

from model_serving.training.datasets.packages import DebianPackage
from model_serving.training.datasets.parallel import Pair, ParallelSource, drawn

ENGLISH = DebianPackage.of(
    "libreoffice-help-en-us",
    "4:7.4.7-1+deb12u14",
    "8faa840285734d6cfe1ed25537b48f07e74bd6412e3917bf8e5f8a653f7b3712",
    "MPL-2.0",
)
CHINESE = DebianPackage.of(
    "libreoffice-help-zh-cn",
    "4:7.4.7-1+deb12u14",
    "db867cdece4c2f9c7eebe65e519c6cf386fdcf49d6e061db3dffec893b3e1dee",
    "MPL-2.0",
)
FOLDER = "usr/share/libreoffice/help/{}/text/"


def load() -> Iterator[Pair]:
    """The paragraphs that both languages have under one identifier; the group is the page."""
    translated = dict(_pages(CHINESE, "zh-CN"))
    for page, content in _pages(ENGLISH, "en-US"):
        chinese = paragraphs(translated.get(page, ""))
        for identifier, english in paragraphs(content).items():
            if identifier in chinese:
                yield Pair(english, chinese[identifier], page)


def paragraphs(page: str) -> dict[str, str]:
    """The text of each paragraph and heading of a page by its identifier."""
    parser = _Paragraphs()
    parser.feed(page)
    return {identifier: text for identifier, text in parser.found.items() if text.strip()}


def _pages(package: DebianPackage, language: str) -> Iterator[tuple[str, str]]:
    folder = FOLDER.format(language)
    for path, content in package.files(folder):
        if path.endswith(".html"):
            yield path.removeprefix(folder), content.decode("utf-8")


class _Paragraphs(HTMLParser):
    """Collects the text inside elements whose id begins with ``par_`` or ``hd_``; none stands inside another."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self._tag = ""
        self._identifier = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        identifier = dict(attributes).get("id") or ""
        if identifier.startswith(("par_", "hd_")):
            self._tag, self._identifier = tag, identifier
            self.found[identifier] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == self._tag:
            self._tag = ""

    def handle_data(self, data: str) -> None:
        if self._tag:
            self.found[self._identifier] += data


SOURCE = ParallelSource(
    name="help",
    packages=(ENGLISH, CHINESE),
    read=load,
    part_of=drawn(dev=4, test=6),
    split="pages: 4 in 100 are dev, 6 test, drawn by a hash of their paths",
)
