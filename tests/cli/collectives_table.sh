#!/bin/sh
# usage: tests/cli/collectives_table.sh HAICHI
# haichi list collectives --table: docs/collectives.md has, between two comments, what the command that the
# first of them names prints; the messages are those that trace info counts.
. "$(dirname "$0")/../shell.sh"
page=$root/docs/collectives.md

command=$(sed -n 's/^<!-- haichi \(.* --table.*\) -->$/\1/p' "$page")
[ -n "$command" ] || fail "$page: no command of a table"
# shellcheck disable=SC2086 # a list of words
"$haichi" $command >printed || fail "haichi $command: fails"
sed -n '/^<!-- haichi .* --table.* -->$/,/^<!-- end -->$/p' "$page" | sed '1d;$d' >written
cmp -s written printed || {
  fail "$page: not what haichi $command prints:"
  diff written printed | head -n 10
}

# messages CALLS COLLECTIVE=ALGORITHM: those of the program
messages()
{
  "$haichi" trace info "collective:6:call=${2%=*},size=20000,iterations=$1" --collective "$2" --ranks-per-host 2 |
    awk '$1 == "messages" { print $2 }'
}

# The second call, before which ranks know who shares a host.
"$haichi" list collectives --table --ranks 6 --bytes 20000 --per-host 2 | tr -d '`|' | grep '=' >table
[ "$(wc -l <table)" -gt 100 ] || fail "$(wc -l <table) algorithms"
while read -r name counted _; do
  expected=$(($(messages 2 "$name") - $(messages 1 "$name")))
  [ "$counted" = "$expected" ] || fail "$name: $counted messages, not $expected"
done <table
exit $status
