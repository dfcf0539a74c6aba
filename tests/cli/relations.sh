#!/bin/sh
# usage: tests/cli/relations.sh HAICHI
# Options that have no effect without another option, or with it, are refused.
. "$(dirname "$0")/../shell.sh"

# refuses MESSAGE WORD...: the first line on standard error, and exit code 2
refuses()
{
  message=$1
  shift
  "$haichi" "$@" >out 2>err
  [ $? -eq 2 ] && [ ! -s out ] && [ "$(head -n 1 err)" = "haichi $message" ] || { fail "$*: not 'haichi $message'" && cat out err; }
}

refuses 'sim: --timeline-format without --timeline' sim -p torus:4 -t ring:4 --timeline-format csv
refuses 'trace matrix: --mapping without --platform' trace matrix ring:4 --mapping xyz
refuses 'map: --matrix-unit without --matrix' map auto -p torus:4 -t ring:4 --matrix-unit kB
refuses 'map: --qaplib and --platform exclude each other' map qap --qaplib x -p torus:4
refuses 'plot: fit takes no --baseline' plot fit -b xyz results.tsv -o a.svg
refuses 'plot: metrics takes no --platform' plot metrics -p torus:4 results.tsv -o a.svg
refuses 'platform: --format without --info' platform torus:4 --format json
refuses 'platform: --info and --clusters exclude each other' platform torus:4 --info --clusters
refuses 'platform: --speed and --speeds exclude each other' platform torus:4 --speed 1Gf --speeds 2Gf
refuses 'calibrate: --check and --segments exclude each other' calibrate --check star:2 --segments 3 m.tsv
refuses 'calibrate: --check and --kernel exclude each other' calibrate --check star:2 --kernel triad m.tsv
refuses 'calibrate: --sources and --table exclude each other' calibrate --sources m --table t.tsv
refuses 'calibrate: --hpl-kernels and --quantile exclude each other' calibrate --hpl-kernels --quantile 0.2 -o k.tsv m.tsv
refuses 'record: --finish and --compress exclude each other' record --finish m --compress
refuses 'record: --counter and --speed exclude each other' record --counter instructions --speed 1Gf -- true
refuses 'instrument: --slow without --output' instrument --slow 1:2 a.c
refuses 'predict: --jobs without --sweep' predict -p torus:2x2 -t npb:lu.S.4 -j 2
refuses 'wan graph: --timeout, --pings and --one-sided are for --alpha, which is not given' wan graph -p star:4 --beta 1 --pings 2
refuses 'wan graph: --random-rtt and --processes exclude each other' wan graph --random-rtt 4 --beta 1 -n 3
refuses 'explain: --against and --use exclude each other' explain -p torus:4 -t ring:4 --against random --use u.csv
refuses 'schedule: --time without --scheduler' schedule n.dot -p star:2 --schedule s.tsv --time 3
refuses 'schedule: --precision and --maxmin-precision: model abstract simulates no events' schedule n.dot -p star:2 -s heft --precision 1e-12
refuses 'list: --bytes without --ranks or --table' list collectives --bytes 3
refuses 'compare: --chunk without --on' compare -p torus:4 -t ring:4 -m xyz -o out --chunk 3
refuses 'compare: --explain and --job exclude each other' compare -p torus:4 -t ring:4 -m xyz -o out --explain --job ring:4,repeat
refuses "sim: --collective: collective 'allreduce' is given twice" sim -p torus:4 -t ring:4 --collective allreduce=rdb --collective allreduce=lr
exit $status
