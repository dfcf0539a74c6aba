#!/bin/sh
# usage: tests/cli/regress.sh HAICHI
# regress: worse figures are found and no others; results.tsv of compare is a baseline, too; --update writes all figures or
# none; refusals.  Finally compares haichi's mappers with results/reference/small.tsv.
. "$(dirname "$0")/../shell.sh"

# regress CODE OPTION...: output in out, messages in err
regress()
{
  code=$1
  shift
  "$haichi" regress "$@" >out 2>err
  got=$?
  [ $got -eq "$code" ] || { fail "regress $*: exit $got, not $code" && cat out err; }
}

# refused MESSAGE OPTION...
refused()
{
  message=$1
  shift
  regress 1 "$@"
  printf 'haichi: %s\n' "$message" | cmp -s - err || { fail "regress $*: another message" && cat err; }
  [ -s out ] && fail "regress $*: is refused, but there is output"
}

# --- a table of task networks

printf '# haichi 0.2.0\n# options model=abstract\n# network n.xml\nnetwork\tload\n' >networks.tsv
refused 'networks.tsv:3: a baseline is a table of traces, but this one has a network n.xml' -b networks.tsv

# --- a table with a column twice

printf 'platform\tplatform\ttrace\tmapper\n' >twice.tsv
refused "twice.tsv:1: two columns are called 'platform'" -b twice.tsv

# --- a handwritten table, which --update fills

printf '# ours\n# for a test\nplatform\ttrace\tmapper\tseed\n' >base.tsv
printf 'torus:4x4\tnpb:cg.A.16@1\txyz\t-\ntorus:4x4\tnpb:cg.A.16@1\trandom\t7\n' >>base.tsv
printf 'fattree:k=4\tnpb:is.S.16@1\tgreedy\t-\n' >>base.tsv
cp base.tsv unfilled.tsv
# A table without figures is refused.
none='no figure to compare with: hop_bytes, max_link_load_bytes, cardinality or simulated_time_s (--update writes them)'
refused "base.tsv:4: $none" -b base.tsv
sed '4,$s/$/\t-/; 3s/$/\thop_bytes/' base.tsv >dashes.tsv
refused "dashes.tsv:4: $none" -b dashes.tsv
sed 's/hop_bytes/hopbytes/' dashes.tsv >misspelt.tsv
refused "misspelt.tsv: unknown column 'hopbytes', perhaps 'hop_bytes'; expected hop_bytes, max_link_load_bytes, cardinality or simulated_time_s, or a column of results.tsv" \
  -b misspelt.tsv
for jobs in 1 2; do
  cp unfilled.tsv base.tsv
  regress 0 -b base.tsv --update -j $jobs
  [ -s out ] || [ -s err ] && fail '--update prints something'
  cp base.tsv filled$jobs.tsv
done
cmp filled1.tsv filled2.tsv || fail 'the figures depend on the number of jobs'
[ "$(head -n 2 base.tsv)" = "$(printf '# ours\n# for a test')" ] || fail '--update changes the comments'
[ "$(sed -n 4p base.tsv)" = "$(printf 'platform\ttrace\tmapper\tseed\thop_bytes\tmax_link_load_bytes\tcardinality\tsimulated_time_s')" ] ||
  fail '--update writes another header'
"$haichi" metrics random:seed=7 -p torus:4x4 -t npb:cg.A.16@1 >score
"$haichi" sim -m random:seed=7 -p torus:4x4 -t npb:cg.A.16@1 >>score 2>/dev/null
for figure in hop_bytes max_link_load_bytes cardinality simulated_time_s; do
  want=$(sed -n "s/^$figure	//p" score)
  awk -F '\t' -v f=$figure -v want="$want" '/^platform/ { for (i = 1; i <= NF; i++) at[$i] = i }
    $3 == "random" { equal = $at[f] == want } END { exit !equal }' base.tsv || fail "$figure is not the value of metrics or sim"
done
regress 0 -b base.tsv --tolerance 0

# --- worse figures

# edit ROW FIGURE FACTOR: worse.tsv is base.tsv with FIGURE in row ROW multiplied by FACTOR
edit()
{
  awk -F '\t' -v OFS='\t' -v row="$1" -v f="$2" -v by="$3" '/^#/ { print; next }
    !head { for (i = 1; i <= NF; i++) at[$i] = i; head = 1; print; next }
    ++n == row { $at[f] = sprintf(f ~ /_s$/ ? "%.17g" : "%.0f", $at[f] * by) } { print }' base.tsv >worse.tsv
}

for figure in hop_bytes max_link_load_bytes simulated_time_s cardinality; do
  good=0.9 bad=1.2
  [ $figure = cardinality ] && good=1.2 bad=0.9
  edit 2 $figure $good
  regress 1 -b worse.tsv
  echo 'haichi: worse.tsv: 1 of 3 mappings got worse by more than 1%' | cmp -s - err || { fail "$figure: another message about worse mappings" && cat err; }
  awk -F '\t' -v f=$figure 'NR == 1 && ($1 != "machine" || $5 != "figure") { bad = 1 }
    NR == 2 && ($3 != "random" || $4 != 7 || $5 != f || $8 !~ /^[-+][0-9.]+%$/) { bad = 1 } END { exit bad || NR != 2 }' out ||
    { fail "$figure: another table of worse mappings" && cat out; }
  regress 0 -b worse.tsv --tolerance 50%
  edit 2 $figure $bad
  regress 0 -b worse.tsv
  grep -qx '3 mappings, none worse than in worse.tsv by more than 1%; 1 figure better: --update writes the new figures' out || { fail "$figure: another line about better figures" && cat out; }
done
edit 1 hop_bytes 0.995
regress 0 -b worse.tsv
regress 1 -b worse.tsv --tolerance 0.3%
regress 1 -b worse.tsv --tolerance 0.003
edit 3 cardinality 0
regress 0 -b worse.tsv --tolerance 0

# --- results.tsv

"$haichi" compare -p mesh:4x4 -t npb:cg.A.16@1 npb:is.S.16@1 -m xyz random:seeds=1..2 -o camp --no-plots --compute-scale 0 >/dev/null || fail 'haichi compare'
regress 0 -b camp/results.tsv --compute-scale 0 --tolerance 0
echo '6 mappings, none worse than in camp/results.tsv' | cmp -s - out || { fail 'results.tsv as a baseline: another line' && cat out; }
regress 1 -b camp/results.tsv --compute-scale 0 -p mesh:2x8
line=$(grep -n '^# options' camp/results.tsv | cut -d : -f 1)
regress 1 -b camp/results.tsv
grep -q "^haichi: camp/results.tsv:$line: the baseline has the options 'model=smpi .* compute-scale=0 .*', this command 'model=smpi" err || { fail 'a baseline with other options: another message' && cat err; }
grep -v '^#' camp/results.tsv >bare.tsv
refused "bare.tsv: no column 'platform', no comment '# platform P', and no --platform" -b bare.tsv
regress 0 -b bare.tsv -p mesh:4x4 --compute-scale 0
cp camp/results.tsv own.tsv
regress 0 -b own.tsv --update --compute-scale 0
regress 0 -b own.tsv --compute-scale 0 --tolerance 0
[ "$(grep -c '^mesh:4x4' own.tsv)" -eq 6 ] || fail '--update of results.tsv: not 6 rows with a platform'

refused "own.tsv: it has a column 'platform', which --platform mesh:2x8 cannot replace" -b own.tsv --compute-scale 0 -p mesh:2x8
sed 's/^# platform .*/# platform mesh:2x8/' camp/results.tsv >comment.tsv
regress 0 -b comment.tsv --compute-scale 0 --tolerance 0 -p mesh:4x4

# A handwritten table that names its platform in a comment keeps its other comments.
printf '# ours\n# platform mesh:4x4\n#\n# haichi in a test\ntrace\tmapper\nnpb:cg.S.16@1\txyz\n' >named.tsv
regress 0 -b named.tsv --update
[ "$(head -n 3 named.tsv)" = "$(printf '# ours\n#\n# haichi in a test')" ] || fail "--update with '# platform' changes the comments: $(cat named.tsv)"
grep -q '^mesh:4x4' named.tsv || fail "--update with '# platform': no row with the platform"
grep -q '^# haichi\|^# trace' own.tsv && fail '--update keeps the comments of results.tsv'

# --- refusals, which leave the baseline unchanged

# bad ROW MESSAGE: base.tsv with this row added is refused
bad()
{
  cp base.tsv bad.tsv
  printf '%b\n' "$1" >>bad.tsv
  cp bad.tsv kept.tsv
  refused "bad.tsv:$(grep -c '' bad.tsv): $2" -b bad.tsv
  refused "bad.tsv:$(grep -c '' bad.tsv): $2" -b bad.tsv --update
  cmp bad.tsv kept.tsv || fail 'a failure changes the baseline'
}
bad 'torus:4x4\tno/trace\txyz\t-\t1\t-\t-\t-' 'no/trace: cannot open: No such file or directory'
bad 'torus:4x4\tnpb:cg.A.17\txyz\t-\t1\t-\t-\t-' 'npb:cg.A.17: cg would use 16 of 17 ranks; ask for 16'
bad 'torus:2x2\tnpb:cg.A.16@1\txyz\t-\t1\t-\t-\t-' '16 ranks do not fit on 4 hosts of 1 rank'
bad 'no.xml\tnpb:cg.A.16@1\txyz\t-\t1\t-\t-\t-' 'no.xml: cannot read: No such file or directory'
bad 'torus:4x4\tnpb:cg.A.16@1\txyz\t-\t-5\t-\t-\t-' 'hop_bytes: -5 is outside 0..1.79769e+308'
bad 'torus:4x4\tnpb:cg.A.16@1\txyz\tone\t-\t-\t-\t-' "seed: 'one' is not a whole number"
bad 'torus:4x4\tnpb:cg.A.16@1\txyz\t-' '4 fields instead of 8'
bad 'torus:4x4\tnpb:cg.A.16@1\tfile:path=no.map\t-\t1\t-\t-\t-' 'no.map: cannot read: No such file or directory'
refused 'no.tsv: cannot read: No such file or directory' -b no.tsv
printf 'platform\ttrace\tmapper\n' >empty.tsv
refused 'empty.tsv: no rows' -b empty.tsv
printf 'platform\ttrace\n' >narrow.tsv
refused "narrow.tsv: no column 'mapper' in the header" -b narrow.tsv
printf 'trace\tmapper\tstatus\nnpb:cg.A.16@1\txyz\tfailed\n' >failed.tsv
refused 'failed.tsv:2: a run that is not ok is no baseline: failed' -b failed.tsv -p torus:4x4
"$haichi" regress >out 2>err
[ $? -eq 2 ] && grep -q '^haichi regress: no --baseline given$' err || fail 'regress without --baseline: another message'
"$haichi" regress -b base.tsv --tolerance 1x% >out 2>err
[ $? -eq 2 ] && grep -q "^haichi regress: --tolerance: '1x' is not a number$" err || { fail 'a bad tolerance: another message' && cat err; }

# --- haichi's own mappers

cd "$root" || exit 1
"$haichi" regress -b results/reference/small.tsv --tolerance 0.01% >"$work/out" 2>"$work/err" || { fail "haichi's mappers are worse than results/reference/small.tsv" && cat "$work/out" "$work/err"; }
exit $status
