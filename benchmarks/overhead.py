"""Measure the processor time that a request costs outside the model, beside a textbook handler.

Usage:
  overhead.py [--connections <counts>] [--seconds <s>] [--rounds <n>] [--json]
  overhead.py -h | --help

Options:
  --connections <counts>  Connections, each with one request under way [default: 1,32].
  --seconds <s>           How long each measurement takes [default: 5].
  --rounds <n>            How often the peers take turns; the table holds medians [default: 5].
  --json                  Print every measurement as a line of JSON as it comes, and no table.
  -h --help               Show this text.

The service runs a model with a constant answer through its whole path: listener, reader, validation, batcher, writer,
log. The textbook handlers of Flask-RESTful have CORS on, read the JSON and answer the same constant with ``jsonify``;
one of them calls ``jsonschema.validate`` in between. All run under gunicorn's gthread with the workers and threads of
conf/server.conf. What counts is user and system time of all processes of a server, divided by the requests answered.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median

from docopt import docopt

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import load, processes
from benchmarks.sentences import BODIES
from benchmarks.tables import machine_class, number, table
from model_serving.utils import machine, settings

PROCESSORS = machine.processors()
WARM_UP = 2.0


@dataclass(frozen=True)
class Measurement:
    """Processor milliseconds of a server a request, and requests a second.

    ``others`` is the share of the machine's processors that processes of no part in it took meanwhile.
    """

    peer: str
    connections: int
    milliseconds: float
    requests_per_second: float
    errors: int
    others: float


def service(_: int) -> Sequence[str]:
    """This service around the constant model; its port comes with the environment."""
    return [sys.executable, "-m", "gunicorn", "-c", "conf/gunicorn.conf.py", "benchmarks.peers.constant_service:app"]


def textbook(port: int) -> Sequence[str]:
    """The textbook handlers with as many workers and threads."""
    server = settings.load().server
    counts = [f"--workers={server.workers or PROCESSORS}", f"--threads={server.threads}"]
    options = [f"--bind=127.0.0.1:{port}", "--worker-class=gthread", *counts]
    return [sys.executable, "-m", "gunicorn", *options, "benchmarks.peers.constant_textbook:app"]


PEERS = {
    "this service": (service, "/v1/Constant"),
    "textbook": (textbook, "/v1/Bare"),
    "textbook with validate": (textbook, "/v1/Validated"),
}


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    processes.end_by_exception()
    try:
        seconds, rounds = float(arguments["--seconds"]), int(arguments["--rounds"])
        counts = [int(count) for count in arguments["--connections"].split(",")]
    except ValueError as error:
        sys.exit(f"--connections, --seconds and --rounds take numbers: {error}")
    found = []
    for turn in range(rounds):
        print(f"Round {turn + 1} of {rounds} ...", file=sys.stderr)
        for peer in PEERS if turn % 2 == 0 else reversed(PEERS):
            for measurement in measure(peer, counts, seconds):
                found.append(measurement)
                if arguments["--json"]:
                    print(json.dumps(asdict(measurement)), flush=True)
    if not arguments["--json"]:
        noise = max(each.others for each in found)
        rounds_of = f"Medians of {rounds} rounds of {seconds:g} s; others took at most {noise:.0%} of the machine."
        print(report(found, counts, f"{machine_class(PROCESSORS)} {rounds_of}"))


def measure(peer: str, counts: Sequence[int], seconds: float) -> Iterator[Measurement]:
    """One server, warmed up, with each number of connections."""
    command, path = PEERS[peer]
    requests = [load.request(path, body) for body in BODIES]
    with processes.serving(command, path, BODIES[0]) as (session, port):
        load.closed(port, requests, connections=max(counts), seconds=WARM_UP)
        for count in counts:
            run = partial(load.closed, port, requests, connections=count, seconds=seconds)
            seen = processes.observe(run, [session])
            reading = seen.result
            milliseconds = 1000 * seen.spent / reading.answers
            yield Measurement(peer, count, milliseconds, reading.requests_per_second, reading.errors, seen.others)


def report(found: Sequence[Measurement], counts: Sequence[int], circumstances: str) -> str:
    """A table of processor time, and this service's in proportion to each textbook handler's."""
    rows = []
    for count in counts:
        times = {peer: _median(found, peer, count) for peer in PEERS}
        for peer, milliseconds in times.items():
            share = f"{times['this service'] / milliseconds:.2f}"
            errors = sum(each.errors for each in found if (each.peer, each.connections) == (peer, count))
            rows.append([str(count), peer, number(milliseconds), share, str(errors)])
    headings = ["connections", "peer", "processor ms a request", "this service in proportion", "errors"]
    return f"{circumstances}\n\n{table(headings, rows)}"


def _median(found: Sequence[Measurement], peer: str, count: int) -> float:
    return median(each.milliseconds for each in found if (each.peer, each.connections) == (peer, count))


if __name__ == "__main__":
    main()
