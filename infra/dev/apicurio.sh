#!/usr/bin/env bash
# One Apicurio Registry (Confluent protocol, schemas in memory), from Maven Central. Needs Java 17 and Maven.
#
#   infra/dev/apicurio.sh start [port]    prints SCHEMA_REGISTRY_URL when it answers
#   infra/dev/apicurio.sh stop  [port]
#
# APICURIO_VERSION chooses the release (default 3.0.9; Central does not hold the archive of every one).
set -euo pipefail

cache=$(cd "$(dirname "$0")/../.." && pwd)/.cache
version=${APICURIO_VERSION:-3.0.9}
command=${1:-}
port=${2:-8081}
home=$cache/apicurio-$version
data=$cache/apicurio-data-$port
url=http://127.0.0.1:$port/apis/ccompat/v7

install() {
  [ -e "$home/.complete" ] && return
  mkdir -p "$home"
  mvn -q -B dependency:copy -Dartifact="io.apicurio:apicurio-registry-app:$version:tar.gz:all" -DoutputDirectory="$home" >&2
  tar -xzf "$home/apicurio-registry-app-$version-all.tar.gz" -C "$home"
  rm "$home/apicurio-registry-app-$version-all.tar.gz"
  touch "$home/.complete"
}

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

start() {
  install
  if answers; then echo "port $port is taken" >&2; exit 1; fi
  mkdir -p "$data"
  QUARKUS_HTTP_HOST=127.0.0.1 QUARKUS_HTTP_PORT=$port APICURIO_STORAGE_KIND=sql \
    nohup java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx384m -jar "$home"/apicurio-registry-app-*-runner.jar > "$data/registry.log" 2>&1 &
  echo $! > "$data/pid"
  for _ in $(seq 240); do
    if ! kill -0 "$(cat "$data/pid")" 2>/dev/null; then tail -20 "$data/registry.log" >&2; exit 1; fi
    if answers; then echo "SCHEMA_REGISTRY_URL=$url"; return; fi
    sleep 0.25
  done
  echo "the registry does not answer on port $port; see $data/registry.log" >&2
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
