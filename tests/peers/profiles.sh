#!/bin/sh
# usage: tests/peers/profiles.sh HAICHI [FIRST_SEED [LAST_SEED]]
# Platforms with random profiles of speeds, bandwidths and latencies (square waves, steps, a link cut
# to 1 %, loops) on a torus, a fat tree and clusters: engine flow against engine simgrid within BOUND
# at tight precisions, and against smpirun within 0.1 % unless SMPIRUN is empty.  Prints a line for each
# seed; exits 1 if one differs.  Latencies are some ns and routes the same both ways: SimGrid 3.32 forgets
# messages that are in their latency when a link of their route changes, and stops when a link that
# is only on the way back gets faster.
set -u
haichi=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
seed=${2:-1}
last=${3:-9}
: "${BOUND:=1e-6}" "${SMPIRUN=smpirun}"
work=$(mktemp -d) || exit 1
[ -n "${KEEP-}" ] || trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# cluster ID SPEED MORE: prints a cluster of 4 hosts with the attributes MORE
cluster()
{
  echo "<cluster id=\"$1\" prefix=\"$1-\" suffix=\"\" radical=\"0-3\" speed=\"$2\" bw=\"125MBps\" lat=\"1ns\"" \
    "$3 loopback_bw=\"5GBps\" loopback_lat=\"1us\"/>"
}

# platform SEED: prints two tori, fat trees or stars, by SEED, joined by links; links and hosts have the profiles
# of the files with and traces, if these exist
platform()
{
  case $(($1 % 3)) in
  0) more='topology="TORUS" topo_parameters="2,2"' gate=-0 ;;
  1) more='topology="FAT_TREE" topo_parameters="2;2,2;1,2;1,1"' gate=-0 ;;
  2) more='bb_bw="1GBps" bb_lat="1ns"' gate=_router ;;
  esac
  echo '<?xml version="1.0"?>'
  echo '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
  echo '<platform version="4.1"><zone id="w" routing="Full">'
  cluster a 1Gf "$more"
  cluster b 2Gf "$more"
  for link in near wan far; do
    echo "<link id=\"$link\" bandwidth=\"50MBps\" latency=\"2ns\" $([ $link = far ] && echo 'sharing_policy="FATPIPE"')" \
      "$(grep "^$link " with 2>/dev/null | sed 's/^[a-z]* //' | tr '\n' ' ')/>"
  done
  case $gate in
  -0) from=a-0 to=b-0 ;;
  *) from=a-a_router to=b-b_router ;;
  esac
  echo "<zoneRoute src=\"a\" dst=\"b\" gw_src=\"$from\" gw_dst=\"$to\">"
  echo '<link_ctn id="near"/><link_ctn id="wan"/><link_ctn id="far"/></zoneRoute>'
  echo '</zone>'
  cat traces 2>/dev/null
  echo '</platform>'
}

# profiles SEED: writes the profiles of links, the attributes that name them (with), and those of hosts (traces)
profiles()
{
  awk -v seed="$1" '
    function random(n) { return int(rand() * n) }
    function profile(file, low, high,   kind, t, i, n, first) {
      kind = random(4)
      first = t = rand() * 0.004
      n = kind == 0 ? 2 : kind == 1 ? 3 + random(6) : kind == 2 ? 2 : 4
      for (i = 0; i < n; i++) {
        printf "%.9g %.9g\n", t, kind == 2 ? (i == 0 ? low : high) : low + rand() * (high - low) >file
        t += 0.0005 + rand() * 0.003
      }
      if (kind == 0) printf "PERIODICITY %.9g\n", t >file
      else if (random(3) == 0) print "LOOPAFTER 0.002" >file
      close(file)
    }
    BEGIN {
      srand(seed)
      printf "" >"with"
      printf "" >"traces"
      n = split("near wan far", link, " ")
      for (i = 1; i <= n; i++) {
        if (random(2)) {
          profile(link[i] ".bw", 5e5, 150e6)
          print link[i] " bandwidth_file=\"" link[i] ".bw\"" >"with"
        }
        if (random(2)) {
          profile(link[i] ".lat", 1e-9, 9e-9)
          print link[i] " latency_file=\"" link[i] ".lat\"" >"with"
        }
      }
      for (i = 0; i < 8; i++) {
        if (random(3)) continue
        host = (i < 4 ? "a-" i : "b-" i - 4)
        profile("host", 0.2, 1.5)
        print "<trace id=\"p" i "\" periodicity=\"-1\">" >"traces"
        while ((getline line <"host") > 0) print line >"traces"
        close("host")
        print "</trace><trace_connect kind=\"SPEED\" trace=\"p" i "\" element=\"" host "\"/>" >"traces"
      }
    }'
}

# time_of TRACE ENGINE: prints the simulated time
time_of()
{
  "$haichi" sim -p with.xml -t "$1" -m hosts --precision 1e-12 --maxmin-precision 1e-9 --engine "$2" 2>log |
    sed -n 's/^simulated_time_s\t//p'
}

status=0
while [ "$seed" -le "$last" ]; do
  trace=$(echo 'stencil:4x2:size=100000:iterations=6:compute=2e6 alltoall:8:size=30000:iterations=3:compute=1e6 npb:mg.S.8@2' |
    cut -d ' ' -f $((seed / 3 % 3 + 1)) | sed 's/:iterations/,iterations/; s/:compute/,compute/')
  rm -f with traces && platform "$seed" >plain.xml
  "$haichi" map xyz -p plain.xml --ranks 8 >hosts
  profiles "$seed" && platform "$seed" >with.xml
  flow=$(time_of "$trace" flow)
  simgrid=$(time_of "$trace" simgrid)
  smpi=$simgrid
  if [ -n "$SMPIRUN" ]; then
    rm -rf files && "$haichi" trace convert "$trace" -o files
    smpi=$(cd files && "$SMPIRUN" -np 8 -platform ../with.xml -hostfile ../hosts -replay index.txt \
      --cfg=smpi/display-timing:yes --cfg=surf/precision:1e-9 2>&1 |
      sed -n 's/.*Simulated time: \([^ ]*\) seconds.*/\1/p')
  fi
  plain=$("$haichi" sim -p plain.xml -t "$trace" -m hosts 2>/dev/null | sed -n 's/^simulated_time_s\t//p')
  echo "$flow $simgrid $smpi $plain" | awk -v seed="$seed" -v trace="$trace" -v bound="$BOUND" '
    function apart(a, b) { return (a > b ? a - b : b - a) / b }
    NF != 4 { print seed, trace, $0, "differs"; exit 1 }
    { good = apart($1, $2) < bound && apart($1, $3) < 1e-3
      printf "%s %s flow %s simgrid %s (%.1e) smpirun %s (%.1e) without %s %s\n", seed, trace, $1, $2,
        apart($1, $2), $3, apart($1, $3), $4, good ? "equal" : "differs"
      exit !good }' || status=1
  seed=$((seed + 1))
done
exit $status
