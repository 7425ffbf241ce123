"""An id for every request, and one line in the log when it is answered."""

import logging
import os
import re
import time

from flask import Flask, Response, g, request

HEADER = "X-Request-ID"

_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)

log = logging.getLogger("request")


def install(app: Flask) -> None:
    """Give each request of ``app`` an id, echoed where the caller sent a proper one, and log its answer."""
    # What no line here holds need not be found out for each
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging._srcfile = None  # "Optimization" in the logging HOWTO of Python
    app.before_request(_begin)
    app.after_request(_end)


def seconds() -> float:
    """Since the request at hand began."""
    began: float = g.began
    return time.perf_counter() - began


def _begin() -> None:
    g.began = time.perf_counter()
    given = request.headers.get(HEADER, "")
    g.request_id = given if _ID.fullmatch(given) else os.urandom(16).hex()


def _end(response: Response) -> Response:
    response.headers[HEADER] = g.request_id
    path = request.path[:100].encode("unicode_escape").decode("ascii")
    log.info("%s %s %s %d %.1f ms", g.request_id, request.method, path, response.status_code, seconds() * 1000)
    return response
