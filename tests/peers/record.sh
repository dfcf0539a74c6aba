#!/bin/sh
# usage: tests/peers/record.sh BUILD
# The cost of haichi record: CPU time of the examples on 8 ranks, plain and recorded; the median and the quartiles of
# the ratios of PAIRS (15) pairs of runs under MPI (openmpi).  The two runs of a pair share the cores at the same time:
# what slows the machine slows both.  CPU time varies by 7 to 10 % from one run to the next, and the ratio of a pair of
# CG by 1 % (by 2 % if it runs for a quarter of the iterations).  Then 10^7 small messages: the size of the trace, by how
# much the memory of a rank grows, and CPU time.  Then the recorded computation of 4 ranks that share cores, over the CPU
# time that the program measures itself.  Prints lines; has no bounds, as the machine may be busy.
set -eu
build=$(cd "$1" && pwd)
: "${PAIRS:=15}" "${MPI:=openmpi}" "${NP:=8}" "${MESSAGES:=10000000}"
root=$PWD
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
over='' iterations=19200
if [ "$MPI" = openmpi ]; then
  over=--oversubscribe
else
  iterations=60 # waiting ranks of MPICH poll: on a shared core, each reduction takes several time slices
fi
cd "$work"

# cpu FILE COMMAND...: writes the user and system time of all its processes to FILE, in seconds, and its output to
# FILE.out; bash counts milliseconds
cpu() {
  file=$1
  shift
  bash -c 'TIMEFORMAT="%3U %3S"; { time "$@" >"$0.out" 2>&1; } 2>"$0"' "$file" "$@" || die "$* fails: $(tail -n 1 "$file.out")"
}

# both NAME SOURCE ARGUMENTS...: prints the median ratio of a program
both() {
  name=$1 source=$2
  shift 2
  "mpicc.$MPI" -O2 -o "$name" "$root/$source" -lm
  i=0
  while [ $i -lt "$PAIRS" ]; do
    rm -rf trace
    cpu plain "mpirun.$MPI" $over -np "$NP" "./$name" "$@" &
    cpu recorded "$build/haichi" record -o trace -- "mpirun.$MPI" $over -np "$NP" "./$name" "$@"
    wait $! || die "$name fails"
    paste plain recorded
    i=$((i + 1))
  done | awk '{ print ($3 + $4) / ($1 + $2), $1 + $2, $3 + $4 }' | sort -g >pairs
  [ "$(wc -l <pairs)" -eq "$PAIRS" ] || die "$name fails"
  lines=$(cat trace/ranks/* | grep -cv -e compute -e '^#')
  awk -v n="$PAIRS" -v name="$name" -v lines="$lines" '
    { ratio[NR] = $1 }
    NR == int((n + 1) / 2) { middle = sprintf("%.2f s of %.2f s", $3, $2) }
    END {
      printf "%s: CPU time recorded / plain %.4f, quartiles %.4f and %.4f (%s), %d calls\n", name,
        ratio[int((n + 1) / 2)], ratio[int((n + 3) / 4)], ratio[int((3 * n + 3) / 4)], middle, lines
    }' pairs
}

both himeno examples/himeno/himeno.c 150 128 128 128
both cg examples/cg/cg.c "$iterations" 512

cat >small.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
int main(int argc, char **argv)
{
  int rank, other, n = atoi(argv[1]);
  char c = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  for (int i = 0; i < n / 100; i++) {
    for (int k = 0; k < 100; k++)
      if (rank == 0)
        MPI_Send(&c, 1, MPI_CHAR, other, 1, MPI_COMM_WORLD);
      else
        MPI_Recv(&c, 1, MPI_CHAR, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
      MPI_Recv(&c, 1, MPI_CHAR, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
      MPI_Send(&c, 1, MPI_CHAR, other, 2, MPI_COMM_WORLD);
  }
  getrusage(RUSAGE_SELF, &after);
  printf("rank %d: %ld kB grown\n", rank, after.ru_maxrss - before.ru_maxrss);
  MPI_Finalize();
  return 0;
}
END
"mpicc.$MPI" -O2 -o small small.c
rm -rf trace
cpu plain "mpirun.$MPI" $over -np 2 ./small "$MESSAGES"
cpu recorded "$build/haichi" record -o trace -- "mpirun.$MPI" $over -np 2 ./small "$MESSAGES"
grep grown recorded.out
echo "small messages: $MESSAGES of 1 B on 2 ranks: $(du -sm --apparent-size trace | cut -f 1) MB of disk," \
  "$(awk '{ print $1 + $2 }' plain) s of CPU time, recorded $(awk '{ print $1 + $2 }' recorded) s"

cat >busy.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
int main(int argc, char **argv)
{
  const int n = atoi(argv[1]), steps = atoi(argv[2]);
  volatile double x = 0;
  double sum = 0, all;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < n; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = now();
    for (int k = 0; k < steps; k++)
      x += k;
    sum += now() - start;
  }
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.6f\n", all);
  MPI_Finalize();
  return 0;
}
END
"mpicc.$MPI" -O2 -o busy busy.c
for lengths in '1000 20000' '50 10000000'; do
  rm -rf trace
  # shellcheck disable=SC2086
  measured=$("$build/haichi" record -o trace -- "mpirun.$MPI" $over -np 4 ./busy $lengths 2>/dev/null | grep '^[0-9.]*$')
  awk -v measured="$measured" -v n="${lengths% *}" '
    $2 == "compute" { sum += $3 / 1e9 }
    END { printf "computations of %.3g ms: recorded / measured %.4f\n", 1e3 * measured / n / 4, sum / measured }' trace/ranks/*
done
