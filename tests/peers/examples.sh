#!/bin/sh
# usage: tests/peers/examples.sh BUILD PLATFORM_DIR
# Simulated times on the platforms PLATFORM_DIR/*.xml, such as SimGrid's own examples: MG.S.16 and PROGRAMS
# (20) random programs, ranks in order, two or more on a host where there are fewer hosts than ranks.
# Engine flow against engine simgrid-full at tight precisions, and against smpirun -replay.  Prints a line for
# each platform: kind, hosts, programs, largest relative difference from each; exits 1 if one is above 1e-6 or
# 0.1 %, or if none is compared.  Where the difference from smpirun is larger, smpirun runs again without its lazy updates of rates
# (network/optim:Full), and the program counts as lazy.  Programs that SimGrid does not simulate are counted
# apart.  So are, where profiles change links, programs in which its lazy and its full updates disagree
# ("torn"): one forgets a message that is in its latency, the other starts it at once.
set -eu
build=$(cd "$1" && pwd)
platforms=$(cd "$2" && pwd)
haichi=$build/haichi
: "${PROGRAMS:=20}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work"
ulimit -c 0
export TMPDIR="$work" LC_ALL=C

mkdir programs
"$haichi" trace npb mg.S.16 --iterations 2 -o programs/mg
for seed in $(seq "$PROGRAMS"); do
  "$build/tests/peers/genprog" "$seed" "programs/$seed" >/dev/null
done

# place RANKS: writes a hostfile with the platform's hosts in order, several ranks to a host if they are fewer; may fail
place()
{
  ranks=$1
  each=1
  [ "$hosts" -ge "$ranks" ] || each=2
  [ $((hosts * each)) -ge "$ranks" ] || each=$(((ranks + hosts - 1) / hosts))
  "$haichi" map xyz -p "$platform" --ranks "$ranks" --ranks-per-host $each -o hosts 2>log
}

# time_of ENGINE: prints the simulated time
time_of()
{
  "$haichi" sim -p "$platform" -t "$program/index.txt" -m hosts --precision 1e-12 --maxmin-precision 1e-9 \
    --engine "$1" 2>log | sed -n 's/^simulated_time_s\t//p'
}

# smpirun_time [OPTION]: prints smpirun's simulated time, or nothing
smpirun_time()
{
  (cd "$program" && timeout 120 smpirun -np "$(wc -l <index.txt)" -platform "$platform" -hostfile "$work/hosts" \
    -replay index.txt --cfg=smpi/display-timing:yes --cfg=surf/precision:1e-9 "$@" 2>&1 || true) |
    sed -n 's/.*Simulated time: \([^ ]*\) seconds.*/\1/p'
}

# near A B: within 0.1 %
near()
{
  awk -v a="$1" -v b="$2" 'BEGIN { d = a > b ? a - b : b - a; exit !(a != "" && b != "" && d <= 1e-3 * b) }'
}

status=0
for platform in "$platforms"/*.xml; do
  "$haichi" platform --info "$platform" >info 2>log || { echo "$(basename "$platform") refused: $(tail -n 1 log)" && continue; }
  hosts=$(sed -n 's/^hosts\t//p' info)
  case $(sed -n 's/^topology\t//p' info) in
  none*) echo "$(basename "$platform") opaque $hosts hosts" && continue ;;
  esac
  : >rows
  for program in programs/*; do
    place "$(wc -l <"$program/index.txt")" || { echo "no hosts: $(tail -n 1 log)" >>rows && continue; }
    flow=$(time_of flow)
    peer=$(smpirun_time) how=plain
    near "$flow" "$peer" || { peer=$(smpirun_time --cfg=network/optim:Full) && how=lazy; }
    simgrid=$(time_of simgrid-full)
    if grep -q '_file=' "$platform" && ! near "$(time_of simgrid)" "$simgrid"; then
      echo "$(basename "$program") torn" >>rows
      continue
    fi
    echo "$(basename "$program") flow ${flow:--} simgrid ${simgrid:--} smpirun ${peer:--} $how" >>rows
  done
  awk -v name="$(basename "$platform")" -v hosts="$hosts" '
    function apart(a, b) { return (a > b ? a - b : b - a) / b }
    $2 == "torn" { torn++; next }
    $2 != "flow" { none++; next }
    $3 == "-" && $5 == "-" { none++; next }
    $3 == "-" || $5 == "-" { unlike++; next }
    { n++; d = apart($3, $5); if (d > engine) engine = d }
    $7 != "-" && $7 > 0 { d = apart($3, $7); if (d > smpirun) smpirun = d; peers++; lazy += $8 == "lazy" }
    END {
      bad = unlike || engine > 1e-6 || smpirun > 1e-3
      printf "%s native %d hosts, %d programs: simgrid %.1e, smpirun %.1e of %d (%d lazy), %d not simulated, %d torn%s\n", name, hosts,
        n, engine, smpirun, peers, lazy, none, torn, bad ? " DIFFERS" : ""
      if (n > 0 && peers > 0) print name >"compared"
      exit bad
    }' rows || { status=1 && cat rows; }
done
[ -e compared ] || { echo 'no platform is compared' && status=1; }
exit $status
