#!/bin/sh
# usage: tests/cli/calibrate.sh HAICHI
# calibrate: SMPI runs the programs that --sources writes on a known machine.  The platform that calibrate makes from
# their times has the latency, bandwidth, speed and factors of this machine and gives the same times, also in SMPI.
# Tables, pictures, --check of another platform, refusals.
. "$(dirname "$0")/../shell.sh"

# is FILE NAME VALUE [SHARE]: the report has the value, up to a share of it
is()
{
  awk -F '\t' -v name="$2" -v want="$3" -v share="${4:-1e-9}" '
    $1 == name { off = $2 / want - 1; found = off <= share && off >= -share; got = $2 }
    END { if (!found) { print name ": " got ", not " want; exit 1 } }' "$1" || fail "$1"
}

# refuses CODE WORDS ARGUMENT...: the exit code, and one line on standard error, or two with a hint
refuses()
{
  code=$1 words=$2
  shift 2
  "$haichi" calibrate "$@" >out 2>err
  [ $? -eq "$code" ] || fail "$*: exit code"
  grep -qF -e "$words" err || { fail "$*: no '$words'" && cat err; }
}

# --- a known machine -------------------------------------------------------------------------
"$haichi" platform star:2 --speed 3Gf --bandwidth 2GBps --latency 5us |
  sed 's|^<platform.*|&<config><prop id="smpi/lat-factor" value="0:1.5;1000:2;40000:6"/><prop id="smpi/bw-factor" value="0:0.25;1000:0.5;40000:0.8"/></config>|' >known.xml
printf 'node-0\nnode-1\n' >hosts

# simulate PLATFORM TO [OPTIONS]: writes the times of the ping-pong on the platform to TO
simulate()
{
  make -s -C m simulate "PLATFORM=$work/$1" "HOSTFILE=$work/hosts" PINGPONG="${3:--r 4 -m 1000000}" >log 2>&1 ||
    { fail "simulate $1" && cat log; }
  cp m/pingpong.tsv "$2"
}

# value NAME: of the report
value()
{
  awk -F '\t' -v name="$1" '$1 == name { print $2 }' report
}

"$haichi" calibrate --sources m || fail sources
simulate known.xml known.tsv
"$haichi" calibrate known.tsv m/kernel.tsv --latency 10us -o made.xml --table table.tsv --plot one.svg >report ||
  fail calibrate
is report speed_flops 3e9
is report latency_s 1e-5
is report bandwidth_Bps 1.6e9
is report steps 3
for step in '0 0 1.5 0.3125' '1 1000 2 0.625' '2 40000 6 1'; do
  # shellcheck disable=SC2086 # words
  set -- $step
  [ "$1" = 0 ] || is report "step_$1_above_bytes" "$2" 0.13
  is report "step_$1_lat_factor" "$3" 1e-7
  is report "step_$1_bw_factor" "$4" 1e-7
done
is report within_quartiles 1
is report within_spread 1

# Measurements of all sizes between the two sizes around a step give the exact step.
# shellcheck disable=SC2046 # words
simulate known.xml between.tsv "-r 1 $(echo $(seq "$(value step_1_after_size)" "$(value step_1_first_size)"))"
"$haichi" calibrate known.tsv between.tsv m/kernel.tsv >finer || fail 'calibrate of two files'
[ "$(sed -n 's/^step_1_above_bytes.//p' finer)" = 1000 ] || { fail 'the step is not at 1000 bytes' && cat finer; }

"$haichi" platform --info known.xml >info || fail info
[ "$(grep factor info)" = "$(printf 'lat_factor\t0:1.5;1000:2;40000:6\nbw_factor\t0:0.25;1000:0.5;40000:0.8')" ] || fail 'factors in --info'

# SMPI gives the same times on the calibrated platform as on the known one.
simulate made.xml made.tsv
paste known.tsv made.tsv | awk 'NR > 1 && ($2 != $5 || ($3 / $6 - 1) ^ 2 > 1e-18) { print; exit 1 }' || fail 'SMPI gives other times on the calibrated platform'
"$haichi" calibrate --check known.xml made.tsv >check || fail 'calibrate --check'
is check within_spread 1
is check sizes "$(($(cut -f 2 made.tsv | sort -u | wc -l) - 1))"
"$haichi" calibrate --check star:2 made.tsv --format json >check || fail 'calibrate --check of a spec'
grep -q '"error_max": *[0-9]' check || fail 'no error_max in JSON'

# --- on many hosts: both engines and smpirun, with one trace -----------------------------------------
"$haichi" calibrate known.tsv m/kernel.tsv --topology torus:4x4 -o torus.xml >/dev/null || fail torus
mkdir mg && tar -C mg --zstd -xf "$root/tests/data/mg.S.16.tar.zst"
index=$(find mg -name index.txt)
"$haichi" map xyz --platform torus.xml --trace "$index" -o torus.hosts || fail map
(cd "$(dirname "$index")" && smpirun -np 16 -platform "$work/torus.xml" -hostfile "$work/torus.hosts" -replay index.txt \
  --cfg=smpi/display-timing:yes) >log 2>&1
want=$(sed -n 's/.*Simulated time: \([^ ]*\) seconds.*/\1/p' log)
for engine in flow simgrid; do
  "$haichi" sim -p torus.xml -t "$index" --engine $engine 2>/dev/null >"$engine"
  is $engine simulated_time_s "$want" 1e-4
done
"$haichi" sim -p torus:4x4 --trace "$index" 2>/dev/null >other || fail 'sim without factors'
[ "$(head -n 1 other)" != "$(head -n 1 flow)" ] || fail 'the factors change nothing'

# --- the range of the calibration ---------------------------------------------------------------------
grep -q '<prop id="haichi.calibrated" value="1-[0-9]*"/>' torus.xml || fail 'the platform lacks the calibrated range'
"$haichi" platform --info torus.xml | grep -q "^calibrated.1-$(value covers_to_bytes)\$" || fail '--info lacks the calibrated range'
for engine in flow simgrid; do
  "$haichi" sim -p torus.xml -t pingpong:2:size=1000 --engine $engine >/dev/null 2>note || fail 'sim of messages inside the range'
  grep -q outside note && fail 'a note on messages inside the range'
  "$haichi" sim -p torus.xml -t "$index" --engine $engine >/dev/null 2>note
  [ "$(grep -c 'outside: messages of more than two hosts$' note)" = 1 ] || fail 'not one note on messages of several hosts'
  "$haichi" sim -p torus.xml -t pingpong:2:size=2000000 --engine $engine >/dev/null 2>note
  [ "$(grep -c "haichi: note: 'torus.xml' was calibrated with messages of 1 to [0-9]* bytes between two hosts; outside: messages up to 2000000 bytes\$" note)" = 1 ] ||
    { fail 'not one note on messages above the range' && cat note; }
done
"$haichi" predict -p torus.xml -t npb:cg.S.16 --sample 4 >/dev/null 2>note || fail 'predict'
[ "$(grep -c 'outside: ' note)" = 1 ] || fail 'predict: not one note on the range'
"$haichi" predict -p torus.xml -t npb:cg.S.16 --sweep -o swept --sample 4 >/dev/null 2>note || fail 'sweep'
[ "$(grep -c 'outside: ' note)" = 1 ] || fail 'predict --sweep: not one note on the range'
"$haichi" explain -p torus.xml -t pingpong:2:size=2000000 >/dev/null 2>note || fail 'explain'
[ "$(grep -c 'outside: ' note)" = 1 ] || fail 'explain: not one note on the range'
sed 's/haichi.calibrated" value="[^"]*/haichi.calibrated" value="5-2/' torus.xml >bad.xml
"$haichi" sim -p bad.xml -t pingpong:2:size=1 2>err && fail 'a bad range is accepted'
grep -q 'bad.xml:[0-9]*: property haichi.calibrated: no sizes from 5 to 2 bytes' err || { fail 'a bad range: another message' && cat err; }

# --- tables and pictures -----------------------------------------------------------------------------
[ "$(head -n 1 table.tsv)" = "$(printf 'bytes\tsamples\tmeasured_s\tlow_s\thigh_s\tlower_quartile_s\tupper_quartile_s\tsimulated_s\tfitted_s\tstep')" ] ||
  fail 'header of the table'
"$haichi" plot calibration table.tsv -o two.svg || fail plot
cmp one.svg two.svg || fail 'plot calibration gives another picture than calibrate --plot'
"$haichi" calibrate --check known.xml made.tsv --plot three.svg --table - >table 2>check || fail 'calibrate --check with --plot and --table'
grep -q '</svg>' three.svg || fail 'the picture of --check is incomplete'
is check within_spread 1
[ "$(wc -l <table)" = "$(wc -l <table.tsv)" ] || fail 'the table of --check has another number of rows'
"$haichi" calibrate known.tsv m/kernel.tsv -o - 2>report | cmp -s - made.xml && fail '--latency changes nothing'
is report latency_s 1.5e-5 1e-7

# --- kernels of HPL ----------------------------------------------------------------------------------
# Times by a formula, on two hosts of two processors: the table has the coefficients of the formula, and hpl: reads it.
awk 'BEGIN {
  OFS = "\t"
  print "kernel", "host", "cpu", "m", "n", "k", "seconds"
  for (i = 0; i < 80; i++) {
    m = 1 + i * 7919 % 4001; n = 1 + i * 104729 % 3001; k = 1 + i * 1299709 % 257; slow = 1 + i % 4 / 10
    print "dgemm", int(i % 4 / 2), i % 2, m, n, k, slow * (7e-11 * m * n * k + 2e-9 * m * k + 1e-6)
    print "dscal", 0, 0, m, 1, 1, 1e-9 * m + 1e-7
  }
}' >calls.tsv
"$haichi" calibrate --hpl-kernels calls.tsv -o kernels.tsv >report || fail '--hpl-kernels'
is report rows 7
is report dgemm_processors 4
is report dgemm_samples 80
is report dscal_samples 80
awk -F '\t' '$1 == "dgemm" && $2 == 1 && $3 == 1 { off = $4 / 9.1e-11 - 1; found = off * off < 1e-12 }
  END { exit !found }' kernels.tsv || { fail 'wrong coefficients of host 1, processor 1' && cat kernels.tsv; }
"$haichi" calibrate --hpl-kernels calls.tsv -o - 2>report | cmp -s - kernels.tsv || fail 'the table on standard output differs'
"$haichi" sim -p star:2 --cores 2 --ranks-per-host 2 -t hpl:N=500,NB=32,P=2,Q=2,kernels=kernels.tsv,per-host=2 >out 2>err ||
  { fail 'sim of hpl: with the table' && cat err; }
head -n 6 calls.tsv >few.tsv
refuses 1 'haichi: kernel dgemm: 3 samples are too few' --hpl-kernels few.tsv -o few
printf 'kernel\thost\tcpu\tm\tn\tk\tseconds\n' >none.tsv
refuses 1 'haichi: no sample of kernel dgemm' --hpl-kernels none.tsv -o few
[ ! -e few ] || fail 'a failed fit leaves a table'
sed '3s/dscal/scal/' calls.tsv >bad.tsv
refuses 1 "haichi: bad.tsv:3: 'scal' is no kernel of HPL" --hpl-kernels bad.tsv -o few
refuses 2 '--hpl-kernels without --output' --hpl-kernels calls.tsv
refuses 2 '--hpl-kernels and --topology exclude each other' --hpl-kernels calls.tsv -o few --topology star:2
refuses 2 'no MEASUREMENTS.tsv' --hpl-kernels -o few

# The measuring program: real times, all kernels.
make -s -C m blas.bin >log 2>&1 || { fail 'blas.c' && cat log; }
mpirun='mpirun --oversubscribe --mca mpi_yield_when_idle 1'
[ "$(id -u)" != 0 ] || mpirun="$mpirun --allow-run-as-root"
make -s -C m blas MPIRUN="$mpirun -np 2" BLAS='-r 12 -m 60 -k 16 -c 2' >log 2>&1 || { fail 'make blas' && cat log; }
"$haichi" calibrate --hpl-kernels m/blas.tsv -o measured.tsv >report || fail 'measured kernels'
is report rows 57
is report HPL_dlaswp10N_samples 24

# --- refusals ----------------------------------------------------------------------------------------
printf 'test\tsize\tseconds\npingpong\t1\t1\npingpong\t2\t-1\n' >bad.tsv
printf 'test\tsize\tseconds\ntriad\t1\t1\n' >triad.tsv
printf 'bytes\tmeasured_s\n1\t1\n' >short.tsv
refuses 1 'haichi: bad.tsv:3: seconds: ' bad.tsv
refuses 1 'haichi: none: ' none
refuses 1 'haichi: test pingpong: 0 sizes are too few' triad.tsv
refuses 1 'haichi: triad.tsv: no sample of test pingpong' --check star:2 triad.tsv
refuses 1 'haichi: no sample of kernel arithmetic, and no --speed' known.tsv
refuses 1 'haichi: torus:1 has one host, but the measured route is between two hosts' known.tsv --speed 1Gf --topology torus:1
refuses 1 'haichi: torus:1 has one host, but the measured route is between two hosts' --check torus:1 known.tsv
refuses 1 'haichi: known.tsv/m: cannot create the folder: Not a directory' --sources known.tsv/m
refuses 1 'haichi: no/folder/p.xml' known.tsv --speed 1Gf -o no/folder/p.xml
refuses 2 'no MEASUREMENTS.tsv given'
refuses 2 '--sources reads no measurements' --sources m known.tsv
refuses 2 '--check and --output exclude each other' --check star:2 known.tsv -o p.xml
refuses 2 "'p.xml' is not a spec" known.tsv --topology p.xml
refuses 2 '--latency: ' known.tsv --latency 0
refuses 2 '--segments: 33 is above' known.tsv --segments 33
refuses 2 '--kernel: unknown kernel' known.tsv --kernel pingpong
refuses 2 'no.txt' known.tsv --plot no.txt
"$haichi" plot calibration short.tsv -o p.svg 2>err && fail 'a table without the columns of a calibration is accepted'
grep -q "haichi: short.tsv: no column 'lower_quartile_s'" err || { fail 'a table without the columns of a calibration: another message' && cat err; }

# 120 sizes whose times scatter by a tenth are pooled; error_mean in the report refers to the sizes as measured.
awk 'BEGIN { print "test\tsize\tseconds"
  for (i = 0; i < 120; i++) {
    size = int(1000 * exp(i / 20))
    printf "pingpong\t%d\t%.9g\n", size, (2e-5 + size / 1e9) * (i * 7 % 4 < 2 ? 0.9 : 1.1)
  } }' >scatter.tsv
"$haichi" calibrate scatter.tsv --speed 1Gf >report || fail scatter
"$haichi" calibrate scatter.tsv --speed 1Gf --pool 0 >single || fail 'calibrate --pool 0'
is report sizes 120
grep -q '^sizes_pooled' single && fail 'sizes are pooled with --pool 0'
awk -F '\t' '{ v[$1] = $2 } END { exit !(v["sizes_pooled"] < 60 && v["error_mean"] > 0.08 && v["error_mean_pooled"] < 0.05) }' report ||
  fail "sizes that scatter: $(cat report)"

# The measuring programs refuse wrong arguments, too.
(cd m && smpirun -np 2 -platform ../known.xml -hostfile ../hosts ./pingpong.smpi -r 0 >log 2>&1) && fail 'pingpong -r 0 is accepted'
grep -q '^usage: pingpong' m/log || fail 'pingpong -r 0 prints no usage'
exit $status
