#!/bin/sh
# Installs svc: gets the file for this machine, verifies its checksum, and puts it into a directory of programs.
# Remove svc with `svc uninstall`.

# THE RELEASES' ADDRESS: below it are latest/download/ and download/v<version>/. SVC_RELEASE_URL takes its place.
RELEASES=

fail() {
  printf 'install.sh: %s\n' "$1" >&2
  exit 1
}

usage() {
  cat <<'END'
  sh install.sh [--from DIR|URL] [--to DIR] [--version V]

  --from     directory or address that has the files of one release; without it, the releases' address
  --to       directory of programs; ~/.local/bin without it
  --version  the release to get, e.g. 0.1.0; without it, the newest
END
}

# Name of this machine's kind, as release files have it.
target() {
  case $(uname -m) in
  x86_64 | amd64) machine=x86_64 ;;
  aarch64 | arm64) machine=aarch64 ;;
  *) machine=$(uname -m) ;;
  esac
  case $(uname -s)-$machine in
  Linux-x86_64 | Linux-aarch64) echo "$machine-unknown-linux-gnu" ;;
  Darwin-x86_64 | Darwin-aarch64) echo "$machine-apple-darwin" ;;
  *) return 1 ;;
  esac
}

# Gets file $2 of a release at $1, a directory or an address, as $3.
get() {
  case $1 in
  http://* | https://*)
    if command -v curl >/dev/null; then
      # Nobody on the way may send it on to where it is not encrypted.
      curl -fsSL --proto-redir "=${1%%:*}" -o "$3" "${1%/}/$2"
    elif command -v wget >/dev/null; then
      wget -q -O "$3" "${1%/}/$2"
    else
      fail "Cannot download: needs curl or wget; install one, or download the files and name their directory with --from"
    fi
    ;;
  *) cp "$1/$2" "$3" ;;
  esac || fail "Cannot get ${1%/}/$2"
}

sum_of() {
  if command -v sha256sum >/dev/null; then
    sha256sum <"$1"
  else
    shasum -a 256 <"$1"
  fi | cut -d ' ' -f 1
}

# Whether $1 is svc: the script names it at once, the executable holds the program's text. It is not started for that.
is_svc() {
  head -n 2 "$1" 2>/dev/null | grep -q '^# svc ' || grep -q svcBuild "$1" 2>/dev/null
}

main() {
  from= to= version=
  while [ $# -gt 0 ]; do
    case $1 in
    -h | --help)
      usage
      exit
      ;;
    --from | --to | --version)
      [ -n "${2:-}" ] || fail "Cannot use $1 without a value"
      case $1 in --from) from=$2 ;; --to) to=$2 ;; --version) version=$2 ;; esac
      shift 2
      ;;
    *) fail "Cannot use $1: the options are --from, --to and --version" ;;
    esac
  done
  target=$(target) ||
    fail "Cannot install on $(uname -sm): releases are for Linux and macOS on x86_64 and aarch64, and for Windows without this script"
  releases=${SVC_RELEASE_URL:-$RELEASES}
  if [ -n "$from" ]; then
    [ -z "$version" ] || fail "Cannot use --version with --from, which names one release already"
  elif [ -z "$releases" ]; then
    fail "Cannot download: this copy knows no address of releases; name one with --from or SVC_RELEASE_URL"
  elif [ -n "$version" ]; then
    from=${releases%/}/download/v${version#v}
  else
    from=${releases%/}/latest/download
  fi
  case $from in
  http://127.0.0.1[:/]* | http://localhost[:/]* | http://\[::1\]*) ;;
  http://*) fail "Cannot trust $from: on an http address anybody on the way can change the file and its checksum; use https, or download both yourself and name their directory with --from" ;;
  esac
  command -v sha256sum >/dev/null || command -v shasum >/dev/null ||
    fail "Cannot verify the checksum: needs sha256sum or shasum; nothing was installed"
  to=${to:-${HOME:+$HOME/.local/bin}}
  to=${to%/}
  [ -n "$to" ] || fail "Cannot choose a directory without HOME: name one with --to"
  case $to in /*) ;; *) to=$PWD/$to ;; esac
  name=svc-$target
  # What one has built oneself.
  [ -f "$from/svc" ] && [ ! -f "$from/$name" ] && name=svc
  install_file "$from" "$name" "$to"
}

# Installs file $2 of the release at $1 into directory $3: whole, verified and tried out, or not at all.
install_file() {
  mkdir -p "$3" 2>/dev/null && [ -w "$3" ] ||
    fail "Cannot write to $3: name another directory with --to"
  [ ! -d "$3/svc" ] || fail "Cannot install as $3/svc: that is a directory; name another with --to"
  [ ! -e "$3/svc" ] || is_svc "$3/svc" ||
    fail "Cannot install as $3/svc: that is another program of this name; remove it, or name another directory with --to"
  new=$(mktemp -d "$3/.svc-install.XXXXXX") || fail "Cannot make a directory in $3"
  trap 'rm -rf "$new"' EXIT
  trap 'exit 1' HUP INT TERM
  get "$1" "$2.sha256" "$new/sum"
  get "$1" "$2" "$new/svc"
  expected=$(cut -d ' ' -f 1 "$new/sum")
  found=$(sum_of "$new/svc") || exit 1
  [ -n "$found" ] && [ "$found" = "$expected" ] ||
    fail "Cannot trust ${1%/}/$2: its SHA-256 is $found, and $2.sha256 says $expected; nothing was installed"
  chmod 755 "$new/svc"
  said=$("$new/svc" --version) ||
    fail "Cannot run ${1%/}/$2 on this machine; nothing was installed"
  mv -f "$new/svc" "$3/svc" || fail "Cannot write $3/svc"
  printf 'Installed %s: %s, checksum verified.\n' "$3/svc" "$said"
  case :$PATH: in
  *":$3:"*) printf 'Start it:  svc proxy\n' ;;
  *)
    printf 'Start it:  %s proxy\n' "$3/svc"
    printf 'To say just svc, add this line to ~/.profile:  export PATH="%s:$PATH"\n' "$3"
    ;;
  esac
  printf 'Remove it: svc uninstall\n'
  first=$(command -v svc) && [ "$first" != "$3/svc" ] && case :$PATH: in
  *":$3:"*) printf 'Note: %s comes first in PATH\n' "$first" ;;
  esac
  return 0
}

# At the end: of a script that was cut off on its way nothing is run.
main "$@"
