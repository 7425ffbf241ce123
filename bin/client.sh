#!/usr/bin/env bash
# Ask a model of a running service and print the result as JSON, or run a file through it line by line.
#
# Usage: bin/client.sh <Model> [<field=value>...] [--lines <file>] [--url <url>] [--key <key>]
#        bin/client.sh BiLSTMCRF task=ner text=江泽民在北京。
#        bin/client.sh BiLSTMCRF task=ner --lines news.txt
#
# The service asked is the one that bin/start.sh started, unless --url or SERVICE_URL names another. Answers to lines
# go to news.txt.BiLSTMCRF.jsonl, in the order of the lines; run again, an interrupted run goes on where it stopped.
# It fails where a line was not answered, and tells which and why. With no argument all options are shown.
#
# Environment:
#   SERVICE_URL, API_KEY  the service, and the key where it asks for one
#   RUN_DIR               the folder the service was started with; else tmp
#   VENV                  the virtual environment to use or make; else .venv
set -euo pipefail
caller="$PWD"
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
source bin/lib/setup.sh
source bin/lib/server.sh
arguments 0 1000 "$@"

setup requirements.txt
ask model_serving.client "$caller" "$@"
