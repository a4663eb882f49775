#!/usr/bin/env bash
# One program of a Debian package, unpacked under .cache/: nothing is installed, no service is started.
#
#   infra/dev/tool.sh promtool    prints its path: Prometheus' checks of rules and configuration
#   infra/dev/tool.sh nginx
#   infra/dev/tool.sh faketime    a library that moves the clock of the processes that it is preloaded into
set -euo pipefail

case ${1:-} in
  promtool) package=prometheus program=usr/bin/promtool ;;
  nginx) package=nginx program=usr/sbin/nginx ;;
  faketime) package=libfaketime program=usr/lib/$(uname -m)-linux-gnu/faketime/libfaketime.so.1 ;;
  *) sed -n '2,6p' "$0" >&2; exit 2 ;;
esac
home=$(cd "$(dirname "$0")/../.." && pwd)/.cache/$package

if [ ! -e "$home/$program" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  # The sandbox of apt may not write here; the package is checked against its signed list all the same.
  (cd "$folder" && apt-get download -qq -o APT::Sandbox::User=root "$package" >&2)
  mkdir -p "$home"
  dpkg -x "$folder/${package}"_*.deb "$home"
fi
echo "$home/$program"
