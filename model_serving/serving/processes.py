"""The processes of one server, and the folder in memory in which they count together.

The master loads the models, workers are numbered from 1. Each keeps its counts in files of its own, and whoever is
asked adds them up. A worker that takes the place of a dead one takes its number and goes on from its counts: nothing is
lost, and the folder does not grow however often workers die.
"""

import atexit
import fcntl
import os
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from prometheus_client import values
from prometheus_client.multiprocess import mark_process_dead

MASTER = "master"
PREFIX = "model_serving-"

_PSS = re.compile(r"^Pss: +(\d+) kB$", re.MULTILINE)

_folder: Path | None = None
_name = MASTER


def share(parent: str) -> None:
    """Count together with all processes forked from now on, in a new folder under ``parent``.

    For the master, before it makes a metric. The folder goes when the master ends, or, where that was killed, when the
    next one starts. A second call keeps the first one's: gunicorn reads its conf again on SIGHUP.
    """
    global _folder
    if _folder is None:
        _sweep(Path(parent))
        _folder = _make(parent)
        atexit.register(_remove, _folder, os.getpid())
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(_folder)
        values.ValueClass = values.MultiProcessValue(lambda: _name)  # type: ignore[no-untyped-call]
        enter(MASTER)


def folder() -> Path | None:
    """Where the counts are, or None in a process that counts alone."""
    return _folder


def enter(name: str) -> None:
    """Count as ``name`` from now on, which no other living process may do; for a worker, before its threads start."""
    global _name
    _name = name
    if _folder is not None:
        (_folder / f"{name}.pid").write_text(str(os.getpid()))


def leave(name: str) -> None:
    """Forget what the dead process had at that moment, not what it counted; for the master, when a worker is gone."""
    if _folder is not None:
        mark_process_dead(name, str(_folder))  # type: ignore[no-untyped-call]
        (_folder / f"{name}.pid").unlink(missing_ok=True)


def memory() -> dict[str, int]:
    """Each process by name with its proportional set size in bytes: its pages, shared ones divided by who shares them.

    A process whose pages may not be read, or that has just ended, is left out.
    """
    pids = {_name: "self"}
    for file in [] if _folder is None else sorted(_folder.glob("*.pid")):
        with suppress(FileNotFoundError):
            pids[file.stem] = file.read_text()
    sizes = {name: _pss(pid) for name, pid in pids.items()}
    return {name: size for name, size in sizes.items() if size is not None}


def _pss(pid: str) -> int | None:
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return None
    found = _PSS.search(rollup)
    return int(found[1]) * 1024 if found else None


def _make(parent: str) -> Path:
    """A new folder, locked from before it has its name until the last process that inherits the lock has ended."""
    folder = Path(tempfile.mkdtemp(prefix=f".{PREFIX}", dir=parent))
    fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_SH)
    return folder.rename(folder.with_name(folder.name[1:]))


def _sweep(parent: Path) -> None:
    """Take away the folders whose processes were all killed."""
    for folder in parent.glob(f"{PREFIX}*"):
        with suppress(OSError):  # it is locked, or another user's
            lock = os.open(folder, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder)
            finally:
                os.close(lock)


def _remove(folder: Path, owner: int) -> None:
    """Workers inherit this with the rest of the master, and must not do it."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
