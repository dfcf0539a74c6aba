#!/bin/sh
# usage: tests/cli/nodes.sh HAICHI
# --node: times of messages within nodes, sharing, mapping formats that are written and read back, allocations, XML files,
# refusals.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

node='pack:2 numa:2 core:4;machine=3us:1GBps:2GBps;package=2us:2GBps:40GBps;numa=1us:4GBps:8GBps'

# refuse WORDS OPTION...
refuse()
{
  words=$1
  shift
  out=$("$haichi" "$@" 2>&1)
  code=$?
  case $out in *"$words"*) ;; *) fail "$*: $out" ;; esac
  [ $code -eq 1 ] && [ "$(echo "$out" | grep -c .)" -eq 1 ] || fail "$*: exit $code, $out"
}

# pairs FILE BYTES SRC:DST...: a trace of 16 ranks in which these pairs exchange messages at the same time
pairs()
{
  file=$1 bytes=$2
  shift 2
  for r in $(seq 0 15); do
    echo "$r init"
    for p in "$@"; do
      [ "${p%:*}" = "$r" ] && echo "$r send ${p#*:} 0 $bytes 6"
      [ "${p#*:}" = "$r" ] && echo "$r recv ${p%:*} 0 $bytes 6"
    done
    echo "$r finalize"
  done >"$file"
}

# takes SECONDS TRACE: the simulated time with the ranks on the cores of one node, in order
takes()
{
  got=$("$haichi" sim -M cm02 -p star:2 --node "$node" -t "$2" --mapping xyz | awk '$1 == "simulated_time_s" { print $2 }')
  awk -v a="$1" -v b="$got" 'BEGIN { exit !(b > 0 && (a - b) / a < 1e-6 && (b - a) / a < 1e-6) }' || fail "$2: $got s, not $1"
}

# --- a single message: latency and bandwidth of the lowest common level (SMPI adds 16 bytes)
pairs one.txt 8000000 0:1
takes 0.002001004 one.txt
pairs one.txt 8000000 0:5
takes 0.004002008 one.txt
pairs one.txt 8000000 0:9
takes 0.008003016 one.txt
[ "$("$haichi" metrics xyz -p star:2 --node "$node" -t one.txt | grep ^bytes_ | paste -s -d ' ' -)" = 'bytes_between_node	0 bytes_between_package	8000000 bytes_between_numa	8000000' ] || fail 'wrong bytes by level'
# --- four messages between packages share 2 GB/s.  Two messages within a NUMA node of 8 GB/s have 4 GB/s each, except for
# 5 % of cross-traffic from the opposite direction
pairs four.txt 8000000 0:8 1:9 2:10 3:11
takes 0.0168030336 four.txt
pairs four.txt 8000000 0:1 2:3
takes 0.0021010042 four.txt

# --- mappings are written in all formats and read back
t='npb:cg.S.32'
"$haichi" map auto -p star:2 --node "$node" -t $t -o cores || fail 'map'
"$haichi" map auto -p star:2 --node "$node" -t $t --format rankfile -o ranks || fail 'map rankfile'
"$haichi" map auto:cores=same -p star:2 --node "$node" -t $t --format slurm -o slurm || fail 'map slurm'
"$haichi" map auto:cores=same -p star:2 --node "$node" -t $t --format rank-order -o order || fail 'map rank-order'
grep -qE '^rank 31=node-1 slot=[0-9]+$' ranks || fail "$(cat ranks)"
# --node beside names= of the platform.
[ "$("$haichi" map xyz -p 'star:2,names=n[8-9]' --node core:2 --ranks 3 2>&1)" = "$(printf 'n8.0\nn8.1\nn9.0')" ] || fail 'names= and --node'
[ "$("$haichi" map xyz -p star:2,node=core:2 --node core:4 --ranks 2 2>&1)" = 'haichi: --node: the platform has node=, too' ] || fail 'node= and --node'
# A list of slots is a set of cores: ranks with other cores to run on do not share one.
printf '0 compute 1e9\n1 compute 1e9\n' >pair
bound()
{
  printf 'rank 0=node-0 slot=%s\nrank 1=node-0 slot=%s\n' "$1" "$2" >bound
  "$haichi" sim -p star:2 --node 'pack:2 core:2' -t pair -m bound 2>&1 | sed -n 's/^simulated_time_s.//p; s/^haichi: //p'
}
for slots in '0-3 0-3' '0:* 0:*' '0-1 0' '0:0;1:0-1 *' 's1 S1' 'p0,2 p2' '* 0-3'; do
  [ "$(bound "${slots% *}" "${slots#* }")" = 1 ] || fail "slots $slots: $(bound "${slots% *}" "${slots#* }")"
done
[ "$(bound 3 1:1 | tail -n 1)" = 2 ] || fail "two ranks on a core: $(bound 3 1:1)"
for slots in 0-99 3-1 '0:0;5:0-1' 0:2 '*:1' s2 4; do
  [ "$(bound "$slots" 1)" = "bound:1: slots '$slots' are not cores of the node, which has 4 cores" ] || fail "slots $slots: $(bound "$slots" 1)"
done
head -1 slurm | grep -qE '^# --cpu-bind=map_cpu:[0-9]+(,[0-9]+){15}$' || fail "$(cat slurm)"
sed -n 2p order | grep -qE '^# -bind-to user:[0-9]+(,[0-9]+){15}$' || fail "$(cat order)"
[ "$(sed -n '2,$p' slurm | sort | uniq -c | awk '{ print $1, $2 }' | paste -s -d ' ' -)" = '16 node-0 16 node-1' ] || fail 'slurm: not 16 ranks on each node'
"$haichi" metrics cores -p star:2 --node "$node" -t $t >one
"$haichi" metrics ranks -p star:2 --node "$node" -t $t >two
cmp -s one two || fail 'a rankfile is read back as another mapping'
grep -c '^bytes_between_' one | grep -qx 3 || fail "$(cat one)"
"$haichi" map xyz -p star:2 --node "$node" --ranks 3 --hosts node-1:2,node-0 >got
echo node-1.0 node-1.1 node-0.0 | tr ' ' '\n' | cmp -s - got || fail "$(cat got)"
printf 'node-1\nnode-1\nnode-0.5\nnode-1.0\n' >mixed
"$haichi" sim -p star:2 --node "$node" -t npb:cg.S.4 --mapping mixed --per-rank got >/dev/null || fail 'a mapping to nodes and cores'
[ "$(sed 1d got | cut -f 2 | paste -s -d ' ' -)" = 'node-1.1 node-1.2 node-0.5 node-1.0' ] || fail "nodes without a core: $(cat got)"
# file:path= takes the cores of a file, also on an allocation; cores= and coordinates replace or lack them
on="-p torus:2x2 --node"
for file in cores ranks; do
  "$haichi" map "file:path=$file" -p star:2 --node "$node" -t $t | cmp -s - cores || fail "file:path=$file: other cores"
done
"$haichi" map file:path=mixed -p star:2 --node "$node" --ranks 4 --hosts node-1:3,node-0 | paste -s -d ' ' - | grep -qx 'node-1.1 node-1.2 node-0.5 node-1.0' ||
  fail 'file:path= on an allocation'
refuse "mixed:1: no host 'node-1' on the platform" map file:path=mixed -p star:2 --node "$node" --ranks 4 --hosts node-0
"$haichi" map file:cores=order,path=mixed -p star:2 --node "$node" --ranks 4 | paste -s -d ' ' - | grep -qx 'node-1.0 node-1.1 node-0.0 node-1.2' ||
  fail 'file:cores='
printf '1 0\n1 0\n0 1\n' >places
# shellcheck disable=SC2086 # options
for m in file:path=places places; do
  "$haichi" sim $on "$node" -t npb:cg.S.4 --mapping $m --per-rank got >/dev/null 2>&1 && fail 'three coordinates for four ranks'
  "$haichi" sim $on "$node" -t ring:3 --mapping $m --per-rank got >/dev/null || fail "coordinates of nodes: $m"
  sed 1d got | cut -f 2 | paste -s -d ' ' - | grep -qx 'node-1.0 node-1.1 node-2.0' || fail "coordinates of nodes: $m: $(cat got)"
done

# --- auto chooses the cores in order if the program is faster with them: here the messages of one phase share less memory
for m in auto auto:cores=each auto:cores=order; do
  "$haichi" sim --mapping "$m" -p 'star:1,node=pack:2 numa:2 core:8' -t npb:mg.C.32@2 --compute-scale 0 2>log | awk '$1 == "simulated_time_s" { print $2 }'
done | awk '{ t[NR] = $1 } END { exit !(NR == 3 && t[1] == t[3] && t[1] < 0.95 * t[2]) }' || fail "auto does not choose the faster cores: $(cat log)"

# --- the metrics of the network do not depend on the inside of nodes
"$haichi" metrics ranks -p star:2 --ranks-per-host 16 -t $t | grep -e hop_bytes -e dilation -e max_link_load_bytes >one
grep -e hop_bytes -e dilation -e max_link_load_bytes two | cmp -s - one || fail 'the metrics of the network depend on --node'

# --- engine simgrid, and SimGrid's XML, with a zone per node: equal times on loaded links, in all topologies
echo 'SwitchName=r Switches=s[0-1]
SwitchName=s0 Nodes=nid[08-09]
SwitchName=s1 Nodes=nid10' >slurm.conf
for p in star:3 fattree:down=2x2,up=1x2,cables=1x1 torus:2x2 dragonfly:groups=2,chassis=1,routers=2,nodes=1 slurm:slurm.conf star:3,names=nid[08-10]; do
  p="$p,node=$node"
  [ "$p" != "star:3,names=nid[08-10],node=$node" ] || p="star:3,node=$node,names=nid[08-10]"
  "$haichi" platform "$p" -o made.xml || fail "$p: not written"
  "$haichi" platform --info made.xml | grep -qE '^hosts.(48|64)$' || fail "$p: $("$haichi" platform --info made.xml)"
  for trace in npb:mg.S.32 four.txt; do
    for on in "$p --engine flow" "$p --engine simgrid" made.xml; do
      options=${on#"$p"}
      [ "$on" = made.xml ] && options= || on=$p
      # shellcheck disable=SC2086 # an option and its value
      "$haichi" sim -p "$on" $options -t "$trace" --mapping xyz --compute-scale 0 2>log | awk '$1 == "simulated_time_s" { print $2 }'
    done | awk -v p="$p $trace" '{ t[NR] = $1; d = ($1 - t[1]) / t[1] } d > 1e-9 || d < -1e-9 { bad = 1 } END { exit bad || NR != 3 }' || fail "$p: $trace: times differ: $(cat log)"
  done
done
"$haichi" map xyz -p made.xml --ranks 17 | sed -n '1p;17p' | paste -s -d ' ' - | grep -qx 'nid08.0 nid09.0' || fail 'other names of cores in the XML'

# --- XML files of hwloc
lstopo-no-graphics -i 'pack:2 numa:2 core:4 pu:2' --of xml node.xml 2>/dev/null &&
  {
    "$haichi" platform --info star:2 --node node.xml | grep -qx 'node_cores	16' || fail 'not 16 cores in node.xml'
    head -c 1000 node.xml >cut.xml
    refuse 'cut.xml: libhwloc' platform --info star:2 --node cut.xml
    awk '/type="Package"/ && ++n == 2 { sub(/ complete_cpuset="[^"]*"/, "") } { print }' node.xml >damaged.xml
    # libhwloc 2.9 crashes on this file; another version may read it.
    out=$("$haichi" platform --info star:2 --node damaged.xml 2>&1)
    case $?$out in "1haichi: damaged.xml: libhwloc"* | 0topology*) ;; *) fail "a damaged file: $out" ;; esac
  } || echo 'skipped: no lstopo-no-graphics, so no XML files of hwloc'
echo '<topology><!ENTITY a "b">' >entity.xml
refuse 'entities' platform --info star:2 --node entity.xml

# --- auto compares mappings by the times of messages within nodes, too
for m in auto bisect; do
  "$haichi" sim -p fattree:k=4 --node 'pack:2 core:2' -t geometric:16:size=8,degree=2 --compute-scale 0 -m $m 2>log
done | awk '$1 == "simulated_time_s" { t[++n] = $2 } END { exit !(n == 2 && t[1] <= 1.003 * t[2]) }' ||
  fail "auto is slower than bisect: $(cat log)"

# --- mpich's algorithms ask which ranks share a node: by default all cores of a node take ranks
shared='-p torus:2x2 --node core:4 -t collective:16:call=allreduce,size=65536 --collectives mpich'
for mapper in greedy auto; do
  # shellcheck disable=SC2086 # options and their values
  "$haichi" map $mapper $shared >default.map 2>log && "$haichi" map $mapper $shared --ranks-per-host 4 >four.map 2>log ||
    fail "$mapper: $(cat log)"
  cmp -s default.map four.map || fail "$mapper takes other messages without --ranks-per-host"
done
# --- the estimate has the messages of the mapping
for mapper in xyz slurm-cyclic; do
  # shellcheck disable=SC2086 # options and their values
  estimated=$("$haichi" metrics $mapper $shared 2>log | sed -n 's/^estimated_time_s.//p')
  # shellcheck disable=SC2086 # options and their values
  simulated=$("$haichi" sim -m $mapper $shared --compute-scale 0 2>log | sed -n 's/^simulated_time_s.//p')
  echo "$estimated $simulated" | awk '{ exit !($2 > 0 && $1 > 0.9 * $2 && $1 < 1.1 * $2) }' ||
    fail "$mapper: estimated $estimated s, simulated $simulated s"
done

# --- mappers that sort the hosts of several clusters
"$haichi" map hostname-best -p star:8 --node pack:2 -t ring:4 >out 2>log || fail "hostname-best: $(cat log)"
for mapper in hostname-worst auto; do
  "$haichi" map $mapper -p "clusters:$root/platforms/intrigger4.clusters" --node pack:2 -t ring:8 >out 2>log ||
    fail "$mapper on clusters: $(cat log)"
done

# --- refusals
refuse 'libhwloc refuses' map xyz -p star:2 --node 'pack:2 core:q' --ranks 2
refuse "no level 'l3'" map xyz -p star:2 --node 'pack:2 core:2;l3=1us' --ranks 2
refuse '--cores' map xyz -p star:2 --node 'pack:2 core:2' --cores 2 --ranks 2
refuse 'SimGrid would need a route for each pair of 4096 nodes and of 16 cores' platform star:4096 --node "$node"
refuse 'SimGrid would need a route' sim --engine simgrid -p star:4096 --node "$node" -t $t
refuse 'only the platform of a spec can be written' sim --engine simgrid -p made.xml --node core:2 -t npb:cg.S.8
refuse 'binds all nodes alike' map random:cores=each -p star:2 --node "$node" -t $t --format slurm
refuse 'do not fit' map xyz -p star:2 --node "$node" --ranks 33
exit "$status"
