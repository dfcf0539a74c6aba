#!/bin/sh
# usage: tests/peers/zones.sh ROUTES [FIRST_SEED [LAST_SEED]]
# Random platforms of zones within zones, each compared link by link with SimGrid by the program ROUTES
# (routes.c): every kind of zone and cluster, links of every kind, routes one way and both ways,
# bypasses.  Prints a line for each platform; exits 1 if one differs or is opaque.
set -u
routes=$1
first=${2:-1}
last=${3:-20}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# generate SEED: prints an XML platform
generate()
{
  awk -v seed="$1" '
    function random(n) { return int(rand() * n) }
    function pick(list,   words, n) { n = split(list, words, " "); return words[random(n) + 1] }
    function put(text) { print text }

    # Declares a link and returns its identifier.
    function link(   id, kind) {
      id = "l" ++links
      kind = random(4)
      put("<link id=\"" id "\" bandwidth=\"" 1 + random(1000) "MBps\" latency=\"" random(500) "us\"" \
        (kind == 0 ? " sharing_policy=\"FATPIPE\"" : kind == 1 ? " sharing_policy=\"SPLITDUPLEX\"" : "") "/>")
      split_link[id] = kind == 1
      return id
    }
    function entry(id) {
      return "<link_ctn id=\"" id "\"" (split_link[id] ? " direction=\"" pick("UP DOWN") "\"" : "") "/>"
    }
    # Declares links that the routes after it use.
    function declare(n,   i) { pool_first = links + 1; for (i = 0; i < n; i++) link() }
    function some(n,   i, text) {
      for (i = 0; i <= random(n); i++) text = text entry("l" pool_first + random(links - pool_first + 1))
      return text
    }
    function way(   both) { both = random(3) > 0; return both ? "" : " symmetrical=\"NO\"" }

    # A zone of hosts and routers; its gateways are gate[zone, ...].
    function leaf(id, routing,   n, i, k, name, s) {
      put("<zone id=\"" id "\" routing=\"" routing "\">")
      n = 2 + random(5)
      for (i = 0; i < n; i++) {
        name = id "p" i
        point[id, i] = name
        if (random(5) == 0 && i > 0) put("<router id=\"" name "\"/>")
        else put("<host id=\"" name "\" speed=\"" 1 + random(9) "Gf\" core=\"" 1 + random(4) "\"/>")
      }
      declare(2 + random(6))
      gates[id] = n
      for (i = 0; i < n; i++) gate[id, i] = point[id, i]
      for (i = 0; i < n; i++)
        for (k = 0; k < n; k++) {
          if (i == k && random(4) > 0) continue
          if (routing == "Full" ? done[id, i, k] : (k != i + 1 && random(5) > 0) || done[id, i, k]) continue
          s = (i != k && !done[id, k, i]) ? way() : " symmetrical=\"NO\""
          if (routing != "Full" && k == i + 1 && !done[id, k, i]) s = ""
          done[id, i, k] = 1
          if (s == "") done[id, k, i] = 1
          put("<route src=\"" point[id, i] "\" dst=\"" point[id, k] "\"" s ">" some(3) "</route>")
        }
      if (random(3) == 0 && n > 2)
        put("<bypassRoute src=\"" point[id, 0] "\" dst=\"" point[id, 2] "\">" some(2) "</bypassRoute>")
      put("</zone>")
    }
    # A zone of routing Cluster: hosts with a link each way, cabinets, and often a backbone.
    function star(id,   i, n) {
      put("<zone id=\"" id "\" routing=\"Cluster\">")
      n = 1 + random(3)
      for (i = 0; i < n; i++) put("<host id=\"" id "h" i "\" speed=\"1Gf\"/>")
      put("<cabinet id=\"" id "c\" prefix=\"" id "k\" suffix=\".x\" radical=\"0-2,5\" speed=\"2Gf\" bw=\"" \
        1 + random(100) "MBps\" lat=\"" random(90) "us\"/>")
      put("<router id=\"" id "r\"/>")
      for (i = 0; i < 2 * n; i++) {
        put("<link id=\"" id "s" i "\" bandwidth=\"" 1 + random(50) "MBps\" latency=\"" random(70) "us\"/>")
      }
      if (random(3) > 0) put("<backbone id=\"" id "b\" bandwidth=\"" 1 + random(9) "GBps\" latency=\"3us\"/>")
      for (i = 0; i < n; i++)
        put("<host_link id=\"" id "h" i "\" up=\"" id "s" 2 * i "\" down=\"" id "s" 2 * i + 1 - random(2) "\"/>")
      gates[id] = 2
      gate[id, 0] = id "r"
      gate[id, 1] = id "h0"
      put("</zone>")
    }
    function cluster(id,   kind, more, n, topology) {
      kind = random(4)
      more = random(2) ? " loopback_bw=\"5GBps\" loopback_lat=\"1us\"" : ""
      if (kind != 2 && random(3) == 0) more = more " limiter_link=\"150MBps\""
      more = more pick("|sharing_policy=SHARED| |sharing_policy=SPLITDUPLEX| |sharing_policy=FATPIPE|")
      gsub(/\|sharing_policy=SHARED\|/, " sharing_policy=\"SHARED\"", more)
      gsub(/\|sharing_policy=SPLITDUPLEX\|/, " sharing_policy=\"SPLITDUPLEX\"", more)
      gsub(/\|sharing_policy=FATPIPE\|/, " sharing_policy=\"FATPIPE\"", more)
      if (kind == 0) {
        n = 2 + random(6)
        topology = random(2) ? " bb_bw=\"2GBps\" bb_lat=\"20us\" bb_sharing_policy=\"" pick("SHARED FATPIPE") "\"" : ""
        gate[id, 0] = id "-" id "_router.y"
      } else if (kind == 1) {
        n = 6
        topology = " topology=\"TORUS\" topo_parameters=\"3,2\""
        if (more !~ /loopback/) more = more " loopback_bw=\"1GBps\""
      } else if (kind == 2) {
        n = 12
        topology = " topology=\"FAT_TREE\" topo_parameters=\"" pick("2;4,3;1,2;1,2 2;3,4;2,3;2,1 3;2,2,3;1,2,1;2,1,2") "\""
      } else {
        n = 24
        topology = " topology=\"DRAGONFLY\" topo_parameters=\"" pick("3,4;2,1;4,2;1 2,1;3,2;2,1;2") "\""
      }
      put("<cluster id=\"" id "\" prefix=\"" id "-\" suffix=\".y\" radical=\"" \
        (random(2) ? "0-" n - 1 : "1,3-" n + 1) "\" speed=\"" pick("1Gf 3Gf,1Gf") "\" bw=\"" 10 + random(99) "MBps\" lat=\"" \
        random(40) "us\" core=\"" 1 + random(2) "\"" topology more "/>")
      gates[id] = 1
      if (kind > 0) gate[id, 0] = id "-1.y"
    }
    function child(id, depth,   kind) {
      kind = random(depth > 0 ? 6 : 5)
      if (kind < 3) leaf(id, pick("Full Floyd Dijkstra DijkstraCache"))
      else if (kind == 3) star(id)
      else if (kind == 4) cluster(id)
      else inner(id, depth - 1)
    }
    # A zone of zones.
    function inner(id, depth,   n, i, k, routing, s, g) {
      routing = pick("Full Floyd Dijkstra")
      put("<zone id=\"" id "\" routing=\"" routing "\">")
      n = 2 + random(3)
      for (i = 0; i < n; i++) child(id "z" i, depth)
      declare(2 + random(4))
      gates[id] = 0
      for (i = 0; i < n; i++)
        for (k = 0; k < gates[id "z" i]; k++) gate[id, gates[id]++] = gate[id "z" i, k]
      for (i = 0; i < n; i++)
        for (k = 0; k < n; k++) {
          if (i == k || done[id, i, k]) continue
          if (routing != "Full" && k != i + 1) continue
          s = (routing == "Full" && !done[id, k, i]) ? way() : ""
          if (done[id, k, i]) s = " symmetrical=\"NO\""
          done[id, i, k] = 1
          if (s == "") done[id, k, i] = 1
          put("<zoneRoute src=\"" id "z" i "\" dst=\"" id "z" k "\" gw_src=\"" gateway(id "z" i, routing) \
            "\" gw_dst=\"" gateway(id "z" k, routing) "\"" s ">" some(3) "</zoneRoute>")
        }
      if (random(3) == 0 && n > 2)
        put("<bypassZoneRoute src=\"" id "z0\" dst=\"" id "z2\" gw_src=\"" gateway(id "z0", routing) "\" gw_dst=\"" \
          gateway(id "z2", routing) "\">" some(2) "</bypassZoneRoute>")
      put("</zone>")
    }
    # With routing Dijkstra, SimGrid stops if a path enters and leaves a zone at different gateways.
    function gateway(id, routing) {
      return gate[id, routing == "Dijkstra" ? 0 : random(gates[id])]
    }
    BEGIN {
      srand(seed)
      put("<?xml version=\"1.0\"?>")
      put("<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">")
      put("<platform version=\"4.1\">")
      inner("w", 2)
      put("</platform>")
    }'
}

status=0
seed=$first
while [ "$seed" -le "$last" ]; do
  generate "$seed" >"$work/zones-$seed.xml"
  "$routes" "$work/zones-$seed.xml" >"$work/out" 2>&1 || {
    status=1
    [ -z "${KEEP-}" ] || cp "$work/zones-$seed.xml" "$KEEP"
  }
  sed "s|$work/||" "$work/out" | tail -n 3
  seed=$((seed + 1))
done
exit $status
