#!/usr/bin/env bash
# Make an artifact of a word2vec file, to be served in place of trained vectors, or a file of an artifact.
#
# Usage: bin/convert-vectors.sh <file> <folder> [--binary] [--name <name>] [--licence <licence>]
#        bin/convert-vectors.sh <folder> <file> [--binary]
#
# The folder is data/<model>/<variant>, like data/word2vec/en-skipgram-neg; it is overwritten. The file is in word2vec's
# text format, with --binary in its binary format; relative paths start where you are.
#
# Environment:
#   VENV  the virtual environment to use or make; else .venv
set -euo pipefail
paths=()
for path in "${@:1:2}"; do
    if [[ $path != -* ]]; then path="$(realpath --canonicalize-missing "$path")"; fi
    paths+=("$path") # as seen from where the caller stands
done
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
source bin/lib/setup.sh
arguments 2 7 "$@"

setup requirements-dev.txt
"$PYTHON" -m model_serving.training.word_vectors.convert "${paths[@]}" "${@:3}"
say "Serve what is in data/ with bin/start.sh; bring back what was there with git checkout data/."
