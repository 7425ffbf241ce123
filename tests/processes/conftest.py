"""Real processes on free loopback ports, ended with everything that they started."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
import requests

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Server:
    """A gunicorn process in a session of its own, and where its output goes."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path

    def get(self, path):
        return self._request("GET", path)

    def post(self, path, **keywords):
        return self._request("POST", path, **keywords)

    def _request(self, method, path, **keywords):
        with requests.Session() as session:
            session.trust_env = False  # a proxy has no business on loopback
            return session.request(method, self.url + path, timeout=60, **keywords)

    def workers(self):
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in children.read_text().split()]

    def is_ready(self):
        assert self.process.poll() is None, self.log.read_text()
        try:
            return self.get("/readyz").ok
        except requests.ConnectionError:
            return False

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(40)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)


@pytest.fixture(scope="session")
def root():
    """The top folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def find_port():
    """Find a port of the loopback address that nothing listens on."""

    def find():
        with socket.create_server(("127.0.0.1", 0)) as probe:
            return probe.getsockname()[1]

    return find


@pytest.fixture(scope="session")
def wait_until():
    """Wait until a condition holds; it is a failure when it does not within ``seconds``."""

    def wait(condition, seconds=60):
        deadline = time.monotonic() + seconds
        while not (result := condition()):
            assert time.monotonic() < deadline, f"waited {seconds} s in vain"
            time.sleep(0.02)
        return result

    return wait


def serving(tmp_path_factory, find_port, wait_until):
    """A function that starts a gunicorn command and waits until it is ready; keywords go to its environment."""
    servers = []

    def start(*arguments, command=(sys.executable, "-m", "gunicorn"), folder=ROOT, inherited=os.environ, **environment):
        port = find_port()
        log = tmp_path_factory.mktemp("server") / "server.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*command, "-c", "conf/gunicorn.conf.py", *arguments],
                cwd=folder,
                env={**inherited, "HOST": "127.0.0.1", "PORT": str(port), **environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        servers.append(Server(process, f"http://127.0.0.1:{port}", log))
        wait_until(servers[-1].is_ready)
        return servers[-1]

    yield start
    for server in servers:
        server.end()


serve = pytest.fixture(serving, scope="module", name="serve")
serve_long = pytest.fixture(serving, scope="session", name="serve_long")
