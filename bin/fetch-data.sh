#!/usr/bin/env bash
# Fetch the corpora that training and evaluation read, and check their hashes. They stay in .cache/datasets.
#
# Usage: bin/fetch-data.sh
#
# Environment:
#   VENV  the virtual environment to use or make; else .venv
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
source bin/lib/setup.sh
arguments 0 0 "$@"

setup requirements-dev.txt
"$PYTHON" -m model_serving.training fetch
say "All corpora are there. Train with bin/train.sh <Model>, measure with bin/evaluate.sh <Model>."
