#!/bin/sh
# Installs svc: verifies the checksum of the file for this machine and puts it into a directory of programs.
# Remove svc with `svc uninstall`.

# Address of the releases, with latest/download/ and download/v<version>/ below it. The build of a release writes it
# here. SVC_RELEASES_URL overrides it. Without an address, the file that was built in this checkout is installed.
RELEASES=

fail() {
  printf 'install.sh: %s\n' "$1" >&2
  exit 1
}

usage() {
  cat <<'END'
  sh install.sh [--from DIR|URL] [--to DIR] [--version V]

  --from     directory or URL that has svc and its checksum; default: the newest release if this copy knows an
             address, else what was built in dist
  --to       directory to install into; default ~/.local/bin
  --version  the release to download, e.g. 0.1.0
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
      # No redirect to an unencrypted address.
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

# The directory that `deno task compile` writes to, if this script is in a checkout and there is a file.
built() {
  case $0 in */install.sh) scripts=${0%/*} ;; install.sh) scripts=. ;; *) return 1 ;; esac
  [ -f "$scripts/../dist/svc" ] && (cd "$scripts/../dist" && pwd)
}

sum_of() {
  if command -v sha256sum >/dev/null; then
    sha256sum <"$1"
  else
    shasum -a 256 <"$1"
  fi | cut -d ' ' -f 1
}

# Whether $1 is svc: the script names it in its first lines, the executable holds the program's text. It is not run for that.
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
    fail "Cannot install on $(uname -sm): this script knows Linux and macOS on x86_64 and aarch64"
  releases=${SVC_RELEASES_URL:-$RELEASES}
  if [ -n "$from" ]; then
    [ -z "$version" ] || fail "Cannot use --version with --from, which names one release already"
  elif [ -n "$releases" ] && [ -n "$version" ]; then
    from=${releases%/}/download/v${version#v}
  elif [ -n "$releases" ]; then
    from=${releases%/}/latest/download
  elif [ -n "$version" ]; then
    fail "Cannot download version $version: this copy knows no address of releases; set SVC_RELEASES_URL, or build it from source"
  else
    from=$(built) ||
      fail "Cannot find a built svc: run \`npx --yes deno@2.9.6 task compile\` in the checkout first, or name a directory or URL with --from"
  fi
  case $from in
  http://127.0.0.1[:/]* | http://localhost[:/]* | http://\[::1\]*) ;;
  http://*) fail "Cannot trust $from: with http, anyone on the network can change the file and its checksum; use https, or download both yourself and name their directory with --from" ;;
  esac
  command -v sha256sum >/dev/null || command -v shasum >/dev/null ||
    fail "Cannot verify the checksum: needs sha256sum or shasum; nothing was installed"
  to=${to:-${HOME:+$HOME/.local/bin}}
  to=${to%/}
  [ -n "$to" ] || fail "Cannot choose a directory without HOME: name one with --to"
  case $to in /*) ;; *) to=$PWD/$to ;; esac
  name=svc-$target
  # A file that was built here has no name of a target.
  [ -f "$from/svc" ] && [ ! -f "$from/$name" ] && name=svc
  install_file "$from" "$name" "$to"
}

# Installs file $2 of the release at $1 into directory $3: verified and tried out, or not at all.
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
    printf 'To run it as svc, add this line to ~/.profile:  export PATH="%s:$PATH"\n' "$3"
    ;;
  esac
  printf 'Remove it: svc uninstall\n'
  first=$(command -v svc) && [ "$first" != "$3/svc" ] && case :$PATH: in
  *":$3:"*) printf 'Note: %s comes first in PATH\n' "$first" ;;
  esac
  return 0
}

# At the end, so that nothing runs of a script that was cut off during its download.
main "$@"
