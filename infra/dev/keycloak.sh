#!/usr/bin/env bash
# One Keycloak in its development mode (everything in memory), from Maven Central. Needs Java 17 and Maven.
#
#   infra/dev/keycloak.sh start [port]    prints KEYCLOAK_URL, with its administrator, when it answers
#   infra/dev/keycloak.sh stop  [port]
#
# KEYCLOAK_VERSION chooses the release (default 26.4.5).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=$(cd "$here/../.." && pwd)/.cache
version=${KEYCLOAK_VERSION:-26.4.5}
command=${1:-}
port=${2:-8180}
home=$cache/keycloak-$version
data=$cache/keycloak-data-$port
log=$data/keycloak.log
. "$here/process.sh"

install() {
  [ -e "$home/.complete" ] && return
  mkdir -p "$home"
  mvn -q -B dependency:copy -Dartifact="org.keycloak:keycloak-quarkus-dist:$version:tar.gz" -DoutputDirectory="$home" >&2
  tar -xzf "$home/keycloak-quarkus-dist-$version.tar.gz" -C "$home" --strip-components=1
  rm "$home/keycloak-quarkus-dist-$version.tar.gz"
  touch "$home/.complete"
}

start() {
  install
  export KC_BOOTSTRAP_ADMIN_USERNAME=admin KC_BOOTSTRAP_ADMIN_PASSWORD=admin
  export JAVA_OPTS='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -Xmx512m'
  # Its script becomes the process of Java.
  run_server Keycloak "$home/bin/kc.sh" start-dev --http-host=127.0.0.1 --http-port="$port" --db=dev-mem
  echo "KEYCLOAK_URL=http://admin:admin@127.0.0.1:$port"
}

case $command in
  start | stop) "$command" ;;
  *) sed -n '2,7p' "$0" >&2; exit 2 ;;
esac
