"""Clients who take too long to send a request are cut, so that they can not occupy the threads.

The worker says when it begins to read from a connection, the reader when it has the whole body; the worker's main
loop cuts what takes longer. A timeout on each read would not do: a byte a second passes it for ever.
"""

import socket
import threading
import time
from contextlib import suppress


class SlowClients:
    """The connections that are being read from, and until when."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until: dict[socket.socket, float] = {}

    def begin(self, connection: socket.socket, seconds: float) -> None:
        """A request is expected on ``connection`` within ``seconds``."""
        with self._lock:
            self._until[connection] = time.monotonic() + seconds

    def done(self, connection: socket.socket | None) -> None:
        """The request is read, or nobody waits for it any more."""
        if connection is not None:
            with self._lock:
                self._until.pop(connection, None)

    def cut(self) -> int:
        """Shut the connections whose time is over; a thread that reads from one finds its end. Returns how many."""
        now = time.monotonic()
        with self._lock:
            late = [connection for connection, until in self._until.items() if until < now]
            for connection in late:
                del self._until[connection]
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        return len(late)


SLOW_CLIENTS = SlowClients()
"""Those of this process."""
