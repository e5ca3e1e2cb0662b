# Finds a Deno and fills the dependency folder. Sourced by run.sh and test.sh, which set $root; sets $deno.
# When nothing is left to do, no process is started.

pinned=2.9.6 # the version that is fetched when there is none
minimum=2.9  # the oldest that will do
stamp=.filled-1

say() {
  printf 'mini-agent: %s\n' "$*" >&2
}

fail() {
  say "$*"
  exit 1
}

# Whether "$1" is a Deno of at least the minimum version.
is_suitable() {
  version=$("$1" --version 2>/dev/null) || return 1
  version=${version#deno }
  version=${version%%[!0-9.]*}
  major=${version%%.*}
  minor=${version#*.}
  minor=${minor%%.*}
  case $major.$minor in
    *[!0-9.]* | .* | *.) return 1 ;;
  esac
  [ "$major" -gt "${minimum%.*}" ] || { [ "$major" -eq "${minimum%.*}" ] && [ "$minor" -ge "${minimum#*.}" ]; }
}

# The verdict on the Deno on PATH is kept in .deno/on-path, as "yes PATH" or "no PATH".
find_on_path() {
  candidate=$(command -v deno) || return 1
  case $candidate in
    /*) ;;
    *) return 1 ;;
  esac
  verdict='' known=''
  [ ! -r "$root/.deno/on-path" ] || read -r verdict known <"$root/.deno/on-path" || :
  if [ "$known" != "$candidate" ]; then
    verdict=no
    ! is_suitable "$candidate" || verdict=yes
    { mkdir -p "$root/.deno" && printf '%s %s\n' "$verdict" "$candidate" >"$root/.deno/on-path"; } 2>/dev/null || :
  fi
  [ "$verdict" = yes ] && deno=$candidate
}

# Into .deno/bin/deno: from npm, else with Deno's own installer. Built aside and moved, so never half there.
install_deno() {
  mkdir -p "$root/.deno/bin" || fail "Cannot write to $root/.deno"
  work=$(mktemp -d "$root/.deno/install-XXXXXX") || fail "Cannot write to $root/.deno"
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  install_from_npm || install_from_site ||
    fail "Cannot get Deno: neither npm nor Deno's installer brought it; install Deno $minimum or newer by hand"
  mv -f "$work/deno" "$root/.deno/bin/deno"
  rm -rf "$work"
  trap - EXIT INT TERM
}

show_log() {
  sed -e 's/^/  /' -e 6q "$work/log" >&2
}

install_from_npm() {
  command -v npm >/dev/null || return 1
  say "getting Deno $pinned from npm"
  npm install --prefix "$work/npm" --ignore-scripts --include=optional --no-save --no-audit --no-fund \
    --loglevel=error --fetch-retries=1 "deno@$pinned" >"$work/log" 2>&1 || { show_log; return 1; }
  for file in "$work"/npm/node_modules/@deno/*/deno; do
    mv "$file" "$work/deno" 2>/dev/null && chmod 755 "$work/deno" && is_suitable "$work/deno" && return 0
  done
  return 1
}

install_from_site() {
  command -v curl >/dev/null || return 1
  say "getting Deno $pinned with its own installer"
  curl -fsSL --connect-timeout 10 --max-time 60 -o "$work/install.sh" https://deno.land/install.sh || return 1
  DENO_INSTALL="$work" sh "$work/install.sh" "v$pinned" --no-modify-path -y >"$work/log" 2>&1 </dev/null ||
    { show_log; return 1; }
  mv "$work/bin/deno" "$work/deno" && is_suitable "$work/deno"
}

deno=$root/.deno/bin/deno
find_on_path || [ -x "$deno" ] || install_deno
[ -f "$root/vendor/$stamp" ] || (cd "$root" && "$deno" task --quiet vendor) || exit 1
