#!/bin/sh
# usage: tests/cli/overwrite.sh HAICHI
# No command replaces its input, or files of the user in a folder of output; options that a command cannot use are refused.
. "$(dirname "$0")/../shell.sh"

# refuses STATUS SENTENCE OPTION...: exits with this status and says so in the first line
refuses()
{
  want=$1 sentence=$2
  shift 2
  "$haichi" "$@" >out 2>&1
  [ $? -eq "$want" ] && head -n 1 out | grep -qF -e "$sentence" || { fail "haichi $*: not '$sentence'" && cat out; }
}

printf 'node-3\nnode-2\nnode-1\nnode-0\n' >hosts
"$haichi" platform torus:4 -o p.xml && "$haichi" trace matrix ring:4 -o m.tsv || fail "the inputs"
ln -s hosts link
for f in hosts p.xml m.tsv; do
  cp $f $f.before
done
refuses 2 "--links would replace the input 'hosts'" sim -p torus:4 -t ring:4 -m hosts --links hosts
refuses 2 "--links would replace the input 'link'" sim -p torus:4 -t ring:4 -m hosts --links link
refuses 2 "--per-rank would replace the input './p.xml'" sim -p p.xml -t ring:4 --per-rank ./p.xml
refuses 2 "--output would replace the input 'm.tsv'" map greedy -p torus:4 --matrix m.tsv -o m.tsv
refuses 2 "--output would replace the input 'p.xml'" platform p.xml --speed 2Gf -o p.xml
refuses 1 "-: a platform file is not read from standard input" sim -p - -t ring:4
refuses 1 "a job has no 'bogus='" sim -p torus:4x4 --job ring:4,hosts=0-7,bogus=4
refuses 1 "no host '-5' on torus:8" map xyz -p torus:8 -t ring:4 --hosts -5
refuses 1 "none/x.svg: cannot create: No such file or directory" schedule random:tasks=9 -p star:2 -s heft --gantt none/x.svg
refuses 2 "haichi sim: unrecognized option '--a?b'" sim "$(printf -- '--a\033b')"
printf 'SwitchName=s Nodes=n[0-3]\nSwitchName=r Switches=s\n' >topo
refuses 1 "topo: cables: 3 values for 2 levels of cables" platform --info slurm:topo,cables=1+1+1
refuses 1 "topo: bandwidth: 3 values for 2 levels of cables" platform --info slurm:topo,bandwidth=1GBps+1GBps+1GBps

# Files inside a folder or a spec.
"$haichi" trace convert ring:4 -o folder || fail "the trace"
cp "$root/platforms/intrigger4.clusters" c.clusters
printf '1Gf\n1Gf\n1Gf\n1Gf\n' >speeds
"$haichi" compare -p torus:4 -t folder -m xyz greedy -o results --no-plots >/dev/null || fail "the campaign"
for f in folder/index.txt folder/ranks/rank-0000.txt c.clusters speeds results/results.tsv; do
  cp $f "$(echo $f | tr / _).before"
done
refuses 1 "folder/index.txt: the output would replace an input" sim -p torus:4 -t folder --links folder/index.txt
refuses 1 "folder/ranks/rank-0000.txt: the output would replace an input" map greedy -p torus:4 -t folder/index.txt -o folder/ranks/rank-0000.txt
refuses 1 "hosts: the output would replace an input" sim -p torus:8 --job ring:4,mapping=hosts --links hosts
refuses 1 "c.clusters: the output would replace an input" wan latency -p clusters:c.clusters -o c.clusters
refuses 1 "speeds: the output would replace an input" platform torus:4 --speeds @speeds -o speeds
refuses 1 "results/results.tsv: the output would replace an input" report results -o results/results.tsv
for f in folder/index.txt folder/ranks/rank-0000.txt c.clusters speeds results/results.tsv; do
  cmp $f "$(echo $f | tr / _).before" || fail "$f has changed"
done
for f in hosts p.xml m.tsv; do
  cmp $f $f.before || fail "$f has changed"
done
"$haichi" map greedy -p torus:4 -t ring:4 -o hosts || fail "an earlier output cannot be replaced"

# A file with the name of a format or a mapper is no input.
for twice in 1 2; do
  "$haichi" map xyz -p torus:4 -t ring:4 --format rankfile -o rankfile && "$haichi" map greedy -p torus:4 -t ring:4 -o greedy ||
    fail "output $twice with the name of a format or mapper"
done

# A folder of output is new, empty, or holds an earlier output.
mkdir mine sources
echo 'all: mine' >mine/Makefile
cp "$root/examples/himeno/himeno.c" sources
refuses 1 'haichi: mine: cannot write into it: Directory not empty' calibrate --sources mine
[ "$(cat mine/Makefile)" = 'all: mine' ] && [ "$(ls mine)" = Makefile ] || fail "the folder has changed: $(ls mine)"
"$haichi" calibrate --sources new && "$haichi" calibrate --sources new || fail "calibrate --sources twice"
refuses 1 'haichi: .: cannot write into it: Directory not empty' instrument sources/himeno.c -l iterations=10 -D MODEL -o .
refuses 1 'haichi: -: standard output is no folder' instrument sources/himeno.c -l iterations=10 -D MODEL -o -
[ ! -e ./- ] && cmp sources/himeno.c "$root/examples/himeno/himeno.c" || fail "instrument wrote something"

# Settings of a simulation of a trace.
refuses 2 '--jitter=0.5 is for --trace, not for DIR' predict mine --jitter 0.5
refuses 2 '--engine=simgrid is for --trace, not for --matrix' map greedy -p torus:4 --matrix m.tsv --engine simgrid
refuses 2 '--engine=simgrid is for --trace, not for --matrix' metrics greedy -p torus:4 --matrix m.tsv --engine simgrid
refuses 2 '--compute-scale=0 is for --trace, not for --ranks' map xyz -p torus:4 --ranks 4 --compute-scale 0

# Two columns of one name: a command would read one of them.
printf 'trace\tmapper\tsimulated_time_s\tsimulated_time_s\nring:4\tgreedy\t1\t2\n' >twins.tsv
refuses 1 "haichi: twins.tsv:1: two columns are called 'simulated_time_s'" regress -b twins.tsv -p torus:4
exit $status
