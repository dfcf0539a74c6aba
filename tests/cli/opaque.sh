#!/bin/sh
# usage: tests/cli/opaque.sh HAICHI
# Platforms of zones: both engines and smpirun agree within 0.1 % on zones of all kinds, with one and two ranks per host.
# Missing routes, and links and hosts that fail, are refused with one line.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# SimGrid does not free its memory when it stops with an error.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"

# platform NAME: writes NAME.xml with the zones on standard input
platform()
{
  {
    echo "<?xml version='1.0'?>"
    echo '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
    echo '<platform version="4.1">'
    cat
    echo '</platform>'
  } >"$1.xml"
}

# A chain h1 - h2 - h3 - h4: SimGrid makes the routes of several hops and the loopbacks at its start.
chain()
{
  for i in 1 2 3 4; do echo "<host id='h$i' speed='${i}Gf'/>"; done
  for i in 1 2 3; do
    echo "<link id='l$i' bandwidth='${i}00MBps' latency='${i}0us'/>"
  done
  for i in 1 2 3; do
    echo "<route src='h$i' dst='h$((i + 1))'><link_ctn id='l$i'/></route>"
  done
}
{ echo "<zone id='w' routing='Floyd'>" && chain && echo '</zone>'; } | platform floyd
{ echo "<zone id='w' routing='Dijkstra'>" && chain && echo '</zone>'; } | platform dijkstra
platform full <<'END'
<zone id='w' routing='Full'>
  <host id='a' speed='1Gf' core='2'/><host id='b' speed='2Gf'/>
  <host id='c' speed='1Gf'/><host id='d' speed='1Gf'/>
  <link id='l' bandwidth='100MBps' latency='10us'/>
  <link id='f' bandwidth='50MBps' latency='1us' sharing_policy='FATPIPE'/>
  <route src='a' dst='b'><link_ctn id='l'/></route><route src='a' dst='c'><link_ctn id='f'/></route>
  <route src='a' dst='d'><link_ctn id='l'/><link_ctn id='f'/></route>
  <route src='b' dst='c'><link_ctn id='l'/></route><route src='b' dst='d'><link_ctn id='l'/></route>
  <route src='c' dst='d'><link_ctn id='f'/></route>
</zone>
END
platform vivaldi <<'END'
<zone id='w' routing='Vivaldi'>
  <peer id='p1' coordinates='25.5 9.4 1.4' speed='1Gf' bw_in='1MBps' bw_out='2MBps'/>
  <peer id='p2' coordinates='-12.7 -9.9 2.1' speed='1Gf' bw_in='2MBps' bw_out='2MBps'/>
  <peer id='p3' coordinates='2.5 19.1 0.3' speed='1Gf' bw_in='1MBps' bw_out='1MBps'/>
  <peer id='p4' coordinates='7.5 -1.1 3.3' speed='1Gf' bw_in='2MBps' bw_out='1MBps'/>
</zone>
END
platform clusters <<'END'
<zone id='w' routing='Full'>
  <cluster id='one' prefix='a-' suffix='' radical='0-1' speed='1Gf' bw='125MBps' lat='50us'
           bb_bw='1GBps' bb_lat='10us'/>
  <cluster id='two' prefix='b-' suffix='' radical='0-1' speed='2Gf' bw='250MBps' lat='20us'
           loopback_bw='5GBps' loopback_lat='1us'/>
  <link id='wan' bandwidth='10MBps' latency='5ms'/>
  <zoneRoute src='one' dst='two' gw_src='a-one_router' gw_dst='b-two_router'>
    <link_ctn id='wan'/>
  </zoneRoute>
</zone>
END
platform bypass <<'END'
<zone id='w' routing='Dijkstra'>
  <zone id='z1' routing='Full'><host id='h1' speed='1Gf'/></zone>
  <zone id='z2' routing='Full'><host id='h2' speed='1Gf'/></zone>
  <zone id='z3' routing='Full'><host id='h3' speed='1Gf'/></zone>
  <zone id='z4' routing='Full'><host id='h4' speed='1Gf'/></zone>
  <link id='l' bandwidth='100MBps' latency='1ms'/><link id='short' bandwidth='1GBps' latency='1us'/>
  <zoneRoute src='z1' dst='z2' gw_src='h1' gw_dst='h2'><link_ctn id='l'/></zoneRoute>
  <zoneRoute src='z2' dst='z3' gw_src='h2' gw_dst='h3'><link_ctn id='l'/></zoneRoute>
  <zoneRoute src='z3' dst='z4' gw_src='h3' gw_dst='h4'><link_ctn id='l'/></zoneRoute>
  <bypassZoneRoute src='z1' dst='z4' gw_src='h1' gw_dst='h4'><link_ctn id='short'/></bypassZoneRoute>
</zone>
END

# time_of OPTION...: the simulated time
time_of()
{
  "$haichi" sim "$@" 2>log | sed -n 's/^simulated_time_s\t//p'
}

# agree NAME RANKS_PER_HOST TRACE
agree()
{
  "$haichi" map xyz -p "$1.xml" -t "$3" --ranks-per-host "$2" -o hosts || fail "$1: no mapping"
  rm -rf files
  "$haichi" trace convert "$3" -o files || fail "$3: trace convert"
  flow=$(time_of -p "$1.xml" -t "$3" -m hosts)
  simgrid=$(time_of -p "$1.xml" -t "$3" -m hosts --engine simgrid)
  smpi=$(cd files && smpirun -np "$(wc -l <../hosts)" -platform "../$1.xml" -hostfile ../hosts \
    -replay index.txt --cfg=smpi/display-timing:yes 2>&1 |
    sed -n 's/.*Simulated time: \([^ ]*\) seconds.*/\1/p')
  echo "$flow $simgrid $smpi" | awk '
    function apart(a, b) { return (a > b ? a - b : b - a) / b }
    { exit !(NF == 3 && apart($1, $3) < 1e-3 && apart($2, $3) < 1e-3) }' ||
    fail "$1, $2 ranks per host, $3: flow $flow, simgrid $simgrid, smpirun $smpi: $(cat log)"
}

for name in floyd dijkstra full vivaldi clusters bypass; do
  for each in 1 2; do
    agree $name $each npb:cg.S.4@1
  done
  agree $name 1 alltoall:4:size=100000
done
agree full 4 npb:is.S.4

# refuses PATTERN WORD...
refuses()
{
  pattern=$1
  shift
  timeout 60 "$haichi" "$@" >out 2>log
  code=$?
  [ $code -eq 1 ] || fail "$*: exit $code"
  [ "$(wc -l <log)" -eq 1 ] && grep -Eq "^haichi: $pattern" log || fail "$*: $(cat log)"
  [ -s out ] && fail "$*: is refused, but there is output: $(cat out)"
}

# A host without a route, in three kinds of zones.
for kind in Full Floyd Dijkstra; do
  { echo "<zone id='w' routing='$kind'>" && chain | grep -v "src='h3'" && echo '</zone>'; } |
    platform cut
  refuses "cut.xml: .*route from host 'h[34]' to host 'h[34]'" sim -p cut.xml -t ring:4
  refuses 'cut.xml: SimGrid stops: ' sim -p cut.xml -t ring:4 --engine simgrid --links left.tsv
  for mapper in auto bisect qap scotch command:path=/bin/true; do
    refuses ".*cut.xml: no route from host 'h[0-4]' to host 'h[0-4]'" map $mapper -p cut.xml -t ring:4 -o m
  done
done
[ -z "$(ls left.tsv* 2>/dev/null)" ] || fail "a refused run leaves $(ls left.tsv*)"

# A link or a host that fails during the run is refused.
printf '0 1\n0.00001 0\n' >fails
platform down <<'END'
<zone id='w' routing='Full'>
  <host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>
  <link id='l' bandwidth='1MBps' latency='1us' state_file='fails'/>
  <route src='a' dst='b'><link_ctn id='l'/></route>
</zone>
END
for engine in flow simgrid; do
  refuses 'down.xml:6: state_file: hosts and links that fail are not simulated' \
    sim -p down.xml -t ring:2 --engine $engine
done
sed -i "s/ state_file='fails'//; s/id='b' speed='1Gf'/& state_file='fails'/" down.xml
refuses 'down.xml:5: state_file: ' sim -p down.xml -t ring:2 --engine simgrid

# A platform of 65536 hosts is read within 60 s.
platform many <<'END'
<zone id='w' routing='Full'>
  <cluster id='c' prefix='n' suffix='' radical='0-65535' speed='1Gf' bw='1GBps' lat='1us'/>
</zone>
END
timeout 60 "$haichi" platform --info many.xml >out || fail 'many.xml'
grep -qx 'hosts	65536' out || fail "many.xml: $(cat out)"
exit $status
