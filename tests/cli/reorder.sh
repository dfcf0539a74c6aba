#!/bin/sh
# usage: tests/cli/reorder.sh HAICHI
# libhaichi-reorder under Open MPI, MPICH and SMPI: random topologies against the MPI library without reordering, failures,
# the report, three Fortran bindings, the world, the recorder beside it in either order, and a stencil in simulated time.
. "$(dirname "$0")/../shell.sh"
. "$root/tests/mpi.sh"
build=$(dirname "$haichi")
reorder=$build/reorder/libhaichi-reorder.so
export HAICHI_PLATFORM=torus:4x3 HAICHI_HOSTS="$work/hosts"
"$haichi" map random:seed=7 -p torus:4x3 --ranks 12 -o hosts

# preloaded MPI RANKS COMMAND...: output goes to log; the environment is of the library
preloaded()
{
  mpi=$1 ranks=$2
  shift 2
  # shellcheck disable=SC2046 # words
  LD_PRELOAD=${preload-$reorder} $(launcher "$mpi" "$ranks") "$@" >log 2>&1
}

# says WANT...: the lines of log are these
says()
{
  printf '%s\n' "$@" >want
  cmp -s want log || { fail "$mpi: other output" && diff want log | head -20; }
}

for mpi in $mpis; do
  "mpicc.$mpi" -w -O1 -o checker-$mpi "$root/tests/data/reorder/checker.c" || fail "mpicc.$mpi"
  "mpicc.$mpi" -w -O1 -o world-$mpi "$root/tests/data/reorder/world.c" || fail "mpicc.$mpi"
  preload='' preloaded $mpi 12 ./checker-$mpi 9 16
  says '8 cases, 0 wrong, ranks moved in 0'
  rm -f report
  HAICHI_REPORT=report preloaded $mpi 12 ./checker-$mpi 1 20
  says '20 cases, 0 wrong, ranks moved in 9'
  [ "$(cut -f 6 report | sort -u | tr '\n' ' ')" = 'moved outcome stayed ' ] || fail "$mpi: outcomes"
  awk -F'\t' 'NR > 1 && ($12 > $11 || $13 <= 0 || NF != 13)' report | grep . && fail "$mpi: the report"
  preloaded $mpi 5 ./checker-$mpi 21 30
  grep -q '^10 cases, 0 wrong' log || { fail "$mpi: 5 ranks" && cat log; }

  # Failures: one line, and the topology of the MPI library.  Case 12 is a graph with reordering, case 16 a grid.
  HAICHI_HOSTS='' preloaded $mpi 3 ./checker-$mpi 12 12
  grep -c '^haichi reorder: MPI_[A-Za-z_]*: torus:4x3: no host .*; no rank is moved$' log >count
  [ "$(cat count)" -ge 1 ] && grep -q '^1 cases, 0 wrong, ranks moved in 0' log || { fail "$mpi: no host" && cat log; }
  for bad in HAICHI_PLATFORM=nonsense:4 HAICHI_MAPPER=nonsense HAICHI_HOSTS=nonsense HAICHI_TIME=0 HAICHI_TIME=1e-7 HAICHI_MAPPER=tune; do
    # shellcheck disable=SC2046 # words
    env "$bad" LD_PRELOAD="$reorder" $(launcher $mpi 12) ./checker-$mpi 16 16 >log 2>&1
    [ "$(grep -c '^haichi reorder: MPI_[A-Za-z_]*: .*; no rank is moved$' log)" -eq 1 ] && [ "$(wc -l <log)" -eq 2 ] &&
      grep -q '^1 cases, 0 wrong, ranks moved in 0' log || { fail "$mpi: $bad" && cat log; }
  done

  # The inside of a node, as hwloc finds it.
  HAICHI_PLATFORM='' HAICHI_HOSTS='' HWLOC_SYNTHETIC='pack:2 l3:2 core:4 pu:1' preloaded $mpi 12 ./checker-$mpi 9 20
  says '12 cases, 0 wrong, ranks moved in 5'

  # The world
  { printf 'src\tdst\tmessages\tbytes\n' && for i in 0 1 2 3 4 5 6 7 8 9 10 11; do printf '%d\t%d\t1\t65536\n' $i $(((i + 1) % 12)); done; } |
    sort -k1,1n -k2,2n >ring.tsv
  HAICHI_REORDER=world HAICHI_TRACE=ring.tsv preloaded $mpi 12 ./world-$mpi
  says '0 wrong, 10 moved'
  HAICHI_REORDER=world preloaded $mpi 12 ./world-$mpi
  sort log | head -n 2 | tail -n 1 | grep -q '^haichi reorder: MPI_Init: HAICHI_REORDER=world needs a trace' &&
    grep -q '^0 wrong, 0 moved$' log || { fail "$mpi: a world without a trace" && cat log; }
  HAICHI_REORDER=everything preloaded $mpi 12 ./world-$mpi
  grep -q '^haichi reorder: MPI_Init: HAICHI_REORDER has one value, world; no rank is moved$' log || fail "$mpi: HAICHI_REORDER"

  # Beside the recorder, in either order: the same calls as without.
  LD_PRELOAD='' "$haichi" record -o alone-$mpi -- $(launcher $mpi 12) ./checker-$mpi 9 16 >log 2>&1
  LD_PRELOAD=$reorder "$haichi" record -o after-$mpi -- $(launcher $mpi 12) ./checker-$mpi 9 16 >log 2>&1
  grep -q '^8 cases, 0 wrong, ranks moved in 5$' log || { fail "$mpi: recorder first" && cat log; }
  mkdir -p before-$mpi/ranks
  HAICHI_RECORD_DIR=$work/before-$mpi preload=$reorder:$build/record/libhaichi-record.so preloaded $mpi 12 ./checker-$mpi 9 16
  says '8 cases, 0 wrong, ranks moved in 5'
  "$haichi" record --finish before-$mpi >log 2>&1 || { fail "$mpi: recorder last" && cat log; }
  for order in alone after before; do
    "$haichi" trace info $order-$mpi | grep -v -e compute -e '^actions	' >$order.info
  done
  cmp -s alone.info after.info && cmp -s alone.info before.info || fail "$mpi: the recorder counts other calls"
  HAICHI_REORDER=world HAICHI_TRACE=ring.tsv LD_PRELOAD=$reorder "$haichi" record -o world-$mpi.dir -- $(launcher $mpi 12) ./world-$mpi >log 2>&1
  grep -q '^0 wrong, 10 moved$' log || { fail "$mpi: the recorder with another world" && cat log; }

  # Fortran
  for binding in 1 2 3; do
    "mpif90.$mpi" -w -fallow-argument-mismatch -ffree-line-length-none -I"$root/tests/data/record" -DBINDING=$binding -o grid "$root/tests/data/reorder/grid.F90" >log 2>&1 ||
      { fail "grid.F90: $mpi $binding: does not compile" && cat log; }
    preloaded $mpi 12 ./grid
    grep -q '^0 wrong, 1[0-2] moved$' log || { fail "Fortran: $mpi $binding" && cat log; }
  done
done

# --- simulated: the stencil of examples/ under smpirun, times with and without
smpicc -w -O2 -DMODEL -o himeno "$root/examples/himeno/himeno.c" -lm >log 2>&1 || { fail smpicc && cat log; }
seq -f 'node-%g' 0 31 >hosts32
for platform in torus:8x2x2 fattree:down=8x4,up=1x2,cables=1x1; do
  "$haichi" platform $platform --speed 100Gf -o platform.xml
  for preload in '' "$reorder"; do
    HAICHI_HOSTS='' HAICHI_PLATFORM=platform.xml LD_PRELOAD=$preload smpirun -np 32 -platform platform.xml -hostfile hosts32 \
      --cfg=smpi/simulate-computation:no --cfg=smpi/display-timing:yes ./himeno 40 96 96 96 2>&1 | sed -n 's/.*Simulated time: *\([0-9.e-]*\).*/\1/p'
  done >times
  awk 'NR == 1 { a = $1 } NR == 2 { b = $1 } END { exit !(NR == 2 && b > 0 && b < 0.98 * a) }' times || fail "$platform: $(tr '\n' ' ' <times)"
done
exit $status
