#!/bin/sh
# usage: tests/cli/collectives_table.sh HAICHI
# haichi list collectives --table: docs/collectives.md has, between two comments, the output of the command that the
# first comment names; the numbers of messages agree with trace info.
. "$(dirname "$0")/../shell.sh"
page=$root/docs/collectives.md

command=$(sed -n 's/^<!-- haichi \(.* --table.*\) -->$/\1/p' "$page")
[ -n "$command" ] || fail "$page: no comment with the command of a table"
# shellcheck disable=SC2086 # a list of words
"$haichi" $command >printed || fail "haichi $command: fails"
sed -n '/^<!-- haichi .* --table.* -->$/,/^<!-- end -->$/p' "$page" | sed '1d;$d' >written
cmp -s written printed || {
  fail "$page: differs from the output of haichi $command:"
  diff written printed | head -n 10
}

# messages CALLS COLLECTIVE=ALGORITHM: number of messages in a program with these calls
messages()
{
  "$haichi" trace info "collective:6:call=${2%=*},size=20000,iterations=$1" --collective "$2" --ranks-per-host 2 |
    awk '$1 == "messages" { print $2 }'
}

# Counts the second call: in the first one, ranks also find out which of them share a host.
"$haichi" list collectives --table --ranks 6 --bytes 20000 --per-host 2 | tr -d '`|' | grep '=' >table
[ "$(wc -l <table)" -gt 100 ] || fail "$(wc -l <table) algorithms"
while read -r name counted _; do
  expected=$(($(messages 2 "$name") - $(messages 1 "$name")))
  [ "$counted" = "$expected" ] || fail "$name: $counted messages, not $expected"
done <table
exit $status
