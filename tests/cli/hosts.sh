#!/bin/sh
# usage: tests/cli/hosts.sh HAICHI
# --hosts, and hosts= of jobs: the forms of a list, slots, all mappers on an allocation, bad lists.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
unset SLURM_JOB_NODELIST SLURM_TASKS_PER_NODE

# map_to EXPECTED OPTION...: map gives these hosts, one for each rank
map_to()
{
  expected=$1
  shift
  got=$("$haichi" map "$@" 2>&1 | paste -s -d ' ' -)
  [ "$got" = "$expected" ] || fail "map $*: $got instead of $expected"
}

# refuse EXIT WORDS OPTION...
refuse()
{
  code=$1 words=$2
  shift 2
  out=$("$haichi" "$@" 2>&1)
  got=$?
  case $out in *"$words"*) ;; *) fail "$*: $out" ;; esac
  # A usage error (exit code 2) has a second line, which names --help.
  [ $got -eq "$code" ] && [ "$(echo "$out" | grep -c .)" -eq "$code" ] || fail "$*: exit $got instead of $code: $out"
}

# --- forms of a list
on='-p torus:4x4'
# shellcheck disable=SC2086
{
  map_to 'node-3 node-1 node-7 node-0' xyz $on --ranks 4 --hosts 3,1,node-7,0
  map_to 'node-8 node-9 node-10 node-2' xyz $on --ranks 4 --hosts 'node-[8-10,2]'
  map_to 'node-2 node-2 node-1' xyz $on --ranks 3 --hosts 2:2,1
  map_to 'node-2 node-1 node-2' xyz $on --ranks 3 --hosts 2,1,2
  map_to 'node-2 node-2 node-1 node-1' xyz $on --ranks 4 --hosts 2:7,1 --ranks-per-host 2
  map_to 'node-5 node-6' xyz $on --ranks 2 --hosts 5-6
  printf '# an allocation\n\nnode-4 slots=2\nnode-1, node-[2-3]  # more\n' >list
  map_to 'node-4 node-4 node-1 node-2 node-3' xyz $on --ranks 5 --hosts list
  map_to 'node-4 node-4 node-1 node-2 node-3' xyz $on --ranks 5 --hosts - <list
  gzip -k list
  map_to 'node-4 node-4 node-1 node-2 node-3' xyz $on --ranks 5 --hosts list.gz
  export SLURM_JOB_NODELIST='node-[9,11-12]'
  mkdir slurm 5-6
  map_to 'node-9 node-11 node-12' xyz $on --ranks 3 --hosts slurm
  map_to 'node-5 node-6' xyz $on --ranks 2 --hosts 5-6
  rmdir slurm 5-6
  export SLURM_TASKS_PER_NODE='2(x2),1'
  map_to 'node-9 node-9 node-11 node-11 node-12' xyz $on --ranks 5 --hosts slurm
  # auto treats the allocation as a set, but keeps the slots of each host.
  counts=$("$haichi" map auto $on --matrix grid:5 --hosts slurm | sort | uniq -c | awk '{ printf "%s*%s ", $2, $1 }')
  [ "$counts" = 'node-11*2 node-12*1 node-9*2 ' ] || fail "auto with unequal slots: $counts"
  SLURM_TASKS_PER_NODE='2(x2)' refuse 1 'is for 2 hosts, and SLURM_JOB_NODELIST has 3' \
    map xyz $on --ranks 2 --hosts slurm
  SLURM_TASKS_PER_NODE='2(x4)' refuse 1 'does not fit 3 hosts' map xyz $on --ranks 2 --hosts slurm
  SLURM_TASKS_PER_NODE='2x' refuse 1 "'2x' does not fit" map xyz $on --ranks 2 --hosts slurm
  unset SLURM_JOB_NODELIST SLURM_TASKS_PER_NODE
  refuse 1 'SLURM_JOB_NODELIST is not set' map xyz $on --ranks 2 --hosts slurm

  # --- bad lists
  refuse 1 "no host 'nid7' on torus:4x4" map xyz $on --ranks 1 --hosts nid7
  refuse 1 "no host 'node-16' on torus:4x4" map xyz $on --ranks 1 --hosts 'node-[15-16]'
  refuse 1 "host '3-16': 16 is above the maximum of 15" map xyz $on --ranks 1 --hosts 3-16
  refuse 1 "the range '3-2' ends before it begins" map xyz $on --ranks 1 --hosts 3-2
  refuse 1 'range 3-2 ends before it begins' map xyz $on --ranks 1 --hosts 'node-[3-2]'
  refuse 1 'more than 1048576 names' map xyz $on --ranks 1 --hosts 'node-[0-999999999]'
  refuse 1 '5 ranks do not fit on 2 hosts with 4 slots' map xyz $on --ranks 5 --hosts 1:2,3:2
  printf 'node-1\nnode-2\nnid7 slots=2\n' >bad
  refuse 1 "bad:3: no host 'nid7'" map xyz $on --ranks 1 --hosts bad
  printf 'node-1 slots=x\n' >bad
  refuse 1 'bad:1: ' map xyz $on --ranks 1 --hosts bad
  printf 'slots=2 node-1\n' >bad
  refuse 1 "bad:1: 'slots=2' without a host before it on the line" map xyz $on --ranks 1 --hosts bad
  printf '# nothing\n' >bad
  refuse 1 'bad: no hosts' map xyz $on --ranks 1 --hosts bad
  refuse 1 'more than 67108864 slots' map xyz $on --ranks 1 --hosts 0:60000000,1:60000000
  refuse 1 "slots of host '1': a host with 0 slots" map xyz $on --ranks 1 --hosts 1:0
  refuse 1 '4000000000' map xyz $on --ranks 1 --hosts 0:4000000000
  printf '\001\377\200[\n]:,\t\376' >bad
  "$haichi" map xyz $on --ranks 1 --hosts bad >out 2>&1
  [ $? -eq 1 ] || fail "a list of random bytes: $(cat out)"
  printf 'node-1\nnode-5\n' >mapping
  refuse 1 "mapping: rank 1 is on host 'node-5', which is not in the list of hosts" \
    metrics mapping $on --matrix grid:2 --hosts 0-4
  "$haichi" metrics mapping $on --matrix grid:2 --hosts 0-5 >out || fail 'a mapping to listed hosts is refused'
}
refuse 2 'no hosts in' map xyz -p torus:4x4 --ranks 1 --hosts ''
refuse 2 '--sweep and --hosts exclude each other' predict -p torus:4x4 -t npb:is.S.4 --sweep -o sweep --hosts 0-3

# Slurm's distributions follow the order of the list and the slots of its hosts.
map_to 'node-9 node-9 node-9 node-9 node-4 node-4 node-4 node-4 node-7 node-7 node-7 node-0 node-1 node-2 node-3 node-5' \
  slurm-block -p torus:10 --ranks 16 --ranks-per-host 4 --hosts 9,4,7,0-3,5
map_to 'node-2 node-2 node-0 node-1' slurm-block -p torus:4 --ranks 4 --hosts 2:3,0:1,1:3
map_to 'node-2 node-0 node-1 node-1' slurm-block:pack=no -p torus:4 --ranks 4 --hosts 2:1,0:1,1:3
map_to 'node-2 node-0 node-1 node-1 node-1' slurm-cyclic -p torus:4 --ranks 5 --hosts 2:1,0:1,1:4
map_to 'node-2 node-2 node-0 node-1 node-2 node-2' \
  slurm-cyclic:plane=2 -p torus:4 --ranks 6 --hosts 2:4,0:1,1:1
refuse 1 '5 ranks do not fit on 3 hosts with 4 slots' map slurm-block -p torus:4 --ranks 5 --hosts 2:1,0:1,1:2

# Large allocations: searching them for boxes would take too long.
map_to 'node-0 node-1' xyz -p hypercube:16 --ranks 2 --hosts 0-65535
refuse 1 'hypercube:16: 65000 hosts are too many to search for boxes' \
  map structure -p hypercube:16 --matrix grid:4x2 --hosts 0-64999

# --- all mappers use listed hosts only
mappers=$("$haichi" list mappers | cut -f1 | grep -v '[:.]' | grep -Ev '^(file|command|scotch|tune|hostname-.*)$')
[ "$(echo "$mappers" | wc -l)" -gt 15 ] || fail "fewer than 16 mappers: $mappers"
# only PLATFORM HOSTS MAPPER...: each mapper puts 8 ranks on different listed hosts, the same with 1 and 2 threads
only()
{
  platform=$1 hosts=$2
  shift 2
  "$haichi" map xyz -p "$platform" --ranks "$(echo "$hosts" | tr , '\n' | wc -l)" --hosts "$hosts" | sort >allowed
  for mapper in "$@"; do
    "$haichi" map "$mapper" -p "$platform" --matrix grid:4x2 --hosts "$hosts" --threads 1 -o one 2>err &&
      "$haichi" map "$mapper" -p "$platform" --matrix grid:4x2 --hosts "$hosts" --threads 2 -o two 2>err || {
      fail "$mapper on $platform: $(cat err)"
      continue
    }
    cmp one two || fail "$mapper on $platform: the mapping depends on the number of threads"
    [ "$(sort -u one | wc -l)" -eq 8 ] || fail "$mapper on $platform: a host has two ranks"
    sort one | comm -23 - allowed | grep . && fail "$mapper on $platform: hosts outside the list"
  done
}
# shellcheck disable=SC2086
{
  only torus:6x6x6 5,0,11,6,41,36,47,42 $mappers                 # a box of 2x2x2 across the wrap-around
  only torus:6x6x6 5,0,11,6,41,36,47,42,100,111,122,133 $mappers # the same, and other hosts
  only hypercube:6 8,9,10,11,12,13,14,15,40,3 $mappers
}
others=$(echo "$mappers" | grep -Ev '^(structure|geometry|hcube|exchange|none|f?mopt|sfmopt|fmopt-half)$')
# shellcheck disable=SC2086
for platform in fattree:k=4 dragonfly:groups=3,chassis=2,routers=3,nodes=2 star:40 \
  "clusters:$root/platforms/intrigger4.clusters"; do
  only "$platform" 1,3,4,5,9,10,13,15,12,0 $others
done
refuse 1 "mapper 'structure' needs a box of hosts for 8 ranks, and the allocation of 8 hosts has none" \
  map structure -p torus:6x6x6 --matrix grid:4x2 --hosts 0,2,10,20,30,40,50,60
# In the optimum on the box, all neighbours are one hop away.
hops=$("$haichi" metrics auto -p torus:6x6x6 --matrix grid:4x2 --hosts 5,0,11,6,41,36,47,42,100,111,122,133 |
  awk -F '\t' '$1 == "dilation_mean_hops" { print $2 }')
[ "$hops" = 1 ] || fail "auto does not find the box: $hops hops per byte"

# --- hosts with unequal slots: auto and tune keep to them
for case in 'torus:4x4 15:4,0-14 ring:8' 'star:8 7:4,0-6 ring:8' 'torus:4x4 9:4,4:2,0:2,1,7:4 npb:lu.S.8@1'; do
  set -- $case
  for mapper in auto auto:choose=quick tune:runs=20 greedy:refine=work:2000; do
    "$haichi" map $mapper -p $1 --hosts $2 -t $3 -o spread 2>err || fail "$mapper on $case: $(cat err)"
    case $mapper in auto | tune*) ! grep 'filled hosts' err ;; esac || fail "$mapper on $case ignores the slots"
    sort spread | uniq -c | sed 's/ *\([0-9]*\) node-/\1 /' >used
    echo $2 | tr , '\n' | awk -F '[:-]' 'FNR == NR { most[$1] = /:/ ? $2 : 1; if (/-/) for (i = $1; i <= $2; i++) most[i] = 1; next }
      { split($0, x, " "); if (x[1] > most[x[2]]) { print; bad = 1 } } END { exit bad }' - used || fail "$mapper on $case: too many ranks on a host"
  done
done
# Lists whose order repeats a host: xyz of fewer ranks a host wrote beyond the slots.
"$haichi" map auto -p torus:4x4 --hosts 15,14,13,12 --ranks-per-host 4 -t npb:is.S.4@1 -o four 2>err || fail "auto: $(cat err)"
"$haichi" map auto -p torus:4x4 --hosts 15,14,13,12 --ranks-per-host 4 -t alltoall:4 -o four 2>err || fail "auto: $(cat err)"

# --- simulations: mappers that simulate, sim, compare and jobs
"$haichi" map tune:runs=20 -p fattree:k=4 -t npb:is.S.4@1 --hosts 1,6,9,14,15 -o tuned 2>err || fail "tune: $(cat err)"
grep -Evx 'node-(1|6|9|14|15)' tuned && fail 'tune: hosts outside the list'
"$haichi" map xyz -p fattree:k=4 --ranks 4 --hosts 14,1,9,6 -o listed
for mapping in listed xyz; do
  "$haichi" sim -p fattree:k=4 -t npb:is.S.4@1 -m $mapping --hosts 14,1,9,6 >$mapping.out 2>/dev/null
done
cmp listed.out xyz.out || fail 'sim --hosts differs from a mapping to these hosts'
"$haichi" sim -p fattree:k=4 --job npb:is.S.4@1,hosts=14+1+9+6 >job.out 2>/dev/null
[ "$(sed -n 's/^simulated_time_s.//p' job.out)" = "$(sed -n 's/^simulated_time_s.//p' xyz.out)" ] ||
  fail "a job with hosts= has another time: $(cat job.out)"
"$haichi" sim -p fattree:k=4 --job 'npb:is.S.4@1,hosts=node-[0-3],mapping=auto' \
  --job npb:is.S.4@1,hosts=4-7,mapping=greedy >job.out 2>err || fail "jobs: $(cat err)"
"$haichi" sim -p fattree:k=4 --job npb:is.S.4@1 --job npb:is.S.4@1 --hosts 8-15 --links links >/dev/null 2>err ||
  fail "jobs with --hosts: $(cat err)"
grep -q 'share hosts' err && fail 'two jobs of 4 ranks share some of 8 hosts'
awk -F '\t' 'NR > 1 && $2 > 0 { used++; if (/node-[0-7]([^0-9]|$)/) { print; other = 1 } } END { exit other || !used }' links ||
  fail 'jobs with --hosts use other hosts'
"$haichi" compare -p fattree:k=4 -t npb:is.S.4@1 -m xyz auto random --hosts 14,1,9,6 --no-plots -o dir >/dev/null 2>err ||
  fail "compare: $(cat err)"
grep -q '^# options.* hosts=14,1,9,6' dir/results.tsv || fail 'results.tsv does not name the hosts'
time=$(awk -F '\t' '/^#/ { next } !n { for (i = 1; i <= NF; i++) at[$i] = i; n = 1; next }
  $at["mapper"] == "xyz" { print $at["simulated_time_s"] }' dir/results.tsv)
[ "$time" = "$(sed -n 's/^simulated_time_s.//p' xyz.out)" ] || fail "compare: $time s, not the time of sim"
refuse 1 '4 ranks do not fit on the 2 hosts of fattree:k=4 with 2 slots' \
  compare -p fattree:k=4 -t npb:is.S.4@1 -m xyz --hosts 3,4 -o dir2

# --- with many ranks per host, auto makes groups of ranks: by cuts (the first stencil), by digits (the second)
for cell in '0.5 star:8 32 stencil:6x6x7' '0.33 torus:4x2 24 stencil:4x4x5:size=20000,periodic'; do
  # shellcheck disable=SC2086 # words
  set -- $cell
  for mapper in auto xyz; do
    "$haichi" sim -p "$2" --ranks-per-host "$3" --compute-scale 0 -m $mapper -t "$4" 2>/dev/null
  done | awk -v most="$1" '$1 == "simulated_time_s" { t[++n] = $2 } END { exit !(n == 2 && t[1] <= most * t[2]) }' ||
    fail "auto takes more than $1 of the time of xyz: $cell"
done

# --- algorithms of mpich send other messages if other ranks share a host: auto compares whole iterations
time_of()
{
  "$haichi" sim -p star:16 --ranks-per-host 4 --collectives mpich --compute-scale 0 -m "$1" \
    -t collective:53:call=allreduce,size=20000,iterations=3 2>/dev/null | awk 'NR == 1 { print $2 }'
}
for mapper in xyz greedy bisect slurm-block slurm-cyclic; do
  echo "$(time_of auto) $(time_of $mapper)" | awk '{ exit !($1 > 0 && $1 <= 1.005 * $2) }' || fail "auto is slower than $mapper"
done
# --- slots in the list, as --ranks-per-host, decide which ranks share a host in the messages that mappers get
for hosts in 0,3,5,9 0:4,3:4,5:4,9:4; do
  "$haichi" map greedy -p torus:4x4 --hosts $hosts $(echo $hosts | grep -q : || echo --ranks-per-host 4) \
    -t collective:16:call=allreduce,size=65536 --collectives mpich 2>log || fail "$hosts: $(cat log)"
done >maps
[ "$(head -n 16 maps)" = "$(tail -n 16 maps)" ] && [ "$(wc -l <maps)" -eq 32 ] || fail 'slots in a list give other messages'
exit $status
