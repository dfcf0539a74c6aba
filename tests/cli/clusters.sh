#!/bin/sh
# usage: tests/cli/clusters.sh HAICHI
# Multi-clusters: SimGrid and smpirun load the XML of a description and find the same routes and times; errors in a
# description name file and line.
. "$(dirname "$0")/../shell.sh"

for file in "$root"/platforms/*.clusters; do
  "$haichi" platform "clusters:$file" -o made.xml || fail "$file: not written"
  cmp made.xml "${file%.clusters}.xml" || fail "$file: differs from the .xml file in the same folder"
done

cat >all.clusters <<'EOF'
cluster A hosts=5x2.4Gf                   # a star
cluster B hosts=3x2.4Gf:2+2x1.86Gf uplink=1GBps loopback_bandwidth=2GBps
cluster C topology=torus:2x3x2 gateway=5 bandwidth=1GBps latency=1us
cluster D	topology=fattree:k=4 hosts=8x2Gf+8x1Gf inbound=no
cluster E topology=dragonfly:groups=2,chassis=2,routers=2,nodes=2 inbound=yes uplink=50MBps
cluster F topology=star:3,backbone=1GBps hosts=3x1Gf:4
cluster G topology=mesh:3x2 loopback_latency=1us

wan * * rtt=10ms bandwidth=125MBps
wan A C rtt=4ms sharing=flow
wan B D sharing=all
wan A D sharing=all rtt=20ms
wan G * bandwidth=10MBps
EOF
"$(dirname "$haichi")/tests/peers/routes" clusters:all.clusters clusters:"$root/platforms/intrigger4.clusters" \
  random-clusters:seed=1 random-clusters:seed=2,hosts=40,sizes=1+2+5,speed=1Gf,sharing=all \
  random-clusters:seed=3,inside=10GBps,between=1GBps,rtt=1us,latency=0,sharing=flow >out 2>&1 ||
  { fail 'routes differ from those of SimGrid:' && cat out; }

# time_of PLATFORM TRACE ENGINE
time_of()
{
  "$haichi" sim -p "$1" -t "$2" -m hosts --precision 1e-12 --maxmin-precision 1e-9 --engine "$3" 2>log |
    sed -n 's/^simulated_time_s\t//p'
}

# compare PLATFORM TRACE: engine flow gives the time of engine simgrid, and of smpirun within 0.1 %; the spec gives the
# time of its XML
compare()
{
  "$haichi" platform "$1" -o platform.xml || fail "$1: not written"
  rm -rf files && "$haichi" trace convert "$2" -o files || fail "$2: not converted"
  flow=$(time_of "$1" "$2" flow)
  [ "$flow" = "$(time_of platform.xml "$2" flow)" ] || fail "$2 on $1: its XML gives another time"
  peer=$(cd files && smpirun -np 16 -platform ../platform.xml -hostfile ../hosts -replay index.txt \
    --cfg=smpi/display-timing:yes --cfg=surf/precision:1e-9 2>&1 |
    sed -n 's/.*Simulated time: \([^ ]*\) seconds.*/\1/p')
  echo "$flow $(time_of "$1" "$2" simgrid) $peer" | awk '
    function apart(a, b) { return (a > b ? a - b : b - a) / b }
    NF != 3 || apart($1, $2) > 1e-6 || apart($1, $3) > 1e-3 { print; exit 1 }' ||
    fail "$2 on $1: flow, simgrid and smpirun differ"
}

for k in 0 1 2; do
  echo "A-$k B-$((k + 1)) C-$((k * 5)) D-$((k * 7)) E-$((k * 2)) F-$k"
done | tr ' ' '\n' | head -16 >hosts
compare clusters:all.clusters npb:mg.S.16@2
compare clusters:all.clusters alltoall:16:size=30000,iterations=3
for k in 0 21 42 63; do
  echo "A-$k B-$k C-$k D-$k"
done | tr ' ' '\n' >hosts
compare clusters:"$root/platforms/intrigger4.clusters" npb:cg.S.16@1

"$haichi" platform --clusters clusters:"$root/platforms/intrigger4-3fw.clusters" | cut -f 1-8,13 |
  awk 'BEGIN { FS = OFS = "\t" } NR > 1 { $7 += 0; $8 += 0 } 1' CONVFMT=%.6g >out
printf 'cluster\thosts\tcores\tspeed_flops_min\tspeed_flops_max\tinbound\trtt_to_A_s\trtt_to_B_s\tbandwidth_to_C_Bps
A\t64\t64\t2400000000\t2400000000\tyes\t0\t0.0041\t40000000
B\t64\t64\t1860000000\t1860000000\tno\t0.0041\t0\t40000000
C\t64\t64\t2400000000\t2400000000\tno\t0.0065\t0.0081\t0
D\t64\t64\t1860000000\t1860000000\tno\t0.0111\t0.0121\t40000000\n' | cmp - out || fail 'another table of clusters'

"$haichi" platform random-clusters:seed=7 >first
"$haichi" platform random-clusters:seed=7 >again
"$haichi" platform random-clusters:seed=8 >other
cmp -s first again || fail 'the same seed draws other clusters'
! cmp -s first other || fail 'another seed draws the same clusters'

# bad LINE TEXT WHAT: the description TEXT is refused at this line with a message that contains WHAT
bad()
{
  printf '%b' "$2" >bad.clusters
  rm -f none.xml
  "$haichi" platform clusters:bad.clusters -o none.xml >out 2>&1
  [ $? -eq 1 ] && [ ! -e none.xml ] && [ "$(wc -l <out)" -eq 1 ] &&
    grep -qF "haichi: bad.clusters:$1: $3" out || { fail "expected line $1: $3" && cat out; }
}

a='cluster A hosts=2\n'
bad 1 '' 'no clusters'
bad 1 '# nothing\n' 'no clusters'
bad 1 'site A\n' "'site': expected cluster or wan"
bad 1 'cluster\n' 'cluster: no name'
bad 1 'cluster 4 hosts=2\n' "cluster '4': expected a letter"
bad 1 'cluster A-B hosts=2\n' "cluster 'A-B': expected a letter"
bad 1 'cluster A\n' 'neither hosts= nor topology= is given'
bad 1 'cluster A hosts=0\n' 'hosts: 0 hosts'
bad 1 'cluster A hosts=2x\n' 'hosts: '
bad 1 'cluster A hosts=2x1Gf:0\n' 'hosts: 0 cores'
bad 1 'cluster A hosts=2x1Gf+\n' 'hosts: '
bad 1 'cluster A hosts=2 hosts=3\n' "option 'hosts' is given twice"
bad 1 'cluster A hosts\n' "option 'hosts' has no value"
bad 1 'cluster A host=2\n' "no option 'host'; options: hosts, topology"
bad 1 'cluster A hosts=2x1Gf topology=torus:3\n' 'hosts: 2 hosts, and topology torus:3 has 3'
bad 1 'cluster A topology=taurus:3\n' "unknown topology 'taurus', perhaps 'torus'"
bad 1 'cluster A topology=clusters:x\n' "'clusters:x' stands for several clusters"
bad 1 'cluster A topology=dragonfly:groups=9,chassis=3,routers=4,nodes=2\n' 'dragonfly:groups=9'
bad 1 'cluster A hosts=1x1Gf:2+1x1Gf:3 topology=torus:2\n' 'hosts: 2 and 3 cores'
bad 1 'cluster A hosts=1x1Gf+1x1e-300f\n' 'hosts: speeds of 1e-300 and 1e+09 flop/s are too far apart'
bad 1 'cluster A hosts=200000x1Gf+200000x2Gf\n' 'more than 262144 hosts in clusters of unequal hosts'
bad 1 'cluster A hosts=2 bandwidth=0\n' 'bandwidth: '
bad 1 'cluster A hosts=2 inbound=maybe\n' "inbound: 'maybe' is none of yes, no"
bad 1 'cluster A hosts=2 gateway=0\n' 'gateway: on star:2 the switch'
bad 1 'cluster A topology=torus:3 gateway=3\n' 'gateway: 3 is above the maximum of 2'
bad 2 "$a$a" "two clusters are named 'A'"
bad 2 "${a}cluster B hosts=2\n" "no wan with a bandwidth joins 'A' and 'B'"
bad 3 "${a}wan * *\ncluster B hosts=2\n" "cluster 'B' comes after a wan"
bad 2 "${a}wan A A rtt=1\n" "wan: from cluster 'A' to itself"
bad 2 "${a}wan A B rtt=1\n" "wan: no cluster 'B'"
bad 2 "${a}wan A\n" 'wan: expected the names of two clusters'
bad 2 "${a}wan * * rtt=1x\n" 'rtt: '
bad 2 "${a}wan * * sharing=some\n" "sharing: 'some' is none of pair, all, flow"
ab='cluster A hosts=1\ncluster B hosts=1\ncluster C hosts=1\nwan * * bandwidth=1GBps sharing=all\n'
bad 5 "${ab}wan A B bandwidth=2GBps\n" 'connections with sharing=all have bandwidths of'

# refused SPEC WHAT
refused()
{
  "$haichi" platform "$1" >out 2>&1
  [ $? -eq 1 ] && [ "$(wc -l <out)" -eq 1 ] && grep -qF "$2" out || { fail "$1: expected $2" && cat out; }
}

refused clusters:none 'haichi: none: cannot read: No such file'
refused clusters:. 'haichi: .: cannot read: Is a directory'
refused random-clusters:hosts=0 "topology 'random-clusters:hosts=0': hosts: 0 is below the minimum of 1"
refused random-clusters:speed=2Gf..1Gf 'speed: 2e+09 is above 1e+09'
refused random-clusters:seed=-1 'seed: '
refused random-clusters:sizes=1,hosts=2000 'more than 1024 clusters'
sed 's/value="no"/value="some"/' "$root/platforms/intrigger4.xml" >inbound.xml
"$haichi" platform --info inbound.xml >out 2>&1
grep -qF "inbound.xml:21: property haichi.inbound: 'some' is neither yes nor no" out || { fail 'a bad haichi.inbound: another message' && cat out; }
exit $status
