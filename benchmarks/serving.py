"""Measure the service beside its peers, all in one run, on the BiLSTM-CRF and its task ner.

Usage:
  serving.py [--only <peers>] [--connections <counts> | --rate <rates>] [--seconds <s>] [--rounds <n>] [--json]
  serving.py -h | --help

Options:
  --only <peers>          Some of limit, service, textbook, litserve; else all.
  --connections <counts>  Closed loop: connections, each with one request under way [default: 1,8,32,128].
  --rate <rates>          Open loop instead: requests a second, sent on schedule whatever the server does.
  --seconds <s>           How long each measurement takes [default: 6].
  --rounds <n>            How often the peers take turns; the tables hold medians [default: 3].
  --json                  Print every measurement as a line of JSON as it comes, and no tables.
  -h --help               Show this text.

Peers: ``limit``, the model in process without a server; ``service``, this one as bin/start.sh starts it; ``textbook``,
Flask-RESTful with the model called in the handler; ``litserve``, LitServe with batching, in an environment of its own
that is made under .cache/benchmarks the first time. Each runs alone, on a free loopback port, and must answer what the
model answers in process. Needs Linux and requirements.txt; benchmarks/load.py tells how requests are sent.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import fmean, median
from typing import Any

from docopt import docopt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import environment, load, processes
from benchmarks.load import Reading
from benchmarks.peers.contract import PATH
from benchmarks.sentences import BODIES
from benchmarks.tables import machine_class, number, table
from model_serving.utils import machine

REQUESTS = [load.request(PATH, body) for body in BODIES]
BATCH = 32
PROCESSORS = machine.processors()

Load = Callable[[int], Reading]
"""A way to load the server on a port."""


@dataclass(frozen=True)
class Measurement:
    """A reading of a peer under a load; ``pss`` in MiB over all of its processes, taken right after.

    ``others`` is the share of the machine's processors that processes of no part in it took meanwhile.
    """

    peer: str
    load: str
    reading: Reading
    pss: float
    others: float


@dataclass(frozen=True)
class Summary:
    """All rounds of one peer under one load: medians, errors added up, and the span of the rates."""

    rate: float
    slowest: float
    fastest: float
    p50: float
    p99: float
    errors: int
    generator: float
    pss: float


def service(_: int) -> Sequence[str]:
    """This service; its port comes with the environment."""
    return [sys.executable, "-m", "gunicorn", "-c", "conf/gunicorn.conf.py"]


def textbook(port: int) -> Sequence[str]:
    """The textbook design under gunicorn's default workers, one a processor."""
    options = [f"--bind=127.0.0.1:{port}", f"--workers={PROCESSORS}"]
    return [sys.executable, "-m", "gunicorn", *options, "benchmarks.peers.textbook:app"]


def litserve(port: int) -> Sequence[str]:
    """LitServe in its own environment, one worker a processor."""
    return [str(environment.python("litserve")), "-m", "benchmarks.peers.litserve_tagger", str(port), str(PROCESSORS)]


LIMIT = "limit"
SERVERS = {"service": service, "textbook": textbook, "litserve": litserve}
TITLES = {LIMIT: "in process", "service": "this service", "textbook": "textbook", "litserve": "LitServe"}


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    processes.end_by_exception()
    peers = (arguments["--only"] or ",".join(TITLES)).split(",")
    if unknown := set(peers) - set(TITLES):
        sys.exit(f"--only takes {', '.join(TITLES)}, not {', '.join(unknown)}")
    try:
        seconds, rounds = float(arguments["--seconds"]), int(arguments["--rounds"])
        loads = _loads(arguments["--connections"], arguments["--rate"], seconds)
    except ValueError as error:
        sys.exit(f"--connections, --rate, --seconds and --rounds take numbers: {error}")
    if "litserve" in peers:
        environment.make("litserve")
    found = []
    for measurement in measure(peers, loads, seconds, rounds):
        found.append(measurement)
        if arguments["--json"]:
            print(json.dumps(asdict(measurement)), flush=True)
    if not arguments["--json"]:
        noise = max(each.others for each in found)
        rounds_of = f"Medians of {rounds} rounds of {seconds:g} s; others took at most {noise:.0%} of the machine."
        print(report(found, f"{machine_class(PROCESSORS)} {rounds_of}"))


def measure(peers: list[str], loads: dict[str, Load], seconds: float, rounds: int) -> Iterator[Measurement]:
    """Let the peers take turns, another one first in each round."""
    expected = answers()
    for turn in range(rounds):
        first = turn % len(peers)
        for peer in peers[first:] + peers[:first]:
            print(f"Round {turn + 1} of {rounds}: {TITLES[peer]} ...", file=sys.stderr)
            yield from limits(seconds) if peer == LIMIT else under_load(peer, loads, expected)


def under_load(peer: str, loads: dict[str, Load], expected: list[Any]) -> Iterator[Measurement]:
    """A server, warmed up, under each load."""
    with processes.serving(SERVERS[peer], PATH, BODIES[0]) as (session, port):
        if [processes.ask(port, PATH, body) for body in BODIES] != expected:
            raise RuntimeError(f"{TITLES[peer]} answers otherwise than the model in process")
        load.closed(port, REQUESTS, connections=BATCH, seconds=3)
        for name, run in loads.items():
            seen = processes.observe(partial(run, port), [session])
            yield Measurement(peer, name, seen.result, session.pss(), seen.others)


def limits(seconds: float) -> Iterator[Measurement]:
    """The model without a server: one sentence at a time in one process, then batches in a process a processor."""
    yield in_process("1 process, one by one", 1, 1, seconds)
    yield in_process(f"{PROCESSORS} processes, in {BATCH}s", PROCESSORS, BATCH, seconds)


def in_process(name: str, count: int, batch: int, seconds: float) -> Measurement:
    """Processes at the same time: their rates added up, their latencies, of whole batches, averaged."""
    with ExitStack() as stack:
        sessions = [stack.enter_context(_model(batch, seconds)) for _ in range(count)]
        for session in sessions:
            session.read_line()

        def run() -> Reading:
            for session in sessions:
                session.write_line("go")
            found = [json.loads(session.read_line()) for session in sessions]
            answered, rate = (sum(each[name] for each in found) for name in ("answers", "rate"))
            p50, p99 = (fmean(each[name] for each in found) for name in ("p50", "p99"))
            return Reading(answered, rate, p50, p99, errors=0, generator=0)

        seen = processes.observe(run, sessions)
        return Measurement(LIMIT, name, seen.result, sum(session.pss() for session in sessions), seen.others)


def answers() -> list[Any]:
    """What the model answers to the sentences in process."""
    with _model(batch=1, seconds=0) as session:
        found: list[Any] = json.loads(session.read_line())
    return found


def report(found: Sequence[Measurement], circumstances: str) -> str:
    """Two tables: what was measured, and this service in proportion to each peer under the same load."""
    summaries = {
        (load, peer): _summary([each for each in found if (each.load, each.peer) == (load, peer)])
        for load, peer in dict.fromkeys((each.load, each.peer) for each in found)
    }
    loads = list(dict.fromkeys(load for load, _ in summaries))
    ordered = sorted(summaries, key=lambda key: (loads.index(key[0]), list(TITLES).index(key[1])))
    headings = ["load", "peer", "requests/s", "slowest to fastest", "p50 ms", "p99 ms", "errors", "PSS MiB", "sending"]
    measured = table(headings, [_measured(*key, summaries[key]) for key in ordered])
    others = [
        (load, peer) for load, peer in ordered if peer in ("textbook", "litserve") and (load, "service") in summaries
    ]
    compared = table(
        ["load", "this service in proportion to", "requests/s", "p50", "p99", "PSS"],
        [_compared(load, peer, summaries[load, "service"], summaries[load, peer]) for load, peer in others],
    )
    return "\n\n".join([circumstances, measured, *([compared] if others else [])])


def _loads(connections: str, rates: str | None, seconds: float) -> dict[str, Load]:
    """Each load by its name in the tables."""
    if rates is not None:
        return {
            f"{rate:g} a second": partial(load.opened, requests=REQUESTS, rate=rate, seconds=seconds)
            for rate in map(float, rates.split(","))
        }
    return {
        f"{count} connection{'s' if count > 1 else ''}": partial(
            load.closed, requests=REQUESTS, connections=count, seconds=seconds
        )
        for count in map(int, connections.split(","))
    }


def _model(batch: int, seconds: float) -> processes.Running:
    command = [sys.executable, "-m", "benchmarks.peers.in_process", str(batch), str(seconds)]
    return processes.running(command, pipes=True)


def _summary(rounds: Sequence[Measurement]) -> Summary:
    readings = [each.reading for each in rounds]
    rates = [reading.requests_per_second for reading in readings]
    return Summary(
        rate=median(rates),
        slowest=min(rates),
        fastest=max(rates),
        p50=median(reading.p50 for reading in readings),
        p99=median(reading.p99 for reading in readings),
        errors=sum(reading.errors for reading in readings),
        generator=median(reading.generator for reading in readings),
        pss=median(each.pss for each in rounds),
    )


def _measured(load: str, peer: str, seen: Summary) -> list[str]:
    span = f"{number(seen.slowest)} to {number(seen.fastest)}"
    times = [number(seen.p50), number(seen.p99)]
    sending = f"{100 * seen.generator:.1f} %" if peer != LIMIT else ""
    return [load, TITLES[peer], number(seen.rate), span, *times, str(seen.errors), number(seen.pss), sending]


def _compared(load: str, peer: str, ours: Summary, theirs: Summary) -> list[str]:
    pairs = [(ours.rate, theirs.rate), (ours.p50, theirs.p50), (ours.p99, theirs.p99), (ours.pss, theirs.pss)]
    return [load, TITLES[peer], *(f"{mine / other:.2f}" for mine, other in pairs)]


if __name__ == "__main__":
    main()
