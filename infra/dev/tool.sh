#!/usr/bin/env bash
# One program of a Debian package, unpacked under .cache/: nothing is installed, no service is started.
#
#   infra/dev/tool.sh promtool    prints its path: Prometheus' checks of rules and configuration
#   infra/dev/tool.sh nginx
set -euo pipefail

case ${1:-} in
  promtool) package=prometheus program=usr/bin/promtool ;;
  nginx) package=nginx program=usr/sbin/nginx ;;
  *) sed -n '2,5p' "$0" >&2; exit 2 ;;
esac
home=$(cd "$(dirname "$0")/../.." && pwd)/.cache/$package

if [ ! -x "$home/$program" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  # The sandbox of apt may not write here; the package is checked against its signed list all the same.
  (cd "$folder" && apt-get download -qq -o APT::Sandbox::User=root "$package" >&2)
  mkdir -p "$home"
  dpkg -x "$folder/${package}"_*.deb "$home"
fi
echo "$home/$program"
