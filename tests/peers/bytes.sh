#!/bin/sh
# usage: tests/peers/bytes.sh BEFORE AFTER
# Runs 60 commands with the programs BEFORE and AFTER and compares every byte of their output: results.tsv,
# links, times of ranks, timelines, mappings, matrices, metrics and platforms.  For changes of the code that
# must not change a result.  Prints a line for each command with different output, then a count; fails if
# there is one, or if others than the two commands meant to be refused are.
set -eu
[ $# -eq 2 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
absolute() {
  echo "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
}
before=$(absolute "$1") after=$(absolute "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
data=$(cd "$(dirname "$0")/../data" && pwd)
cg=$data/cg.A.64.2it.tar.zst
commands=0 differ=0 failed=0

# both ARGUMENT...: runs each program in its own folder; compares what it prints and the files that it writes
both() {
  commands=$((commands + 1))
  for which in before after; do
    program=$before
    [ $which = before ] || program=$after
    rm -rf "${work:?}/$which"
    mkdir "$work/$which"
    (cd "$work/$which" && "$program" "$@" >stdout 2>stderr) || { echo "$?" >"$work/$which/failed"; }
    # Not compared: wall times, and the progress and timings of a campaign.
    sed -i '/^wall time /d' "$work/$which/stderr"
    [ ! -d "$work/$which/out" ] || rm -f "$work/$which/stderr" "$work/$which"/out/timings.tsv "$work/$which"/out/runs/*.tsv
  done
  [ ! -s "$work/before/failed" ] || failed=$((failed + 1))
  diff -r "$work/before" "$work/after" >"$work/diff" 2>&1 || {
    differ=$((differ + 1))
    echo "differs: haichi $*"
    head -5 "$work/diff"
  }
}

# Platforms: 6, then a simulation on a platform file.
both platform torus:8x8x8 -o p.xml
both platform mesh:5x3x2 --bandwidth 1GBps --latency 2us -o p.xml
both platform hypercube:6 -o p.xml
both platform --info torus:16x8x4
both platform --info mesh:32x32x16
both platform --info "$data/../../platforms/torus-8x8x8.xml"
both sim --platform "$data/two-hosts.xml" --trace "$data/traces/pair.txt" --links l.tsv --per-rank r.tsv
# Traces and matrices: 15.
both trace npb cg.S.16 -o dir
both trace npb lu.S.12@2 -o dir
both trace npb is.S.8@1 -o dir
both trace info "$cg"
both trace info npb:bt.A.64@2
both trace matrix "$cg" -o m.tsv
both trace matrix "$cg" --p2p-only -o m.tsv
both trace matrix npb:ft.A.32@1 -o m.tsv
both trace matrix npb:mg.A.64@1 --collective allreduce=rdb -o m.tsv
both trace matrix npb:is.A.32@1 -o m.tsv
both trace matrix npb:sp.C.144@1 -o m.tsv
both trace matrix npb:ep.A.128 -o m.tsv
both trace convert "$cg" -o dir
both trace convert npb:lu.A.16@1 -o dir
both trace info npb:nothing.A.4
# Mappings: 13.
for mapper in xyz random greedy fmopt sfmopt:subgroup=2@6 fmopt-half:subgroup=2@6,objective=mincost \
  none mopt:objective=mincost; do
  both map "$mapper" --platform torus:4x4x4 --trace "$cg" -o m.hosts
done
both map random --seed 7 --platform mesh:8x8x8 --trace npb:bt.C.484@1 -o m.hosts
both map fmopt:objective=mincost --platform hypercube:7 --trace ring:128 -o m.hosts
both map greedy --platform torus:8x8x8 --matrix grid:8x8x8 --format rankfile -o m.rank
both map sfmopt --platform mesh:8x8x8 --matrix dense:512 --format coordinates -o m.txt
both map greedy --platform torus:4x4x4 --ranks-per-host 2 --trace npb:mg.A.128@1 -o m.hosts
# Metrics: 5.
both metrics greedy --platform torus:4x4x4 --trace "$cg"
both metrics random --platform mesh:8x8 --trace "$cg" --format json
both metrics fmopt --platform torus:8x8x8 --trace npb:sp.C.484@1
both metrics xyz --platform torus:8x8 --matrix grid:8x8
both metrics greedy --platform hypercube:6 --trace npb:mg.S.64
# Simulations: 16.
for engine in flow simgrid; do
  for model in cm02 lv08 smpi; do
    both sim --engine $engine --model $model --platform torus:4x4x4 --trace "$cg" --mapping random \
      --links links.tsv --per-rank ranks.tsv
  done
  both sim --engine $engine --platform mesh:4x4x4 --trace npb:is.S.16@1 --mapping greedy --eager-threshold 4096 \
    --timeline t.json --per-rank ranks.tsv
  both sim --engine $engine --platform hypercube:4 --trace npb:lu.S.16@3 --timeline t.csv --links l.tsv
done
both sim --platform torus:8x8x8 --trace npb:cg.C.512@1 --mapping random --links l.tsv --per-rank r.tsv
both sim --platform torus:8x8x8 --trace npb:mg.C.512@2 --mapping sfmopt --links l.tsv --format json
both sim --platform "$data/../../platforms/torus-8x8x8.xml" --trace npb:ft.S.16 --timeline t.paje
both sim --platform torus:4x4x4 --trace npb:sp.A.64@1 --mapping random --compute-scale 0 --per-rank r.tsv
both sim --platform mesh:2x2 --trace npb:ep.S.16 --mapping xyz
both sim --platform torus:4x4x4 --trace npb:bt.S.16@1 --collective barrier=ompi_bruck
# Campaigns: 4.
both compare --platform torus:4x4x4 --trace "$cg" npb:mg.S.64 --mapper xyz greedy random:seeds=1,2,3 \
  fmopt sfmopt:subgroup=2@4 -o out
both compare --platform mesh:4x4x4 --trace npb:is.A.64@1 --mapper xyz greedy fmopt random -o out -j 2
both compare --platform hypercube:6 --trace npb:lu.A.64@1 --mapper xyz greedy --engine simgrid -o out
both compare --platform torus:8x8 --trace npb:sp.A.64@1 npb:cg.A.64@1 --mapper none fmopt greedy \
  --compute-scale 0 -o out

echo "$commands commands, $failed of them refused, $differ differ"
[ "$differ" -eq 0 ] && [ "$commands" -eq 60 ] && [ "$failed" -eq 2 ]
