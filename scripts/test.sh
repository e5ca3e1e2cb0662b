#!/bin/sh
# Runs the tests; fetches what they need the first time. Arguments go to deno test, for example the path of one file.
set -eu

case $0 in
  */*) root=${0%/*}/.. ;;
  *) root=.. ;;
esac
root=$(CDPATH='' cd -- "$root" && pwd)
. "$root/scripts/setup.sh"

cd "$root"
exec "$deno" task --quiet test "$@"
