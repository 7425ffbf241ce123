"""What is known of the one who asks: how long they wait, and whether they still do."""

import math
import socket
import time
from collections.abc import Callable

from flask import Request

from model_serving.serving.errors import ServiceError

HEADER = "X-Request-Timeout"


def deadline(request: Request, default: float, most: float) -> float:
    """When the answer must be there, on the clock of ``time.monotonic``.

    Args:
        request: may carry ``X-Request-Timeout: <seconds>``.
        default: seconds where it does not.
        most: seconds nobody may ask beyond.

    Raises:
        ServiceError: 400 ``input``, the header is no number of seconds within bounds.
    """
    given = request.headers.get(HEADER)
    try:
        seconds = default if given is None else float(given)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= most:
        raise ServiceError(400, "input", f"{HEADER} must be seconds, more than 0 and at most {most:g}")
    return time.monotonic() + seconds


def gone(request: Request) -> Callable[[], bool]:
    """A question whether the caller has closed the connection; without a socket at hand the answer is no."""
    connection: socket.socket | None = request.environ.get("gunicorn.socket")

    def closed() -> bool:
        if connection is None:
            return False
        try:
            return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    return closed
