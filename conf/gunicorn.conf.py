"""gunicorn: one master that loads the models, workers that share them. Values come from server.conf.

Loading before the fork lets the workers share the weights; threads and warm-up belong after it.
"""

import gc
import itertools
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from gunicorn import glogging  # noqa: E402  as the others

from model_serving.serving import connections, processes  # noqa: E402  the path must be set first
from model_serving.serving.worker import Worker  # noqa: E402
from model_serving.utils import machine, settings  # noqa: E402

try:
    server = settings.load().server
except settings.SettingsError as error:
    sys.exit(f"The service can not start: {error}")

WORKER_BYTES = 128 << 20
"""What a worker may come to hold for itself; the models it shares."""

machine.steady_memory()
# Memory grows with each shape of batch that the kernels are compiled for; the last few are kept (default: 1024)
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "32")
wsgi_app = "main:app"
RUN_DIR = os.environ.get("RUN_DIR")
chdir = str(ROOT)
bind = f"[{server.host}]:{server.port}" if ":" in server.host else f"{server.host}:{server.port}"
workers = server.workers or machine.processors()
Worker.read_seconds = server.read_seconds
worker_class = Worker
http_parser = "fast"
threads = server.threads
preload_app = True
keepalive = server.keep_alive_seconds
graceful_timeout = server.graceful_seconds
# The worker's heartbeat, which is no deadline of a request, kept in memory
timeout = 60
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp"
processes.share(worker_tmp_dir)
# No socket for commands; nothing a client sends is believed about where it comes from
control_socket_disable = True
forwarded_allow_ips = ""
forwarder_headers = ""
limit_request_line = 4094
limit_request_fields = 100
limit_request_field_size = 8190
logconfig = str(ROOT / "conf" / "logging.conf")


class Logger(glogging.Logger):
    """gunicorn's, without the access log: the service writes its own line for each request."""

    def access(self, resp, req, environ, request_time):  # type: ignore[no-untyped-def]  # gunicorn's hook
        """Write nothing, and do not collect what could be written."""


logger_class = Logger


def when_ready(server):  # type: ignore[no-untyped-def]  # gunicorn's hook
    """Before the first fork: as many workers as memory allows, and the garbage collector kept off what they share."""
    free = machine.free_memory()
    server.most_workers = server.num_workers if free is None else max(1, free // WORKER_BYTES)
    _spare_memory(server)
    gc.freeze()  # it would copy by touching


def on_reload(server):  # type: ignore[no-untyped-def]  # gunicorn's hook
    """The number of workers was read again."""
    _spare_memory(server)


def _spare_memory(server):  # type: ignore[no-untyped-def]
    if server.num_workers > server.most_workers:
        server.log.warning("Memory allows %d workers, not %d", server.most_workers, server.num_workers)
        server.num_workers = server.most_workers


def pre_fork(server, worker):  # type: ignore[no-untyped-def]  # gunicorn's hook
    """Give the worker the lowest number that no living one has."""
    taken = {other.number for other in server.WORKERS.values()}
    worker.number = next(number for number in itertools.count(1) if number not in taken)


def post_worker_init(worker):  # type: ignore[no-untyped-def]  # gunicorn's hook
    """Start and warm the models before the worker takes its first connection."""
    machine.keep_to_one_processor(worker.number, worker.cfg.workers)
    processes.enter(str(worker.number))
    worker.wsgi.extensions["model_serving"].start()
    if RUN_DIR:
        Path(RUN_DIR, f"{worker.pid}.ready").touch()  # bin/reload.sh waits for it


def child_exit(server, worker):  # type: ignore[no-untyped-def]  # gunicorn's hook
    """Clean up after a worker, however it ended."""
    processes.leave(str(worker.number))
    connections.forget(worker.number)
    if RUN_DIR:
        Path(RUN_DIR, f"{worker.pid}.ready").unlink(missing_ok=True)
