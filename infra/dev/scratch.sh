#!/usr/bin/env bash
# Prints a folder for the files of test runs: in memory where there is room for it, else the usual one (ADR 285).
#
# Tests make and remove many thousand small files. ext4 does not give out an inode again for five seconds and looks
# past all of them at each new file, which took a fifth of the processor time of a whole run.
set -euo pipefail

memory=/dev/shm
# A whole run keeps at most 1.1 GiB there at once. The processes of the run need the rest of the memory.
room_kib=$((6 * 1024 * 1024))
memory_kib=$((12 * 1024 * 1024))

# Systems without these files or options have no such folder: 0.
available() { awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo 2>/dev/null || echo 0; }
room() { df --output=avail "$memory" 2>/dev/null | tail -n 1 || echo 0; }

# Native modules are loaded from there.
executable() { ! grep -qE "^[^ ]+ $memory [^ ]+ ([^ ]+,)?noexec" /proc/mounts; }

if [ -w "$memory" ] && [ "$(stat -f -c %T "$memory")" = tmpfs ] && executable &&
  [ "$(room)" -ge "$room_kib" ] && [ "$(available)" -ge "$memory_kib" ]; then
  echo "$memory"
else
  echo "${TMPDIR:-/tmp}"
fi
