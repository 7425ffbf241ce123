"""Requests sent to one server by one light thread, and how long their answers took.

Closed loop: each of some connections sends its next request once it has its answer, which finds what a server can do.
Open loop: requests are due at fixed times whatever the server does, and latency counts from the time when one was
due. A pause of the server is then felt by every request that it delays, not only by those under way when it began
(no coordinated omission).

Own code rather than wrk because both loops then share one way to send and to time; because wrk 4 changes the
latencies it prints, adding samples it believes it missed, and leaves connecting out of them, which flatters a server
that closes each connection; and because nothing has to be installed. One thread on epoll with requests made
beforehand takes 45 to 80 microseconds of processor time a request: every reading tells its share of a processor, and
``docs/performance.md`` the most it can send and how it compares with wrk.
"""

import re
import select
import socket
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import cycle
from math import ceil
from types import TracebackType

PATIENCE = 10.0
"""Seconds after the end in which requests under way may still be answered; the rest are errors."""

MOST_CONNECTIONS = 500
"""Requests under way at once in an open loop; those due meanwhile wait, their time running."""

clock = time.monotonic

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CLOSE = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """What was seen of a server: latencies in milliseconds, ``generator`` the share of a processor that sending took.

    ``requests_per_second`` counts the good ``answers`` before the end; ``errors`` are all others: another status than
    200, a broken connection, no answer in time.
    """

    answers: int
    requests_per_second: float
    p50: float
    p99: float
    errors: int
    generator: float


@dataclass(frozen=True)
class Answer:
    """How a request ended: when it was due, when its answer was there, and its status, 0 for a broken connection."""

    due: float
    at: float
    status: int


def request(path: str, body: bytes) -> bytes:
    """A POST of JSON, ready to be sent again and again."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return head.encode() + b"\r\n\r\n" + body


def closed(port: int, requests: Sequence[bytes], *, connections: int, seconds: float) -> Reading:
    """Keep ``connections`` requests under way for some seconds, taking ``requests`` in turn."""
    upcoming = cycle(requests)
    with Connections(port) as line:
        tally = Tally(seconds)
        for _ in range(connections):
            line.send(next(upcoming), due=clock())
        while (now := clock()) < tally.end:
            for answer in line.answers(tally.end - now):
                tally.add(answer)
                if answer.at < tally.end:
                    line.send(next(upcoming), due=answer.at)
        return tally.reading(line.rest())


def opened(port: int, requests: Sequence[bytes], *, rate: float, seconds: float) -> Reading:
    """Send ``rate`` requests a second at even intervals for some seconds, taking ``requests`` in turn."""
    upcoming = cycle(requests)
    with Connections(port) as line:
        tally = Tally(seconds)
        dues = deque(tally.begin + number / rate for number in range(ceil(rate * seconds)))
        while dues:
            full = line.under_way() >= MOST_CONNECTIONS
            for answer in line.answers(PATIENCE if full else max(0.0, dues[0] - clock())):
                tally.add(answer)
            while dues and dues[0] <= clock() and line.under_way() < MOST_CONNECTIONS:
                line.send(next(upcoming), due=dues.popleft())
        return tally.reading(line.rest())


@dataclass
class Connection:
    """A kept-alive connection, and what has come of the answer to its request under way."""

    socket: socket.socket
    due: float | None = None
    received: bytes = b""

    def receive(self) -> int | None:
        """Read on: the status once the answer is whole, 0 if the connection broke, None while more is to come."""
        try:
            chunk = self.socket.recv(1 << 16)
        except BlockingIOError:
            return None
        except OSError:
            return 0
        self.received += chunk
        head, _, body = self.received.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if length is not None and len(body) >= int(length[1]):
            return int(head[9:12])
        return None if chunk else 0

    def stays_open(self) -> bool:
        """Whether the server takes another request on it."""
        return not _CLOSE.search(self.received.partition(b"\r\n\r\n")[0])


class Connections(AbstractContextManager["Connections"]):
    """As many connections to a server on loopback as there are requests under way; idle ones are used again."""

    def __init__(self, port: int):
        self._address = ("127.0.0.1", port)
        self._poller = select.epoll()
        self._open: dict[int, Connection] = {}
        self._idle: list[Connection] = []
        self._failed: list[Answer] = []

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        for connection in list(self._open.values()):
            self._drop(connection)
        self._poller.close()

    def under_way(self) -> int:
        """How many requests wait for their answers."""
        return len(self._open) - len(self._idle)

    def send(self, message: bytes, due: float) -> None:
        """Send a request that was due at ``due``; connecting, where needed, is part of its time."""
        try:
            connection = self._idle.pop() if self._idle else self._connect()
        except OSError:
            self._failed.append(Answer(due, clock(), 0))
            return
        connection.due, connection.received = due, b""
        try:
            connection.socket.send(message)
        except OSError:
            self._failed.append(Answer(due, clock(), 0))
            self._drop(connection)

    def answers(self, timeout: float) -> Iterator[Answer]:
        """The answers that are there, after waiting at most ``timeout`` seconds for the first."""
        failed, self._failed = self._failed, []
        yield from failed
        # epoll's own timeout is in whole milliseconds, too coarse for a schedule
        select.select([self._poller], [], [], 0 if failed else timeout)
        for descriptor, _ in self._poller.poll(0):
            connection = self._open.get(descriptor)
            status = connection.receive() if connection else None
            if connection is None or status is None:
                continue
            answer = None if connection.due is None else Answer(connection.due, clock(), status)
            self._settle(connection, status)
            if answer is not None:
                yield answer

    def rest(self) -> list[Answer]:
        """The answers still to come; what has none after :data:`PATIENCE` is an error."""
        end = clock() + PATIENCE
        late: list[Answer] = []
        while (self.under_way() or self._failed) and clock() < end:
            late.extend(self.answers(end - clock()))
        waiting = [connection.due for connection in self._open.values() if connection.due is not None]
        return late + [Answer(due, clock(), 0) for due in waiting]

    def _connect(self) -> Connection:
        connection = Connection(socket.create_connection(self._address))
        connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.socket.setblocking(False)
        self._open[connection.socket.fileno()] = connection
        self._poller.register(connection.socket, select.EPOLLIN)
        return connection

    def _settle(self, connection: Connection, status: int) -> None:
        """Keep a connection for another request, or close one that broke, closes, or spoke unasked."""
        if connection.due is None:
            self._idle.remove(connection)
        elif status and connection.stays_open():
            connection.due = None
            self._idle.append(connection)
            return
        self._drop(connection)

    def _drop(self, connection: Connection) -> None:
        del self._open[connection.socket.fileno()]
        self._poller.unregister(connection.socket)
        connection.socket.close()


@dataclass
class Tally:
    """Counts answers from now on for some seconds."""

    seconds: float
    latencies: list[float] = field(default_factory=list)
    in_time: int = 0
    errors: int = 0

    def __post_init__(self) -> None:
        self.begin = clock()
        self.end = self.begin + self.seconds
        self._processor = time.process_time()

    def add(self, answer: Answer) -> None:
        """Count one."""
        if answer.status != 200:
            self.errors += 1
            return
        self.latencies.append(answer.at - answer.due)
        self.in_time += answer.at <= self.end

    def reading(self, late: Sequence[Answer]) -> Reading:
        """The sum of all; answers after the end are ``late``: they have a latency, but are no throughput."""
        for answer in late:
            self.add(answer)
        busy = (time.process_time() - self._processor) / (clock() - self.begin)
        p50, p99 = (1000 * percentile(self.latencies, share) for share in (0.5, 0.99))
        return Reading(len(self.latencies), self.in_time / self.seconds, p50, p99, self.errors, busy)


def percentile(values: Sequence[float], share: float) -> float:
    """The least value that ``share`` of all values do not exceed; NaN of none."""
    return sorted(values)[ceil(share * len(values)) - 1] if values else float("nan")
