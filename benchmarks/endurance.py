"""What takes minutes to see: reloads, stops and kills under load, memory over many requests.

Usage:
  endurance.py [--only <checks>]
  endurance.py -h | --help

Options:
  --only <checks>  Some of reload, stop, kill, warm, mixing, growth, sharing; else all.
  -h --help        Show this text.

Each check starts the service as bin/start.sh does, on a free loopback port, and prints a row: what was measured, what
it may be at most, and whether it is. Exits 1 when one does not hold.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from statistics import median

from docopt import docopt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import load, processes
from benchmarks.load import Answer, Connections
from benchmarks.peers.contract import PATH
from benchmarks.sentences import SENTENCES
from benchmarks.tables import number, table

CONNECTIONS = 32
TIMES = 10
GROWTH_REQUESTS = 100_000

Row = tuple[str, float, float]
"""What was measured, its value, and what it may be at most."""


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


def post(text: str | list[str]) -> bytes:
    """A request, ready to be sent."""
    return load.request(PATH, json.dumps({"text": text, "task": "ner"}, ensure_ascii=False).encode())


def graph(nodes: int = 1000, edges: int = 5000) -> bytes:
    """A caller's graph to be embedded, which takes seconds, ready to be sent."""
    shuffle = random.Random(1)
    ends = [[str(shuffle.randrange(nodes)), str(shuffle.randrange(nodes))] for _ in range(edges)]
    return load.request("/v1/Node2Vec", json.dumps({"action": "vectors", "nodes": ["1"], "edges": ends}).encode())


class Caller(threading.Thread):
    """Keeps so many requests under way, one after another, until it is told to end; ``answers`` holds what came."""

    def __init__(self, port: int, requests: Sequence[bytes] = (), connections: int = CONNECTIONS):
        super().__init__()
        self.answers: list[Answer] = []
        self._port = port
        self._requests = requests or [post(sentence) for sentence in SENTENCES]
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


def reloads() -> list[Row]:
    """Reload again and again under load."""
    with service() as running:
        caller = Caller(running.port)
        caller.start()
        for _ in range(TIMES):
            running.script("reload.sh")
        failed = caller.end()
    return [(f"failed of {len(caller.answers)} requests during {TIMES} reloads", failed, 0)]


def stops() -> list[Row]:
    """Stop with requests under way, each of many sentences."""
    failed = 0
    for _ in range(TIMES):
        with service() as running, Connections(running.port) as line:
            for _ in range(CONNECTIONS):
                line.send(post(list(SENTENCES)), due=load.clock())
            time.sleep(0.2)
            running.script("stop.sh")
            failed += sum(answer.status != 200 for answer in line.rest())
    return [(f"failed of {CONNECTIONS * TIMES} requests under way at {TIMES} stops", failed, 0)]


def kills() -> list[Row]:
    """Kill a worker under load; its running requests are lost, and nothing else."""
    with service() as running:
        caller = Caller(running.port)
        caller.start()
        time.sleep(2)
        victim = running.workers()[0]
        os.kill(victim, signal.SIGKILL)
        began = time.monotonic()
        while len(set(running.ready_workers()) - {victim}) < 2:
            time.sleep(0.01)
        recovered = time.monotonic() - began
        time.sleep(2)
        failed = caller.end()
    return [
        (f"failed of {len(caller.answers)} requests with a worker killed", failed, CONNECTIONS),
        ("seconds until the killed worker's successor was warm", recovered, 5),
    ]


def warmth() -> list[Row]:
    """The first request to fresh workers against their hundredth."""
    ratios = []
    for _ in range(5):
        with service(workers=1) as running, Connections(running.port) as line:
            seconds = []
            for _ in range(110):
                began = load.clock()
                line.send(post(SENTENCES[8]), due=began)
                while not list(line.answers(10.0)):
                    pass
                seconds.append(load.clock() - began)
        ratios.append(seconds[0] / median(seconds[90:]))
    return [("first request, as a multiple of those around the hundredth (median of 5 starts)", median(ratios), 3)]


def mixing() -> list[Row]:
    """Short texts beside long ones, one model's requests beside a flood of another's, and beside callers' graphs."""
    text = "".join(SENTENCES)
    short, long = [post(sentence[:5]) for sentence in SENTENCES], post(text[:500])
    other = [load.request("/v1/HMM", json.dumps({"text": sentence}).encode()) for sentence in SENTENCES]
    with service() as running, ThreadPoolExecutor(1) as pool:
        port = running.port
        alone = _p95(port, short, rate=40)
        stream = pool.submit(_p95, port, [long], rate=20)
        beside_long = _p95(port, short, rate=40)
        stream.result()
        other_alone = _p95(port, other, rate=10)
        flood = Caller(port)
        flood.start()
        other_beside_flood = _p95(port, other, rate=10)
        flood.end()
        graphs = Caller(port, [graph()], connections=1)
        graphs.start()
        other_beside_graphs = _p95(port, other, rate=10)
        graphs_failed = graphs.end()
    return [
        ("p95 of texts of 5 characters beside 20 a second of 500, as a multiple of without", beside_long / alone, 3),
        ("p95 of HMM beside a flood to BiLSTMCRF, as a multiple of without", other_beside_flood / other_alone, 3),
        (
            "p95 of HMM while callers' graphs are embedded, as a multiple of without",
            other_beside_graphs / other_alone,
            3,
        ),
        (f"failed of {len(graphs.answers)} of these graphs", graphs_failed, 0),
    ]


def growth() -> list[Row]:
    """Memory over many requests of all lengths."""
    shuffle = random.Random(1)
    text = "".join(SENTENCES)
    requests = [post(text[: shuffle.randrange(1, 200)]) for _ in range(2000)]
    with service() as running:
        _send(running.port, requests, GROWTH_REQUESTS // 10)
        before = running.pss()
        failed = _send(running.port, requests, GROWTH_REQUESTS - GROWTH_REQUESTS // 10)
        after = running.pss()
    return [
        (f"failed of {GROWTH_REQUESTS} requests of 1 to 200 characters", failed, 0),
        ("growth of memory after the first tenth of them, in %", 100 * (after / before - 1), 5),
    ]


def sharing() -> list[Row]:
    """Memory of four workers against that of one."""
    sizes = []
    for workers in (1, 4):
        with service(workers) as running:
            _send(running.port, [post(sentence) for sentence in SENTENCES], 2000)
            sizes.append(running.pss())
    one, four = sizes
    return [(f"MiB of four workers, where one takes {one:.0f}", four, 1.3 * one + 4 * 25)]


def _p95(port: int, requests: Sequence[bytes], rate: float, seconds: float = 8) -> float:
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


def _send(port: int, requests: Sequence[bytes], count: int) -> int:
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


CHECKS: dict[str, Callable[[], list[Row]]] = {
    "reload": reloads,
    "stop": stops,
    "kill": kills,
    "warm": warmth,
    "mixing": mixing,
    "growth": growth,
    "sharing": sharing,
}


def main() -> None:
    """The command line."""
    only = docopt(__doc__)["--only"]
    processes.end_by_exception()
    names = only.split(",") if only else list(CHECKS)
    if unknown := set(names) - set(CHECKS):
        sys.exit(f"No check {', '.join(unknown)}; there are {', '.join(CHECKS)}")
    rows = [row for name in names for row in CHECKS[name]()]
    print(table(("measured", "holds", "value", "at most"), [
        (what, "yes" if value <= most else "NO", number(value), number(most)) for what, value, most in rows
    ]))  # fmt: skip
    sys.exit(any(value > most for _, value, most in rows))


if __name__ == "__main__":
    main()
