#!/bin/sh
# usage: tests/cli/command.sh HAICHI
# Mapper command: the arguments and files of the program, the formats that it may write, one line for each kind of
# failure, the time limit, and the end of all processes that the program has started.
. "$(dirname "$0")/../shell.sh"

# program NAME: standard input is the rest of a shell script
program()
{
  { echo '#!/bin/sh' && cat; } >"$1"
  chmod +x "$1"
}

on='-p torus:3x2 -t npb:is.S.4@1'

# map SPEC OPTION...
map()
{
  # shellcheck disable=SC2086 # words
  "$haichi" map "$@" $on >out 2>err
}

# refused SPEC MESSAGE
refused()
{
  map "$1" && fail "$1 is not refused"
  [ -s out ] && fail "$1: is refused, but there is output"
  printf 'haichi: %s\n' "$2" | cmp -s - err || { fail "$1: another message" && cat err; }
}

# --- the contract

program see <<'E2'
cp "$1" traffic; cp "$2" hosts; cp "$3" distances
echo "$# $4 $5 $6 $(cat | wc -c)" >arguments
printf 'node-5\nnode-0\n\n# a comment\nnode-2\nnode-1\n'
E2
map command:path=./see,seed=18446744073709551615 || { fail 'a program that copies its inputs fails' && cat err; }
printf 'node-5\nnode-0\nnode-2\nnode-1\n' | cmp -s - out || fail 'another mapping'
echo '6 4 1 18446744073709551615 0' | cmp -s - arguments || { fail 'other arguments of the program' && cat arguments; }
"$haichi" trace matrix npb:is.S.4@1 | cmp -s - traffic || fail 'another traffic matrix for the program'
printf 'host\tname\tspeed_flops\tcores\tcoordinates\n' >expected
printf '0\tnode-0\t1000000000\t1\t0,0\n1\tnode-1\t1000000000\t1\t1,0\n2\tnode-2\t1000000000\t1\t2,0\n' >>expected
printf '3\tnode-3\t1000000000\t1\t0,1\n4\tnode-4\t1000000000\t1\t1,1\n5\tnode-5\t1000000000\t1\t2,1\n' >>expected
cmp -s expected hosts || { fail 'another table of hosts for the program' && cat hosts; }
printf '0\t1\t1\t1\t2\t2\n1\t0\t1\t2\t1\t2\n1\t1\t0\t2\t2\t1\n1\t2\t2\t0\t1\t1\n2\t1\t2\t1\t0\t1\n2\t2\t1\t1\t1\t0\n' |
  cmp -s - distances || { fail 'other distances for the program' && cat distances; }
map command:path=./see,distances=no || fail 'distances=no: the program fails'
[ -s distances ] && fail 'distances=no: the program gets distances'

# Without a topology the distances are latencies.  The program writes a rankfile with several ranks per host.
program rank <<'E2'
cp "$2" hosts; cp "$3" distances
awk -v each="$5" 'NR > 1 { name[NR - 2] = $2 }
  END { for (r = 3; r >= 0; r--) printf "rank %d=%s slot=0\n", r, name[int(r / each)] }' "$2"
E2
on="-p $root/tests/data/two-hosts.xml --ranks-per-host 2 -t npb:is.S.4@1"
map command:path=./rank || { fail 'a program that writes a rankfile fails' && cat err; }
[ "$(sort out | uniq -c | awk '{ print $1 }' | tr '\n' ' ')" = '2 2 ' ] || fail 'not two ranks on each host'
[ "$(cut -f 5 hosts | sort -u | tr '\n' ' ')" = '- coordinates ' ] || fail 'hosts without a grid have coordinates'
awk 'NR == 1 && $1 == 0 && $2 > 0 && $2 < 1 { n++ } NR == 2 && $2 == 0 && $1 > 0 { n++ } END { exit n != 2 }' distances ||
  { fail 'the distances are no latencies' && cat distances; }
on='-p torus:3x2 -t npb:is.S.4@1'

# --- refusals

program no-shell <<'E2'
E2
sed -i 's|.*|#!/no/such/interpreter|' no-shell
printf 'xyz' >plain
program speaks <<'E2'
echo 'first words' >&2; echo 'no host is good enough' >&2; exit 3
E2
program dies <<'E2'
kill -SEGV $$
E2
program silent <<'E2'
exit 0
E2
program stranger <<'E2'
printf 'node-0\nnode-9\n'
E2
program short <<'E2'
printf 'node-0\nnode-1\n'
E2
program heap <<'E2'
printf 'node-0\nnode-1\nnode-0\nnode-2\n'
E2
refused command "mapper 'command': option 'path' is missing"
refused command:path=./absent './absent: cannot run: No such file or directory'
refused command:path=./plain './plain: cannot run: Permission denied'
refused command:path=. '.: cannot run: not a file'
refused command:path=./no-shell './no-shell: cannot run: No such file or directory'
refused command:path=./speaks './speaks: exit code 3: no host is good enough'
refused command:path=./dies './dies: killed by signal 11 (Segmentation fault)'
refused command:path=./silent 'output of ./silent:1: the file has only 0 slots for 4 ranks'
refused command:path=./stranger "output of ./stranger:2: no host 'node-9' on the platform"
refused command:path=./short 'output of ./short:2: the file has only 2 slots for 4 ranks'
refused command:path=./heap 'output of ./heap: rank 2 is on host node-0, which already has 1 rank, the maximum per host'
refused command:path=./see,seconds=0 "mapper 'command': seconds: 0 is below the minimum of 1e-09"
refused command:path=./see,seconds=x "mapper 'command': seconds: 'x' is not a time (as 100ns)"
refused command:path=./see,seed=-1 "mapper 'command': seed: '-1' is not a whole number"
refused command:path=./see,distances=maybe "mapper 'command': distances: 'maybe' is none of no, yes"
on='-p torus:8193 --matrix grid:4'
refused command:path=./see "mapper 'command': distances between 8193 hosts, at most 8192 are supported; with distances=no the program gets none"
on='-p torus:3x2 -t npb:is.S.4@1'

# --- time limits and processes left behind

# A program whose child and grandchild outlive it unless they are killed; it writes the three process numbers to files.
program family <<'E2'
sleep 1000 &
echo $! >child
sh -c 'trap "" TERM INT HUP; sleep 1000 & echo $! >grandchild; wait' &
echo $$ >program
while [ ! -s grandchild ]; do sleep 0.02; done
: >ready
[ "$6" = 2 ] || sleep 1000
seq -f node-%g 0 3
E2

# gone WHY: the program has started all three processes, and they have ended; a zombie counts as ended
gone()
{
  for who in program child grandchild; do
    [ -s $who ] || fail "$1: no number of process $who"
    for wait in $(seq 250); do
      grep -q '^State:[[:space:]]*[A-Y]' "/proc/$(cat $who)/status" 2>/dev/null || break
      sleep 0.02
    done
    [ "$wait" -lt 250 ] || fail "$1: $who is left behind"
  done
  rm -f ready program child grandchild
}

refused command:path=./family,seconds=1.7 './family: no result within 1.7 s'
gone 'the time limit'
map command:path=./family,seed=2 || { fail 'a program that leaves children fails' && cat err; }
gone 'the program has ended'
for signal in TERM INT HUP KILL; do
  # shellcheck disable=SC2086 # words
  setsid -w env --default-signal=INT "$haichi" map command:path=./family $on >out 2>err &
  outer=$!
  for wait in $(seq 500); do [ -e ready ] && break || sleep 0.02; done
  haichi_pid=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$(cat program)/status")
  haichi_pid=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$haichi_pid/status")
  kill -s $signal "$haichi_pid"
  wait $outer 2>/dev/null
  gone "signal $signal"
done

# A worker of a campaign, at its limit.
"$haichi" compare -p torus:3x2 -t npb:is.S.4@1 -m command:path=./family --timeout 2 -o limit --no-plots >out 2>err
grep -q 'no result within 2 s' limit/results.tsv || fail 'the time limit of a run in a campaign'
gone 'the time limit of a run'

# --- in a campaign: seeds, and a program that changes

program by-seed <<'E2'
awk -v s="$6" 'NR > 1 { name[NR - 2] = $2 } END { for (r = 0; r < 4; r++) print name[(r + s) % 6] }' "$2"
E2
compare()
{
  "$haichi" compare -p torus:3x2 -t npb:is.S.4@1 -m xyz command:path=./by-seed,seeds=1..3 -o out.d --no-plots -j "$1" >out 2>err ||
    { fail compare && cat err; }
}
compare 2
[ "$(grep -c '^npb.*command:path=./by-seed	[123]	ok' out.d/results.tsv)" -eq 3 ] || fail 'not 3 seeds in results.tsv'
cp out.d/results.tsv before
compare 1
cmp -s before out.d/results.tsv || fail 'a second campaign gives other results'
echo '# changed' >>by-seed
compare 2
[ "$(ls out.d/runs | wc -l)" -eq 7 ] || fail 'not 3 new runs after a change of the program'

# --- the example of the manual

for machine in torus:4x4x4 fattree:k=8 "clusters:$root/platforms/intrigger4.clusters"; do
  hops=
  for mapper in random "command:path=$root/docs/examples/mapper.sh"; do
    "$haichi" metrics "$mapper" -p "$machine" -t npb:cg.A.64@1 >score || fail "the example on $machine"
    hops="$hops $(sed -n 's/^hop_bytes.//p' score)"
  done
  echo "$hops" | awk '{ exit !($2 < 0.9 * $1) }' || fail "the example on $machine is as bad as random: $hops"
done
exit $status
