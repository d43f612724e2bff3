#!/bin/sh
# limit.sh - runs a command, and ends it when its time is up. See --help.
# The command gets a session of its own, so that all processes it started can be found and ended.
# SPDX-License-Identifier: Zlib

usage() {
  cat <<'END'
Usage: tests/limit.sh [--name NAME] SECONDS COMMAND...
Runs the command; its exit status is that of this script. After SECONDS the command and all that it started are ended, a line
of TAP says so by name, and the exit status is 124. Where there is no setsid, nothing is ended.
With SUITE_TIMES in the environment, a line is added to that file: name, seconds, seconds of processor time, exit status.
The name is the last part of the last word of the command, without .sh.
END
}

name=
case $1 in
  --help) usage; exit 0 ;;
  --name) name=$2; shift 2 ;;
esac
limit=$1
shift
case $limit in '' | *[!0-9]*) usage >&2; exit 2 ;; esac
[ $# -gt 0 ] || { usage >&2; exit 2; }
if [ -z "$name" ]; then
  for word; do name=${word##*/}; done
  name=${name%.sh}
fi

signal_session() { # signal_session SIGNAL: signals every process of the command
  for stat in /proc/[0-9]*/stat; do
    # state, parent, group and session follow the command's name in parentheses
    { read -r line <"$stat"; } 2>/dev/null || continue
    # shellcheck disable=SC2086
    set -- "$1" ${line##*) }
    [ "${5-}" = "$session" ] || continue
    stat=${stat%/stat}
    kill -"$1" "${stat#/proc/}" 2>/dev/null
  done
}
end_session() {
  signal_session TERM
  sleep 1
  signal_session KILL
}

hung=no
began=$(date +%s)
if command -v setsid >/dev/null 2>&1 && [ -r /proc/self/stat ]; then
  setsid "$@" &
  session=$!
  (
    trap 'kill $! 2>/dev/null; exit' TERM
    sleep "$limit" &
    wait $!
    kill -USR1 $$
  ) </dev/null >/dev/null 2>&1 &
  watch=$!
  trap 'hung=yes; end_session' USR1
  trap 'kill $watch 2>/dev/null; end_session; exit 130' INT TERM HUP
  wait $session
  status=$?
  while [ $hung = no ] && kill -0 $session 2>/dev/null; do
    wait $session
    status=$?
  done
  trap '' USR1
  kill $watch 2>/dev/null
  wait $watch 2>/dev/null
  [ $hung = yes ] || signal_session KILL # processes that the command left behind
else
  "$@"
  status=$?
fi
seconds=$(($(date +%s) - began))

if [ $hung = yes ]; then
  echo "Bail out! $name ended after $seconds s; its limit is $limit s"
  status=124
fi
if [ -n "${SUITE_TIMES-}" ]; then
  times >"$SUITE_TIMES.$$" # in a pipe, times would run in a subshell and give its times
  spent=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, part, /[ms]/); sum += 60 * part[1] + part[2] }; printf "%.1f", sum }' "$SUITE_TIMES.$$")
  rm -f "$SUITE_TIMES.$$"
  echo "$name $seconds $spent $status" >>"$SUITE_TIMES"
fi
exit $status
