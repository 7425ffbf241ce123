"""The folder that processes share, in processes of their own for what they change in themselves."""

import subprocess
import sys

import pytest

FORK = """
import os, sys
from model_serving.serving import processes

def work(name, act):
    if (child := os.fork()) == 0:
        processes.enter(name)
        act()
        sys.exit()
    assert os.waitpid(child, 0)[1] == 0

processes.share(sys.argv[1])
folder = processes.folder()
processes.share(sys.argv[1])
assert folder == processes.folder()
from prometheus_client import Counter, Gauge
counter = Counter("counter", "...", registry=None)
gauge = Gauge("gauge", "...", multiprocess_mode="livesum", registry=None)
"""


@pytest.fixture
def run(tmp_path):
    """Run Python that shares a folder; what is left of the folder when it has ended."""

    def go(code, status=0):
        result = subprocess.run([sys.executable, "-c", FORK + code, tmp_path], capture_output=True, text=True)
        assert result.returncode == status, result.stderr
        return list(tmp_path.iterdir())

    return go


def test_a_child_that_ends_leaves_the_folder_and_the_master_takes_it_away(run):
    assert (
        run("""
work("1", lambda: None)
assert folder.is_dir() and (folder / "1.pid").exists()
""")
        == []
    )


def test_a_start_that_fails_leaves_nothing(run):
    assert run("sys.exit(3)", status=3) == []


def test_the_folder_of_a_killed_server_goes_at_the_next_start_and_that_of_a_living_one_stays(run, tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", FORK + "print(flush=True); input()", tmp_path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as living:
        assert living.stdout is not None
        living.stdout.readline()
        (folder,) = tmp_path.iterdir()
        assert run("import signal; os.kill(os.getpid(), signal.SIGKILL)", status=-9) != [folder]
        assert run("") == [folder]
        living.kill()
    assert run("") == []


def test_a_folder_is_kept_as_long_as_a_worker_outlives_its_master(run, tmp_path):
    orphan = """
if os.fork() == 0:
    sys.stdin.readline()
    os._exit(0)
import signal
os.kill(os.getpid(), signal.SIGKILL)
"""
    with subprocess.Popen([sys.executable, "-c", FORK + orphan, tmp_path], stdin=subprocess.PIPE) as killed:
        assert killed.wait(20) == -9
        (folder,) = tmp_path.iterdir()
        assert run("") == [folder]


def test_a_successor_counts_on_and_does_not_inherit_what_is_over(run):
    assert (
        run("""
from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector
registry = CollectorRegistry()
MultiProcessCollector(registry, str(folder))

def act():
    counter.inc(5)
    gauge.set(7)

for total in (5, 10, 15):
    work("1", act)
    assert registry.get_sample_value("counter_total") == total
    assert registry.get_sample_value("gauge") == 7
    processes.leave("1")
    assert registry.get_sample_value("counter_total") == total
    assert registry.get_sample_value("gauge") == 0
assert sorted(path.name for path in folder.glob("counter*")) == ["counter_1.db", "counter_master.db"]
""")
        == []
    )


def test_memory_is_told_of_those_that_live(run):
    assert (
        run("""
def act():
    assert set(processes.memory()) == {"master", "1"}
    assert all(size > 1 << 20 for size in processes.memory().values())

work("1", act)
assert set(processes.memory()) == {"master"}  # the file is there still, but nobody behind it
processes.leave("1")
processes.leave("1")
assert set(processes.memory()) == {"master"}
""")
        == []
    )
