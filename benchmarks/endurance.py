"""What takes minutes to see: reloads, stops and kills under load, memory over many requests.

Usage:
  endurance.py [--only <checks>]
  endurance.py -h | --help

Options:
  --only <checks>  Some of reload, stop, kill, warm, mixing, growth, variety, sharing; else all.
  -h --help        Show this text.

Each check starts the service as bin/start.sh does, on a free loopback port, and prints a row: what was measured, what
it may be at most, and whether it is. Exits 1 when one does not hold.
"""

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

from docopt import docopt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import load, processes
from benchmarks.load import Connections
from benchmarks.peers.contract import PATH
from benchmarks.sentences import BODIES, SENTENCES
from benchmarks.service import CONNECTIONS, Caller, p95, send, service
from benchmarks.tables import number, table
from model_serving.resources import RESOURCES

TIMES = 10
GROWTH_REQUESTS = 100_000
VARIED_REQUESTS = 5_000
SENTENCE_EACH = [load.request(PATH, body) for body in BODIES]

Row = tuple[str, float, float]
"""What was measured, its value, and what it may be at most."""


def post(text: str | list[str]) -> bytes:
    """A request, ready to be sent."""
    return load.request(PATH, json.dumps({"text": text, "task": "ner"}, ensure_ascii=False).encode())


def varied(example: dict[str, Any], shuffle: random.Random) -> dict[str, Any]:
    """An example request with a text of another length: its words, or characters, shuffled and repeated."""
    text = example.get("text")
    if not isinstance(text, str):
        return example
    space = " " if " " in text else ""
    parts = text.split() if space else list(text)
    return example | {"text": space.join(shuffle.choices(parts, k=shuffle.randrange(1, 60)))}


def graph(nodes: int = 1000, edges: int = 5000) -> bytes:
    """A caller's graph to be embedded, which takes seconds, ready to be sent."""
    shuffle = random.Random(1)
    ends = [[str(shuffle.randrange(nodes)), str(shuffle.randrange(nodes))] for _ in range(edges)]
    return load.request("/v1/Node2Vec", json.dumps({"action": "vectors", "nodes": ["1"], "edges": ends}).encode())


def reloads() -> list[Row]:
    """Reload again and again under load."""
    with service() as running:
        caller = Caller(running.port, SENTENCE_EACH)
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
        caller = Caller(running.port, SENTENCE_EACH)
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
        alone = p95(port, short, rate=40)
        stream = pool.submit(p95, port, [long], rate=20)
        beside_long = p95(port, short, rate=40)
        stream.result()
        other_alone = p95(port, other, rate=10)
        flood = Caller(port, SENTENCE_EACH)
        flood.start()
        other_beside_flood = p95(port, other, rate=10)
        flood.end()
        graphs = Caller(port, [graph()], connections=1)
        graphs.start()
        other_beside_graphs = p95(port, other, rate=10)
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
        send(running.port, requests, GROWTH_REQUESTS // 10)
        before = running.pss()
        failed = send(running.port, requests, GROWTH_REQUESTS - GROWTH_REQUESTS // 10)
        after = running.pss()
    return [
        (f"failed of {GROWTH_REQUESTS} requests of 1 to 200 characters", failed, 0),
        ("growth of memory after the first tenth of them, in %", 100 * (after / before - 1), 5),
    ]


def variety() -> list[Row]:
    """Memory over requests of all lengths to all models."""
    shuffle = random.Random(1)
    with service() as running:
        requests = [
            load.request(resource.href(), json.dumps(varied(resource.example, shuffle)).encode())
            for resource in shuffle.choices(RESOURCES, k=VARIED_REQUESTS)
        ]
        fifth = VARIED_REQUESTS // 5
        failed, sizes = 0, []
        for first in range(0, VARIED_REQUESTS, fifth):
            failed += send(running.port, requests[first : first + fifth], fifth)
            sizes.append(running.pss())
    return [
        (f"failed of {VARIED_REQUESTS} requests of all lengths to all models", failed, 0),
        ("growth of memory over the last fifth of them, in %", 100 * (sizes[-1] / sizes[-2] - 1), 2),
        ("memory in the end, as a multiple of that after the first fifth", sizes[-1] / sizes[0], 1.5),
    ]


def sharing() -> list[Row]:
    """Memory of four workers against that of one."""
    sizes = []
    for workers in (1, 4):
        with service(workers) as running:
            send(running.port, SENTENCE_EACH, 2000)
            sizes.append(running.pss())
    one, four = sizes
    return [(f"MiB of four workers, where one takes {one:.0f}", four, 1.3 * one + 4 * 25)]


CHECKS: dict[str, Callable[[], list[Row]]] = {
    "reload": reloads,
    "stop": stops,
    "kill": kills,
    "warm": warmth,
    "mixing": mixing,
    "growth": growth,
    "variety": variety,
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
