#!/bin/sh
# usage: tests/cli/signals.sh HAICHI
# 200 signals (SIGINT, SIGTERM, SIGHUP, SIGKILL) at random moments to all commands that write files or have children.  No
# temporary file is left (except by SIGKILL), no incomplete output, and no child.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

cat >zone.xml <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="world" routing="Full">
    <cluster id="c" prefix="c-" suffix="" radical="0-63" speed="1Gf" bw="1GBps" lat="1us"/>
  </zone>
</platform>
END

# run N: runs command number N, whose outputs are called out*; its temporary files have these names with a suffix
run()
{
  case $1 in
  0) set -- sim -p torus:4x4x4 -t npb:is.A.64@1 --timeline out.json --links out.tsv --per-rank outr.tsv ;;
  1) set -- sim -p torus:4x4 --engine simgrid --job npb:cg.S.16@1 --job npb:is.S.8,repeat --links out.tsv \
    --per-rank outr.tsv ;;
  2) set -- sim -p ../zone.xml -t npb:is.S.64@1 --timeline out.csv --links out.tsv ;;
  3) set -- map fmopt -p mesh:16x16x8 --matrix grid:16x16x8 -o out --threads 2 ;;
  4) set -- trace convert npb:lu.A.64@1 -o out ;;
  5) set -- platform mesh:32x32x16 --speeds 1Gf,2Gf -o out.xml ;;
  6) set -- platform --info ../zone.xml -o out.tsv ;;
  7) set -- plot matrix ../matrix.tsv -o out.svg ;;
  8) set -- compare -p torus:4x4 -t npb:is.S.16 -m xyz greedy random:seeds=1..4 -o out -j 2 ;;
  9) set -- compare -p ../zone.xml -t ring:64 -m random:seeds=1..2 --repeat 2 --background tasks:9 -o out -j 2 \
    --no-plots ;;
  esac
  # A shell's own background jobs ignore SIGINT.
  exec setsid env --default-signal=INT,QUIT "$haichi" "$@" >/dev/null 2>log
}
kinds=10
"$haichi" trace matrix npb:lu.A.64@1 -o matrix.tsv || fail 'trace matrix'

# The outputs of each command without a signal, and its time in ms.
: >times
for kind in $(seq 0 $((kinds - 1))); do
  mkdir "whole-$kind"
  begin=$(date +%s%N)
  (cd "whole-$kind" && run $kind) || fail "kind $kind: $(cat "whole-$kind/log")"
  echo $((($(date +%s%N) - begin) / 1000000)) >>times
done

# left SESSION: prints the processes of the session that have not ended
left()
{
  sed 's/.*) //' /proc/[0-9]*/stat 2>/dev/null | awk -v s="$1" '$4 == s && $1 != "Z"'
}

# await SESSION: waits until no process of the session is left, at most 5 s
await()
{
  for i in $(seq 100); do
    [ -z "$(left "$1")" ] && return 0
    sleep 0.05
  done
  return 1
}

# is_temporary NAME
is_temporary()
{
  echo "$1" | grep -Eq '\.[A-Za-z0-9]{6}$'
}

# whole KIND: each output is missing or equals the output without a signal.  A campaign that is started again is completed
# with the same results.
whole()
{
  if [ "$1" -ge 8 ]; then
    (run "$1") || fail "kind $1: the campaign cannot be completed: $(cat log)"
    cmp out/results.tsv "../whole-$1/out/results.tsv" || fail "kind $1: the completed campaign has other results"
    return
  fi
  for file in out*; do
    [ -e "$file" ] || continue
    is_temporary "$file" && continue
    diff -r "$file" "../whole-$1/$file" >/dev/null || fail "kind $1: $file is incomplete"
  done
}

# temporary: prints the names of temporary files
temporary()
{
  find . -regextype egrep -regex '.*\.[A-Za-z0-9]{6}'
}

draw()
{
  kind=$1 name=$2 ms=$3
  mkdir here
  cd here || exit 1
  (run "$kind") &
  pid=$!
  sleep "$(awk -v ms="$ms" 'BEGIN { print ms / 1000 }')"
  kill -s "$name" $pid 2>/dev/null
  { wait $pid; } 2>/dev/null
  await $pid || fail "kind $kind, $name after $ms ms: children are left: $(left $pid)"
  [ "$name" = KILL ] || [ -z "$(temporary)" ] || fail "kind $kind, $name after $ms ms: temporary files are left: $(temporary)"
  whole "$kind"
  cd .. || exit 1
  rm -rf here
}

awk -v kinds=$kinds 'BEGIN { srand(11); split("INT TERM HUP KILL", name, " ") }
  { time[NR - 1] = $1 }
  END { for (i = 0; i < 200; i++) {
    kind = i % kinds
    print kind, name[int(i / kinds) % 4 + 1], int(rand() * time[kind]) } }' times >draws
while read -r kind name ms; do
  draw "$kind" "$name" "$ms"
done <draws

# A signal that is ignored when haichi starts, as in the background of a shell, stays ignored with both engines.
for engine in flow simgrid; do
  (trap '' INT
    exec "$haichi" sim -p torus:8x8 -t npb:lu.F.64 --engine $engine >ignored 2>&1) &
  pid=$!
  sleep 1
  kill -s INT $pid
  sleep 0.5
  kill -s TERM $pid
  wait $pid 2>/dev/null
  [ $? -ne 130 ] || fail "$engine: ended by a signal that was ignored"
done
exit $status
