#!/usr/bin/env bash
# Say whether the service runs, where, and whether it is ready. Exit 0 where it runs, 3 where not.
#
# Usage: bin/status.sh
#
# Environment:
#   RUN_DIR  the folder it was started with; else tmp
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
source bin/lib/setup.sh
source bin/lib/server.sh
arguments 0 0 "$@"

if ! pid="$(server_pid)"; then
    echo "Not running. Start it with bin/start.sh."
    exit 3
fi
url="$(server_url)"
if is_ready "$url"; then state="ready"; else state="not ready; see $LOG_FILE"; fi
echo "Running (pid $pid) at $url: $state"
