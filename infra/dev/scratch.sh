#!/usr/bin/env bash
# Prints a folder for the files of test runs: in memory where there is room for it, else the usual one (ADR 187).
#
# Tests make and remove many thousand small files. ext4 does not give out an inode again for five seconds and looks
# past all of them at each new file, which took a fifth of the processor time of a whole run.
set -euo pipefail

memory=/dev/shm
# A whole run has at most 1.1 GiB there at once; half of this has to be free in the folder itself.
needed_kib=$((12 * 1024 * 1024))

kib() { awk -v name="$1:" '$1 == name { print $2 }' /proc/meminfo 2>/dev/null; }
room() { df --output=avail "$memory" 2>/dev/null | tail -n 1; }

# Native modules are loaded from there.
executable() { ! grep -qE "^[^ ]+ $memory [^ ]+ ([^ ]+,)?noexec" /proc/mounts; }

available=$(kib MemAvailable)
if [ -w "$memory" ] && [ "$(stat -f -c %T "$memory")" = tmpfs ] && executable &&
  [ "$(room)" -ge $((needed_kib / 2)) ] && [ "${available:-0}" -ge "$needed_kib" ]; then
  echo "$memory"
else
  echo "${TMPDIR:-/tmp}"
fi
