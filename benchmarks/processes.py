"""Servers as processes: started on a free port, measured as a whole, ended with everything that they started."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from model_serving.client import Client, ClientError

ROOT = Path(__file__).resolve().parents[1]

SECONDS_TO_START = 180
SECONDS_TO_STOP = 20

DISTURBED = 0.05
"""Share of the machine's processors that other processes may take; what was seen while they took more is not kept."""

MOST_TRIES = 5
SECONDS_TO_CALM = 60

_TICKS = os.sysconf("SC_CLK_TCK")

Result = TypeVar("Result")


class Session:
    """A command in a session of its own, and all processes in that session.

    Args:
        command: what to run, in the top folder of the repository.
        environment: variables besides our own.
        log: takes what it prints on stderr.
        pipes: whether stdin and stdout are pipes to us; else stdout goes to ``log`` too.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], log: Path, *, pipes: bool = False):
        self.log = log
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
                stdin=subprocess.PIPE if pipes else subprocess.DEVNULL,
                stdout=subprocess.PIPE if pipes else output,
                stderr=output,
                text=True,
                start_new_session=True,
            )

    def members(self) -> list[int]:
        """The processes that live."""
        return [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if self._holds(pid)]

    def pss(self) -> float:
        """MiB of memory, what is shared counted in proportion."""
        return sum(map(pss_kib, self.members())) / 1024

    def processor_seconds(self) -> float:
        """User and system time so far, of ended children too."""
        return sum(sum(map(int, _stat(pid)[11:15])) for pid in self.members()) / _TICKS

    def read_line(self) -> str:
        """What it prints next; needs ``pipes``."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("it ended without its answer")
        return line

    def write_line(self, line: str) -> None:
        """Give it a line to read; needs ``pipes``."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def ended(self) -> bool:
        """Whether the command itself is over."""
        return self.process.poll() is not None

    def end(self) -> None:
        """Ask the command to end, wait, and kill what is left of the session."""
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(SECONDS_TO_STOP)
        for pid in self.members():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()

    def _holds(self, pid: int) -> bool:
        fields = _stat(pid)
        return fields[0] != "Z" and int(fields[3]) == self.process.pid


Running = contextlib.AbstractContextManager[Session]


def end_by_exception() -> None:
    """Let SIGTERM raise here as ctrl-C does, so that the sessions are ended and nothing is left behind."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


@contextlib.contextmanager
def running(
    command: Sequence[str], environment: Mapping[str, str] | None = None, *, pipes: bool = False
) -> Iterator[Session]:
    """A session that ends with the block; its log is shown when the block fails."""
    with tempfile.TemporaryDirectory() as folder:
        session = Session(command, environment or {}, Path(folder) / "log", pipes=pipes)
        try:
            yield session
        except Exception as error:
            error.add_note(f"{' '.join(command)} printed at its end:\n{session.log.read_text()[-2000:]}")
            raise
        finally:
            session.end()


@contextlib.contextmanager
def serving(
    command: Callable[[int], Sequence[str]], path: str, body: bytes, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[Session, int]]:
    """A server and its port, from its first good answer to ``body`` on; ``PORT`` is in its environment too."""
    port = free_port()
    with running(command(port), {"HOST": "127.0.0.1", "PORT": str(port), **(environment or {})}) as session:
        deadline = time.monotonic() + SECONDS_TO_START
        while not _answers(port, path, body):
            if session.ended() or time.monotonic() > deadline:
                raise RuntimeError("the server does not answer")
            time.sleep(0.1)
        yield session, port


@dataclass(frozen=True)
class Observation(Generic[Result]):
    """What ran, the processor seconds of the sessions meanwhile, and the share of the machine that others took."""

    result: Result
    spent: float
    others: float


def observe(run: Callable[[], Result], sessions: Sequence[Session]) -> Observation[Result]:
    """Run something beside ``sessions`` on a calm machine; again, a few times at most, where it did not stay so."""
    for _ in range(MOST_TRIES):
        _await_calm(sessions)
        watch = _Watch(sessions)
        observation = Observation(run(), *watch.read())
        if observation.others <= DISTURBED:
            break
        print(f"Other processes took {observation.others:.0%} of the machine.", file=sys.stderr)
    return observation


class _Watch:
    """Counts processor time from now on."""

    def __init__(self, sessions: Sequence[Session]):
        self._sessions = sessions
        self._began = self._times()

    def read(self) -> tuple[float, float]:
        """The processor seconds of the sessions, and the share of the machine that took no part in this."""
        seconds, busy, own, spent = (now - then for now, then in zip(self._times(), self._began, strict=True))
        return spent, max(0.0, busy - own - spent) / seconds / (os.cpu_count() or 1)

    def _times(self) -> tuple[float, float, float, float]:
        busy = sum(map(int, Path("/proc/stat").read_text().split()[1:4])) / _TICKS
        spent = sum(session.processor_seconds() for session in self._sessions)
        return time.monotonic(), busy, time.process_time(), spent


def _await_calm(sessions: Sequence[Session]) -> None:
    """Wait until other processes leave the machine alone for a second, but not for ever."""
    deadline = time.monotonic() + SECONDS_TO_CALM
    others = 1.0
    while others > DISTURBED and time.monotonic() < deadline:
        watch = _Watch(sessions)
        time.sleep(1)
        _, others = watch.read()


def ask(port: int, path: str, body: bytes) -> Any:
    """The ``result`` of one request.

    Raises:
        ClientError: there was none.
    """
    with Client(f"http://127.0.0.1:{port}", timeout=60, retries=0) as client:
        return client.post(path.removeprefix("/v1/"), **json.loads(body))


def free_port() -> int:
    """A port of the loopback address that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port


def _answers(port: int, path: str, body: bytes) -> bool:
    try:
        ask(port, path, body)
    except ClientError:
        return False
    return True


def pss_kib(pid: int) -> int:
    """KiB of memory of a process, what is shared counted in proportion; of no process, 0."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def _stat(pid: int) -> list[str]:
    """The fields of ``/proc/<pid>/stat`` behind the name of the command, state first; of no process, zeros."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ["Z", *["0"] * 20]
