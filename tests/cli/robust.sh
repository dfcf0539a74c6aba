#!/bin/sh
# usage: tests/cli/robust.sh HAICHI
# All commands with files that are no inputs, and with outputs that cannot be written: one line on standard error, exit 1,
# and no files left.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# refuses PATTERN WORD...: the only line matches, and no file is added or removed
refuses()
{
  pattern=$1
  shift
  ls -A >before
  timeout 60 "$haichi" "$@" >/dev/null 2>log </dev/null
  code=$?
  [ $code -eq 1 ] || fail "$*: exit $code"
  [ "$(wc -l <log)" -eq 1 ] || fail "$*: $(cat log)"
  grep -Eq "^haichi: $pattern" log || fail "$*: '$(cat log)', not '$pattern'"
  ls -A | diff before - || fail "$*: is refused, but adds or removes files"
}

: >before
: >log
: >empty
mkdir folder
"$haichi" trace matrix ring:4 -o m.tsv || fail 'trace matrix'
"$haichi" sim -p torus:4 -t ring:4 --links l.tsv >/dev/null 2>&1 || fail 'sim --links'
ln -s /dev/full full.svg
head -c 4096 "$haichi" >binary

# All kinds of inputs: an endless file, an empty file, a folder, a binary file, an empty and a long name.
line='/dev/zero:1: the line is longer than 1048576 bytes'
long='/dev/zero:1: a NUL character'
no='(the trace is empty|.*(there is no file|not a|no such|header|cannot|[Nn]o |.NUL|ends with|empty|speed))'
for file in /dev/zero empty folder binary "''" "$(printf '%05000d' 0)"; do
  case $file in
  /dev/zero) one=$line all=$long trace='/dev/zero: the trace is empty' ;;
  *) one=$no all=$no trace=$no ;;
  esac
  [ "$file" = "''" ] && file=
  refuses "$all" platform --info "$file"
  refuses "$one" platform torus:4 --speeds "@$file"
  refuses "$trace" trace info "$file"
  refuses "$trace" trace convert "$file" -o out
  refuses "$one" map greedy -p torus:4 --matrix "$file"
  refuses "$all" metrics -p torus:4 -t ring:4 "$file"
  refuses "$all" sim -p torus:4 -t ring:4 -m "$file"
  refuses "$trace" sim -p torus:4 -t "$file"
  for kind in speedup metrics matrix links timeline; do
    # shellcheck disable=SC2046 # words
    refuses "$one" plot $kind "$file" $([ $kind != links ] || echo -p torus:4) -o z.svg
  done
done

head -c 268435457 /dev/zero | tr '\0' 1 >many
refuses 'many: longer than 268435456 bytes' metrics -p torus:4 -t ring:4 many
rm many

# A merged trace with an endless line, and with endless comments before the line of their rank.
{
  echo 0 init
  head -c 67108865 /dev/zero | tr '\0' 1
} >big
refuses 'big:2: the line is longer than 67108864 bytes' trace info big
{
  echo 0 init
  yes '# haichi: iteration 1' | head -n 3000000
} >big
refuses "big:[0-9]+: more than 67108864 bytes of comments before a rank's line" trace info big
rm big

# Matrices whose size is the square of the number of ranks.
refuses 'alltoall:65536: 4294901760 pairs of ranks are more than a matrix keeps, 268435456' \
  trace info alltoall:65536
refuses "matrix 'dense:65536': 4294901760 pairs of ranks are more than a matrix keeps" \
  metrics -p torus:4 --matrix dense:65536

# Sizes above the memory of the process.  Sanitizers need the whole address space.
if ! grep -q -a __asan_init "$haichi"; then
  fit='elements of [0-9]+ bytes do not fit into three quarters of the memory'
  (
    ulimit -v 700000
    refuses "matrix 'dense:16384': 268419072 $fit" metrics -p torus:32x32x16 --matrix dense:16384
    refuses "ring:1048576: 1048576 ranks: 1048576 $fit" trace info ring:1048576
    refuses "mapper 'mopt' on 16384 hosts: 268435456 $fit" map mopt -p torus:32x32x16 --matrix grid:32x32x16
    exit $status
  ) || status=1
fi

# Outputs that are refused before any work.
full='cannot write'
for out in /dev/full no/where/x folder ''; do
  case $out in
  /dev/full) why=": $full: No space left on device" ;;
  folder) why=": $full: Is a directory" ;;
  *) why=': cannot create: No such file or directory' ;;
  esac
  name=${out:-"''"}
  refuses "$name$why" platform torus:4 -o "$out"
  refuses "$name$why" trace matrix ring:4 -o "$out"
  refuses "$name$why" map xyz -p torus:4 -t ring:4 -o "$out"
  for table in --links --per-rank --timeline-format=csv\ --timeline; do
    refuses "$name$why" sim -p torus:4 -t ring:4 $table "$out"
  done
done
ln -s no/where link
refuses 'link: cannot follow the link: No such file or directory' platform torus:4 -o link

# Outputs that fail at an early write.
(
  trap '' XFSZ
  ulimit -f 2
  refuses 'x: cannot write: File too large' map xyz -p torus:32x32 -t ring:1024 -o x
  refuses 'temporary file: cannot write: File too large' trace convert ring:1024 --to dim -o x
  refuses 'x: cannot write: .*fclose' trace convert alltoall:32 --to otf2 -o x
  exit $status
) || status=1

refuses 'no/x: cannot create' trace matrix alltoall:65536 -o no/x
refuses 'no/x: cannot create' map greedy -p torus:4 -t alltoall:65536 -o no/x
refuses 'no/x: cannot create' sim -p torus:4 -t alltoall:65536 --links no/x
refuses 'x: two outputs in one file' sim -p torus:4 -t ring:4 --links x --per-rank x
refuses 'x: two outputs in one file' sim -p torus:4 -t ring:4 --links ./x --per-rank x
"$haichi" schedule random:tasks=10 -p torus:2 -s heft -o x --per-host x 2>log
[ $? -eq 2 ] && grep -q 'x: two outputs in one file' log && [ ! -e x ] || fail "schedule: two outputs: $(cat log)"
refuses 'x: two outputs in one file' wan graph --random-rtt 8 --beta 2 -o ./x --dot x
refuses "'': no name for a folder" trace convert ring:4 -o ''
refuses 'log/x: cannot create' compare -p torus:4 -t ring:4 -m xyz -o log/x
refuses 'full.svg: cannot write' plot matrix m.tsv -o full.svg
refuses 'no/m.svg: cannot create' plot matrix m.tsv -o no/m.svg

# Standard output that is full, or closed: an opened file must not get its descriptor.
for args in 'platform torus:4' '--version' 'help sim' 'list mappers' 'trace info ring:4' \
  'metrics -p torus:4 -t ring:4' 'map xyz -p torus:4 -t ring:4' \
  'compare -p torus:4 -t ring:4 -m xyz -o out --no-plots'; do
  # shellcheck disable=SC2086
  for closed in no yes; do
    if [ $closed = yes ]; then
      "$haichi" $args >&- 2>log
    else
      "$haichi" $args >/dev/full 2>log
    fi
    [ $? -eq 1 ] || fail "$args, closed: $closed: exit 0"
    [ "$(grep -c '^haichi: standard output: cannot write' log)" -eq 1 ] ||
      fail "$args, closed: $closed: $(cat log)"
  done
done
"$haichi" sim -p torus:4 -t ring:4 --per-rank - --links mixed >&- 2>log && fail 'standard output is closed, but exit 0'
grep -q '^haichi: standard output: cannot write' log || fail "$(cat log)"
[ -e mixed ] && fail "a table was printed into the file of another one: $(cat mixed)"
# An empty value of an attribute is no default.
for attribute in bandwidth latency; do
  sed "s/ $attribute=\"[^\"]*\"/ $attribute=\"\"/" "$root/tests/data/two-hosts.xml" >empty.xml
  refuses "empty.xml:[0-9]+: .*$attribute: " platform --info empty.xml
done

# The error of a job that fails, not of the jobs that it stops.
printf '0 compute 1\n0 foo\n1 compute 1\n' >foo.trace
refuses "foo.trace:2: action 'foo'" explain -p torus:4x4 --job ring:4:iterations=50 --job foo.trace
refuses '.*takes no time' sim -p torus:4 --job ring:2 --job ring:1,repeat

printf '0 init\n# haichi: iteration 4294967295\n0 compute 1e9\n# haichi: iteration end\n0 finalize\n' >late.trace
refuses 'late.trace:2: iteration 4294967295 is above' explain -p torus:4 -t late.trace

# Runs without time or messages.
accepts()
{
  "$haichi" "$@" >shown 2>log || fail "$*: $(cat log)"
  grep -q -w nan shown && fail "$*: $(grep -w nan shown)"
}
printf 'digraph G { a -> b; }\n' >zero.dot
accepts schedule zero.dot -p torus:2 -s heft
accepts compare --no-plots -p torus:2 --network zero.dot -s heft cpop -o zero
accepts explain -p torus:4 -t ring:1 --what-if
"$haichi" platform torus:4 --latency 0 -o none.xml || fail 'platform --latency 0'
accepts explain -p none.xml -t ring:4 --what-if
accepts tune-collectives -p torus:2x2 --ranks 1 --sizes 8 --collective bcast
accepts predict -p torus:4 --sweep -o sweep -t 'ring:{1,2}:iterations=100'
cut -f 5,9,10 sweep/sweep.tsv | grep -q nan && fail "a sweep of runs without time: $(cat sweep/sweep.tsv)"
accepts map auto -p torus:4 -t ring:1

printf 'num_ranks 1\n/* a\n*/ rank 0 { /* b */\ncalc 100\n}\n' >comment.goal
accepts trace info comment.goal
printf 'node-0 slots=2 max_slots=4\nnode-1 max-slots=1\n' >open-mpi
accepts map xyz -p torus:4 --ranks 3 --hosts open-mpi
[ "$(paste -s -d " " shown)" = 'node-0 node-0 node-1' ] || fail "--hosts open-mpi: $(cat shown)"

printf 'trace\tmapper\tseed\tstatus\tsimulated_time_s\treason\n' >zero/results.tsv
refuses 'zero/results.tsv: no rows' report zero -o page.html --no-plots
exit $status
