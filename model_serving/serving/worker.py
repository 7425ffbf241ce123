"""The gunicorn worker: gthread, and no thread for a client who is not sending."""

import select
import socket
import time
from functools import partial
from selectors import EVENT_READ
from types import FrameType

from gunicorn.workers.gthread import TConn, ThreadWorker

from model_serving.serving import connections
from model_serving.serving.slow_clients import SLOW_CLIENTS

STAY_SECONDS = 0.02
"""How long a thread waits for the next request on the connection it has answered."""
LEAVE_SECONDS, LONGEST_LEAVE_SECONDS = 0.002, 0.02
"""How long a new connection is left to a worker that holds fewer: for each one fewer, and at most."""
CHECK_SECONDS = 0.5
"""How often a worker looks after itself."""


class Worker(ThreadWorker):
    """A thread is taken when the first bytes of a request are there, and given back when the rest takes too long.

    ``number``, from 1, tells the worker from the others that live.
    """

    alive: bool
    number: int
    checked = 0.0
    read_seconds = 10
    """How long a request may take to arrive; ``gunicorn.conf.py`` sets it."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to stop: finish what runs, and tell who asks that more should go elsewhere."""
        if self.booted:
            self.wsgi.extensions["model_serving"].draining = True
        super().handle_exit(sig, frame)

    def accept(self, listener: socket.socket) -> None:
        """Take a new connection, unless one of the workers that hold fewer does so within a moment.

        A client keeps its connection, so what is shared unevenly stays so, and batches with it.
        """
        lead = self.nr_conns - connections.fewest()
        if lead > 0:
            time.sleep(min(lead * LEAVE_SECONDS, LONGEST_LEAVE_SECONDS))
        super().accept(listener)

    def enqueue_req(self, conn: TConn) -> None:
        """Let a new connection wait in the poller, which costs nothing, until it is readable."""
        if conn.initialized or conn.data_ready:
            super().enqueue_req(conn)
            return
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + self.cfg.keepalive
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def handle(self, conn: TConn) -> object:
        """Read and answer a request, and those that follow it at once.

        Giving the connection back to the poller and taking it out again costs as much as half of a request, so the
        thread stays a moment, as long as there is one for every connection.
        """
        while True:
            SLOW_CLIENTS.begin(conn.sock, self.read_seconds)
            try:
                keep = super().handle(conn)
            finally:
                SLOW_CLIENTS.done(conn.sock)
            if keep is not True or not self._goes_on(conn):
                return keep

    def _goes_on(self, conn: TConn) -> bool:
        """Whether the next bytes come within a moment; a client who leaves is noticed when they are read."""
        if not self.alive or self.nr_conns > self.cfg.threads:
            return False
        if conn.parser.unreader.buf.getvalue():
            return True
        poll = select.poll()
        poll.register(conn.sock, select.POLLIN)
        return bool(poll.poll(STAY_SECONDS * 1000))

    def notify(self) -> None:
        """Tell the others how many connections there are, and now and then the master that the worker lives.

        The main loop does so at every event, and every second without one. A worker that stops takes no more.
        """
        if self.alive:
            connections.tell(self.number, self.nr_conns)
        else:
            connections.forget(self.number)
        if time.monotonic() - self.checked >= CHECK_SECONDS:
            self.checked = time.monotonic()
            self._check()

    def _check(self) -> None:
        super().notify()
        if self.alive and self.booted and not self.wsgi.extensions["model_serving"].ready():
            self.log.critical("A model does not come back from its batch; this worker leaves for a new one")
            self.alive = False
        if late := SLOW_CLIENTS.cut():
            self.log.warning("Cut %d connections that took over %d s to send a request", late, self.read_seconds)
