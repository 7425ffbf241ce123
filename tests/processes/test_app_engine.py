"""The deployed files as App Engine runs them: an ordinary user who may write to /tmp alone, and little memory."""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import yaml
from pathspec import GitIgnoreSpec

MIB = 1 << 20
# Instance classes of the second generation, in MiB
MEMORY = {"F1": 384, "F2": 768, "F4": 1536, "F4_1G": 3072, "B1": 384, "B2": 768, "B4": 1536, "B4_1G": 3072, "B8": 3072}


@pytest.fixture(scope="module")
def config(root):
    return yaml.safe_load((root / "app.yaml").read_text())


@pytest.fixture(scope="module")
def deployed(root):
    """The paths that .gcloudignore lets through, as gcloud walks them: an ignored folder is not entered."""
    ignored = GitIgnoreSpec.from_lines((root / ".gcloudignore").read_text().splitlines())
    found = []
    for folder, folders, files in os.walk(root):
        here = Path(folder).relative_to(root)
        folders[:] = [name for name in folders if not ignored.match_file(f"{here / name}/")]
        found += [here / name for name in files if not ignored.match_file(str(here / name))]
    return found


@pytest.fixture(scope="module")
def ordinary_user():
    """What to put before a command so that it runs as somebody who owns nothing here."""
    if os.getuid() != 0:
        return []
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    # An interpreter in root's home is out of reach without the right to read, though not to write, everything
    reader = [*nobody, "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
    for prefix in (nobody, reader):
        if subprocess.run([*prefix, sys.executable, "-c", "import gunicorn"], capture_output=True).returncode == 0:
            return prefix
    pytest.skip("root may not run Python as another user here")


@pytest.fixture(scope="module")
def disk(root, deployed):
    """The disk of an instance: the service in ``srv``, an empty ``home``; read-only, and all of it as old as time."""
    with tempfile.TemporaryDirectory() as name:
        disk = Path(name)
        (disk / "home").mkdir()
        for path in deployed:
            (disk / "srv" / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / path, disk / "srv" / path)
        for path in [disk, *disk.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
            os.utime(path, (0, 0))
        yield disk


@pytest.fixture(scope="module")
def instance(disk, config, ordinary_user, serve):
    """The running service; whoever starts it is set up after the disk and so ends it before that goes."""
    path = f"{sys.prefix}/bin:/usr/bin:/bin"
    program, *arguments = shlex.split(config["entrypoint"])
    assert arguments == ["-c", "conf/gunicorn.conf.py"]
    return serve(
        command=[*ordinary_user, shutil.which(program, path=path)],
        folder=disk / "srv",
        inherited={"PATH": path, "HOME": str(disk / "home"), "GAE_ENV": "standard"},
        **config["env_variables"],
    )


def peak(pid):
    """The most memory a process may have held, in MiB: what it holds, pages shared with another by halves, and what it
    held for a while."""
    held = amounts(f"/proc/{pid}/status")
    return amounts(f"/proc/{pid}/smaps_rollup")["Pss"] + held["VmHWM"] - held["VmRSS"]


def amounts(file):
    """The lines of a file of the kernel that tell kB, in MiB."""
    lines = (line.split() for line in Path(file).read_text().splitlines() if line.endswith(" kB"))
    return {name.rstrip(":"): int(amount) / 1024 for name, amount, _ in lines}


def test_what_is_deployed_serves_and_nothing_more(deployed):
    names = {path.parts[0] for path in deployed}
    assert names == {"main.py", "requirements.txt", "conf", "data", "model_serving"}
    assert not [path for path in deployed if {"training", "__pycache__"} & set(path.parts)]


def test_what_is_deployed_is_within_the_limits_of_an_upload(root, deployed):
    assert len(deployed) < 10_000
    folders = [path.parent for path in deployed]
    assert max(map(folders.count, folders)) < 1000
    assert max((root / path).stat().st_size for path in deployed) < 32 * MIB


def test_the_configuration_asks_for_what_we_rely_on(config):
    assert config["runtime"] == "python311"
    assert "warmup" in config["inbound_services"]


def test_an_instance_warms_up_and_answers_within_its_memory_and_writes_nowhere_else(instance, disk, config):
    assert instance.get("/_ah/warmup").json() == {"status": "ready"}
    names = instance.post("/v1/BiLSTMCRF", json={"text": "江泽民在北京会见了克林顿。", "task": "ner"})
    assert names.status_code == 200
    long = {"text": "天地玄黄宇宙洪荒" * 2500, "task": "pos", "confidence": True}
    assert instance.post("/v1/BiLSTMCRF", json=long).status_code == 200

    processes = [instance.process.pid, *instance.workers()]
    assert len(processes) == 2
    assert sum(map(peak, processes)) < MEMORY[config["instance_class"]]

    assert not [path for path in [disk, *disk.rglob("*")] if path.stat().st_mtime]
    log = instance.log.read_text()
    assert not [word for word in ("WARNING", "ERROR", "Errno", "Traceback") if word in log], log
