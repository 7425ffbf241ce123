"""How many connections each worker holds, in memory that all of them share."""

import mmap
from array import array

MOST_WORKERS = 1024
_NONE = 2**31 - 1
"""For numbers that no worker has."""

_counts = memoryview(mmap.mmap(-1, 4 * MOST_WORKERS)).cast("i")
_counts[:] = memoryview(array("i", [_NONE]) * MOST_WORKERS)


def tell(worker: int, count: int) -> None:
    """Worker number ``worker`` holds ``count`` connections now."""
    _counts[worker % MOST_WORKERS] = count


def forget(worker: int) -> None:
    """There is no such worker any more."""
    tell(worker, _NONE)


def fewest() -> int:
    """The least that any worker holds."""
    return min(_counts)
