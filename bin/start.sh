#!/usr/bin/env bash
# Start the service in the background, after setting up what it needs, and wait until it is ready.
#
# Usage: bin/start.sh
#
# Environment:
#   HOST, PORT, WORKERS  come before conf/server.conf
#   RUN_DIR              folder for server.pid, server.url and server.log; else tmp
#   VENV                 the virtual environment to use or make; else .venv
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
source bin/lib/setup.sh
source bin/lib/server.sh
arguments 0 0 "$@"

SECONDS_TO_START=120

# Print the URL that environment and conf describe; fail where its port can not be had.
free_url() {
    "$PYTHON" - <<'PYTHON'
import socket
import sys

from model_serving.utils import settings

try:
    server = settings.load().server
    family, kind, _, _, address = socket.getaddrinfo(server.host, server.port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)
except settings.SettingsError as error:
    sys.exit(f"The service can not start: {error}")
except OSError as error:
    sys.exit(f"{server.host} port {server.port}: {error.strerror}. Stop what holds it, or set HOST or PORT.")
host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(server.host, server.host)
print(f"http://[{host}]:{server.port}" if ":" in host else f"http://{host}:{server.port}")
PYTHON
}

fail() {
    say "The service $1; the end of $LOG_FILE:"
    tail -n 15 "$LOG_FILE" >&2
    exit 1
}

command -v curl >/dev/null || die "curl is needed and not on the PATH; install it and start again."
{ mkdir -p "$RUN_DIR" && [[ -w $RUN_DIR ]]; } 2>/dev/null ||
    die "The folder $RUN_DIR can not be written; set RUN_DIR to one that can."
setup requirements.txt
exec 9<"$RUN_DIR"
flock 9 # one start at a time

if pid="$(server_pid)"; then
    echo "Already running (pid $pid): $(server_url)"
    exit
fi

url="$(free_url)"
if [[ -e $LOG_FILE ]]; then mv "$LOG_FILE" "$LOG_FILE.1"; fi
setsid "$VENV/bin/gunicorn" -c conf/gunicorn.conf.py </dev/null >"$LOG_FILE" 2>&1 9<&- &
pid=$!
until is_ours "$pid" || ! kill -0 "$pid" 2>/dev/null; do sleep 0.01; done
echo "$url" >"$URL_FILE"
echo "$pid" >"$PID_FILE"

trap 'bin/stop.sh >/dev/null' EXIT # a start that fails or is interrupted leaves nothing
deadline=$((SECONDS + SECONDS_TO_START))
until is_ready "$url"; do
    kill -0 "$pid" 2>/dev/null || fail "ended before it was ready"
    ((SECONDS < deadline)) || fail "is not ready after $SECONDS_TO_START seconds"
    sleep 0.2
done
trap - EXIT

cat <<END
The service is ready (pid $pid, log $LOG_FILE): $url
Try it:
  curl $url/v1/BiLSTMCRF -H 'Content-Type: application/json' -d '{"text": "江泽民在北京会见了克林顿。", "task": "ner"}'
Stop it with bin/stop.sh.
END
