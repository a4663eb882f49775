#!/usr/bin/env bash
# One Keycloak in its development mode (everything in memory), from Maven Central. Needs Java 17 and Maven.
#
#   infra/dev/keycloak.sh start [port]    prints KEYCLOAK_URL, with its administrator, when it answers
#   infra/dev/keycloak.sh stop  [port]
#
# KEYCLOAK_VERSION chooses the release (default 26.4.5).
set -euo pipefail

cache=$(cd "$(dirname "$0")/../.." && pwd)/.cache
version=${KEYCLOAK_VERSION:-26.4.5}
command=${1:-}
port=${2:-8180}
home=$cache/keycloak-$version
data=$cache/keycloak-data-$port

install() {
  [ -e "$home/.complete" ] && return
  mkdir -p "$home"
  mvn -q -B dependency:copy -Dartifact="org.keycloak:keycloak-quarkus-dist:$version:tar.gz" -DoutputDirectory="$home" >&2
  tar -xzf "$home/keycloak-quarkus-dist-$version.tar.gz" -C "$home" --strip-components=1
  rm "$home/keycloak-quarkus-dist-$version.tar.gz"
  touch "$home/.complete"
}

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

start() {
  install
  if answers; then echo "port $port is taken" >&2; exit 1; fi
  mkdir -p "$data"
  # Its script becomes the process of Java.
  KC_BOOTSTRAP_ADMIN_USERNAME=admin KC_BOOTSTRAP_ADMIN_PASSWORD=admin \
    JAVA_OPTS='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx512m' \
    nohup "$home/bin/kc.sh" start-dev --http-host=127.0.0.1 --http-port="$port" --db=dev-mem \
    > "$data/keycloak.log" 2>&1 &
  echo $! > "$data/pid"
  for _ in $(seq 720); do
    if ! kill -0 "$(cat "$data/pid")" 2>/dev/null; then tail -20 "$data/keycloak.log" >&2; exit 1; fi
    if answers; then echo "KEYCLOAK_URL=http://admin:admin@127.0.0.1:$port"; return; fi
    sleep 0.25
  done
  echo "Keycloak does not answer on port $port; see $data/keycloak.log" >&2
  exit 1
}

stop() {
  [ -e "$data/pid" ] || return 0
  pid=$(cat "$data/pid")
  kill "$pid" 2>/dev/null || true
  for _ in $(seq 80); do kill -0 "$pid" 2>/dev/null || break; sleep 0.25; done
  rm -f "$data/pid"
}

case $command in
  start | stop) "$command" ;;
  *) sed -n '2,7p' "$0" >&2; exit 2 ;;
esac
