#!/bin/sh
# usage: tests/slurm/bench.sh HAICHI
# How much longer a campaign takes on a Slurm of two nodes, of one processor each, than on this machine with `-j 2`: RUNS
# (600) runs of TRACE, about 0.35 s each, CHUNK (150) to a task, REPEAT (3) times in turns; medians.  Elapsed time is that
# of the command; CPU time is all that the machine spends in this time, including Slurm's daemons, so that no other
# programs should run.  The start of Slurm is not counted.  Exits 1 if one of them is more than 5 % longer.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/slurm/cluster.sh
. "$root/tests/slurm/cluster.sh"
: "${RUNS:=600}" "${TRACE:=npb:lu.A.64@25}" "${CHUNK:=150}" "${REPEAT:=3}"
most=5 # percent
cluster_open

# cpu: prints the CPU seconds that the machine has spent
cpu()
{
  awk -v hz="$(getconf CLK_TCK)" '/^cpu / { print ($2 + $3 + $4 + $7 + $8) / hz }' /proc/stat
}

# measure NAME OPTION...: adds a line of elapsed and CPU seconds to the file NAME
measure()
{
  name=$1
  shift
  rm -rf campaign
  before=$(cpu) start=$(date +%s.%N)
  "$haichi" compare -p torus:4x4x4 -t "$TRACE" -m "random:seeds=1..$RUNS" --no-plots -o campaign "$@" >log 2>&1 ||
    { cat log && exit 1; }
  echo "$start $(date +%s.%N) $before $(cpu)" | awk '{ print $2 - $1, $4 - $3 }' >>"$name"
  [ -e table ] || cp campaign/results.tsv table
  cmp table campaign/results.tsv || exit 1
}

# median NAME FIELD: prints it
median()
{
  cut -d ' ' -f "$2" "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

for _ in $(seq "$REPEAT"); do
  measure here -j 2
  measure slurm --on slurm --chunk "$CHUNK"
done
echo "$RUNS runs of $TRACE, $CHUNK to a task, medians of $REPEAT"
printf '%-8s %10s %10s\n' '' elapsed_s cpu_s
for name in here slurm; do
  printf '%-8s %10.2f %10.2f\n' $name "$(median $name 1)" "$(median $name 2)"
done
for field in 1 2; do
  echo "$(median here $field) $(median slurm $field)"
done | awk -v most=$most '{ x[NR] = ($2 / $1 - 1) * 100 }
  END {
    above = x[1] > most || x[2] > most
    printf "%-8s %8.1f %% %8.1f %%%s\n", "more", x[1], x[2], above ? "  above " most " %" : ""
    exit above
  }'
