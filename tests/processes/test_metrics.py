"""What several workers count together, whichever of them is asked, and however they end."""

import os
import re
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests
from prometheus_client.parser import text_string_to_metric_families

FULL = 3 * 5
"""Files of a master and two workers: counters, histograms, gauges of two kinds, process number."""


class Metered:
    """A server of two workers around a model that does as it is told, and its counts."""

    def __init__(self, server):
        self.server = server
        maps = Path(f"/proc/{server.process.pid}/maps").read_text()
        self.folder = Path(re.findall(r"(/\S+/model_serving-\w+)/counter_master\.db", maps)[0])

    def ask(self, text):
        return self.server.post("/v1/Faulty", json={"text": text})

    def ask_many(self, count):
        """The workers that answered."""
        with ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(self.ask, ["hello"] * count))
        assert {answer.status_code for answer in answers} == {200}
        return {answer.json()["result"]["worker"] for answer in answers}

    def read(self, name):
        """The series of a name, by the values of their labels in order of their names."""
        families = text_string_to_metric_families(self.server.get("/metrics").text)
        samples = [sample for family in families for sample in family.samples if sample.name == f"model_serving_{name}"]
        return {tuple(value for _, value in sorted(sample.labels.items())): sample.value for sample in samples}

    def answered(self):
        return self.read("requests_total")["Faulty", "200"]

    def taken(self):
        """Requests that have gone into a batch, without the two that warm each worker up."""
        return self.read("queue_seconds_count")[("Faulty",)] - 2 * 2

    def processes(self):
        return {name for (name,) in self.read("memory_bytes")}

    def files(self):
        return {path.name for path in self.folder.iterdir()}

    def kill(self, wait_until, pid):
        """Kill a worker and wait for its successor."""
        before = set(self.server.workers())
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: set(self.server.workers()) - before and len(self.files()) == FULL)


@pytest.fixture
def metered(serve, wait_until):
    server = serve("--pythonpath", "tests/processes", "faulty_service:app", WORKERS="2")
    metered = Metered(server)
    wait_until(lambda: len(metered.files()) == FULL)
    return metered


def test_the_counts_of_all_workers_are_summed_whoever_is_asked(metered):
    workers = metered.ask_many(200)
    assert workers == set(metered.server.workers())
    for _ in range(20):
        assert metered.answered() == 200
    assert metered.read("request_seconds_count")[("Faulty",)] == 200
    warm_up = 2 * (1 + 8)
    assert metered.read("batch_items_sum")[("Faulty",)] == 200 + warm_up
    assert metered.read("load_seconds")[("Faulty",)] > 0
    assert metered.processes() == {"master", "1", "2"}


def test_a_killed_worker_takes_no_count_with_it_and_its_successor_goes_on(metered, wait_until):
    metered.ask_many(100)
    files = metered.files()
    asked = 100
    for _ in range(3):
        victim, other = metered.server.workers()
        metered.kill(wait_until, victim)
        assert metered.answered() == asked

        def successor_answers(other=other):
            nonlocal asked
            asked += 10
            return metered.ask_many(10) - {other}

        wait_until(successor_answers)
        assert metered.answered() == asked
    assert metered.files() == files
    assert metered.processes() == {"master", "1", "2"}


def test_what_waited_in_a_killed_worker_waits_no_more(metered, tmp_path, wait_until):
    with ThreadPoolExecutor(30) as pool:
        asked = [pool.submit(metered.ask, f"wait {tmp_path / 'nothing'}") for _ in range(30)]
        wait_until(lambda: metered.read("queue_depth")[("Faulty",)] + metered.taken() == 30)
        assert metered.read("queue_depth")[("Faulty",)] > 0
        for pid in metered.server.workers():
            metered.kill(wait_until, pid)
        assert set(metered.read("queue_depth").values()) == {0}
    assert all(isinstance(future.exception(), requests.ConnectionError) for future in asked)


def test_new_workers_after_a_hangup_count_on(metered, wait_until):
    metered.ask_many(50)
    old = set(metered.server.workers())
    metered.server.process.send_signal(signal.SIGHUP)
    wait_until(lambda: not old & set(metered.server.workers()) and metered.processes() == {"master", "3", "4"})
    assert metered.answered() == 50
    metered.ask_many(50)
    assert metered.answered() == 100


def test_the_folder_goes_with_the_master(metered):
    assert metered.folder.is_dir()
    metered.server.process.terminate()
    metered.server.process.wait(60)
    assert not metered.folder.exists()
