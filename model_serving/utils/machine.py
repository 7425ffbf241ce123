"""What this process may use of the machine."""

import os
from math import ceil
from pathlib import Path

CGROUP = Path("/sys/fs/cgroup")


def processors(cgroup: Path = CGROUP) -> int:
    """How many processors the process may keep busy: its affinity, bounded by the CPU quota of its cgroup (v2, v1)."""
    allowed = len(os.sched_getaffinity(0))
    quota = _quota(cgroup)
    return max(1, min(allowed, ceil(quota)) if quota else allowed)


def _quota(cgroup: Path) -> float | None:
    """Processors' worth of time a period, or None where nothing bounds it."""
    try:
        limit, period = (cgroup / "cpu.max").read_text().split()
    except (OSError, ValueError):
        try:
            limit, period = ((cgroup / "cpu" / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
        except OSError:
            return None
    return None if limit.strip() in ("max", "-1") else int(limit) / int(period)
