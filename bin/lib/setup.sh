# shellcheck shell=bash
# Sourced by every script in bin/, from the top folder: its help, and a Python environment with what it needs.

VENV="${VENV:-.venv}"
PYTHON="$VENV/bin/python"

say() { echo "$*" >&2; }

die() {
    say "$@"
    exit 1
}

# Show the comment at the head of the calling script, when asked to or when it has too few or too many arguments.
#   arguments <least> <most> "$@"
arguments() {
    local least="$1" most="$2" argument
    shift 2
    for argument; do
        if [[ $argument == -h || $argument == --help ]]; then
            usage
            exit
        fi
    done
    if (($# < least || $# > most)); then
        usage >&2
        exit 2
    fi
}

usage() { sed -n '2,/^set /s/^# \{0,1\}//p' "bin/${0##*/}"; }

# Make $VENV where there is none and install a requirements file in it, unless nothing changed since the last time.
#   setup requirements.txt | requirements-dev.txt
setup() {
    (
        flock 9 # two scripts at once: one sets up, the other waits
        if ! new_enough "$PYTHON"; then make_venv; fi
        if ! installed "$1"; then install "$1"; fi
    ) 9<.
}

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

make_venv() {
    local python
    for python in python3.11 python3.12 python3.13 python3.14 python3 python; do
        if new_enough "$python"; then break; fi
    done
    new_enough "$python" || die "Python 3.11 or newer is needed and none is on the PATH; install one and start again."
    say "Making $VENV with $("$python" --version) ..."
    "$python" -m venv "$VENV" || die "Python's venv failed; delete $VENV, install what it names, and start again."
    new_enough "$PYTHON" || die "$VENV holds an old environment; delete it and start again."
}

# $VENV keeps the hashes of the requirements files it was made from.
installed() {
    local hashes="$VENV/requirements.sha256"
    grep -qsF "  $1" "$hashes" && sha256sum --check --status "$hashes" 2>/dev/null
}

install() {
    warn_of_cuda
    say "Installing $1 into $VENV; the first time takes minutes ..."
    "$PYTHON" -m pip install --quiet --disable-pip-version-check --requirement "$1" ||
        die "pip could not install $1; its reason is above."
    sha256sum requirements.txt "$1" | uniq >"$VENV/requirements.sha256"
}

# A version like 2.13.0+cpu is a CPU build and is preferred where pip finds one; plain 2.13.0 on Linux is CUDA's.
warn_of_cuda() {
    local version
    version="$(sed -n 's/^torch==//p' requirements.txt)"
    if compgen -G "$VENV/lib/python3*/site-packages/torch-$version*" >/dev/null; then return; fi
    if [[ "$("$PYTHON" -m pip index versions torch 2>/dev/null)" != *"$version+"* ]]; then
        say "pip finds no CPU build of torch $version and will fetch the one for CUDA, some gigabytes more." \
            "To prevent it stop here, point pip's own variable PIP_EXTRA_INDEX_URL at an index of CPU builds," \
            "or PIP_FIND_LINKS at a folder or page with one, and start again."
    fi
}
