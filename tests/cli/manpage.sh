#!/bin/sh
# usage: tests/cli/manpage.sh HAICHI
# docs/haichi.1: the section of each subcommand has exactly the options of its --help; all commands of `haichi help` have
# sections; the options of all mappers and schedulers are listed with their defaults; man prints no warnings.
set -u

haichi=$1
page=$(dirname "$0")/../../docs/haichi.1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset ARGP_HELP_FMT
status=0

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
  if ! "$haichi" $1 --help >"$work/help" || ! cp "$work/help" "$work/help.$(echo "$1" | tr ' ' -)"; then
    echo "haichi $1 --help: fails"
    status=1
  fi
  section "$1" >"$work/section"
  if ! [ -s "$work/section" ]; then
    echo "$page:1: no section .SS \"haichi $1\""
    status=1
  fi
  # --help and --usage are described once, in the section on common options.
  grep -E '^ {2,6}-' "$work/help" | sed 's/^ *//; s/   .*//' | options |
    grep -vx -e --help -e --usage >"$work/in-help"
  sed 's/\\-/-/g' "$work/section" | grep '^\.B[IR]* ' | options >"$work/in-page"
  line=$(grep -n "^\.SS \"haichi $1" "$page" | head -n 1 | cut -d: -f1)
  comm -23 "$work/in-help" "$work/in-page" | sed "s|.*|$page:$line: haichi $1 has & undescribed|" \
    >"$work/differ"
  comm -13 "$work/in-help" "$work/in-page" | sed "s|.*|$page:$line: haichi $1 has no &|" \
    >>"$work/differ"
  if [ -s "$work/differ" ]; then
    cat "$work/differ"
    status=1
  fi
}

# A short option has the same long name in all commands, except that -m is --mapping or --mapper.
letters()
{
  sed -n 's/^  -\([A-Za-z]\), --\([a-z-]*\).*/\1 \2/p' "$work"/help.* | sed 's/^m mapper$/m mapping/' | sort -u |
    awk '$1 in name { print "-" $1 " is --" name[$1] " and --" $2 } { name[$1] = $2 }'
}

commands_of()
{
  sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' "$1"
}

"$haichi" help >"$work/commands" || status=1
[ -n "$(commands_of "$work/commands")" ] || status=1
for command in $(commands_of "$work/commands"); do
  if [ "$command" = trace ] || [ "$command" = wan ] || [ "$command" = tasknet ]; then
    "$haichi" "$command" --help >"$work/subcommands" || status=1
    for sub in $(commands_of "$work/subcommands"); do
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
done >"$work/specs"
while read -r spec; do
  sed 's/\\-/-/g' "$page" | grep -qxF ".B $spec" && continue
  echo "$page:1: no line '.B $spec'"
  status=1
done <"$work/specs"

letters >"$work/letters"
if [ -s "$work/letters" ]; then
  cat "$work/letters"
  status=1
fi

for option in --help --usage --version; do
  sed 's/\\-/-/g' "$page" | grep -q -e "^\.BR* .*$option" && continue
  echo "$page:1: $option is undescribed"
  status=1
done

if command -v man >/dev/null; then
  LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -l -Tutf8 "$page" 2>&1 >/dev/null | grep . && status=1
fi
exit $status
