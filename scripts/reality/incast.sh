#!/bin/sh
# usage: scripts/reality/incast.sh DATA OUT
# Several senders and one receiver (docs/reality.md).  The limit of a flow is fitted to the run with one sender, the limit of
# the receiver to the run with two senders; runs with more senders are predicted.  Reads DATA/incast, writes OUT/incast.tsv
# (columns in reality.sh) and OUT/incast/.  Environment variable: HAICHI (./haichi)
set -eu
[ $# = 2 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
: "${HAICHI:=./haichi}"
data=$1/incast out=$2/incast
mkdir -p "$out"
chunks=20 # of each sender

# A line of cells is CELL SENDERS SECONDS_PER_CHUNK BYTES SPREAD.  The spread is the standard deviation of the chunks received
# in each whole second of the window, over their mean.
awk -F '\t' 'FNR == 1 { next }
  FILENAME ~ /seconds/ { sum[$1, $3] += $4; next }
  { if (!($1 in senders)) cell[++n] = $1
    senders[$1]++; chunks[$1] += $8; window[$1] = $6; bytes[$1] = $7; late[$1] += $5 > 0 }
  END {
    for (i = 1; i <= n; i++) {
      c = cell[i]
      s = q = k = 0
      for (t = 1; t < window[c] - 1; t++)
        if ((c, t) in sum) { k++; s += sum[c, t]; q += sum[c, t] ^ 2 }
      if (!late[c])
        printf "%s %d %.9g %d %.4f\n", c, senders[c], window[c] / chunks[c], bytes[c],
               (k > 0 ? sqrt(q / k - (s / k) ^ 2) / (s / k) : 0)
    }
  }' "$data/seconds.tsv" "$data/flows.tsv" >"$out/cells"

# rate SENDERS: prints the measured byte/s of the first cell with SENDERS senders on the machine A100
rate() { awk -v n="$1" '$1 !~ /^mx/ && $2 == n { printf "%.9g", $4 / $3; exit }' "$out/cells"; }
one=$(rate 1) two=$(rate 2)
curve=1:${one}Bps
[ -z "$two" ] || curve=$curve,2:${two}Bps

"$HAICHI" platform star:16 --bandwidth 25GBps --latency 10us -o "$out/platform.xml" >/dev/null

printf 'set\tconfiguration\tmeasured_s\tmeasured_spread\tpredicted_s\terror\tsmpi_s\tnote\n' >"$2/incast.tsv"
while read -r cell senders seconds bytes spread; do
  awk -v n="$senders" -v k="$chunks" -v bytes="$bytes" 'BEGIN {
    for (r = 0; r <= n; r++) {
      print r, "init"
      for (i = 0; i < k; i++)
        if (r > 0)
          print r, "send", 0, i, bytes, 6
        else
          for (s = 1; s <= n; s++)
            print r, "irecv", s, i, bytes, 6
      if (r == 0)
        print r, "waitall"
      print r, "finalize"
    }
  }' >"$out/trace"
  "$HAICHI" sim --platform "$out/platform.xml" --trace "$out/trace" --model cm02 --effect "ports:flow=${one}Bps" --effect "incast:curve=$curve" \
    >"$out/report" 2>"$out/log" || {
    cat "$out/log" >&2
    exit 1
  }
  case $cell in
  mx*) note='another machine is the receiver, and it has no other measured test' ;;
  *) note=- && [ "$senders" -gt 2 ] || note=calibration ;;
  esac
  awk -v c="$cell, $senders senders" -v m="$seconds" -v d="$spread" -v n="$note" -v chunks=$((senders * chunks)) \
    '$1 == "simulated_time_s" { p = $2 / chunks
      printf "incast\t%s\t%.6g\t%.4f\t%.6g\t%.4f\t-\t%s\n", c, m, d, p, p / m - 1, n }' "$out/report" >>"$2/incast.tsv"
done <"$out/cells"
