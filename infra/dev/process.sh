#!/usr/bin/env bash
# One server in the background, for the scripts beside this one, which set: port, data (its folder) and log (a file there).

answers() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }

# `run_server NAME COMMAND ...`: starts it, and returns when its port answers; ends the script with its log otherwise.
run_server() {
  local name=$1
  shift
  if answers; then echo "port $port is taken" >&2; exit 1; fi
  mkdir -p "$data"
  nohup "$@" >"$log" 2>&1 &
  echo $! >"$data/pid"
  for _ in $(seq 720); do
    if ! kill -0 "$(cat "$data/pid")" 2>/dev/null; then tail -20 "$log" >&2; exit 1; fi
    if answers; then return; fi
    sleep 0.25
  done
  echo "$name does not answer on port $port; see $log" >&2
  exit 1
}

# Ends it in order, if it runs.
stop() {
  [ -e "$data/pid" ] || return 0
  local pid
  pid=$(cat "$data/pid")
  kill "$pid" 2>/dev/null || true
  for _ in $(seq 80); do kill -0 "$pid" 2>/dev/null || break; sleep 0.25; done
  rm -f "$data/pid"
}
