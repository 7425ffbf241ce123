#!/usr/bin/env bash
# Run every check and test, up to the first that fails.
#
# Usage: bin/test.sh [<pytest argument>...]
#
# Environment:
#   VENV  the virtual environment to use or make; else .venv
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
source bin/lib/setup.sh
arguments 0 100 "$@"

check() {
    echo "== $*"
    "$PYTHON" -m "$@" || die "$1 failed; mend what it names and run bin/test.sh again."
}

setup requirements-dev.txt
check ruff check
check ruff format --check
check mypy
check pytest "$@"
echo "All checks passed."
