#!/usr/bin/env bash
# Stop the service that bin/start.sh started: running requests are finished first. No other process is ever stopped.
#
# Usage: bin/stop.sh
#
# Environment:
#   RUN_DIR  the folder it was started with; else tmp
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
source bin/lib/setup.sh
source bin/lib/server.sh
arguments 0 0 "$@"

# gunicorn itself ends workers that take longer than graceful_seconds; the rest is for its own end
grace="$("$PYTHON" -c 'from model_serving.utils import settings; print(settings.load().server.graceful_seconds)' \
    2>/dev/null)" || grace=30

if ! pid="$(server_pid)"; then
    rm -f "$PID_FILE" "$URL_FILE"
    echo "Not running. Start it with bin/start.sh."
    exit
fi

kill -TERM "$pid" || true
echo "Stopping (pid $pid); running requests have $grace seconds to finish ..."
deadline=$((SECONDS + grace + 10))
while is_ours "$pid"; do
    if ((SECONDS >= deadline)); then
        say "It did not end in time and is killed; $LOG_FILE may tell why."
        read -ra workers <"/proc/$pid/task/$pid/children" || true
        kill -KILL "$pid" "${workers[@]}" || true
        deadline=$((deadline + 10))
    fi
    sleep 0.1
done
rm -f "$PID_FILE" "$URL_FILE"
echo "Stopped. Start it again with bin/start.sh."
