#!/bin/sh
# usage: tests/cli/machines.sh HAICHI
# Machines described by their own tools: names of hosts, topology files of Slurm, the output of ibnetdiscover.  The routes
# agree with SimGrid's routes in the written platform file, and both engines give the same times.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
routes=$(dirname "$haichi")/tests/peers/routes

cat >slurm.conf <<'END'
SwitchName=root Switches=top[0-1]
SwitchName=top0 Switches=leaf[0-1]   # two leaf switches
SwitchName=top1 Switches=leaf[2-3]
SwitchName=leaf0 Nodes=nid[000-002]
SwitchName=leaf1 Nodes=nid[003-004]
SwitchName=leaf2 Nodes=nid[005-007,010]
SwitchName=leaf3 Nodes=login
END
cat >blocks.conf <<'END'
BlockName=b1 Nodes=n[1-4]
BlockName=b2 Nodes=n[5-8]
BlockName=b3 Nodes=n[9-12]
BlockSizes=4,8
END

# Two spines above the same leaf switches, and nodes of unknown position
cat >spines.conf <<'END'
SwitchName=spine0 Switches=leaf[0-1]
SwitchName=spine1 Switches=leaf[0-1]
SwitchName=leaf0 Nodes=nid[000-002]
SwitchName=leaf1 Nodes=nid[003-004]
SwitchName=no-topology Nodes=login
END

# adapter NUMBER SWITCH PORT: a host and its cable to a switch
adapter()
{
  printf 'vendid=0x2c9\ncaguid=0x%s\nCa\t1 "H-%s"\t\t# "node%s mlx5_0"\n' "$1" "$1" "$1"
  printf '[1](%s)\t"S-%016x"[%s]\t\t# lid %s lmc 0 "sw" lid 9 4xEDR\n\n' "$1" "$2" "$3" "$1"
}

# Leaf switches 1 and 2 with three hosts each; spines 4 and 5; a cable from each leaf switch to each spine.
ibnetdiscover()
{
  for leaf in 1 2; do
    printf 'switchguid=0x%s(%s)\nSwitch\t36 "S-%016x"\t\t# "sw" base port 0 lid %s lmc 0\n' "$leaf" "$leaf" "$leaf" $((10 + leaf))
    for port in 1 2 3; do
      host=$((leaf * 3 - 3 + port))
      printf '[%s]\t"H-%s"[1](%s)\t\t# "node%s mlx5_0" lid %s 4xEDR\n' "$port" "$host" "$host" "$host" "$host"
    done
    for spine in 4 5; do
      printf '[%s]\t"S-%016x"[%s]\t\t# "sw" lid 9 4xHDR\n' "$spine" "$spine" "$leaf"
    done
    echo
  done
  for spine in 4 5; do
    printf 'Switch\t36 "S-%016x"\t\t# "sw" base port 0 lid 9 lmc 0\n' "$spine"
    for leaf in 1 2; do
      printf '[%s]\t"S-%016x"[%s]\t\t# "sw" lid 9 4xHDR\n' "$leaf" "$leaf" "$spine"
    done
    echo
  done
  for host in 1 2 3 4 5 6; do
    adapter "$host" $(((host + 2) / 3)) $(((host + 2) % 3 + 1))
  done
}
ibnetdiscover >ib.txt

# Forwarding tables in which all messages between the leaf switches cross spine 5.
for switch in 1 2 4 5; do
  printf 'Unicast lids [0x1-0x6] of switch Lid %s guid 0x%016x (sw):\n  Lid  Out   Destination\n       Port     Info \n' "$switch" "$switch"
  for host in 1 2 3 4 5 6; do
    leaf=$(((host + 2) / 3)) port=5
    [ "$switch" -lt 4 ] || port=$leaf
    [ "$switch" != "$leaf" ] || port=$(((host + 2) % 3 + 1))
    printf "0x%04x %03u : (Channel Adapter portguid 0x%s: 'node%s mlx5_0')\n" "$host" "$port" "$host" "$host"
  done
  echo '6 valid lids dumped'
done >lft.txt

# time_of ENGINE PLATFORM
time_of()
{
  "$haichi" sim -p "$2" -t npb:cg.S.4@1 --compute-scale 0 --precision 1e-12 --maxmin-precision 1e-9 --engine "$1" 2>log |
    sed -n 's/^simulated_time_s\t//p'
}

for spec in slurm:slurm.conf slurm:slurm.conf,cables=1+1+1 slurm:slurm.conf,cables=2+3+2,bandwidth=1GBps+2GBps \
  slurm:blocks.conf slurm:spines.conf ib:ib.txt ib:ib.txt,routing=updown ib:ib.txt,lft=lft.txt; do
  "$haichi" platform "$spec" -o made.xml || fail "$spec: not written"
  "$routes" "$spec" made.xml >out 2>&1 || { fail "$spec: routes differ from those of SimGrid" && cat out; }
  flow=$(time_of flow "$spec")
  echo "$flow $(time_of simgrid "$spec") $(time_of flow made.xml)" | awk '
    function apart(a, b) { return (a > b ? a - b : b - a) / b }
    NF != 3 || apart($1, $2) > 1e-6 || apart($1, $3) > 1e-9 { print; exit 1 }' ||
    fail "$spec: engine simgrid, or the written file, gives another time"
  for mapper in auto greedy; do
    "$haichi" map "$mapper" -p "$spec" -t npb:cg.S.4@1 --compute-scale 0 -o hosts 2>log || fail "$spec: $mapper: $(cat log)"
    "$haichi" metrics -p made.xml -t npb:cg.S.4@1 hosts >out 2>log || fail "$spec: $mapper: $(cat log)"
  done
done

[ "$("$haichi" platform --info slurm:slurm.conf | grep -E 'hosts|links|diameter' | tr '\t\n' '= ')" = \
  'hosts=10 links=60 diameter=6 ' ] || fail 'slurm.conf: wrong hosts, links or diameter'
"$haichi" platform --info ib:ib.txt >out || fail 'platform --info of a network from a file'
grep -q bisection out && fail 'platform --info prints a bisection for a network from a file'

# If the levels have unequal bandwidths, only the hosts of one switch are equal.
[ "$("$haichi" platform --groups slurm:slurm.conf | wc -l)" = 2 ] || fail 'slurm.conf: not one group of equal hosts'
[ "$("$haichi" platform --groups slurm:slurm.conf,bandwidth=4GBps+2GBps+1GBps,cables=1+1+1 | wc -l)" = 8 ] ||
  fail "wrong groups of equal hosts with unequal bandwidths: $("$haichi" platform --groups slurm:slurm.conf,bandwidth=4GBps+2GBps+1GBps,cables=1+1+1)"

# A compressed file, and standard input
gzip -k slurm.conf
[ "$("$haichi" platform --info slurm:slurm.conf.gz | sed -n 's/^hosts.//p')" = 10 ] || fail 'slurm:FILE.gz'
[ "$("$haichi" platform --info slurm:- <slurm.conf | sed -n 's/^hosts.//p')" = 10 ] || fail 'slurm:-'

# Names of hosts: in a spec, for a spec, for a platform file, in a platform file, and in a rankfile
"$haichi" map xyz -p 'torus:2x2x2,names=nid[008-015]' -t npb:cg.S.8@1 -o named || fail 'map with names='
[ "$(head -2 named | tr '\n' ' ')" = 'nid008 nid009 ' ] || fail 'the hostfile lacks the names of names='
echo '# nodes
nid[008-011] nid012
nid[013-015]' >names
"$haichi" map xyz -p torus:2x2x2 --names names -t npb:cg.S.8@1 | cmp - named || fail '--names for a spec gives another mapping'
"$haichi" platform torus:2x2x2 -o t.xml && "$haichi" map xyz -p t.xml --names names -t npb:cg.S.8@1 | cmp - named || fail '--names for a platform file gives another mapping'
"$haichi" platform torus:2x2x2 --names names -o n.xml && "$haichi" map xyz -p n.xml -t npb:cg.S.8@1 | cmp - named || fail 'names in a platform file give another mapping'
[ "$("$haichi" map xyz -p n.xml -t npb:cg.S.8@1 --format rankfile | head -1)" = 'rank 0=nid008 slot=0' ] || fail 'the rankfile lacks the names'
for platform in t.xml n.xml t.xml,names=@names 'torus:2x2x2,names=nid[008-015]'; do
  for engine in flow simgrid; do
    "$haichi" sim -p "$platform" -t npb:cg.S.8@1 --engine "$engine" --compute-scale 0 2>log | grep '^simulated_time'
  done
done | awk 'NR == 1 { first = $2 } { d = $2 - first; if (d < 0) d = -d; if (d > 1e-6 * first) bad = 1 } END { exit bad || NR != 8 }' ||
  fail 'names change the simulated time'

# The identity of a run includes the topology file.
"$haichi" compare -p slurm:slurm.conf,cables=1+2 -t npb:cg.S.8@1 -m greedy -o campaign >log 2>&1 || fail "compare: $(cat log)"
grep -q "^# platform slurm:slurm.conf,cables=1+2 sha256:$(sha256sum <slurm.conf | cut -c-64)" campaign/results.tsv ||
  fail 'results.tsv lacks the checksum of slurm.conf'

# bad STATUS SPEC TEXT
bad()
{
  "$haichi" platform --info "$2" >out 2>log
  [ $? = "$1" ] && ! [ -s out ] && [ "$(wc -l <log)" = 1 ] && grep -qF "haichi: $3" log || fail "$2: $(cat log)"
}
printf 'SwitchName=s Nodes=a\nSwitchName=t Nodes=a\n' >two
bad 1 slurm:two "two:2: node 'a' is below switch 's' and below 't'"
bad 1 slurm:none 'none: cannot read: No such file'
bad 1 ib:slurm.conf "slurm.conf:1: 'SwitchName=root Switches=top[0-1]' is no line of ibnetdiscover"
bad 1 'torus:4,names=n[1-3]' 'names: 3 names for 4 hosts'
bad 1 'torus:4,names=n[0-999999999]' "names: host list 'n[0-999999999]': the list has more than 1048576 names"
bad 1 torus:4,names=@none 'none: cannot read: No such file'
awk 'BEGIN { for (s = 0; s < 100; s++) { printf "SwitchName=s%d Nodes=n[%d-%d]\n", s, 4 * s, 4 * s + 3; l = l ",s" s } print "SwitchName=r Switches=" substr(l, 2) }' >big
"$haichi" platform slurm:big -o big.xml 2>log && fail 'a platform file with 160000 routes is written'
grep -q '^haichi: slurm:big: SimGrid would need a route for each pair of 400 hosts' log || fail "$(cat log)"
"$haichi" platform slurm:big,cables=1+1 -o big.xml || fail 'the platform with one cable per switch is not written'

exit $status
