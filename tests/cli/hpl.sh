#!/bin/sh
# usage: tests/cli/hpl.sh HAICHI
# HPL: its trace in a file and on the engines, the times of its kernels, relays in a trace, SMPI's options of a platform
# file with handwritten traces, and the prediction from a sample of panels.
. "$(dirname "$0")/../shell.sh"

# value NAME COMMAND...: prints a value of the report
value()
{
  name=$1
  shift
  "$haichi" "$@" 2>log | awk -v name="$name" '$1 == name { print $2 }'
}

# near WHAT GOT WANT SHARE
near()
{
  awk -v a="${2:-nothing}" -v b="$3" -v share="$4" 'BEGIN { d = a / b - 1; exit !(a ~ /^[0-9]/ && d < share && d > -share) }' ||
    fail "$1: $2, not $3"
}

# A generated trace, and the same trace written to files, give the same time, also with noise.  In the table of kernels
# only dgemm takes time.
printf 'kernel\thost\tcpu\tmnk\tmn\tmk\tnk\tintercept\tsd_mnk\ndgemm\t*\t*\t1e-9\t0\t0\t0\t0\t1e-10\n' >kernels
spec=hpl:N=300,NB=16,P=2,Q=4,bcast=3,swap=1,depth=1
"$haichi" trace convert "$spec,kernels=kernels" -o written 2>log || fail "convert: $(cat log)"
grep -q ' relayCompute [0-9]* 16 0 [0-9.e+]* 0.1[0-9]* [0-9]*$' written/ranks/rank-0000.txt ||
  fail "the written trace lacks relayCompute: $(grep -m 1 relayCompute written/ranks/rank-0000.txt)"
# The deviation is the polynomial at all columns of the update, though negative at one column.
printf 'kernel\thost\tcpu\tmnk\tmn\tmk\tnk\tintercept\tsd_mnk\tsd_mk\ndgemm\t*\t*\t1e-9\t0\t0\t0\t0\t1e-10\t-8e-10\n' >negative
"$haichi" trace convert "$spec,kernels=negative" -o negative.trace 2>log || fail "convert: $(cat log)"
awk '$2 == "relayCompute" && $3 > 8 { noise = 0.1 - 0.8 / $3; if ($7 < noise - 1e-6 || $7 > noise + 1e-6) exit 1; n++ }
  END { if (!n) exit 1 }' negative.trace/ranks/rank-0000.txt || fail "another noise: $(grep -m 1 relayCompute negative.trace/ranks/rank-0000.txt)"
for model in smpi cm02; do
  made=$(value simulated_time_s sim -p star:8 -M $model -t "$spec,kernels=kernels")
  near "$model, from a file" "$(value simulated_time_s sim -p star:8 -M $model -t written)" "$made" 1e-9
  near "$model, SimGrid" "$(value simulated_time_s sim -p star:8 -M $model --engine simgrid -t written)" "$made" 1e-6
done

# One rank: the time of its kernels.
one=hpl:N=128,NB=32,P=1,Q=1,nbmin=32,kernels=kernels
near 'one rank' "$(value simulated_time_s sim -p star:1 -t $one,noise=0)" \
  "$(awk 'BEGIN { for (k = 1; k <= 4; k++) { m = 128 - 32 * k; s += m * (m + 1) * 32 }; print s * 1e-9 }')" 1e-9
a=$(value simulated_time_s sim -p star:1 -t $one,seed=1) b=$(value simulated_time_s sim -p star:1 -t $one,seed=2)
[ "$a" != "$b" ] || fail "noise does not depend on the seed"
near noise "$a" "$b" 0.5
[ "$a" = "$(value simulated_time_s sim -p star:1 -t $one,seed=1)" ] || fail "noise: another time with the same seed"

# A relay computes 10 columns and probes after each one, until a probe finds the message; the remaining columns are one
# computation.  Here the probe after the third column finds the message.
cat >probes <<'T'
0 init
0 compute 1.6e9
0 send 1 5 8
0 finalize
1 init
1 relay 0 5 8 -1
1 relayCompute 10 1 0 1e9
1 finalize
T
cat >free.xml <<'X'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config id="General">
    <prop id="smpi/iprobe" value="0.25"/><prop id="smpi/os" value="0:1:0;100:2:0.01"/>
    <prop id="smpi/ois" value="0:4:0"/><prop id="smpi/or" value="0:8:0"/>
    <prop id="smpi/send-is-detached-thresh" value="1000"/><prop id="smpi/async-small-thresh" value="1000"/>
    <prop id="network/weight-S" value="0"/><prop id="network/crosstraffic" value="false"/>
    <prop id="smpi/lat-factor" value="0:0.0"/><prop id="smpi/bw-factor" value="0:1"/>
    <prop id="smpi/loopback-lat-factor" value="0:0.0"/><prop id="smpi/loopback-bw-factor" value="0:0.5"/>
  </config>
  <cluster id="c" prefix="n" suffix="" radical="0-1" speed="1Gf" core="2" bw="1MBps" lat="1us" loopback_bw="1kBps" loopback_lat="0us"/>
</platform>
X
# smpi/os delays the send to 2.6 s.  The probes end at 1.25, 2.5 and 3.75 s; the third one finds the message.  Then follow
# smpi/or and 7 columns.
near probes "$(value simulated_time_s sim -p free.xml -t probes)" 18.75 1e-4
sed 's/^1 relayCompute.*/& 1e-3 3/' probes >noisy
near 'noisy probes' "$(value simulated_time_s sim -p free.xml -t noisy)" 18.75 1e-2
[ "$(value simulated_time_s sim -p free.xml -t noisy)" != "$(value simulated_time_s sim -p free.xml -t probes)" ] ||
  fail "relayCompute has no noise"
sed 's/^1 relayCompute.*/& 0/' probes >short
"$haichi" sim -p free.xml -t short >out 2>&1 && fail "relayCompute with 5 arguments is accepted"
grep -q 'short:7: relayCompute: 5 arguments, not 4 or 6' out || fail "5 arguments: another message: $(cat out)"
printf '0 send 1 0 8\n1 recv 0 0 8\n' >send
near 'os and or' "$(value simulated_time_s sim -p free.xml -t send)" 9 1e-4
printf '0 send 1 0 200\n1 recv 0 0 200\n' >send
near 'os by size' "$(value simulated_time_s sim -p free.xml -t send)" 12 1e-4
printf '0 isend 1 0 8\n0 waitall\n1 recv 0 0 8\n' >send
near ois "$(value simulated_time_s sim -p free.xml -t send)" 12 1e-4
printf '0 Ssend 1 0 8\n1 recv 0 0 8\n' >send
near Ssend "$(value simulated_time_s sim -p free.xml -t send)" 1 1e-4
printf '0 ISsend 1 0 8\n0 waitall\n1 recv 0 0 8\n' >send
near ISsend "$(value simulated_time_s sim -p free.xml -t send)" 4 1e-4
for hosts in 'host id="a"' 'cluster id="d" prefix="d" suffix="" radical="0-1" bw="1MBps" lat="1us"'; do
  sed "s|^  <cluster.*|<zone id=\"z\" routing=\"Full\"><$hosts speed=\"1Gf\"><prop id=\"smpi/os\" value=\"0:2:0\"/></${hosts%% *}></zone>|" free.xml >costs.xml
  "$haichi" sim -p costs.xml -t send >out 2>&1 && fail "smpi/os of a ${hosts%% *} is accepted"
  grep -qx "haichi: costs.xml:12: smpi/os='0:2:0' of a <${hosts%% *}>: haichi reads it in <config> only" out || fail "smpi/os of a host: another message: $(cat out)"
done
printf '0 send 1 0 1984\n1 recv 0 0 1984\n' >send
near 'above the threshold' "$(value simulated_time_s sim -p free.xml -t send)" 0.002 0.01
near 'within a host' "$(value simulated_time_s sim -p free.xml --ranks-per-host 2 -t send)" 4 1e-6
"$haichi" sim -p free.xml --engine simgrid -t send >out 2>&1 && fail "engine simgrid accepts SMPI's options"
grep -q "does not know the option 'smpi/os'" out || fail "engine simgrid: another message: $(cat out)"

# Times agree with smpirun, which prints microseconds.
cat >calls.xml <<'X'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config id="General">
    <prop id="smpi/os" value="0:1e-3:1e-7;8000:2e-3:3e-7"/><prop id="smpi/ois" value="0:3e-3:2e-7;8000:5e-3:1e-7"/>
    <prop id="smpi/or" value="0:7e-3:1e-7;8000:9e-3:5e-7"/><prop id="smpi/async-small-thresh" value="30000"/>
    <prop id="smpi/send-is-detached-thresh" value="30000"/>
    <prop id="smpi/bw-factor" value="0:0.5;8000:5;30000:0.9"/><prop id="smpi/lat-factor" value="0:1.2;8000:19"/>
  </config>
  <cluster id="c" prefix="n" suffix="" radical="0-1" speed="1Gf" bw="100MBps" lat="5us"/>
</platform>
X
printf 'n0\nn1\n' >hosts
printf 'zero\none\n' >both
for bytes in 100 20000 100000; do
  for call in send isend; do
    printf '0 init\n0 compute 1e6\n0 %s 1 1 %d 6\n' $call $bytes >zero
    [ $call = send ] || echo '0 wait 0 1 1' >>zero
    printf '0 recv 1 9 8 6\n0 finalize\n' >>zero
    printf '1 init\n1 recv 0 1 %d 6\n1 send 0 9 8 6\n1 finalize\n' $bytes >one
    smpirun -np 2 -platform calls.xml -hostfile hosts -replay both >out 2>&1
    want=$(sed -n 's/.*Simulation time \([0-9.]*\).*/\1/p' out)
    near "$call of $bytes bytes" "$(value simulated_time_s sim -p calls.xml -t both)" "${want:-0}" 1e-4
  done
done

# A factor of 0: SimGrid starts messages without latency with a penalty of 1, so they share links equally (with 5 % for the
# opposite direction).
cat >zero.xml <<'X'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config id="General"><prop id="smpi/lat-factor" value="0:0"/><prop id="smpi/bw-factor" value="0:1"/></config>
  <zone id="w" routing="Full">
    <host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><host id="c" speed="1Gf" core="2"/>
    <link id="s" bandwidth="100MBps" latency="1us"/><link id="x" bandwidth="1GBps" latency="50us"/>
    <route src="a" dst="c"><link_ctn id="s"/></route>
    <route src="b" dst="c"><link_ctn id="x"/><link_ctn id="s"/></route>
  </zone>
</platform>
X
printf 'a\nb\nc\nc\n' >spots
printf '0 send 2 0 500000\n2 recv 0 0 500000\n1 send 3 0 500000\n3 recv 1 0 500000\n' >share
for engine in flow simgrid; do
  near "a latency factor of 0, $engine" "$(value simulated_time_s sim -p zero.xml -t share -m spots --engine $engine)" 0.0105 1e-3
done

# platform OPTION VALUE...: writes three.xml, a platform of three hosts with these options of <config>
platform()
{
  echo '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
  echo '<platform version="4.1"><config id="General">'
  printf '<prop id="%s" value="%s"/>' "$@"
  echo '</config><cluster id="c" prefix="n" suffix="" radical="0-2" speed="1Gf" bw="100MBps" lat="5us"/></platform>'
} >three.xml
# as_smpirun WHAT MODEL: compares the time of trace zero, one, two on three.xml with smpirun, by a network model
as_smpirun()
{
  smpirun -np 3 -platform three.xml -hostfile three "--cfg=network/model:$2" -replay all >out 2>&1
  want=$(sed -n 's/.*Simulation time \([0-9.]*\).*/\1/p' out)
  near "$1, $2" "$(value simulated_time_s sim -p three.xml -M "$(echo "$2" | tr A-Z a-z)" -t all)" "${want:-0}" 1e-5
}
printf 'n0\nn1\nn2\n' >three
printf 'zero\none\ntwo\n' >all
# A waitall spends the time of each receive when it ends, while other messages still arrive.
printf '0 init\n0 irecv 1 0 1000 6\n0 irecv 2 0 1000 6\n0 waitall 2\n0 finalize\n' >zero
printf '1 init\n1 send 0 0 1000 6\n1 finalize\n' >one
printf '2 init\n2 compute 1e9\n2 send 0 0 1000 6\n2 finalize\n' >two
platform smpi/or 0:0.1:0
as_smpirun 'smpi/or in waitall' SMPI
# Without cross traffic, the full link of another direction does not slow a message.
printf '0 init\n0 irecv 1 0 1e8 6\n0 send 1 0 1e8 6\n0 compute 5e9\n0 waitall 1\n0 finalize\n' | sed 's/1e8/100000000/' >zero
printf '1 init\n1 irecv 0 0 1e8 6\n1 isend 0 0 1e8 6\n1 isend 2 0 1e8 6\n1 waitall 3\n1 finalize\n' | sed 's/1e8/100000000/' >one
printf '2 init\n2 recv 1 0 100000000 6\n2 finalize\n' >two
for model in SMPI CM02 LV08; do
  platform network/crosstraffic false
  as_smpirun 'no cross traffic' $model
  platform network/weight-S 1e6
  as_smpirun 'weight-S' $model
done
# 0 is a value, too.
printf '0 init\n0 send 1 0 1000 6\n0 compute 5e8\n0 finalize\n' >zero
printf '1 init\n1 compute 1e9\n1 recv 0 0 1000 6\n1 finalize\n' >one
printf '2 init\n2 finalize\n' >two
platform smpi/send-is-detached-thresh 0
as_smpirun 'a threshold of 0' SMPI
# A pipelined broadcast completes each nonblocking send before the next segment.
for rank in zero one two; do
  printf '0 init\n0 bcast 300000 0 6\n0 finalize\n' | sed "s/^0/$(echo $rank | sed 's/zero/0/; s/one/1/; s/two/2/')/" >$rank
done
platform smpi/os 0:1e-3:0 smpi/ois 0:1.7e-3:0 smpi/or 0:2.3e-3:0
smpirun -np 3 -platform three.xml -hostfile three --cfg=smpi/bcast:ompi_pipeline -replay all >out 2>&1
want=$(sed -n 's/.*Simulation time \([0-9.]*\).*/\1/p' out)
near 'pipelined broadcast' "$(value simulated_time_s sim -p three.xml -t all --collective bcast=ompi_pipeline)" "${want:-0}" 1e-5
platform smpi/iprobe 0
"$haichi" sim -p three.xml -t all >out 2>&1 && fail 'a probe without time is accepted'
grep -q '^haichi: three.xml:[0-9]*: smpi/iprobe: 0 is outside' out || fail "a probe without time: $(cat out)"
platform smpi/send-is-detached-thresh 999 smpi/async-small-thresh 1000
"$haichi" sim -p three.xml -t all >out 2>&1 && fail 'a threshold above the other is accepted'
grep -q 'smpi/async-small-thresh is 1000, above smpi/send-is-detached-thresh, which is 999$' out || fail "thresholds: $(cat out)"

# The prediction from a sample of panels.
near sample "$(value predicted_time_s predict -p star:8 -t hpl:N=3000,NB=8,P=2,Q=4 --sample 128)" \
  "$(value simulated_time_s sim -p star:8 -t hpl:N=3000,NB=8,P=2,Q=4)" 0.02
"$haichi" predict -p star:8 -t hpl:N=3000,NB=8,P=2,Q=4 --sample 20 >out 2>&1 && fail "a sample of 20 panels is accepted"
grep -q 'needs at least 64' out || fail "a sample of 20 panels: another message: $(cat out)"
"$haichi" predict -p star:16 -t hpl:N=3000,NB=8,P=1,Q=16 --sample 100 >out 2>&1 && fail "fewer panels than 8 Q are accepted"
grep -q 'needs at least 128 of them, not 100' out || fail "a sample of 100 panels: another message: $(cat out)"
"$haichi" predict -p star:16 -t hpl:N=640,NB=8,P=1,Q=16 --sample 100 >out 2>&1 && fail "8 Q panels of 80 are accepted"
grep -q 'its 80 iterations differ, too few for a sample' out || fail "too few panels: another message: $(cat out)"

# The tables of the reproduction: kernels scaled by the change between days, and rows with mean, spread and error.
mkdir data
printf 'kernel\tsize\tseconds_per_size\tsd_per_size\tseconds_per_call\tsd_per_call\ndtrsm\tm^2 n\t2e-9\t1e-9\t0\t0\nHPL_dlaswp01T\tm n\t3e-9\t0\t0\t0\n' >data/kernels.tsv
printf 'unix_time\tnode\tcpu\tmnk\n1\t1\t0\t1e-9\n9\t1\t0\t3e-9\n' >data/days.tsv
printf 'model\tnode\tcpu\tmnk\tmn\tmk\tnk\tintercept\tsd_mnk\tsd_mn\tsd_mk\tsd_nk\tsd_intercept\nd\t1\t0\t1e-9\t0\t0\t0\t0\t0\t0\t0\t0\t0\n' >data/cpu.tsv
awk -f "$root/scripts/reality/hpl_kernels.awk" -v model=d -v nodes=1 -v since=5 data/kernels.tsv data/days.tsv data/cpu.tsv >table ||
  fail "hpl_kernels.awk"
[ "$(awk '$1 == "dgemm" { print $2, $3, $4 }' table)" = '0 0 3e-09' ] || fail "dgemm: $(cat table)"
[ "$(awk '$1 == "HPL_dlaswp05T" { print $5 }' table)" = 3e-9 ] || fail "dlaswp05T: $(cat table)"
near 'a table of the reproduction' "$(value simulated_time_s sim -p star:1 -t hpl:N=64,NB=32,P=1,Q=1,nbmin=32,kernels=table,noise=0)" \
  "$(awk 'BEGIN { print 3e-9 * (32 * 32 * 33) + 2e-9 * (32 * 32 * 33 + 32 * 32) + 3e-9 * 32 * (33 + 1) }')" 1e-6
printf 'factorial\tnb128-depth1-bcast0-swap0\t11\n' >predicted
printf 'nb\tdepth\tbcast\tswap\tsource\tseconds\n128\t1\t0\t0\treal\t9\n128\t1\t0\t0\treal\t11\n128\t1\t0\t0\tsmpi\t8\n' >factorial
printf 'p\tq\tsource\tseconds\n' >geometry
printf 'n\tset\tsource\tdate\tmodel\tseconds\n' >sizes
[ "$(awk -f "$root/scripts/reality/hpl_rows.awk" predicted factorial geometry sizes | cut -f3-7 | tr '\t' ' ')" = '10 0.14 11 0.1000 8' ] ||
  fail "hpl_rows.awk: $(awk -f "$root/scripts/reality/hpl_rows.awk" predicted factorial geometry sizes)"
exit $status
