#!/usr/bin/env bash
# One throwaway PostgreSQL from Debian's packages, on loopback.
#
#   infra/dev/postgres.sh start [port]    prints DATABASE_URL when it answers
#   infra/dev/postgres.sh stop  [port]    stops it and removes its data
#   infra/dev/postgres.sh restart [port]  ends every process of it at once, as a crash does, and starts it again
#   infra/dev/postgres.sh crash [port]    kills its first process alone, and starts it again
#
# PostgreSQL refuses to run as root: started by root, it runs as the user `postgres`, with its data in TMPDIR where
# everybody may write there (as in /tmp), else in /var/tmp.
set -euo pipefail

command=${1:-}
port=${2:-5433}
folder=/var/tmp
[ ! -k "${TMPDIR:-}" ] || folder=$TMPDIR
data=$folder/harrier-postgres-$port

as_owner() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

binaries() {
  if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
    [ "$(id -u)" = 0 ] || { echo "install the package postgresql first" >&2; exit 1; }
    apt-get install -y -qq postgresql >&2
  fi
  dirname "$(ls /usr/lib/postgresql/*/bin/initdb | sort -V | tail -1)"
}

start() {
  bin=$(binaries)
  if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then echo "port $port is taken" >&2; exit 1; fi
  if [ "$(id -u)" = 0 ]; then install -d -o postgres -m 700 "$data"; else install -d -m 700 "$data"; fi
  cd "$data"
  [ -e "$data/db/PG_VERSION" ] || as_owner "$bin/initdb" -D "$data/db" -U harrier -A trust -E UTF8 --locale=C.UTF-8 >/dev/null
  as_owner "$bin/pg_ctl" -D "$data/db" -l "$data/server.log" -w -t 60 \
    -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$data" start >/dev/null
  as_owner psql -q -h 127.0.0.1 -p "$port" -U harrier -d postgres -tc "SELECT 1 FROM pg_database WHERE datname = 'harrier'" |
    grep -q 1 || as_owner psql -q -h 127.0.0.1 -p "$port" -U harrier -d postgres -c 'CREATE DATABASE harrier'
  echo "DATABASE_URL=postgres://harrier@127.0.0.1:$port/harrier"
}

restart() {
  cd "$data"
  as_owner "$(binaries)/pg_ctl" -D "$data/db" -l "$data/server.log" -m immediate -w -t 60 restart >/dev/null
}

# The processes of the connections notice by themselves that the first one is gone; until then a start is refused.
crash() {
  cd "$data"
  bin=$(binaries)
  kill -9 "$(head -1 "$data/db/postmaster.pid")"
  for _ in $(seq 100); do
    if as_owner "$bin/pg_ctl" -D "$data/db" -l "$data/server.log" -w -t 60 \
      -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$data" start >/dev/null; then return 0; fi
    sleep 0.1
  done
  return 1
}

stop() {
  [ -d "$data/db" ] || return 0
  cd "$data"
  as_owner "$(binaries)/pg_ctl" -D "$data/db" -m fast -w stop >/dev/null || true
  cd / && rm -rf "$data"
}

case $command in
  start | stop | restart | crash) "$command" ;;
  *) sed -n '2,10p' "$0" >&2; exit 2 ;;
esac
