#!/usr/bin/env bash
# Show with curl how a model answers no body, an empty object and the example of its card, and check the answers.
#
# Usage: bin/request-demo.sh <Model> [<url>]
#
# The service asked is at <url>, like http://127.0.0.1:9999; else it is the one that bin/start.sh started.
#
# Environment:
#   RUN_DIR  the folder it was started with; else tmp
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
source bin/lib/setup.sh
source bin/lib/server.sh
arguments 1 2 "$@"

export PYTHONUTF8=1
[[ -x $PYTHON ]] || die "There is no $PYTHON yet; bin/start.sh makes it."
if (($# < 2)); then
    server_pid >/dev/null || die "No service runs; start it with bin/start.sh, or name the URL of another."
    set -- "$1" "$(server_url)"
fi
href="$2/v1/$1"

# Print what curl gets and, on the last line, the status.
request() {
    curl --silent --show-error --noproxy '*' --max-time 60 --write-out '\n%{http_code}' "$@" "$href" ||
        die "No service answers at $href; start it with bin/start.sh."
}

# Show a POST and its answer, and hold them against what is expected.
#   demonstrate <status> <message> [<body>]
demonstrate() {
    local options=() shown="curl --request POST $href" answer
    if (($# > 2)); then
        options=(--header 'Content-Type: application/json' --data "$3")
        shown+=" --header 'Content-Type: application/json' --data '${3//\'/\'\\\'\'}'"
    fi
    echo "\$ $shown"
    answer="$(request --request POST "${options[@]}")"
    "$PYTHON" -c "$CHECK" "$1" "$2" <<<"$answer"
}

READ_CARD='
import json, sys

body, _, status = sys.stdin.read().strip().rpartition("\n")
try:
    card = json.loads(body)
    if status != "200":
        sys.exit(f"{sys.argv[1]} has no card: " + card["message"])
    print(*card["request_schema"]["required"])
    print(json.dumps(card["example"]["request"], ensure_ascii=False))
except (ValueError, LookupError, TypeError):
    sys.exit(f"{sys.argv[1]} answered {status}, but not with a card; is it this service?")
'

CHECK='
import json, sys

expected, message = sys.argv[1:]
body, _, status = sys.stdin.read().strip().rpartition("\n")
try:
    answer = json.loads(body)
except ValueError:
    sys.exit(f"WRONG: {status} and no JSON: {body[:200]}")
print(status, json.dumps(answer, ensure_ascii=False, indent=2), end="\n\n")
if status != expected or answer.get("message", "") != message or (status == "200") != ("result" in answer):
    sys.exit(f"WRONG: {expected} {message} was expected".replace("  ", " "))
'

answer="$(request)"
card="$("$PYTHON" -c "$READ_CARD" "$href" <<<"$answer")"
field="${card%%$'\n'*}"
example="${card#*$'\n'}"

demonstrate 400 "No JSON object"
demonstrate 400 "'$field' is a required property" '{}'
demonstrate 200 "" "$example"
echo "All three answers are right. GET $href shows what else it takes."
