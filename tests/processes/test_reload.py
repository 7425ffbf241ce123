"""bin/reload.sh under load, and when the new service does not start."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from model_serving.client import Client, ClientError


@pytest.fixture
def script(root, tmp_path, find_port):
    """Run scripts for a server of its own, which is stopped in the end."""
    ours = {"VENV": sys.prefix, "RUN_DIR": str(tmp_path), "HOST": "127.0.0.1", "PORT": str(find_port()), "WORKERS": "1"}

    class Script:
        url = f"http://127.0.0.1:{ours['PORT']}"

        def pid(self):
            return int((tmp_path / "server.pid").read_text())

        def __call__(self, name):
            done = subprocess.run(
                [root / "bin" / name], env=os.environ | ours, capture_output=True, text=True, timeout=150, cwd=tmp_path
            )
            return done.returncode, done.stdout + done.stderr

    yield Script()
    Script()("stop.sh")


@pytest.fixture
def caller(script):
    """Post on kept-alive connections, from four threads, until asked what came of it: "answered", or the failure."""
    outcomes: list[str] = []
    ended = threading.Event()

    def call():
        with Client(script.url, retries=0) as client:
            while not ended.is_set():
                try:
                    client.post("BiLSTMCRF", text="我爱北京。", task="ner")
                    outcomes.append("answered")
                except ClientError as error:
                    outcomes.append(str(error))

    def begin():
        threads = [threading.Thread(target=call) for _ in range(4)]
        for thread in threads:
            thread.start()

        def end():
            ended.set()
            for thread in threads:
                thread.join()
            return outcomes

        return end

    yield begin
    ended.set()


def successor(pid):
    """The master that ``pid`` started to follow it, or None."""
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        if f"GUNICORN_PID={pid}\0".encode() in Path(f"/proc/{child}/environ").read_bytes():
            return int(child)
    return None


def test_reloads_drop_no_request(script, caller):
    assert script("start.sh")[0] == 0
    pids = [script.pid()]
    end = caller()
    for _ in range(3):
        status, output = script("reload.sh")
        assert status == 0, output
        pids.append(script.pid())
        assert f"Reloaded (pid {pids[-1]}): {script.url}" in output
    outcomes = end()
    assert set(outcomes) == {"answered"}
    assert len(outcomes) > 20
    assert len(set(pids)) == 4
    assert script("status.sh")[0] == 0


def test_a_new_service_that_does_not_start_leaves_the_old_one_serving(script, wait_until):
    assert script("start.sh")[0] == 0
    old = script.pid()

    def kill_the_new_one():
        new = wait_until(lambda: successor(old))
        time.sleep(0.5)  # loading takes longer, and the script has seen it by then
        os.kill(new, signal.SIGKILL)

    killer = threading.Thread(target=kill_the_new_one)
    killer.start()
    status, output = script("reload.sh")
    killer.join()
    assert status == 1
    assert "the old one serves on" in output
    assert script.pid() == old
    assert script("status.sh")[0] == 0


def test_a_reload_without_a_service_says_so(script):
    assert script("reload.sh") == (1, "Not running. Start it with bin/start.sh.\n")
