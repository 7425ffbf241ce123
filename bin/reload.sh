#!/usr/bin/env bash
# Start the service anew beside the running one, with the code, models and settings of now, and retire the old one
# once the new one is warm. No request is dropped; when the new one does not start, the old one serves on.
#
# Usage: bin/reload.sh
#
# Environment:
#   RUN_DIR  the folder it was started with; else tmp
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
source bin/lib/setup.sh
source bin/lib/server.sh
arguments 0 0 "$@"

SECONDS_TO_START=120

# Print the pid of the master that $1 started to follow it.
successor() {
    local child
    local children
    read -ra children <"/proc/$1/task/$1/children" || true
    for child in "${children[@]}"; do
        if tr '\0' '\n' <"/proc/$child/environ" | grep -qx "GUNICORN_PID=$1"; then
            echo "$child"
            return
        fi
    done 2>/dev/null
    return 1
}

# Whether a master has workers and all of them are warm.
is_warm() {
    local worker workers=()
    { read -ra workers <"/proc/$1/task/$1/children"; } 2>/dev/null || true
    ((${#workers[@]})) || return 1
    for worker in "${workers[@]}"; do
        [[ -e $RUN_DIR/$worker.ready ]] || return 1
    done
}

old="$(server_pid)" || die "Not running. Start it with bin/start.sh."
exec 9<"$RUN_DIR"
flock 9 # one start or reload at a time

echo "Starting the new service beside the old one (pid $old) ..."
deadline=$((SECONDS + SECONDS_TO_START))
new=""
until [[ -n $new ]] && is_warm "$new"; do
    if [[ -z $new ]] && ! new="$(successor "$old")"; then
        kill -USR2 "$old" # again and again: a master that has just taken over passes over the first ones
    fi
    if [[ -n $new ]] && ! kill -0 "$new" 2>/dev/null; then
        tail -n 15 "$LOG_FILE" >&2
        die "The new service ended before it was ready (the end of $LOG_FILE is above); the old one serves on."
    fi
    if ((SECONDS >= deadline)); then
        [[ -z $new ]] || kill -TERM "$new" || true
        die "The new service is not ready after $SECONDS_TO_START seconds and is stopped; the old one serves on."
    fi
    sleep 0.1
done

echo "$new" >"$PID_FILE"
kill -TERM "$old"
while is_ours "$old"; do sleep 0.1; done
echo "Reloaded (pid $new): $(server_url)"
