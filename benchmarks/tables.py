"""What the measurements print: Markdown tables, and the circumstances they were made in."""

import platform
import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

INSTRUCTIONS = ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16", "amx_int8")
"""Instruction sets that matter to a network, by the kernel's names."""


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], words: int = 2) -> str:
    """A Markdown table; the first ``words`` columns hold words, the others numbers."""
    rules = ["---" if column < words else "---:" for column in range(len(headings))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [headings, rules, *rows])


def number(value: float) -> str:
    """Three digits, and whole numbers from a hundred on."""
    return f"{value:.0f}" if value >= 99.95 else f"{value:.3g}"


def machine_class(processors: int) -> str:
    """What kind of machine this is, and the versions measured, in one line."""
    known = set(re.findall(r"\w+", Path("/proc/cpuinfo").read_text()))
    sets = ", ".join(name for name in INSTRUCTIONS if name in known)
    packages = ", ".join(f"{name} {version(name)}" for name in ("torch", "gunicorn", "Flask"))
    return (
        f"{processors} processors, {platform.machine()}{f' with {sets}' if sets else ''}; "
        f"Python {platform.python_version()}, {packages}."
    )
