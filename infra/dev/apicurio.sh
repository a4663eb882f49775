#!/usr/bin/env bash
# One Apicurio Registry (Confluent protocol, schemas in memory), from Maven Central. Needs Java 17 and Maven.
#
#   infra/dev/apicurio.sh start [port]    prints SCHEMA_REGISTRY_URL when it answers
#   infra/dev/apicurio.sh stop  [port]
#
# APICURIO_VERSION chooses the release (default 3.0.9; Central does not hold the archive of every one).
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=$(cd "$here/../.." && pwd)/.cache
version=${APICURIO_VERSION:-3.0.9}
command=${1:-}
port=${2:-8081}
home=$cache/apicurio-$version
data=$cache/apicurio-data-$port
url=http://127.0.0.1:$port/apis/ccompat/v7
log=$data/registry.log
. "$here/process.sh"

install() {
  [ -e "$home/.complete" ] && return
  mkdir -p "$home"
  mvn -q -B dependency:copy -Dartifact="io.apicurio:apicurio-registry-app:$version:tar.gz:all" -DoutputDirectory="$home" >&2
  tar -xzf "$home/apicurio-registry-app-$version-all.tar.gz" -C "$home"
  rm "$home/apicurio-registry-app-$version-all.tar.gz"
  touch "$home/.complete"
}

start() {
  install
  export QUARKUS_HTTP_HOST=127.0.0.1 QUARKUS_HTTP_PORT=$port APICURIO_STORAGE_KIND=sql
  run_server 'the registry' java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -Xmx384m -jar "$home"/apicurio-registry-app-*-runner.jar
  echo "SCHEMA_REGISTRY_URL=$url"
}

case $command in
  start | stop) "$command" ;;
  *) sed -n '2,7p' "$0" >&2; exit 2 ;;
esac
