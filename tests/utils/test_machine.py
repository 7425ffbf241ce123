"""Processors: affinity bounded by the cgroup's quota. Memory: what is available, bounded by the cgroup's limit."""

import os

import pytest

from model_serving.utils.machine import free_memory, keep_to_one_processor, processors

ALL = len(os.sched_getaffinity(0))


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, ALL),
        ({"cpu.max": "max 100000\n"}, ALL),
        ({"cpu.max": "100000 100000\n"}, 1),
        ({"cpu.max": "5000 100000\n"}, 1),
        ({"cpu.max": "6400000 100000\n"}, ALL),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, ALL),
        ({"cpu/cpu.cfs_quota_us": "50000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 1),
    ],
)
def test_the_quota_bounds_the_processors(tmp_path, files, expected):
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    assert processors(tmp_path) == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, 1000 * 1024),
        ({"memory.max": "max\n"}, 1000 * 1024),
        ({"memory.max": f"{100 << 40}\n"}, 1000 * 1024),
        ({"memory.max": "4096\n"}, 0),
        ({"memory/memory.limit_in_bytes": f"{2**63 - 4096}\n"}, 1000 * 1024),
        ({"memory/memory.limit_in_bytes": "4096\n"}, 0),
    ],
)
def test_the_limit_less_what_is_held_bounds_the_free_memory(tmp_path, files, expected):
    (tmp_path / "meminfo").write_text("MemTotal:        9000 kB\nMemAvailable:    1000 kB\nBuffers:  7 kB\n")
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    assert free_memory(tmp_path, tmp_path / "meminfo") == expected


@pytest.mark.parametrize(
    ("allowed", "number", "workers", "kept"),
    [
        ({0, 1}, 1, 2, {0}),
        ({0, 1}, 2, 2, {1}),
        ({3, 5}, 3, 4, {3}),
        ({0, 1}, 1, 1, None),
        (set(range(8)), 2, 7, None),
        ({4}, 1, 1, {4}),
    ],
)
def test_workers_keep_to_a_processor_each_where_none_is_left_idle(monkeypatch, allowed, number, workers, kept):
    asked = []
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: allowed)
    monkeypatch.setattr(os, "sched_setaffinity", lambda pid, processors: asked.append(processors))
    keep_to_one_processor(number, workers)
    assert asked == ([] if kept is None else [kept])


def test_no_word_of_memory_is_no_bound(tmp_path):
    assert free_memory(tmp_path, tmp_path / "meminfo") is None


def test_a_part_of_a_processor_counts_as_one(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    (tmp_path / "cpu.max").write_text("250000 100000\n")
    assert processors(tmp_path) == 3
