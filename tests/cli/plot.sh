#!/bin/sh
# usage: tests/cli/plot.sh HAICHI
# Each kind of plot makes an SVG, a PNG, a PDF and an EPS above a minimal size, with the same bytes in two runs.  A refusal
# is one line and leaves no picture or temporary file; an old picture stays unchanged.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
mkdir tmp || exit 1
export TMPDIR="$work/tmp"
trace=$root/tests/data/is.S.16.tar.zst

# draws KIND ARGUMENT...: makes the picture in all formats, twice
draws()
{
  for ending in svg png pdf eps; do
    for name in one two; do
      "$haichi" plot "$@" -o "$name.$ending" 2>log || fail "plot $*: $(cat log)"
      [ -s log ] && fail "plot $* prints: $(cat log)"
    done
    cmp -s "one.$ending" "two.$ending" || fail "plot $*: two runs differ in .$ending"
    [ "$(wc -c <"one.$ending")" -gt 5000 ] || fail "plot $*: .$ending is too small"
  done
  grep -q '</svg>' one.svg || fail "plot $*: no SVG"
  [ "$(head -c 4 one.png | tail -c 3)" = PNG ] || fail "plot $*: no PNG"
  [ "$(head -c 5 one.pdf)" = %PDF- ] || fail "plot $*: no PDF"
  head -n 1 one.eps | grep -q '^%!PS-Adobe.* EPSF' || fail "plot $*: no EPS"
}

# shows TEXT...: the last SVG has each of these texts
shows()
{
  for text in "$@"; do
    grep -qF ">$text<" one.svg || fail "no '$text' in the picture"
  done
}

# refuses CODE SENTENCE ARGUMENT...: the first line on standard error, the only line if CODE is 1
refuses()
{
  code=$1
  sentence=$2
  shift 2
  echo old >old.svg
  "$haichi" plot "$@" -o old.svg >out 2>log
  got=$?
  [ "$got" -eq "$code" ] || fail "plot $*: exit $got instead of $code"
  [ "$(head -n 1 log)" = "$sentence" ] || fail "plot $*: $(cat log)"
  [ "$code" -eq 2 ] || [ "$(wc -l <log)" -eq 1 ] || fail "plot $*: $(cat log)"
  [ "$(cat old.svg)" = old ] || fail "plot $*: is refused, but the old picture is changed"
  [ -s out ] && fail "plot $*: prints on standard output: $(cat out)"
}

head='trace\tmapper\tseed\tstatus\tsimulated_time_s\thop_bytes\tmax_link_load_bytes\treason'
{
  printf '# one\n%b\n' "$head"
  for t in /a/b/cg.A.64.tar.zst 'npb:it'\''s @x `date`' ft/index.txt; do
    printf '%s\txyz\t-\tok\t2\t100\t10\t-\n%s\tgreedy\t-\tok\t1.5\t90\t10\t-\n' "$t" "$t"
    printf '%s\trandom\t1\tok\t4\t200\t30\t-\n%s\trandom\t2\tok\t1\t250\t20\t-\n' "$t" "$t"
  done
  printf 'lu\txyz\t-\tfailed\t-\t-\t-\tboom\nlu\tgreedy\t-\tok\t1\t1\t1\t-\nlu\trandom\t1\ttimeout\t-\t-\t-\t1 s\n'
} >results.tsv
printf '%b\nx\txyz\t-\tok\t2\t100\t10\t-\nx\trandom\t-\tok\t3\t120\t12\t-\n' "$head" >single.tsv

draws speedup results.tsv
shows random greedy 'geo. mean' cg.A.64 "it's @x \`date\`" ft 'speedup over xyz' \
  'left out: 1 failed, 1 timed out, 1 without baseline'
draws speedup results.tsv --baseline random
shows xyz random greedy
draws speedup single.tsv
shows x random
# A percent sign in a label of an axis is no format.
sed 's/^x/x%d_50%load/' single.tsv >percent.tsv
draws speedup percent.tsv
shows 'x%d_50%load'
printf 'host,start_s,end_s,state\na%%d,0,2,a\nb%%g,2,3,a\n' >percent.csv
draws timeline percent.csv
shows 'a%d' 'b%g'
# The names of four traces and of the means are too wide for one line and are rotated.
turns()
{
  for t in a b c "$1"; do
    printf '%s.A.64@2\txyz\t-\tok\t2\t1\t1\t-\n%s.A.64@2\tgreedy\t-\tok\t1\t1\t1\t-\n' "$t" "$t"
  done >rows
  printf '%b\n' "$head" | cat - rows >four.tsv
  draws speedup four.tsv
  shows "$1.A.64@2"
  [ "$(grep -c -E "rotate\\($2(\\.00)?\\)" one.svg)" -ge 5 ] || fail "labels such as $1.A.64@2 are not rotated by $2 degrees"
}
turns mg -40
turns a-name-of-its-own -40

draws metrics results.tsv
shows xyz cg.A.64 'hop-bytes (xyz = 1)' 'largest link load (xyz = 1)' 'simulated time (xyz = 1)'
draws metrics single.tsv --baseline random
{ printf '%b\n' "$head" && sed 1,2d results.tsv | grep -v xyz; } >other.tsv
draws speedup other.tsv
shows random 'speedup over greedy'

"$haichi" trace matrix "$trace" -o matrix.tsv || status=1
draws matrix matrix.tsv
shows 'source rank' 'destination rank' 'bytes from rank to rank' '10 kB' '20 kB'
printf 'src\tdst\tmessages\tbytes\n0\t1\t1\t8\n' >pair.tsv
draws matrix pair.tsv
shows '8.0 B'
printf 'src\tdst\tmessages\tbytes\n0\t1\t1\t7000\n1\t0\t1\t8000\n' >alike.tsv
draws matrix alike.tsv
shows '7.2 kB' '7.8 kB'
printf 'src\tdst\tmessages\tbytes\n0\t1\t1\t8\n7\t5000\t1\t800\n5000\t1\t1\t0\n' >large.tsv
draws matrix large.tsv
shows 'bytes from 10 ranks to 10 ranks'

for platform in torus:4x4 mesh:4x2x2 hypercube:4 torus:3x3x3x3 torus:16 mesh:17x64; do
  for mapping in xyz random; do
    "$haichi" sim -p "$platform" -t "$trace" -m "$mapping" --links "$mapping.tsv" \
      --timeline ranks.csv >/dev/null 2>&1 || fail "sim on $platform"
  done
  draws links xyz.tsv --platform "$platform"
  draws links xyz.tsv random.tsv --platform "$platform"
  shows xyz random
done

# Platforms that are no grids: a row for each group of links.
cat >two.clusters <<'END'
cluster left hosts=16 uplink=1GBps
cluster right hosts=4
wan * * rtt=1ms bandwidth=10MBps
END
for platform in fattree:k=4 dragonfly:groups=2,chassis=2,routers=2,nodes=2 star:16,backbone=1GBps \
  clusters:two.clusters "$root/tests/data/zones.xml"; do
  for mapping in xyz random; do
    "$haichi" sim -p "$platform" -t "$trace" -m "$mapping" --links "$mapping.tsv" >/dev/null 2>&1 ||
      fail "sim on $platform"
  done
  draws links random.tsv --platform "$platform"
  draws links xyz.tsv random.tsv --platform "$platform"
  shows xyz random
  case $platform in
  fat*) shows 'level 2 up' 'level 2 down' 'load of a link (kB): mean, and largest' ;;
  dra*) shows 'group 0 hosts' 'group 1 green' 'group 0 black' 'group 1 blue' ;;
  star*) shows backbone ;;
  clu*) shows left right uplink-left_DOWN wan-left-right_UP 'bytes over bandwidth of a link (ms): mean, and largest' ;;
  *) shows one two three wan12 ;;
  esac
done
draws links random.tsv xyz.tsv random.tsv xyz.tsv --platform "$platform"
awk 'NR == 1 || $1 == "wan12"' random.tsv >short.tsv
refuses 1 "haichi: short.tsv: ends before link 'wan23' of the platform" links short.tsv -p "$platform"
"$haichi" platform random-clusters:hosts=100,sizes=8,inside=1GBps -o many.xml
"$haichi" sim -p many.xml -t "$trace" -m random --links random.tsv >/dev/null 2>&1
draws links random.tsv --platform many.xml
shows '121 groups with lower loads are left out'
"$haichi" sim -p many.xml -t "$trace" -m xyz --links xyz.tsv >/dev/null 2>&1
draws links xyz.tsv --platform many.xml
shows G0 G1 wan-G0-G1_UP '121 groups with lower loads are left out'

platform=mesh:17x64
for mapping in xyz random; do
  "$haichi" sim -p "$platform" -t "$trace" -m "$mapping" --links "$mapping.tsv" >/dev/null 2>&1
done
long='fmopt-half:subgroup=2@6+4@9+8@12'
cp xyz.tsv "$long.tsv"
draws links xyz.tsv "$long.tsv" --platform "$platform"
shows xyz "$long"
draws links xyz.tsv "$long.tsv" random.tsv xyz.tsv --platform "$platform"
shows xyz 'fmopt-h...@9+8@12'
# Eight files are drawn in two rows, with the titles of each row at one height; nine are refused.
for i in 1 2 3 4 5 6 7 8; do cp xyz.tsv "file$i.tsv"; done
"$haichi" plot links file1.tsv file2.tsv file3.tsv file4.tsv file5.tsv file6.tsv file7.tsv file8.tsv -p "$platform" \
  -o one.svg || fail 'plot links of eight files'
# heights TEXT: prints the heights of this text in the picture
heights()
{
  grep -B 1 ">$1<" one.svg | sed -n 's/.*translate([0-9.]*,\([0-9.]*\)).*/\1/p'
}
[ "$(heights 'file[1-8]' | sort -n | uniq -c | awk '{print $1}' | tr '\n' ' ')" = '4 4 ' ] ||
  fail "the titles of eight files are at the heights $(heights 'file[1-8]' | tr '\n' ' ')"
refuses 2 'haichi plot: links takes 1 to 8 files: LINKS.tsv...' links a b c d e f g h i -p torus:4
"$haichi" plot links xyz.tsv -p mesh:17x64 -o '|touch pipe.svg' && [ -s '|touch pipe.svg' ] ||
  fail 'an output file whose name begins with |'
mkdir "it's" && "$haichi" plot links xyz.tsv -p mesh:17x64 -o "it's/\`x\` @y.png" || fail 'an output file with quotes in its name'

draws timeline ranks.csv
shows compute alltoall rank 'time (ms)'
printf 'state,rank,end_s,start_s\nidle,1,9,0\nbusy,0,5,4\nidle,0,4,0\n' >own.csv
draws timeline own.csv
shows idle busy 'time (s)'

# Hosts are labelled with their names, in natural order.  With a platform, all its hosts are drawn in its order, also idle
# ones.  Each task has a bar.
{
  echo host,start_s,end_s,state
  printf 'G1-%d,0,2,a\nG1-%d,2,3,a\nG1-%d,3,5,a\n' 9 9 9 3 3 3
} >hosts.csv
draws timeline hosts.csv
shows G1-3 G1-9 host
[ "$(grep -c '<polygon' one.svg)" -eq 6 ] || fail "six tasks have $(grep -c '<polygon' one.svg) bars"
"$haichi" plot timeline hosts.csv -p "$root/platforms/mega-table8.xml" -o one.svg || fail 'plot timeline with a platform'
[ "$(heights G1-9)" != "$(heights G1-3)" ] && [ -n "$(heights G2-19)" ] || fail 'hosts of the platform are missing in the picture'
sed 's/G1-3/G9-3/' hosts.csv >strange.csv
refuses 1 "haichi: strange.csv:5: the platform has no host 'G9-3'" timeline strange.csv \
  -p "$root/platforms/mega-table8.xml"
# If a host has many tasks, neighbouring tasks are merged.
awk 'BEGIN { print "host,start_s,end_s,state"; for (i = 0; i < 100000; i++) print "h" i % 5 "," i "," i + 5 ",s" }' >merged.csv
draws timeline merged.csv
[ "$(wc -c <one.svg)" -lt 50000 ] || fail 'the picture of 100000 tasks is too large'

# Long names of files are shortened and rotated by 40 degrees: only the title of the axis is rotated by 90 degrees.
{
  printf 'network\tload\tscheduler\tstatus\tmakespan_s\tmachine_use\n'
  for n in w/montage-chameleon-2mass-005d-001.json w/epigenomics-chameleon-hep-1seq-100k-001.json w/ab.json; do
    printf '%s\t-\theft\tok\t2\t0.5\n%s\t-\tbest\tok\t1\t0.7\n' "$n" "$n"
  done
} >networks.tsv
draws makespan networks.tsv
shows ab montage-ch...s-005d-001
[ "$(grep -c 'rotate(-90' one.svg)" -eq 1 ] || fail 'names are rotated by 90 degrees'

"$haichi" sim -p torus:16 -t "$trace" --links ring.tsv >/dev/null 2>&1 || status=1
printf 'rank,start_s,end_s,state\n0,0,5e-9,a<b&"c"\n' >tiny.csv
draws timeline tiny.csv
shows 'a&lt;b&amp;"c"' 'time (ns)'

refuses 1 'haichi: no.tsv: cannot read: No such file or directory' speedup no.tsv
refuses 1 "haichi: matrix.tsv: no column 'trace' in the header" speedup matrix.tsv
refuses 1 "haichi: results.tsv: mapper 'best' has no row with status ok; mappers with such rows: xyz, greedy, random" speedup results.tsv -b best
sed 1,2d results.tsv | grep xyz >rows && printf '%b\n' "$head" | cat - rows >alone.tsv
refuses 1 "haichi: alone.tsv: no mapper to compare with 'xyz'" speedup alone.tsv
sed 's/1\.5/1,5/' results.tsv >comma.tsv
refuses 1 "haichi: comma.tsv:4: simulated_time_s: '1,5' is not a number" metrics comma.tsv
cut -f 1-6 results.tsv >cut.tsv
refuses 1 "haichi: cut.tsv: no column 'max_link_load_bytes' in the header" metrics cut.tsv
printf '%b\nx\txyz\t-\tok\t2\t0\t0\t-\n' "$head" >idle.tsv
refuses 1 "haichi: idle.tsv: no row has metrics and a baseline with nonzero metrics" metrics idle.tsv
refuses 1 "haichi: ring.tsv:1: the header has 'messages', but not the columns src and dst of a list" \
  matrix ring.tsv
printf 'src\tdst\tmessages\tbytes\n0\t1\t1\t0\n' >silent.tsv
refuses 1 'haichi: silent.tsv: no bytes to draw' matrix silent.tsv
printf 'src\tdst\tmessages\tbytes\n' >none.tsv
refuses 1 'haichi: none.tsv: no bytes to draw' matrix none.tsv
refuses 1 "haichi: ring.tsv:3: link 'haichi_link_from_15_to_0_DOWN', where the platform has \
'haichi_link_from_7_to_0_DOWN'" links ring.tsv -p torus:8
head -n 3 ring.tsv >short.tsv
refuses 1 "haichi: short.tsv: ends before link 'haichi_link_from_1_to_2_UP' of the platform" \
  links short.tsv -p torus:16
{ cat ring.tsv && sed 1d ring.tsv; } >double.tsv
refuses 1 'haichi: double.tsv:34: more links than the platform has' links ring.tsv double.tsv \
  -p torus:16
refuses 1 'haichi: torus:1 has no links to draw' links xyz.tsv -p torus:1
refuses 1 'haichi: torus:64x64x64 has 1572864 links, of which a picture takes 65536 at most' \
  links xyz.tsv -p torus:64x64x64
printf 'rank,start_s,end_s,state\n0,0,0,idle\n' >empty.csv
refuses 1 'haichi: empty.csv: no interval takes time' timeline empty.csv
# A mapper has the same colour in both pictures of a campaign, although one lacks the baseline: the second mapper has the
# second colour.
{
  printf 'trace\tmapper\tstatus\tsimulated_time_s\thop_bytes\tmax_link_load_bytes\n'
  printf 't\txyz\tok\t1\t1\t1\nt\tsecond\tok\t2\t2\t2\n'
} >two.tsv
for kind in speedup metrics; do
  "$haichi" plot $kind two.tsv -o one.svg || fail "plot $kind"
  grep -qi 'rgb(230, *159, *0)\|#e69f00' one.svg || fail "$kind: 'second' has another colour"
done
grep -qi 'rgb( *0, *114, *178)\|#0072b2' one.svg || fail "metrics: xyz has another colour"

# Coinciding points are concentric marks of different sizes: all three are visible.
{
  head -n 2 two.tsv
  printf 't\ta\tok\t1\t1\t1\nt\tb\tok\t1\t1\t1\n'
} >same.tsv
"$haichi" plot metrics same.tsv -o one.svg || fail 'plot metrics same.tsv'
sizes=$(grep -o "gpPt[0-9]*' *transform='translate([0-9.,]*) scale([0-9.]*)" one.svg |
  sed 's/.*scale(//' | sort -u | wc -l)
[ "$sizes" -ge 3 ] || fail "coinciding points: $sizes sizes of marks"

# A picture of a thousand mappers takes less than a minute.
awk 'BEGIN {
  OFS = "\t"
  print "trace", "mapper", "status", "simulated_time_s"
  for (i = 0; i < 1000; i++) print "t", "m" i, "ok", 1 + i % 7
}' >thousand.tsv
timeout 60 "$haichi" plot speedup thousand.tsv -o one.svg || fail 'plot speedup of a thousand mappers'

printf 'rank,start_s,end_s,state\n0,5,4,idle\n' >back.csv
refuses 1 'haichi: back.csv:2: end_s: 4 is outside 5..1.79769e+308' timeline back.csv
printf 'rank,start_s,end_s,state\n4096,0,4,idle\n' >many.csv
refuses 1 'haichi: many.csv:2: rank 4096: a picture has at most 4096 ranks' timeline many.csv

# Metrics against times.
{
  printf 'trace\tmapper\tstatus\tsimulated_time_s\thop_bytes\tdilation_mean_hops\tmax_link_load_bytes\tcardinality\tmax_link_load_s\tmean_latency_s\n'
  for t in cg mg; do
    for i in $(seq 30); do
      printf '%s\tm%d\tok\t%d\t%d\t%d\t%d\t%d\t3\t%d\n' $t "$i" $((100 + i)) $((i * 7 % 31)) "$i" $((i * i)) $((50 - i)) $((i % 4))
    done
  done
} >fit.tsv
draws fit fit.tsv
shows hop-bytes 'fullest link, B' 'mean dilation' cardinality cg mg 'R2 1.00' 'R2 0.00'
printf 'ranks\tpredicted_time_s\tpredicted_low_s\tpredicted_high_s\tefficiency\n4\t2\tnan\tnan\t1\n8\t1.1\t1\t1.2\t0.9\n8\tnan\tnan\tnan\tnan\n' >sweep.tsv
draws sweep sweep.tsv
shows 'predicted time, s' 'efficiency, %' ranks
printf '2\tsoon\t1\t1\t1\n' >>sweep.tsv
refuses 1 "haichi: sweep.tsv:5: predicted_time_s: 'soon' is not a number" sweep sweep.tsv
printf 'ranks\tpredicted_time_s\tpredicted_low_s\tpredicted_high_s\tefficiency\n8\tnan\tnan\tnan\tnan\n' >none.tsv
refuses 1 'haichi: none.tsv: no row has a prediction' sweep none.tsv
refuses 1 'haichi: results.tsv: no column '\''max_link_load_s'\'' in the header' fit results.tsv

"$haichi" wan graph -p "clusters:$root/platforms/intrigger4.clusters" -n 32 --beta 2 -o graph.tsv >/dev/null || fail 'wan graph'
draws wan graph.tsv
shows A B C D 'within a cluster' 'between clusters' 'spanning tree'
"$haichi" wan graph --random-rtt 9 --beta 1 -o graph.tsv >/dev/null || fail 'wan graph'
draws wan graph.tsv
printf 'a\tb\topened_by\tcluster_a\tcluster_b\trtt_s\ttree\n0\t0\tnone\tx\tx\t0\t0\n5\t5\tnone\ty\ty\t0\t0\n' >alone.tsv
draws wan alone.tsv
shows x y
head -n 1 alone.tsv >none.tsv
refuses 1 'haichi: none.tsv: no processes' wan none.tsv
printf '0\t5\ta\tx\tx\t1\t0\n' | cat alone.tsv - >moved.tsv
refuses 1 "haichi: moved.tsv:4: process 5 is in cluster 'x', but in 'y' in an earlier row" wan moved.tsv
printf '0\t70000\ta\tx\tx\t1\t0\n' | cat none.tsv - >far.tsv
"$haichi" plot wan far.tsv -o a.svg 2>log
grep -q '^haichi: far.tsv:2: .*70000' log || fail "$(cat log)"

printf 'latencies\tsimulated_s\tpredicted_s\n1\t2\t2\n2\t2.02\t2.02\n4\t2.18\t2.06\n' >curve.tsv
draws latency curve.tsv
shows simulated 'predicted by the derivative' 'longer by, %' '5 %: x 3'
printf 'latencies\tsimulated_s\tpredicted_s\n1\t2\t2\n1024\t2\t2\n' >flat.tsv
draws latency flat.tsv
head -n 2 flat.tsv >one.tsv
refuses 1 'haichi: one.tsv: fewer than two rows' latency one.tsv
printf '1\t2\t2\n' | cat curve.tsv - >back.tsv
refuses 1 'haichi: back.tsv:5: latencies 1 after 4; they must rise' latency back.tsv
printf 'latencies\tsimulated_s\tpredicted_s\n2\t2\t2\n' >late.tsv
refuses 1 'haichi: late.tsv:2: the first row has latencies 2, not 1' latency late.tsv

printf 'src\tdst\tmessages\tbytes\n0\t0\t1\t1000\n' >one.tsv
"$haichi" plot matrix one.tsv -o one.svg || fail 'a matrix of one rank'
sed -n '/gnuplot_plot_1/,/<.g>/p' one.svg | grep -q '<polygon' || fail 'no cell in the picture of a matrix of one rank'

refuses 2 'haichi plot: no KIND FILE given'
refuses 2 "haichi plot: unknown kind of plot 'pie'; expected speedup, metrics, makespan, use, matrix, links, \
timeline, fit, calibration, latency, sweep, wan, collective, block-series, block-times or block-error" pie results.tsv
refuses 2 'haichi plot: speedup takes 1 file: RESULTS.tsv' speedup
refuses 2 'haichi plot: no --platform given' links a
"$haichi" plot matrix matrix.tsv -o a.gif 2>log
[ $? -eq 2 ] && [ "$(head -n 1 log)" = "haichi plot: the picture 'a.gif' does not end in .svg, \
.png, .pdf or .eps" ] || fail "$(cat log)"
"$haichi" plot matrix matrix.tsv 2>log
[ $? -eq 2 ] && [ "$(head -n 1 log)" = 'haichi plot: no --output given' ] || fail "without --output: $(cat log)"

# A gnuplot that fails, draws nothing, is killed, or is missing; a missing folder.
mkdir fake || exit 1
printf '#!/bin/sh\necho >&2\necho "line 3: it broke" >&2\necho >&2\nexit 3\n' >fake/gnuplot
chmod +x fake/gnuplot
(PATH=$work/fake:$PATH refuses 1 'haichi: gnuplot failed: line 3: it broke' matrix matrix.tsv
  exit $status) || status=1
PATH=$work/fake:$PATH env --ignore-signal=CHLD "$haichi" plot matrix matrix.tsv -o a.svg 2>log
grep -q 'haichi: gnuplot failed: line 3: it broke' log || fail "without SIGCHLD: $(cat log)"
printf '#!/bin/sh\nexit 0\n' >fake/gnuplot
(PATH=$work/fake:$PATH refuses 1 'haichi: old.svg: gnuplot has drawn nothing' matrix matrix.tsv
  exit $status) || status=1
printf '#!/bin/sh\nkill -9 $$\n' >fake/gnuplot
(PATH=$work/fake:$PATH refuses 1 'haichi: gnuplot was ended by signal 9: no message' \
  matrix matrix.tsv
  exit $status) || status=1
rm fake/gnuplot
mkdir none && for tool in head cat wc; do ln -s "$(command -v $tool)" none/; done
(PATH=$work/none refuses 1 'haichi: gnuplot: cannot run: No such file or directory (Debian has it in package gnuplot-nox)' \
  matrix matrix.tsv
  exit $status) || status=1
"$haichi" plot matrix matrix.tsv -o no/such.png 2>log
[ $? -eq 1 ] && [ "$(cat log)" = 'haichi: no/such.png: cannot create: No such file or directory' ] ||
  fail "$(cat log)"

rests=$(find . -name '*.svg.*' -o -name '*.png.*' -o -name 'haichi-*')
[ -z "$rests" ] || fail "temporary files are left: $rests"
exit $status
