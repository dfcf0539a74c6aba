#!/bin/sh
# usage: tests/peers/explain.sh BUILD
# `haichi explain` on many cases: the causes add up to the simulated time, derivatives agree with central differences
# or are at a reported kink, a remedy brings the time that is printed for it; and the cost of an explained run.
# Environment: PARTS="sums derivatives intervals worth cost" (all), CASES=N random cases of each part (200 sums,
# 40 derivatives, 40 intervals, 100 worths), NPB=DIR of traces (else generated ones), SEED=N first seed (1).
# Exits 1 if causes do not add up, if a derivative neither agrees within 1 % nor is at a reported kink, if a part compares
# nothing, or if fewer than 90 % of the remedies are right.
# tests/cli/explain*.sh have samples of these checks, and the pairs of mappings with a known reason.
set -u

haichi=$1/haichi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
parts=${PARTS:-sums derivatives intervals worth cost}
seed=${SEED:-1}
status=0

fail()
{
  echo "$*"
  status=1
}

simulated()
{
  "$haichi" sim "$@" 2>/dev/null | sed -n 's/^simulated_time_s	//p'
}

traces()
{
  if [ -n "${NPB:-}" ]; then
    ls "$NPB"/*.tar.zst
  else
    for p in bt cg ep ft is lu mg sp; do
      echo "npb:$p.S.16@1"
      echo "npb:$p.A.64@1"
    done
  fi
}

# --- sums ------------------------------------------------------------------------------------------

# adds_up OPTION...: the causes add up to the time of `haichi sim` within 1e-12, and the path has no gaps.
adds_up()
{
  cases=$((cases + 1))
  "$haichi" explain "$@" --path "$work/path" >"$work/out" 2>"$work/err" || { fail "$*: $(cat "$work/err")"; return; }
  awk -F '\t' -v plain="$(simulated "$@")" -v most="$worst" '
    FNR == 1 { file++ }
    file == 1 && $1 == "simulated_time_s" { time = $2 }
    file == 1 { inside = $1 == "cause" ? 1 : NF < 2 ? 0 : inside; if (inside && $1 != "cause") sum += $2 }
    file == 2 && FNR > 1 { if ($1 != end + 0) gaps++; end = $2 }
    END { d = sum / time - 1; d = d < 0 ? -d : d; printf("%.3g\n", (d > most ? d : most)); exit !(time == plain && d <= 1e-12 && gaps == 0) }
  ' "$work/out" "$work/path" >"$work/worst" || fail "$*: the causes do not add up, or the path has gaps"
  worst=$(cat "$work/worst")
}

sums()
{
  cases=0 worst=0
  for t in $(traces); do
    case $t in
    *.16*) adds_up -p torus:4x4 -t "$t" -m random:seed="$seed" ;;
    *) adds_up -p torus:4x4x4 -t "$t" ;;
    esac
  done
  i=0
  while [ $i -lt "${CASES:-200}" ]; do
    s=$((seed + i))
    case $((i % 6)) in
    0) adds_up -p mesh:4x4 -t "random:16:seed=$s" -m random:seed=$s --jitter 0.3 ;;
    1) adds_up -p fattree:k=4 -t "random:16:seed=$s" -m random:seed=$s --eager-threshold $((s * 997 % 100000)) ;;
    2) adds_up -p torus:4x4 -t "random:16:seed=$s" -m random:seed=$s --background "flows:6,size=20kB,seed=$s" --background noise:every=200us,for=20us ;;
    3) adds_up -p torus:4x2 -t "random:16:seed=$s" --ranks-per-host 2 --background "tasks:4,seed=$s" ;;
    4) adds_up -p torus:4x8 --job "random:16:seed=$s" --job "random:16:seed=$((s + 1)),start=$((s % 9))00us" ;;
    *) adds_up -p clusters:platforms/intrigger4-3fw.clusters -t "random:16:seed=$s" --overlay "mcmpi,density=3,queue=64KiB" ;;
    esac
    i=$((i + 1))
  done
  echo "sums: $cases runs, largest relative error $worst (asked: 1e-12)"
}

# --- derivatives -----------------------------------------------------------------------------------

# with PARAMETER NAME VALUE OPTION...: prints the time if a link or host has this value from date 0 on
with()
{
  printf '%s %s\n0 %s\n' "$1" "$2" "$3" >"$work/one"
  shift 3
  simulated "$@" --precision 1e-12 --background "profile:$work/one"
}

# differences OPTION...: the derivatives of a case against central differences, with relative steps of 1e-4, and, if
# they differ, 1e-5, 1e-6 and 1e-3.
differences()
{
  "$haichi" explain "$@" --precision 1e-12 --derivatives "$work/derivatives" >"$work/out" 2>&1 || { fail "$*: $(cat "$work/out")"; return; }
  time=$(sed -n 's/^simulated_time_s	//p' "$work/out")
  awk -F '\t' -v t="$time" -v seed="$seed" 'function size(x) { return x < 0 ? -x : x }
    BEGIN { srand(seed) }
    NR > 1 && $2 != "all" && (size($4) > 1e-9 * t || size($5) > 1e-9 * t) { print rand() "\t" $1 "\t" ($1 == "speed" ? 1 : $3) "\t" $2 "\t" $4 "\t" $5 "\t" $6 }
  ' "$work/derivatives" | sort -n | head -n "${PARAMETERS:-50}" | cut -f 2- >"$work/list"
  while IFS='	' read -r parameter value name worse better kink; do
    for step in 1e-4 1e-5 1e-6 1e-3; do
      low=$(with "$parameter" "$name" "$(awk -v v="$value" -v s=$step 'BEGIN { printf "%.17g", v * (1 - s) }')" "$@")
      high=$(with "$parameter" "$name" "$(awk -v v="$value" -v s=$step 'BEGIN { printf "%.17g", v * (1 + s) }')" "$@")
      verdict=$(awk -v p="$parameter" -v low="$low" -v high="$high" -v s=$step -v worse="$worse" -v better="$better" -v kink="$kink" '
        BEGIN { sign = p == "latency" ? 1 : -1; found = sign * (worse - better) / 2; measured = (high - low) / (2 * s)
          d = found - measured; d = d < 0 ? -d : d; m = measured < 0 ? -measured : measured
          print low == "" || high == "" ? "wrong" : d <= 0.01 * m ? "agree" : kink == "yes" ? "kink" : "wrong" }')
      [ "$verdict" = agree ] && break
    done
    echo "$verdict" >>"$work/verdicts"
    [ "$verdict" = wrong ] && echo "$*: $parameter $name: worse $worse, better $better, with steps of $step $low and $high, at $time"
  done <"$work/list"
}

derivatives()
{
  : >"$work/verdicts"
  i=0
  while [ $i -lt "${CASES:-40}" ]; do
    s=$((seed + i))
    case $((i % 5)) in
    0) differences -p mesh:4x4 -t "random:16:seed=$s" -m random:seed=$s --jitter 0.4 ;;
    1) differences -p torus:4x4 -t npb:lu.S.16@1 -m random:seed=$s --jitter 0.4 ;;
    2) differences -p fattree:k=4 -t "random:16:seed=$s" -m random:seed=$s --jitter 0.4 ;;
    3) differences -p torus:4x4 -t npb:mg.S.16@1 -m random:seed=$s --jitter 0.4 ;;
    *) differences -p torus:4x4 -t "random:16:seed=$s" -m random:seed=$s --jitter 0.4 -M lv08 ;;
    esac
    i=$((i + 1))
  done
  sort "$work/verdicts" | uniq -c | awk '{ n[$2] = $1; all += $1 }
    END { printf "derivatives: %d compared: %d agree within 1 %%, %d at a reported kink, %d do not agree\n", all, n["agree"], n["kink"], n["wrong"]
      exit all == 0 || n["wrong"] > 0 }' || status=1
}

# --- intervals -------------------------------------------------------------------------------------

# holds PARAMETER NAME VALUE SLOPE CHANGE OPTION...: prints yes if a relative change for the worse (for the better, if
# below 0) changes the time as the slope predicts, within 1 %; else no
holds()
{
  kind=$1 target=$2 slope=$4 change=$5
  new=$(awk -v p="$kind" -v v="$3" -v x="$5" 'BEGIN { printf "%.17g", p == "latency" ? v * (1 + x) : v / (1 + x) }')
  shift 5
  awk -v t="$time" -v new="$(with "$kind" "$target" "$new" "$@")" -v s="$slope" -v x="$change" 'BEGIN { e = s * (x < 0 ? -x : x)
    d = new - t - e; d = d < 0 ? -d : d; m = e < 0 ? -e : e; print d <= 0.01 * m + 2e-12 ? "yes" : "no" }'
}

# longest PARAMETER NAME VALUE SLOPE SIGN OPTION...: prints the largest change from 1e-6 to 0.5 up to which the
# derivative holds, by bisection to 15 %; 0: none
longest()
{
  sign=$5 kind=$1 target=$2 value=$3 slope=$4 low=0 high=
  shift 5
  for step in 1e-6 1e-5 1e-4 1e-3 0.01 0.1 0.5; do
    [ "$(holds "$kind" "$target" "$value" "$slope" "$sign$step" "$@")" = yes ] || { high=$step; break; }
    low=$step
  done
  for i in 1 2 3 4; do
    [ "$low" != 0 ] && [ -n "$high" ] || break
    middle=$(awk -v a=$low -v b=$high 'BEGIN { printf "%.6g", sqrt(a * b) }')
    if [ "$(holds "$kind" "$target" "$value" "$slope" "$sign$middle" "$@")" = yes ]; then low=$middle; else high=$middle; fi
  done
  echo "$low"
}

# holding OPTION...: the intervals of a case in which derivatives hold, and those found by simulations.
holding()
{
  "$haichi" explain "$@" --precision 1e-12 --derivatives "$work/derivatives" >"$work/out" 2>&1 || { fail "$*: $(cat "$work/out")"; return; }
  time=$(sed -n 's/^simulated_time_s	//p' "$work/out")
  awk -F '\t' -v t="$time" -v seed="$seed" 'BEGIN { srand(seed) }
    NR > 1 && $6 == "no" && ($4 > 1e-7 * t || $4 < -1e-7 * t) && ($2 != "all" || $1 == "speeds") {
      print rand() "\t" ($1 == "speeds" ? "speed" : $1) "\t" ($1 == "speed" || $1 == "speeds" ? 1 : $3) "\t" ($1 == "speeds" ? "*" : $2) "\t" $4 "\t" $5 "\t" $7 }
  ' "$work/derivatives" | sort -n | head -n "${PARAMETERS:-6}" | cut -f 2- >"$work/list"
  while IFS='	' read -r parameter value name worse better said; do
    up=$(longest "$parameter" "$name" "$value" "$worse" + "$@")
    down=$(longest "$parameter" "$name" "$value" "$better" - "$@")
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$parameter" "$name" "$said" "$up" "$down" "$*" >>"$work/intervals"
  done <"$work/list"
}

intervals()
{
  : >"$work/intervals"
  i=0
  while [ $i -lt "${CASES:-40}" ]; do
    s=$((seed + i))
    case $((i % 4)) in
    0) holding -p mesh:4x4 -t "random:16:seed=$s" -m random:seed=$s --jitter 0.4 ;;
    1) holding -p torus:4x4 -t npb:lu.S.16@1 -m random:seed=$s --jitter 0.4 ;;
    2) holding -p fattree:k=4 -t "random:16:seed=$s" -m random:seed=$s --jitter 0.4 ;;
    *) holding -p torus:4x4 -t npb:mg.S.16@1 -m random:seed=$s --jitter 0.4 ;;
    esac
    i=$((i + 1))
  done
  [ -z "${INTERVALS:-}" ] || cp "$work/intervals" "$INTERVALS"
  awk -F '\t' '{ least = $4 + 0 < $5 + 0 ? $4 : $5; said = $3 > 0.5 ? 0.5 : $3; n++; inside += said <= 1.15 * least; near += said <= 2 * least
      q[n] = said / (least > 0 ? least : 1e-6) }
    END { asort_n(q, n); printf "intervals: %d compared: %d end before the derivative does, %d before twice as far; said / simulated: quartiles %.2g %.2g %.2g\n",
      n, inside, near, q[int((n + 3) / 4)], q[int((n + 1) / 2)], q[int((3 * n + 3) / 4)]; exit n == 0 }
    function asort_n(a, n,    i, k, x) { for (i = 2; i <= n; i++) { x = a[i]; for (k = i; k > 1 && a[k - 1] > x; k--) a[k] = a[k - 1]; a[k] = x } }
  ' "$work/intervals" || status=1
}

# --- worth -----------------------------------------------------------------------------------------

# worth - MAPPING OPTION...: the last line of --against MAPPING may name a link and its worth; compares it with a
# simulation in which this link has a bandwidth of 1.25e18 B/s.
worth()
{
  slower=$2
  shift 2
  "$haichi" explain "$@" -m xyz --against "$slower" >"$work/out" 2>/dev/null || { fail "$*"; return; }
  line=$(grep '^Without a limit on link' "$work/out") || return
  link=$(echo "$line" | sed 's/^Without a limit on link \([^ ]*\), .*/\1/')
  which=$(echo "$line" | sed 's/^Without a limit on link [^ ]*, \([^ ]*\) .*/\1/')
  said=$(echo "$line" | sed 's/.*alone worth \(.*\) %\.$/\1/')
  before=$(simulated "$@" -m "$which")
  printf 'bandwidth %s\n0 1.25e18\n' "$link" >"$work/one"
  after=$(simulated "$@" -m "$which" --background "profile:$work/one")
  awk -v said="$said" -v a="$after" -v b="$before" 'BEGIN { real = 100 * (1 - a / b); d = said - real; d = d < 0 ? -d : d
    m = real < 0 ? -real : real; print d <= 0.1 * m + 1e-3 ? "near" : "far" }' >>"$work/worths" || fail "$*"
}

worths()
{
  : >"$work/worths"
  i=0
  while [ "$(wc -l <"$work/worths")" -lt "${CASES:-100}" ] && [ $i -lt $((4 * ${CASES:-100})) ]; do
    s=$((seed + i))
    case $((i % 3)) in
    0) worth - random:seed=$s -p torus:4x4 -t "random:16:seed=$s" ;;
    1) worth - random:seed=$s -p mesh:4x4 -t npb:mg.S.16@1 ;;
    *) worth - random:seed=$s -p fattree:k=4 -t npb:cg.S.16@1 ;;
    esac
    i=$((i + 1))
  done
  awk '{ n[$1]++ } END { printf "worth: %d remedies of a link: %d within 10 %% of their gain (asked: 90 %%)\n", NR, n["near"]
    exit NR == 0 || n["near"] < 0.9 * NR }' "$work/worths" || status=1
}

# --- cost ------------------------------------------------------------------------------------------

# ten COMMAND...: runs it ten times; prints "CPU_s KB", the CPU time of a run and the most memory; fails if a run fails
ten()
{
  # shellcheck disable=SC2016 # expanded by the inner shell
  /usr/bin/time -f '%U %S %M' -o "$work/time" sh -c 'for i in 0 1 2 3 4 5 6 7 8 9; do "$@" || exit 1; done' sh "$@" >/dev/null 2>&1 || return 1
  awk 'END { print ($1 + $2) / 10, $3 }' "$work/time"
}

# Five rounds of plain and explained runs; the row of a trace is the round with the median ratio.
cost()
{
  printf 'trace\tplain_s\texplained_s\tratio\tplain_KB\texplained_KB\tratio\n'
  for t in $(traces); do
    case $t in
    *.16*) p=torus:4x4 ;;
    *) p=torus:4x4x4 ;;
    esac
    for i in 1 2 3 4 5; do
      plain=$(ten "$haichi" sim -p $p -t "$t") &&
        explained=$(ten "$haichi" explain -p $p -t "$t" --derivatives "$work/derivatives") || break
      echo "$plain $explained"
    done | awk '{ print ($1 > 0 ? $3 / $1 : 0), $0 }' | sort -g | awk -v t="${t##*/}" '
      NR == 3 { printf "%s\t%.3f\t%.3f\t%.2f\t%d\t%d\t%.2f\n", t, $2, $4, $1, $3, $5, $5 / $3 }
      END { exit NR < 5 }' || fail "$t: a run fails"
  done
}

for part in $parts; do
  case $part in
  sums) sums ;;
  derivatives) derivatives ;;
  intervals) intervals ;;
  worth) worths ;;
  cost) cost ;;
  *) echo "unknown part '$part'"; exit 2 ;;
  esac
done
exit $status
