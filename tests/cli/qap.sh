#!/bin/sh
# usage: tests/cli/qap.sh HAICHI
# The methods find the optima of two problems of QAPLIB, and the printed permutation has the printed value.
. "$(dirname "$0")/../shell.sh"
set -e

# value SOLUTION PROBLEM: as QAPLIB defines it.
value() {
  awk 'NR == FNR { for (i = 1; FNR == 2 && i <= NF; i++) at[i - 1] = $i - 1; next }
    { for (i = 1; i <= NF; i++) v[k++] = $i }
    END {
      n = v[0]
      for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
          sum += v[1 + i * n + j] * v[1 + n * n + at[i] * n + at[j]]
      print sum
    }' "$1" "$2"
}

# check METHOD NAME OPTIMUM WORK
check() {
  file=$root/tests/data/qaplib/$2.dat
  "$haichi" map "qap:method=$1,work=$4" --qaplib "$file" -o solution
  printed=$(awk '$1 == "value" { print $2 }' solution)
  computed=$(value solution "$file")
  [ "$printed" = "$computed" ] || fail "$2, $1: prints $printed, but the permutation has $computed"
  [ "$printed" = "$3" ] || fail "$2, $1: $printed, the optimum is $3"
}

for method in auto memetic rts sa grasp; do
  check "$method" nug12 578 40
done
for method in memetic rts; do
  check "$method" nug30 6124 200
done

# Costs along routes follow the connections of --overlay.
printf 'cluster A hosts=8x1Gf\ncluster B hosts=8x1Gf\nwan A B rtt=4ms bandwidth=100MBps\n' >two.clusters
# routed FILE MAPPER_OPTIONS OPTION...
routed() {
  file=$1 spec=qap:cost=overlay,count=messages,work=20$2
  shift 2
  "$haichi" map "$spec" -p clusters:two.clusters -t npb:bt.S.16@1 -o "$file" "$@"
}
routed given ,density=1
routed followed '' --overlay mcmpi,density=1
routed without ''
cmp given followed
! cmp -s given without || fail 'the density changes nothing'

# The identity of a run includes the file of costs.
compare() {
  "$haichi" compare -p torus:2x2 -t npb:mg.S.4@1 -m qap:cost=costs,work=1 -o runs --no-plots >/dev/null 2>&1
  sed -n 's/^# mapper qap.* sha256:/sha256:/p' runs/results.tsv
}
printf '0 1 2 3\n1 0 1 2\n2 1 0 1\n3 2 1 0\n' >costs
first=$(compare)
printf '0 3 2 1\n3 0 1 2\n2 1 0 1\n1 2 1 0\n' >costs
rm -r runs # a campaign of other inputs is refused
second=$(compare)
[ -n "$first" ] && [ -n "$second" ] && [ "$first" != "$second" ] || fail "checksums of the costs: '$first', '$second'"
exit $status
