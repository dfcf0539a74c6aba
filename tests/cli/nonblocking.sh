#!/bin/sh
# usage: tests/cli/nonblocking.sh HAICHI
# Nonblocking and neighbourhood collectives: programs take the same time with collectives and with their messages written
# out, also in smpirun; both engines agree; the traffic matrices are equal; convert keeps all lines; smpirun refuses
# collectives that it cannot replay.
set -eu
haichi=$1
lowered=$(dirname "$1")/tests/peers/lowered
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
"$haichi" platform torus:3x2 -o "$work/p.xml"
seq -f node-%g 0 5 >"$work/hosts"

fail() {
  echo "$*" >&2
  exit 1
}

# same NAME A B: within 1e-6
same() {
  if [ -z "$2" ] || [ -z "$3" ] || above "$(difference "$2" "$3")" 0.0001; then
    fail "$1: ${2:-failed}, ${3:-failed}"
  fi
}

simulated() {
  ENGINE=$2 ours "$1" "$work/p.xml" "$work/hosts" smpi --precision 1e-12
}

# folder DIR: converts a merged trace on standard input to a folder that smpirun can replay.
folder() {
  cat >"$work/merged"
  "$haichi" trace convert "$work/merged" -o "$1" 2>"$work/err" || fail "$(cat "$work/err")"
}

# An exchange on a ring of four ranks in both directions, and a sum, while the ranks compute; then the same with handwritten
# messages.
for r in 0 1 2 3; do
  echo "# haichi: comm 1 0:1:4
# haichi: cart 1 4p
$r compute ${r}00000
$r iallreduce 9000 50 0
# haichi: on 1
$r ineighbor_alltoallv 1000 9000 9000 1000 0 0
$r compute 300000
$r wait $r $r -5004
$r waitall 1
$r reduce_local 9000 2000 0"
done | folder "$work/short"
for r in 0 1 2 3; do
  below=$(((r + 3) % 4)) above=$(((r + 1) % 4))
  echo "$r compute ${r}00000"
  for peer in 0 1 2 3; do
    [ "$peer" = "$r" ] || printf '%s\n' "$r isend $peer 1 9000 0" "$r irecv $peer 1 9000 0"
  done
  echo "$r irecv $below 2 9000 0
$r irecv $above 2 1000 0
$r isend $above 2 9000 0
$r isend $below 2 1000 0
$r compute 300000
$r wait $below $r 2
$r wait $above $r 2
$r wait $r $above 2
$r wait $r $below 2
$r waitall
$r compute 50
$r compute 2000"
done | folder "$work/long"
for engine in flow simgrid; do
  same "by hand, $engine" "$(simulated "$work/short" $engine)" "$(simulated "$work/long" $engine)"
done
same "by hand, smpirun" "$(simulated "$work/short" flow)" \
  "$(peer "$work/long" 4 "$work/p.xml" "$work/hosts" SMPI --cfg=surf/precision:1e-12)"
"$haichi" trace matrix "$work/short" -o "$work/short.tsv"
"$haichi" trace matrix "$work/long" -o "$work/long.tsv"
cmp "$work/short.tsv" "$work/long.tsv" || fail "the matrices differ"

# smpirun refuses nonblocking collectives.
(cd "$work/short" && ! smpirun -np 4 -platform "$work/p.xml" -hostfile "$work/hosts" \
  -replay index.txt >"$work/out" 2>&1) || fail "smpirun accepts iallreduce"
grep -q iallreduce "$work/out" || fail "smpirun does not name iallreduce: $(tail -3 "$work/out")"

# All kinds, two at a time, on the world and on a communicator; tests/peers/lowered.c writes out the messages.
for r in 0 1 2 3 4 5; do
  echo "# haichi: comm 7 5:-1:6
# haichi: type 60 24
# haichi: cart 7 3p 2p
$r compute ${r}0000"
  for call in 'ibarrier' 'ibcast 9000 2 0' 'ireduce 100 7 1 0' 'iallreduce 8192 7 60' \
    'igather 10 10 3 0 0' 'iscatter 9000 9000 4 0 0' 'iallgather 1000 1000 0 0' \
    'ialltoall 9000 9000 60 60' 'iscan 8191 7 0' 'iexscan 8193 7 0' \
    'ireducescatter 1 20 300 4000 9000 6 7 0' 'ireduce_scatter_block 9000 7 60' \
    'iallgatherv 5000 5000 5000 5000 5000 5000 5000 0 0' \
    'igatherv 5000 5000 5000 5000 5000 5000 5000 1 0 0' \
    'iscatterv 5000 5000 5000 5000 5000 5000 5000 1 0 0' \
    'ialltoallv 0 1 2 3 4 5 90000 0 1 2 3 4 5 90000'; do
    case $call in
    ialltoallv*) call="ialltoallv 0 9000 9000 9000 9000 9000 9000 0 9000 9000 9000 9000 9000 9000 0 0" ;;
    esac
    printf '%s\n' "$r $call" '# haichi: request 1' '# haichi: on 7' "$r $call" \
      "$r compute 50000" "$r waitall 1" "$r compute ${r}000"
    case $call in
    ireduce_* | ireducescatter*) call='ireducescatter' ;;
    esac
    printf '%s\n' '# haichi: request 1' "$r wait 0 0 $(case ${call%% *} in
    ibarrier) echo -779 ;; ibcast) echo -3335 ;; ireduce) echo -113 ;; iallreduce) echo -4446 ;;
    igather) echo -446 ;; iscatter) echo -224 ;; iallgather) echo -557 ;; ialltoall) echo -1113 ;;
    iscan | iexscan) echo -889 ;; ireducescatter) echo -890 ;; iallgatherv) echo -668 ;;
    igatherv) echo -2224 ;; iscatterv) echo -335 ;; ialltoallv) echo -1001 ;;
    esac)"
  done
  for call in 'neighbor_allgather 9000 9000' 'ineighbor_alltoall 100 100 60 60' \
    'neighbor_alltoallw 1 2 3 4 2 1 4 3' 'ineighbor_allgatherv 9000 9000 9000 9000 9000 60 60'; do
    printf '%s\n' '# haichi: on 7' "$r $call" "$r compute ${r}000"
  done
  echo "$r alltoallw 1 1 1 1 1 1 1 1 1 1 1 1"
done | folder "$work/all"
"$lowered" "$work/all" "$work/all.lowered"
time=$(simulated "$work/all" flow)
same engines "$time" "$(simulated "$work/all" simgrid)"
same messages "$time" "$(simulated "$work/all.lowered" flow)"
same smpirun "$time" \
  "$(peer "$work/all.lowered" 6 "$work/p.xml" "$work/hosts" SMPI --cfg=surf/precision:1e-12)"
"$haichi" trace matrix "$work/all" -o "$work/short.tsv"
"$haichi" trace matrix "$work/all.lowered" -o "$work/long.tsv"
cmp "$work/short.tsv" "$work/long.tsv" || fail "the matrices differ"
"$haichi" trace convert "$work/all" -o "$work/again" 2>"$work/err"
diff -r "$work/all" "$work/again" || fail "convert changes a converted trace"
"$haichi" trace info "$work/all" >"$work/out"
grep -q '^actions_ineighbor_alltoall	6$' "$work/out" || fail "info: $(cat "$work/out")"
grep -q '^actions_ireducescatter	24$' "$work/out" || fail "info: $(cat "$work/out")"

# All collectives: generated, written and read back.
calls=$("$haichi" list collectives | sed -n 's/=default\t.*//p')
[ -n "$calls" ] || fail 'no collectives'
for call in $calls; do
  trace=collective:5:call=$call,size=12
  rm -rf "$work/long"
  "$haichi" trace convert "$trace" -o "$work/long" 2>"$work/err" || fail "$trace: $(cat "$work/err")"
  "$haichi" trace matrix "$trace" -o "$work/short.tsv"
  "$haichi" trace matrix "$work/long" -o "$work/long.tsv" || fail "$trace: the written files cannot be read"
  cmp "$work/short.tsv" "$work/long.tsv" || fail "$trace in files: the matrices differ"
done

# Generators: the traffic does not depend on the option halo; both engines agree.
for spec in ring:6: stencil:3x2:periodic, stencil:3x2: random:6:degree=2,weights=random, \
  geometric:6:degree=2, butterfly:4:; do
  trace=${spec}size=9000,iterations=2,compute=1e5
  "$haichi" trace matrix "$trace" -o "$work/short.tsv"
  for halo in neighbor ineighbor; do
    "$haichi" trace matrix "$trace,halo=$halo" -o "$work/long.tsv"
    cmp "$work/short.tsv" "$work/long.tsv" || fail "$trace,halo=$halo: the matrices differ"
  done
  trace=$trace,halo=ineighbor,collective=iallreduce,collective_size=9000
  same "$trace" "$(simulated "$trace" flow)" "$(simulated "$trace" simgrid)"
  rm -rf "$work/long"
  "$haichi" trace convert "$trace" -o "$work/long" 2>"$work/err"
  same "$trace in files" "$(simulated "$trace" flow)" "$(simulated "$work/long" flow)"
done
