"""Debian's index of packages as a graph of four kinds of nodes: packages, their sources, maintainers and sections."""

import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from model_serving.training.datasets.packages import CACHE, DatasetError, Package

PACKAGE, SOURCE, MAINTAINER, SECTION = KINDS = ("package", "source", "maintainer", "section")
SECTIONS = ("editors", "education", "electronics", "hamradio", "mail", "news", "shells", "vcs", "video", "xfce")
"""The sections whose packages are in the graph: small ones, apart in what they are about."""


@dataclass(frozen=True)
class PackageIndex(Package):
    """The index that apt keeps of a release of Debian, whose signature apt has checked."""

    registry: ClassVar[str] = "Debian"
    separator: ClassVar[str] = " "

    def _client(self, requirement: str) -> list[str]:
        target = subprocess.run(
            ["apt-get", "indextargets", "--format", "$(FILENAME)", "Created-By: Packages", *self._which()],
            capture_output=True,
            text=True,
        )
        if not target.stdout.strip():
            raise DatasetError(
                f"apt has no index of {self.release}; run apt-get update with that release in its sources"
            )
        helper = '/usr/lib/apt/apt-helper cat-file "$0" > "$1"'
        return ["sh", "-c", helper, target.stdout.split()[0], str(CACHE / self.archive)]

    def _which(self) -> list[str]:
        codename, component, architecture = self.version.split("/")
        return [f"Codename: {codename}", f"Component: {component}", f"Architecture: {architecture}"]


DEBIAN_INDEX = PackageIndex(
    name="Packages",
    version="bookworm/main/amd64",
    archive="Packages-bookworm-main-amd64",
    sha256="515e692f2c4121c6fcec444ef100cc18f79a991910615f3a88c8b7becfc94d2f",
    licence="free for any use; the descriptions of packages, which have licences of their own, are not read",
)


@dataclass(frozen=True)
class Entry:
    """What the index says of one package."""

    package: str
    source: str
    maintainer: str
    section: str


def load() -> list[Entry]:
    """The packages of ``SECTIONS``."""
    lines = DEBIAN_INDEX.fetch().read_text(encoding="utf-8").split("\n")
    return [entry for entry in read(lines) if entry.section in SECTIONS]


def read(lines: Iterable[str]) -> Iterator[Entry]:
    """The packages of an index, whose paragraphs end with an empty line."""
    fields: dict[str, str] = {}
    for line in [*lines, ""]:
        name, found, value = line.partition(": ")
        if found and not name.startswith(" "):
            fields[name] = value
        elif not line and fields:
            package = fields["Package"]
            source = fields.get("Source", package).split()[0]
            maintainer = fields["Maintainer"].partition(" <")[0].strip('"')
            yield Entry(package, source, maintainer, fields["Section"])
            fields = {}
