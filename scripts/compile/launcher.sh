#!/bin/sh
# svc @VERSION@ for @TARGET@. This file is a script and, behind it, the program and its runtime, compressed in two
# parts. The first start unpacks them into a directory of the user, every other start runs what is there.
key=@KEY@         # of the parts' content; name of the directory
first_line=@LINE@ # line of this file at which the first part begins
rest=@REST@       # bytes of the second part, which ends this file
size=@SIZE@       # of this file, in bytes
files=@FILES@     # that are unpacked
keep_days=14      # an older version that was not started for so long is removed

case $0 in
/*) file=$0 ;;
*) file=$PWD/${0#./} ;;
esac

fail() {
  printf 'svc: %s\n' "$1" >&2
  exit 1
}

# The parts through gzip, whose flags are given: an archive with the program and the beginning of the runtime, and the
# runtime's end.
first() { head -c $((size - rest)) "$file" | tail -n +$first_line | gzip "$@"; }
second() { tail -c $rest "$file" | gzip "$@"; }

# Whether all is unpacked in directory $1, by this user: what others put there is not run.
is_whole() {
  set -- "$1" "$1"/deno "$1"/app/*.js "$1"/app/src/*.js
  [ -O "$1" ] && [ -x "$2" ] && [ $# -eq $((files + 1)) ]
}

# Runs what is unpacked in directory $1; the other arguments are the user's.
start() {
  home=$1
  shift
  # Its time says when this version was started last.
  { true >"$home/used"; } 2>/dev/null
  SVC_FILE=$file SVC_OUTER_DENO_DIR=${DENO_DIR:-} DENO_DIR=$home/cache DENO_NO_UPDATE_CHECK=1
  export SVC_FILE SVC_OUTER_DENO_DIR DENO_DIR DENO_NO_UPDATE_CHECK
  # Memory of large request bodies goes back to the system when it is freed; without it much stays with the process.
  MALLOC_MMAP_THRESHOLD_=${MALLOC_MMAP_THRESHOLD_:-131072} MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-2}
  MALLOC_TRIM_THRESHOLD_=${MALLOC_TRIM_THRESHOLD_:-131072}
  export MALLOC_MMAP_THRESHOLD_ MALLOC_ARENA_MAX MALLOC_TRIM_THRESHOLD_
  # The runtime would listen elsewhere, believe what callers say of their address, or report on its own.
  unset DENO_SERVE_ADDRESS DENO_TRUST_PROXY_HEADERS OTEL_DENO
  # Users without a home have a file there, below which the runtime cannot look for settings of its own.
  [ ! -e "${HOME:-/}" ] || [ -d "${HOME:-/}" ] || unset HOME
  exec "$home/deno" run @FLAGS@ "$home/app/main.js" "$@"
}

# Unpacks below directory $1, whole or not at all; 1: it cannot be used for that.
unpack() (
  umask 077
  mkdir -p "$1" 2>/dev/null && [ -O "$1" ] || exit 1
  # Of several first starts one unpacks while the others wait; without flock all do, and one wins.
  exec 9<"$1"
  flock -w 60 9 2>/dev/null
  ! is_whole "$1/$key" || exit 0
  new=$(mktemp -d "$1/.new.XXXXXX" 2>/dev/null) || exit 1
  trap 'rm -rf "$new" "$new.broken"' EXIT
  trap 'exit 1' HUP INT TERM
  # One pipeline, though nothing flows from the second part to the first: both unpack at the same time, and end at the
  # same signal. Each has its checksum at its end, and only these files say what gzip says of it; on a full disk tar says
  # so and leaves files of every name.
  { second -dc >"$new/rest" && true >"$new/intact.2"; } 2>/dev/null |
    { first -dc && true >"$new/intact.1"; } 2>/dev/null | tar -xof - -C "$new" 2>/dev/null || exit 1
  rm "$new/intact.1" "$new/intact.2" 2>/dev/null || exit 1
  cat "$new/rest" 2>/dev/null >>"$new/deno" && rm "$new/rest" || exit 1
  is_whole "$new" && "$new/deno" --version >/dev/null 2>&1 || exit 1
  true >"$new/used"
  if [ -e "$1/$key" ] && ! is_whole "$1/$key"; then
    mv "$1/$key" "$new.broken" 2>/dev/null
  fi
  # What comes later lands inside the winner's directory, and goes.
  [ -e "$1/$key" ] || mv "$new" "$1/$key" 2>/dev/null
  rm -rf "$1/$key/${new##*/}"
  remove_old "$1"
)

# Removes from directory $1 what crashed while it unpacked, and versions that nobody uses any more.
remove_old() {
  for old in "$1"/.new.*; do
    [ -z "$(find "$old" -prune -mtime +1 2>/dev/null)" ] || rm -rf "$old"
  done
  for old in "$1"/*; do
    [ "$old" != "$1/$key" ] && [ -f "$old/app/main.js" ] || continue
    [ -n "$(find "$old/used" -mtime +$keep_days 2>/dev/null)" ] || continue
    # The system names running programs by their real path.
    real=$(cd -P "$old" && pwd) || continue
    ls -l /proc/[0-9]*/exe 2>/dev/null | grep -qF " $real/deno" || rm -rf "$old"
  done
}

# A directory for this user alone; others may have made one of that name in a place that all may write to.
is_private() {
  [ ! -L "$1" ] && [ -d "$1" ] && [ -O "$1" ] || return 1
  # Below a directory with a group of its own there is an S.
  case $(ls -ld "$1") in drwx--[-S]---*) ;; *) return 1 ;; esac
}

cache=${XDG_CACHE_HOME:-}
case $cache in /*) ;; *) cache=${HOME:+$HOME/.cache} ;; esac
case $cache in /*) cache=$cache/svc ;; *) cache= ;; esac
[ -n "$cache" ] && is_whole "$cache/$key" && start "$cache/$key" "$@"

case ${TMPDIR:-} in /*) spare=$TMPDIR ;; *) spare=/tmp ;; esac
[ -d "$spare" ] || spare=/tmp
spare=$spare/svc-$(id -u)
is_private "$spare" && is_whole "$spare/$key" && start "$spare/$key" "$@"

[ "$(uname -sm)" = "@UNAME@" ] ||
  fail "Cannot start on $(uname -sm): this file is for @UNAME@; get the one for this machine"
[ "$(wc -c <"$file")" -eq $size ] ||
  fail "Cannot start: $file has $(wc -c <"$file") bytes instead of $size, so it was not copied as a whole; get it again"

[ -n "$cache" ] && unpack "$cache" && start "$cache/$key" "$@"

{ first -t && second -t; } 2>/dev/null ||
  fail "Cannot start: $file is damaged; get it again"
mkdir -m 700 "$spare" 2>/dev/null
is_private "$spare" ||
  fail "Cannot unpack into $spare: must be a directory that only you may read and write; set TMPDIR or XDG_CACHE_HOME to one"
unpack "$spare" ||
  fail "Cannot unpack into ${cache:+$cache or }$spare: svc needs @MEGABYTES@ MB there, a directory from which programs may run, and glibc; set XDG_CACHE_HOME to such a directory"
printf 'svc: Unpacked into %s, because %s cannot be used\n' "$spare/$key" "${cache:-a home directory}" >&2
start "$spare/$key" "$@"
exit 1
