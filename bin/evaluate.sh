#!/usr/bin/env bash
# Measure the model in data/ on the held-out text, and print one line a figure: Model task dataset metric value.
#
# Usage: bin/evaluate.sh <Model>
#
# Environment:
#   VENV  the virtual environment to use or make; else .venv
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
source bin/lib/setup.sh
arguments 1 1 "$@"

setup requirements-dev.txt
"$PYTHON" -m model_serving.training evaluate "$1"
say "Nothing was written. The figures of the training are in data/, and in the card that GET /v1/$1 shows."
