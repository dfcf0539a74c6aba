#!/bin/sh
# usage: tests/cli/effects.sh HAICHI
# --effect: times calculated by hand from the definitions in docs/models.md, and refusals.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# Links of 1 GB/s without latency, hosts of 4 cores at 1 Gflop/s.
"$haichi" platform star:4 --bandwidth 1GBps --latency 0s --speed 1Gf --cores 4 -o p.xml >/dev/null || fail platform

# trace NAME LINE...: a merged trace
trace()
{
  name=$1
  shift
  printf '%s\n' "$@" >"$name"
}

# takes SECONDS TRACE OPTION...: the simulated time with model cm02, within 1e-6.  An envelope adds 16 bytes to a message.
takes()
{
  want=$1 file=$2
  shift 2
  "$haichi" sim -p p.xml -t "$file" --model cm02 --ranks-per-host 4 "$@" >out 2>err || {
    fail "$file $*: fails"
    cat err
    return
  }
  awk -v want="$want" '$1 == "simulated_time_s" && ($2 / want - 1) ^ 2 < 1e-12 { ok = 1 } END { exit !ok }' out ||
    fail "$file $*: $(awk '$1 == "simulated_time_s" { print $2 }' out) s instead of $want"
}

M=999999984 # with its envelope 1 GB, which takes 1 s
printf 'node-0\nnode-1\nnode-2\nnode-3\n' >apart
trace one "0 send 1 0 $M 6" "1 recv 0 0 $M 6" '2 init' '3 init'
trace two "0 send 2 0 $M 6" "1 send 2 0 $M 6" "2 irecv 0 0 $M 6" "2 irecv 1 0 $M 6" '2 waitall' '3 init'
trace both "0 sendRecv $M 1 $M 1 6 6" "1 sendRecv $M 0 $M 0 6 6" '2 init' '3 init'
trace work '0 compute 1e9' '1 compute 1e9' '2 compute 1e9' '3 compute 1e9'

takes 1 one -m apart
takes 2 two -m apart
takes 4 one -m apart --effect ports:flow=250MBps
takes 2 one -m apart --effect ports:out=500MBps
takes 4 one -m apart --effect ports:in=250MBps
takes 5 both -m apart --effect ports:both=400MBps
takes 8 both -m apart --effect ports:pair=250MBps
takes 10 both -m apart --effect ports:pair=400MBps,fresh=200MBps
takes 4 two -m apart --effect incast:curve=1:1GBps,2:500MBps
takes 1 one -m apart --effect incast:curve=1:1GBps,2:500MBps
takes 2 one --effect within:bandwidth=500MBps,latency=0s
takes 4 both --effect within:bandwidth=1GBps,total=500MBps,latency=0s
takes 1 work
takes 4 work --effect contention:curve=1:1,4:0.25
takes 1 work -m apart --effect contention:curve=1:1,4:0.25
takes 3 work --effect memory:curve=1:4GBps,4:2GBps,per-flop=1
takes 1.25 work -m apart --effect memory:curve=1:4GBps,4:2GBps,per-flop=1

# While host 1 computes, its port has a quarter of its bandwidth: 1 s for 250 MB, then 750 MB at full bandwidth.
trace beside "0 send 1 0 $M 6" "1 irecv 0 0 $M 6" '1 compute 1e9' '1 waitall' '2 init' '3 init'
takes 1.75 beside -m apart --effect beside:curve=0:1GBps,1:250MBps

# Two messages with a bandwidth factor of 0.5: if the factor uses up bandwidth, they take 4 s; if it limits each flow, 2 s.
sed 's|\(<zone[^>]*>\)|<config><prop id="smpi/bw-factor" value="0:0.5"/></config>\1|' p.xml >half.xml
for case in '4 ' '2 --effect=flow-limits'; do
  # shellcheck disable=SC2086 # no option, or one
  "$haichi" sim -p half.xml -t two -m apart ${case#* } >out 2>err || cat err
  awk -v want="${case%% *}" '$1 == "simulated_time_s" && ($2 / want - 1) ^ 2 < 1e-4 { ok = 1 } END { exit !ok }' out ||
    fail "flow-limits: $case: $(head -1 out)"
done

# Noise is the same in both engines, and with the same seed.
noisy() { "$haichi" sim -p p.xml -t npb:mg.S.4 -m apart --effect noise:sd=10%,seed="$1" --engine "$2" 2>/dev/null | head -1; }
[ "$(noisy 1 flow)" = "$(noisy 1 flow)" ] || fail 'noise: another time with the same seed'
[ "$(noisy 1 flow)" = "$(noisy 1 simgrid)" ] || fail 'noise: another time with the other engine'
[ "$(noisy 1 flow)" != "$(noisy 2 flow)" ] || fail 'noise: the same time with another seed'

# refuses TEXT OPTION...: one line, exit 1
refuses()
{
  text=$1
  shift
  "$haichi" sim -p p.xml -t one "$@" >out 2>err && fail "$*: is accepted"
  grep -q -F "$text" err || {
    fail "$*: another message:"
    cat err
  }
}
refuses "effect 'incast': engine 'simgrid' lacks it; engine 'flow' has it" --effect incast:curve=1:1GBps --engine simgrid
refuses "effect 'ports' cannot be combined with a platform with --node" --effect ports:in=1GBps --node 'core:4'
refuses "effect 'ports' is given twice" --effect ports:in=1GBps --effect ports:out=1GBps
refuses "unknown effect 'port', perhaps 'ports'" --effect port:in=1GBps
"$haichi" explain -p p.xml -t one -m apart --effect ports:in=1GBps >out 2>err && fail 'explain with ports is accepted'
grep -q -F "effect 'ports' cannot be combined with the record of causes" err || fail 'explain with ports: another message'

# Costs of NPB's operations.
flops() { "$haichi" sim -p p.xml -t "$1" -m apart 2>/dev/null | awk '$1 == "simulated_time_s" { print $2 }'; }
awk -v one="$(flops npb:ep.S.4)" -v three="$(flops npb:ep.S.4,flops=3)" 'BEGIN { exit !(three > 2.9 * one && three < 3.1 * one) }' ||
  fail 'npb:ep.S.4,flops=3 does not take three times as long'
"$haichi" sim -p p.xml -t npb:ep.S.4, >out 2>err && fail 'npb:ep.S.4, is accepted'
grep -q "ends with a comma" err || fail 'npb:ep.S.4,: another message'
# Messages by the effect `within` use no loopback: its latency, which grows during the message, changes nothing.
printf '0.0001 0.01\n' >latency
for file in '' ' latency_file="latency"'; do
  cat >loopback.xml <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="a" speed="1Gf"/>
    <link id="l" bandwidth="10GBps" latency="1us"$file/>
    <route src="a" dst="a"><link_ctn id="l"/></route>
  </zone>
</platform>
XML
  "$haichi" sim -p loopback.xml -t pingpong:2:size=10000000 --ranks-per-host 2 --effect within:bandwidth=10GBps,latency=1us 2>&1 |
    grep simulated_time_s >"times${file:+.changed}" || fail "within: the loopback$file"
done
cmp -s times times.changed || fail "within: $(cat times times.changed)"
exit $status
