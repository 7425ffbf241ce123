#!/usr/bin/env bash
# Train a model, all its variants or one, and write them with their measured quality to data/<model>/<variant>/.
# An interrupted training goes on where it was when started again.
#
# Usage: bin/train.sh <Model> [<variant>] [--seed <seed>]
#
# Environment:
#   VENV  the virtual environment to use or make; else .venv
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
source bin/lib/setup.sh
arguments 1 4 "$@"

setup requirements-dev.txt
"$PYTHON" -m model_serving.training train "$@"
say "Trained. Measure it again with bin/evaluate.sh $1, serve it with bin/start.sh."
