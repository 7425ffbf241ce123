"""The service as ``bin/start.sh`` starts it, and those who call it."""

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

from benchmarks import load, processes
from benchmarks.load import Answer, Connections

CONNECTIONS = 32


class Service:
    """A running service of its own, with the scripts of ``bin/`` for it."""

    def __init__(self, folder: Path, workers: int):
        self.port = processes.free_port()
        self._folder = folder
        here = {"RUN_DIR": str(folder), "HOST": "127.0.0.1", "PORT": str(self.port), "WORKERS": str(workers)}
        self._environment = {**os.environ, **here, "VENV": sys.prefix}
        self.script("start.sh")

    def script(self, name: str) -> None:
        """Run one; it must succeed."""
        command = [processes.ROOT / "bin" / name]
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{name} failed: {done.stdout}{done.stderr}")

    def master(self) -> int:
        """Its pid."""
        return int((self._folder / "server.pid").read_text())

    def workers(self) -> list[int]:
        """The pids of the master's children."""
        master = self.master()
        return [int(pid) for pid in Path(f"/proc/{master}/task/{master}/children").read_text().split()]

    def ready_workers(self) -> list[int]:
        """The pids of the workers that are warm."""
        return [pid for pid in self.workers() if (self._folder / f"{pid}.ready").exists()]

    def pss(self) -> float:
        """MiB of all its processes, what is shared counted in proportion."""
        return sum(processes.pss_kib(pid) for pid in [self.master(), *self.workers()]) / 1024


@contextmanager
def service(workers: int = 2) -> Iterator[Service]:
    """A service that stops with the block."""
    with tempfile.TemporaryDirectory() as folder:
        running = Service(Path(folder), workers)
        try:
            yield running
        finally:
            running.script("stop.sh")


class Caller(threading.Thread):
    """Keeps so many requests under way, one after another, until it is told to end; ``answers`` holds what came."""

    def __init__(self, port: int, requests: Sequence[bytes], connections: int = CONNECTIONS):
        super().__init__()
        self.answers: list[Answer] = []
        self._port = port
        self._requests = requests
        self._connections = connections
        self._ended = threading.Event()

    def run(self) -> None:
        """Call."""
        upcoming = cycle(self._requests)
        with Connections(self._port) as line:
            for _ in range(self._connections):
                line.send(next(upcoming), due=load.clock())
            while not self._ended.is_set():
                for answer in line.answers(1.0):
                    self.answers.append(answer)
                    line.send(next(upcoming), due=load.clock())
            self.answers += line.rest()

    def end(self) -> int:
        """Wait for the requests under way; how many of all failed."""
        self._ended.set()
        self.join()
        return sum(answer.status != 200 for answer in self.answers)


def p95(port: int, requests: Sequence[bytes], rate: float, seconds: float = 8) -> float:
    """Seconds that 95 of 100 requests take that are due ``rate`` times a second whatever the server does."""
    found: list[Answer] = []
    upcoming, began = cycle(requests), load.clock()
    with Connections(port) as line:
        for place in range(int(rate * seconds)):
            due = began + place / rate
            while (left := due - load.clock()) > 0:
                found += line.answers(left)
            line.send(next(upcoming), due=due)
        found += line.rest()
    return load.percentile([answer.at - answer.due for answer in found], 0.95)


def send(port: int, requests: Sequence[bytes], count: int) -> int:
    """Send so many requests over ``CONNECTIONS`` connections; how many failed."""
    upcoming = cycle(requests)
    failed = 0
    with Connections(port) as line:
        for _ in range(CONNECTIONS):
            line.send(next(upcoming), due=load.clock())
        sent = CONNECTIONS
        while sent < count:
            for answer in line.answers(10.0):
                failed += answer.status != 200
                line.send(next(upcoming), due=load.clock())
                sent += 1
        return failed + sum(answer.status != 200 for answer in line.rest())
