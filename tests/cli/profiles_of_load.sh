#!/bin/sh
# usage: tests/cli/profiles_of_load.sh HAICHI
# Load as profiles: files of profiles, and platforms with profiles that haichi platform --background writes for other
# simulators, for example smpirun.
. "$(dirname "$0")/../shell.sh"

# time_of OPTION...: prints the simulated time, and messages
time_of()
{
  "$haichi" sim -t program/index.txt "$@" 2>err | sed -n 's/^simulated_time_s\t//p'
  ! grep '^haichi' err
}

# near WHAT GOT EXPECTED BOUND
near()
{
  awk -v a="$2" -v b="$3" -v bound="$4" 'BEGIN { d = a > b ? a - b : b - a; exit !(a > 0 && d <= bound * b) }' ||
    fail "$1: $2 instead of $3"
}

mkdir program && printf '0\n1\n2\n3\n' >program/index.txt
printf '0 init\n0 compute 1e9\n0 send 1 0 1000000\n0 finalize\n' >program/0
printf '1 init\n1 recv 0 0 1000000\n1 finalize\n' >program/1
for rank in 2 3; do
  printf '%d init\n%d compute 3e8\n%d finalize\n' $rank $rank $rank >program/$rank
done

# Calculated by hand: 1e9 flops at 1 Gflop/s, but at half of this speed for 0.2 s; then a message whose first half takes
# 0.4 ms at 1.25 GB/s, while the second half is sent at 0.125 GB/s.
cat >hand <<'END'
# of node-0, and of the link from it

speed node-0
0.5 0.5
0.7 1
bandwidth haichi_link_from_0_to_1
1.1004 1.25e8
latency haichi_link_from_0_to_1_UP haichi_link_from_1_to_2
0.1 0
END
for engine in flow simgrid simgrid-full; do
  near "by hand, $engine" "$(time_of -p mesh:4 -M cm02 --background profile:hand --engine $engine)" 1.104400128 1e-12
done

# Profiles given by --background are multiplied with the profiles of a platform file, whose files are found as in SimGrid.
mkdir far
printf '0 1\n0.01 0.5\nLOOPAFTER 0.01\n' >far/wave
cat >far/p.xml <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><!-- </platform> -->
  <zone id="z" routing="Full">
    <host id="a" speed="1Gf" speed_file="wave"/><host id="b" speed="2Gf"/><host id="c" speed="1Gf"/><host id="d" speed="1Gf"/>
    <link id="l" bandwidth="100MBps" latency="1us" sharing_policy="SPLITDUPLEX"/>
    <route src="a" dst="b"><link_ctn id="l" direction="UP"/></route>
  </zone>
  <trace id="t" periodicity="-1">0 0.5</trace><trace_connect kind="SPEED" trace="t" element="c"/>
</platform>
END
printf 'speed c d\n0 1\n0.1 0.5\nbandwidth l\n0.5 1e7\n' >more
for engine in flow simgrid; do
  near "profiles of a platform file, $engine" "$(time_of -p far/p.xml -M cm02 --background profile:more --engine $engine)" \
    1.433 1e-2
done
time_of -p far/p.xml -M cm02 --background profile:more --per-rank ranks >out
near 'host c, with half of the speed of its own profile' "$(awk '$1 == 2 { print $3 }' ranks)" 1.1 1e-9

# The speed left by tasks and noise is written as profiles, which smpirun applies, too.
printf 'node-0\nnode-1\nnode-2\nnode-3\n' >hosts
for load in tasks:5,seed=4 noise:every=10ms,for=1ms profile:more2 'noise:every=10ms,for=6ms --background tasks:3'; do
  printf 'speed *\n0 1\n0.01 0.2\n0.03 0.7\nLOOPAFTER 0.01\n' >more2
  # shellcheck disable=SC2086 # two loads
  "$haichi" platform torus:4 --background $load -o loaded.xml || fail "platform --background $load"
  # shellcheck disable=SC2086
  expected=$(time_of -p torus:4 --background $load)
  near "written, $load" "$(time_of -p loaded.xml)" "$expected" 1e-3
  near "written, $load, simgrid" "$(time_of -p loaded.xml --engine simgrid)" "$expected" 1e-3
done
"$haichi" platform torus:4 --background tasks:5,seed=4 -o loaded.xml
peer=$(cd program && smpirun -np 4 -platform ../loaded.xml -hostfile ../hosts -replay index.txt \
  --cfg=smpi/display-timing:yes 2>&1 | sed -n 's/.*Simulated time: \([^ ]*\) seconds.*/\1/p')
near 'smpirun' "$peer" "$(time_of -p torus:4 --background tasks:5,seed=4)" 1e-3
echo 'cluster A hosts=2x1Gf+2x2Gf' >two.clusters
"$haichi" platform clusters:two.clusters --background tasks:9 -o loaded.xml
near 'clusters' "$(time_of -p loaded.xml)" "$(time_of -p clusters:two.clusters --background tasks:9)" 1e-9

# The identity of a run includes the file of profiles, and results.tsv has its checksum.
"$haichi" compare -p torus:4 -t program/index.txt -m xyz --background profile:hand -M cm02 -o runs --no-plots >out 2>&1 || fail 'compare with profiles'
grep -q 'background=profile:hand sha256=' runs/results.tsv || fail 'no checksum of the profiles'

# refused SENTENCE TEXT: a bad file, exit 1
refused()
{
  # shellcheck disable=SC2059 # the text is a format
  printf "$2" >bad
  "$haichi" sim -p torus:4 -t program/index.txt --background profile:bad >out 2>&1
  [ $? -eq 1 ] && [ "$(wc -l <out)" -eq 1 ] && grep -qF "haichi: load 'profile': $1" out || { fail "$2: expected $1" && cat out; }
}

refused 'bad: no profiles' ''
refused "bad:2: expected speed, bandwidth or latency and names, not '0 1'" '\n0 1\n'
refused "bad:1: no name after 'speed'" 'speed\n0 1\n'
refused "bad:1: no host 'node-9'" 'speed node-9\n0 1\n'
refused "bad:3: no link 'wire'" 'speed node-1\n0 1\nlatency wire\n0 1\n'
refused 'bad:1: a profile without events' 'speed node-1\n# none\n'
refused 'bad:3: a profile: a date before the previous one: 1' 'speed node-1\n2 1\n1 1\n'
refused "bad:2: a profile: 'x' is not a number" 'speed node-1\n1 x\n'
refused 'bad:2: a profile: a bandwidth of 0' 'bandwidth *\n1 0\n'
refused 'bad:2: a profile: a speed of 0' 'speed *\n1 0\n'
refused "bad:3: a second profile of the speed of 'node-1'" 'speed node-1\n0 1\nspeed node-1\n0 1\n'
refused "bad:1: a second profile of the speed of 'node-1'" 'speed node-1 node-1\n0 1\n'
refused 'bad:3: a profile: it restarts too soon' 'speed *\n0 1\nLOOPAFTER 0\n'
refused 'bad:1: random values or dates are not supported' 'speed *\nSTOCHASTIC\n'
"$haichi" sim -p torus:4 -t program/index.txt --background profile:none >out 2>&1
[ $? -eq 1 ] && grep -qF "haichi: load 'profile': none: cannot read: No such file" out || fail 'a missing file of profiles: another message'

# unwritten SENTENCE LOAD...: loads that a platform file cannot express
unwritten()
{
  sentence=$1
  shift
  rm -f never.xml
  "$haichi" platform torus:4 "$@" -o never.xml >out 2>&1
  [ $? -eq 1 ] && [ ! -e never.xml ] && grep -qF "haichi: $sentence" out || { fail "$*: expected $sentence" && cat out; }
}

unwritten "load 'flows': profiles of hosts and links cannot express it" --background flows:3
unwritten "--background: SimGrid's XML cannot express the profile of link 'haichi_link_from_0_to_1_UP'" --background profile:hand
unwritten "load 'noise': a second profile of the speed of 'node-0'" --background noise:every=1ms,for=1us --background noise:every=1s,for=1us
"$haichi" platform --info torus:4 --background tasks:1 >out 2>&1
[ $? -eq 2 ] && grep -qF -- '--info and --background exclude each other' out || fail 'platform --info with a load: another message'
exit $status
