#!/bin/sh
# Names the Debian packages whose libraries the given programs load, one a line: what an image that
# only runs them has to install.
#   deploy/runtime_packages.sh PROGRAM...
set -eu
[ $# -gt 0 ] || { echo "usage: deploy/runtime_packages.sh PROGRAM..." >&2; exit 2; }
libraries=$(for program in "$@"; do ldd "$program"; done)
if echo "$libraries" | grep 'not found' >&2; then exit 1; fi
echo "$libraries" | awk '/=> \//{print $3}' | sort -u | while read -r library; do
  file=$(readlink -f "$library")
  # Some packages are registered by paths of before /lib became a link to /usr/lib.
  { dpkg -S "$file" || dpkg -S "${file#/usr}"; } 2>/dev/null | cut -d: -f1 ||
    { echo "runtime_packages.sh: no package has $library" >&2; exit 1; }
done | sort -u
