#!/bin/sh
# usage: tests/cli/manpage.sh HAICHI
# docs/haichi.1: the section of each subcommand has exactly the options of its --help; all commands of `haichi help` have
# sections; the options of all mappers and schedulers are listed with their defaults; man prints no warnings.
. "$(dirname "$0")/../shell.sh"
page=$root/docs/haichi.1
unset ARGP_HELP_FMT

# options: prints the options among the words of standard input, one per line
options()
{
  tr ' ",=' '\n' | grep -xE -e '-[A-Za-z]|--[a-z][a-z0-9-]*' | sort -u
}

# section NAME: prints the section of a command, from its .SS to the next heading
section()
{
  awk -v head=".SS \"haichi $1\"" '
    /^\.S[SH]/ { inside = index($0, head) == 1 }
    inside { print }' "$page"
}

check_command()
{
  # shellcheck disable=SC2086 # a command may be two words
  "$haichi" $1 --help >help && cp help "help.$(echo "$1" | tr ' ' -)" || fail "haichi $1 --help: fails"
  section "$1" >section
  [ -s section ] || fail "$page:1: no section .SS \"haichi $1\""
  # --help and --usage are described once, in the section on common options.
  grep -E '^ {2,6}-' help | sed 's/^ *//; s/   .*//' | options |
    grep -vx -e --help -e --usage >in-help
  sed 's/\\-/-/g' section | grep '^\.B[IR]* ' | options >in-page
  line=$(grep -n "^\.SS \"haichi $1" "$page" | head -n 1 | cut -d: -f1)
  comm -23 in-help in-page | sed "s|.*|$page:$line: haichi $1 has & undescribed|" \
    >differ
  comm -13 in-help in-page | sed "s|.*|$page:$line: haichi $1 has no &|" \
    >>differ
  [ ! -s differ ] || fail "$(cat differ)"
}

# A short option has the same long name in all commands, except that -m is --mapping or --mapper.
letters()
{
  sed -n 's/^  -\([A-Za-z]\), --\([a-z0-9-]*\).*/\1 \2/p' "$work"/help.* | sed 's/^m mapper$/m mapping/' | sort -u |
    awk '$1 in name { print "-" $1 " is --" name[$1] " and --" $2 } { name[$1] = $2 } END { if (NR < 10) print NR " short options" }'
}

commands_of()
{
  sed -n 's/^  \([a-z][a-z0-9-]*\) .*/\1/p' "$1"
}

"$haichi" help >commands || status=1
[ -n "$(commands_of commands)" ] || fail 'haichi help: no commands'
for command in $(commands_of commands); do
  if [ "$command" = trace ] || [ "$command" = wan ] || [ "$command" = tasknet ]; then
    "$haichi" "$command" --help >subcommands || status=1
    [ -n "$(commands_of subcommands)" ] || fail "haichi $command --help: no subcommands"
    for sub in $(commands_of subcommands); do
      check_command "$command $sub"
    done
  else
    check_command "$command"
  fi
done

# For each mapper and scheduler a line of all options: NAME:OPTION=DEFAULT,OPTION=DEFAULT...
for list in mappers schedulers; do
  "$haichi" list $list | sed -n 's/^\([a-z.-]*\):\(.*\)\t.*/\1 \2/p' |
    awk '{ if ($1 != name) printf "%s%s:%s", NR == 1 ? "" : "\n", $1, $2; else printf ",%s", $2; name = $1 } END { print "" }'
done >specs
while read -r spec; do
  sed 's/\\-/-/g' "$page" | grep -qxF ".B $spec" || fail "$page:1: no line '.B $spec'"
done <specs

# SPECS describes all mappers and topologies, the section of plot all kinds of pictures.
awk '/^\.SH/ { inside = $2 == "SPECS" } inside' "$page" | sed 's/\\-/-/g' >specs
for name in $("$haichi" list mappers | sed -n 's/^\([a-z-]*\)\t.*/\1/p') $("$haichi" list topologies | sed 's/:.*//'); do
  grep -qw -e "$name" specs || fail "$page:1: SPECS lacks $name"
done
section plot | sed 's/\\-/-/g' >section
for kind in $("$haichi" plot --help | sed -n 's/^\([a-z-]*\) [A-Z].*/\1/p'); do
  grep -q "^\.BI $kind " section || fail "$page:1: haichi plot lacks $kind"
done

letters >letters
[ ! -s letters ] || fail "$(cat letters)"

for option in --help --usage --version; do
  sed 's/\\-/-/g' "$page" | grep -q -e "^\.BR* .*$option" || fail "$page:1: $option is undescribed"
done

if command -v man >/dev/null; then
  LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -l -Tutf8 "$page" 2>&1 >/dev/null | grep . && status=1
fi
exit $status
