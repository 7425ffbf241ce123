#!/usr/bin/env bash
# Fill the untranslated entries of a gettext catalogue through a translator of a running service.
#
# Usage: bin/translate-po.sh <file> [--output <file>] [--model <name>] [--target <language>] [--accelerator <mark>]
#        bin/translate-po.sh zh_CN.po
#
# What is filled is marked fuzzy, with its score in a comment; entries that hold anything are never touched. One whose
# format codes or markup would not survive is left empty, and listed. It fails where the service does not answer; what
# it has answered until then is kept, and the same run again goes on. With no argument all options are shown.
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
arguments 0 100 "$@"

setup requirements.txt
ask model_serving.client.translate_po "$caller" "$@"
