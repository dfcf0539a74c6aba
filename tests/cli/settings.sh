#!/bin/sh
# usage: tests/cli/settings.sh HAICHI
# The commands that `predict --sweep` and the report of a campaign print have all settings of a simulation, so they give the
# same numbers again.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

"$haichi" trace convert --to otf2 npb:cg.S.4@2 -o r4 || fail 'trace convert'
"$haichi" tune-collectives -p torus:4 --ranks 4 --collective bcast,allreduce --sizes 8-4KiB -o tuned.tsv >log 2>&1 ||
  fail "$(cat log)"
printf 'node[0-7]\n' >'the names'

# One setting per line: OPTION changes|same VALUE.  "changes": the value changes the simulated time.
cat >settings <<'LIST'
model changes cm02
engine same simgrid
precision same 1e-10
maxmin-precision same 1e-6
compute-scale changes 0.7
jitter changes 0.3
overlay changes random,density=1
effect changes contention:curve=1:0.5
eager-threshold changes 1000000
ranks-per-host changes 2
hosts changes 0,2,5,7
unpack-limit same 3GiB
recorded-speed changes 2Gf
align same
partial same
cores same 2
node changes pack:1 core:2
names same the names
collective changes bcast=SMP_binary
collectives same tuned.tsv
background changes tasks:3
job changes npb:cg.S.4,hosts=0-3,repeat
LIST

# The list has all options of compare, except for options that are no settings.
"$haichi" compare --help | sed -n 's/^ .* --\([a-z][a-z-]*\).*/\1/p' >options
[ "$(wc -l <options)" -gt 30 ] || fail "compare --help lists too few options: $(cat options)"
for option in $(cat options); do
  case $option in
  platform | bandwidth | latency | trace | matrix | matrix-format | matrix-unit | mapper | network | scheduler | load | steal | \
    network-model | work | data | output | jobs | on | chunk | detach | status | repeat | timeout | retry-failed | overwrite | \
    seed | audit | baseline | format | explain | no-plots | help | usage) ;;
  *) grep -q "^$option " settings || fail "--$option is not in the list of settings" ;;
  esac
done

# value NAME FILE
value()
{
  awk -F '\t' -v n="$1" '$1 == n { print $2 }' "$2"
}

# sweeps OPTION [VALUE]: the printed command gives the report of sim with the option, and the predicted time within 2 %
sweeps()
{
  "$haichi" predict --sweep -p torus:4x2 -t 'r{4}/traces.otf2' --sample 1000 -o d "$@" >sweep 2>log || fail "sweep $*: $(cat log)"
  command=$(value command sweep)
  case $command in *" ${1-}"*) ;; *) fail "sweep $*: the command lacks the option: $command" ;; esac
  eval "\"\$haichi\" ${command#haichi }" >again 2>log || fail "$command: $(cat log)"
  "$haichi" sim -p torus:4x2 -t r4/traces.otf2 -m d/best.map "$@" >direct 2>log || fail "sim $*: $(cat log)"
  cmp -s again direct || fail "$command: $(diff again direct | head -n 4)"
  awk -v a="$(value simulated_time_s again)" -v p="$(value predicted_time_s sweep)" \
    'BEGIN { exit !(a > p * 0.98 && a < p * 1.02) }' || fail "$command: another time than predicted: $(cat again sweep)"
}

# compares OPTION [VALUE]: the command in the report gives the same results.tsv
compares()
{
  rm -rf a b
  "$haichi" compare -p torus:4x2 -t r4/traces.otf2 -m xyz random:seeds=1..2 --no-plots -o a "$@" >log 2>&1 ||
    fail "compare $*: $(cat log)"
  command=$("$haichi" report a -o - | grep -o 'haichi compare [^<]*')
  case $command in *" ${1-}"* | *",${option-}="*) ;; *) fail "report $*: the command lacks the option: $command" ;; esac
  eval "\"\$haichi\" $(echo "${command#haichi }" | sed 's/ -o a$/ -o b/') --no-plots" >log 2>&1 || fail "$command: $(cat log)"
  cmp -s a/results.tsv b/results.tsv || fail "$command: $(diff a/results.tsv b/results.tsv | head -n 4)"
}

time_of_row()
{
  awk -F '\t' '$2 == "xyz" { print $5 }' a/results.tsv
}

sweeps
compares
usual=$(value simulated_time_s again) row=$(time_of_row)
while read -r option changes value; do
  set -- --"$option"
  [ -z "$value" ] || set -- "$@" "$value"
  if [ "$option" != job ] && [ "$option" != hosts ]; then
    sweeps "$@"
    [ "$changes" = same ] || [ "$(value simulated_time_s again)" != "$usual" ] || fail "--$option: the value changes no time in sim"
  fi
  compares "$@"
  [ "$changes" = same ] || [ "$(time_of_row)" != "$row" ] || fail "--$option: the value changes no time in compare"
done <settings
exit $status
