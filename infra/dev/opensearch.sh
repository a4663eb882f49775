#!/usr/bin/env bash
# One OpenSearch node (no Docker), from Maven Central, to measure against. Needs a JDK of Java 17 and Maven.
#
#   infra/dev/opensearch.sh start [port] [data dir]    prints its URL when it answers
#   infra/dev/opensearch.sh stop  [port] [data dir]
#
# OPENSEARCH_VERSION chooses the release (default 2.19.1), OPENSEARCH_HEAP its memory (default 4g). Jars are kept under
# .cache/ of the repository.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cache=$(cd "$here/../.." && pwd)/.cache
version=${OPENSEARCH_VERSION:-2.19.1}
command=${1:-}
port=${2:-9200}
data=${3:-$cache/opensearch-data-$version-$port}
jars=$cache/opensearch-$version
url=http://127.0.0.1:$port
log=$data/out.log
. "$here/process.sh"

install() {
  [ -e "$jars/.complete" ] && return
  mvn -q -B -f "$here/opensearch/pom.xml" -Dopensearch.version="$version" \
    dependency:copy-dependencies -DoutputDirectory="$jars" -DincludeScope=runtime >&2
  javac -cp "$jars/*" -d "$jars/classes" "$here/opensearch/OneNode.java" >&2
  touch "$jars/.complete"
}

start() {
  install
  mkdir -p "$data/config"
  local heap=${OPENSEARCH_HEAP:-4g}
  nohup java "-Xms$heap" "-Xmx$heap" -Dlog4j2.level=error -cp "$jars/*:$jars/classes" OneNode "$data" "$port" \
    > "$log" 2>&1 &
  echo $! > "$data/pid"
  for _ in $(seq 240); do
    if curl -fsS "$url/_cluster/health?wait_for_status=yellow&timeout=1s" > /dev/null 2>&1; then
      echo "$url"
      return
    fi
    kill -0 "$(cat "$data/pid")" 2> /dev/null || break
    sleep 0.5
  done
  tail -20 "$log" >&2
  exit 1
}

case $command in
  start) start ;;
  stop) stop ;;
  *) sed -n '2,8p' "$0" >&2; exit 2 ;;
esac
