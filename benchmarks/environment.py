"""Virtual environments for peers whose packages are no business of ours, under ``.cache/benchmarks/``."""

import hashlib
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def python(peer: str) -> Path:
    """The interpreter of a peer's environment."""
    return ROOT / ".cache" / "benchmarks" / peer / "bin" / "python"


def make(peer: str) -> None:
    """Make the environment of ``benchmarks/peers/<peer>.txt``, unless it is there and nothing changed since."""
    requirements = Path(__file__).parent / "peers" / f"{peer}.txt"
    wanted = hashlib.sha256(requirements.read_bytes() + (ROOT / "requirements.txt").read_bytes()).hexdigest()
    stamp = python(peer).parents[1] / "requirements.sha256"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print(f"Making the environment of {peer}; this takes a minute ...", file=sys.stderr)
    venv.create(python(peer).parents[1], clear=True, with_pip=True)
    subprocess.run([python(peer), "-m", "pip", "install", "--quiet", "--requirement", requirements], check=True)
    stamp.write_text(wanted)
