"""The gunicorn worker: gthread, and no thread for a client who is not sending."""

import time
from functools import partial
from selectors import EVENT_READ

from gunicorn.workers.gthread import TConn, ThreadWorker

from model_serving.serving.slow_clients import SLOW_CLIENTS


class Worker(ThreadWorker):
    """A thread is taken when the first bytes of a request are there, and given back when the rest takes too long."""

    alive: bool
    read_seconds = 10
    """How long a request may take to arrive; ``gunicorn.conf.py`` sets it."""

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
        """Read and answer one request."""
        SLOW_CLIENTS.begin(conn.sock, self.read_seconds)
        try:
            return super().handle(conn)
        finally:
            SLOW_CLIENTS.done(conn.sock)

    def notify(self) -> None:
        """Tell the master that the worker lives; the main loop does so at every event, and every second without one."""
        super().notify()
        if self.alive and self.booted and not self.wsgi.extensions["model_serving"].ready():
            self.log.critical("A model does not come back from its batch; this worker leaves for a new one")
            self.alive = False
        if late := SLOW_CLIENTS.cut():
            self.log.warning("Cut %d connections that took over %d s to send a request", late, self.read_seconds)
