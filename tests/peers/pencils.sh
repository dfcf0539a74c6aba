#!/bin/sh
# usage: tests/peers/pencils.sh BUILD
# Simulated times of FT on more ranks than planes, which `smpirun -replay' cannot replay, against a
# program with the same calls that smpirun executes (pencils.c): two sizes, three mappings.
# Prints a table; exits 1 if a difference is above 0.01 %.
set -eu
build=$(cd "$1" && pwd)
haichi=$build/haichi
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
bad=0
precision=1e-12
smpicc -O2 -o "$work/pencils" tests/peers/pencils.c

# row SPEC TORUS RANKS ROWS COLUMNS POINTS ITERATIONS: prints a line for each mapping
row() {
  "$haichi" platform "$2" -o "$work/p.xml"
  for mapping in xyz random:seed=1 random:seed=2; do
    "$haichi" map "$mapping" --platform "$work/p.xml" --ranks "$3" -o "$work/hosts"
    us=$(ours "$1" "$work/p.xml" "$work/hosts" smpi --compute-scale 0 --precision $precision)
    them=$(smpirun -np "$3" -platform "$work/p.xml" -hostfile "$work/hosts" \
      --cfg=smpi/simulate-computation:no --cfg=surf/precision:$precision \
      "$work/pencils" "$4" "$5" "$6" "$7" 2>/dev/null | sort -g | tail -1)
    d=$(difference "${us:-0}" "${them:-nan}")
    mark=
    if [ -z "$us" ] || [ -z "$them" ] || above "$d" 0.01; then
      mark=FAIL
      bad=$((bad + 1))
    fi
    printf '%-14s %-14s %-22s %-18s %9s %s\n' "$1" "$mapping" "${us:-failed}" "${them:-failed}" \
      "$d" "$mark"
  done
}

printf '%-14s %-14s %-22s %-18s %9s\n' trace mapping haichi smpirun difference,%
row npb:ft.S.128 torus:8x4x4 128 64 2 2048 6
row npb:ft.W.64 torus:4x4x4 64 32 2 8192 6
[ "$bad" -eq 0 ]
