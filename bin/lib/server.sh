# shellcheck shell=bash
# Sourced after setup.sh by the scripts that start, stop or ask the server that RUN_DIR belongs to.

export RUN_DIR="${RUN_DIR:-tmp}"
PID_FILE="$RUN_DIR/server.pid"
URL_FILE="$RUN_DIR/server.url"
# shellcheck disable=SC2034  # for the scripts that source this
LOG_FILE="$RUN_DIR/server.log"

# Print the pid of our server, or fail where none runs.
server_pid() {
    local pid=""
    { read -r pid <"$PID_FILE"; } 2>/dev/null || true
    [[ $pid =~ ^[1-9][0-9]*$ ]] && is_ours "$pid" && echo "$pid"
}

# After a crash the number in the file may be a stranger's by now: ours runs gunicorn with our conf in our folder.
is_ours() {
    {
        [[ "$(readlink "/proc/$1/cwd")" == "$PWD" ]] &&
            [[ "$(tr '\0' ' ' <"/proc/$1/cmdline")" == *"gunicorn -c conf/gunicorn.conf.py "* ]]
    } 2>/dev/null
}

# Print where our server, which runs, is reached.
server_url() { cat "$URL_FILE"; }

is_ready() { curl --silent --fail --noproxy '*' --max-time 5 --output /dev/null "$1/readyz"; }

# Run a module of the client in the folder of the caller, for the service that SERVICE_URL names, else for ours.
#   ask <module> <caller's folder> "$@"
ask() {
    local module="$1" folder="$2" python
    shift 2
    if [[ -z ${SERVICE_URL:-} ]] && server_pid >/dev/null; then SERVICE_URL="$(server_url)"; fi
    export SERVICE_URL PYTHONPATH="$PWD" PYTHONUTF8=1
    if (($# == 0)); then set -- --help; fi
    python="$(realpath --no-symlinks "$PYTHON")"
    cd "$folder"
    exec "$python" -P -m "$module" "$@"
}
