#!/bin/sh
# usage: tests/cli/reorder.sh HAICHI
# libhaichi-reorder under Open MPI and MPICH: random topologies compared with the MPI library without reordering, the
# report, failures, the inside of a node, and bindings.
. "$(dirname "$0")/../shell.sh"
. "$root/tests/mpi.sh"
. "$root/tests/preloaded.sh"

for mpi in $mpis; do
  "mpicc.$mpi" -w -O1 -o checker-$mpi "$root/tests/data/reorder/checker.c" || fail "mpicc.$mpi"
  preload='' preloaded $mpi 12 ./checker-$mpi 9 16
  says '8 cases, 0 wrong, ranks moved in 0'
  rm -f report
  HAICHI_REPORT=report preloaded $mpi 12 ./checker-$mpi 1 20
  says '20 cases, 0 wrong, ranks moved in 7'
  [ "$(cut -f 6 report | sort -u | tr '\n' ' ')" = 'moved outcome stayed ' ] || fail "$mpi: other outcomes in the report"
  awk -F'\t' 'NR > 1 && ($12 > $11 || $13 <= 0 || NF != 13)' report | grep . && fail "$mpi: bad rows in the report"
  preloaded $mpi 5 ./checker-$mpi 21 30
  grep -q '^10 cases, 0 wrong' log || { fail "$mpi: wrong topologies with 5 ranks" && cat log; }

  # With unusual and wrong arguments the results are the same as of the MPI library: 4 ranks.
  "mpicc.$mpi" -w -O1 -o unusual-$mpi "$root/tests/data/reorder/unusual.c" || fail "mpicc.$mpi: unusual"
  preload='' preloaded $mpi 4 ./unusual-$mpi 0
  mv log plain
  [ "$(wc -l <plain)" -ge 46 ] || { fail "$mpi: unusual.c prints too little without the library" && cat plain; }
  rm -f report
  printf 'node-%d\n' 0 2 1 3 >row
  HAICHI_HOSTS=row HAICHI_REPORT=report preloaded $mpi 4 ./unusual-$mpi 1
  grep -v '^haichi reorder: .*; no rank is moved$' log | cmp -s plain - || { fail "$mpi: unusual.c prints something else with the library" && diff plain log; }
  [ "$(grep -c -w moved report)" -ge 5 ] || { fail "$mpi: unusual.c: fewer than 5 topologies with moved ranks" && cat report; }

  # Failures: one line, and the topology of the MPI library.  Case 12 is a graph with reordering, case 16 a grid.
  HAICHI_HOSTS='' preloaded $mpi 3 ./checker-$mpi 12 12
  grep -c '^haichi reorder: MPI_[A-Za-z_]*: torus:4x3: no host .*; no rank is moved$' log >count
  [ "$(cat count)" -ge 1 ] && grep -q '^1 cases, 0 wrong, ranks moved in 0' log || { fail "$mpi: without HAICHI_HOSTS" && cat log; }
  for bad in HAICHI_PLATFORM=nonsense:4 HAICHI_MAPPER=nonsense HAICHI_HOSTS=nonsense HAICHI_TIME=0 HAICHI_TIME=1e-7 HAICHI_MAPPER=tune; do
    # shellcheck disable=SC2046 # words
    env "$bad" LD_PRELOAD="$reorder" $(launcher $mpi 12) ./checker-$mpi 16 16 >log 2>&1
    [ "$(grep -c '^haichi reorder: MPI_[A-Za-z_]*: .*; no rank is moved$' log)" -eq 1 ] && [ "$(wc -l <log)" -eq 2 ] &&
      grep -q '^1 cases, 0 wrong, ranks moved in 0' log || { fail "$mpi: $bad" && cat log; }
  done

  # The inside of a node as detected by hwloc.
  HAICHI_PLATFORM='' HAICHI_HOSTS='' HWLOC_SYNTHETIC='pack:2 l3:2 core:4 pu:1' preloaded $mpi 12 ./checker-$mpi 9 20
  grep -q '^12 cases, 0 wrong, ranks moved in [1-9]' log || { fail "$mpi: inside of a node" && cat log; }

  # Processes that are bound to packages, not to cores.
  "mpicc.$mpi" -w -O1 -rdynamic -o packages-$mpi "$root/tests/data/reorder/packages.c" || fail "mpicc.$mpi: packages"
  preload='' preloaded $mpi 8 ./packages-$mpi
  says '8 neighbours are in another package'
  HAICHI_PLATFORM="star:1,node=pack:2 core:4;machine=1us:1GBps:2GBps,names=$(uname -n)" HAICHI_HOSTS='' preloaded $mpi 8 ./packages-$mpi
  says '2 neighbours are in another package'
done
exit $status
