#!/bin/sh
# Runs the agent in the folder you are in; fetches what it needs the first time.
#   sh scripts/run.sh "what is in this folder?"
set -eu

self=$0
[ ! -h "$self" ] || self=$(readlink -f -- "$self")
case $self in
  */*) root=${self%/*}/.. ;;
  *) root=.. ;;
esac
root=$(CDPATH='' cd -- "$root" && pwd)
. "$root/scripts/setup.sh"

# what a run does not come to is not even read
exec "$deno" run --quiet --unstable-lazy-dynamic-imports \
  --allow-read --allow-write --allow-run --allow-net --allow-env --deny-net=169.254.0.0/16 \
  --no-prompt --cached-only --no-npm --config "$root/deno.json" "$root/main.ts" "$@"
