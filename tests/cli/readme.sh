#!/bin/sh
# usage: tests/cli/readme.sh HAICHI
# Runs every `$ ./haichi ...` command of README.md, docs/cookbook.md and docs/tutorial.md.  Checks that the files
# to which the pages link exist, that the table of folders in docs/developers/architecture.md is complete, and that
# CITATION.cff has the version of the program.
. "$(dirname "$0")/../shell.sh"

# commands: prints the commands in the Markdown on standard input, one per line, with continuation lines joined
commands()
{
  sed -e :join -e '/\\$/{N;s/\\\n *//;b join' -e '}' | sed -n 's/^ *\$ \(\.\/haichi .*\)/\1/p'
}

# The commands run in a folder with tests/, as in the repository, and leave their files there.
mkdir run || exit 1
ln -s "$haichi" run/haichi || exit 1
ln -s "$root/examples" "$root/tests" "$root/platforms" run/ || exit 1
for page in README.md docs/cookbook.md docs/tutorial.md; do
  commands <"$root/$page" >commands
  [ -s commands ] || fail "$page: no commands"
  while IFS= read -r command; do
    (cd run && sh -c "$command") >log 2>&1 </dev/null || { fail "$page: this fails: $command" && sed 's/^/  /' log; }
  done <commands
done

for page in README.md $(cd "$root" && ls docs/*.md docs/*/*.md); do
  grep -o -e ']([^)]*)' -e 'src="[^"]*"' "$root/$page" | sed 's/^](//; s/^src="//; s/[#)"].*//' | grep -v -e '^$' -e '://' |
    while IFS= read -r file; do
      [ -e "$root/$(dirname "$page")/$file" ] || echo "$page: no file '$file'"
    done
done >missing

# Generated folders are not in the table.
# shellcheck disable=SC2016 # Markdown's quotes
sed -n 's/^| `\([a-z]*\)\/` .*/\1/p' "$root/docs/developers/architecture.md" | sort >named
find "$root" -mindepth 1 -maxdepth 1 -type d ! -name '.*' ! -name build ! -name results \
  -exec basename {} ';' | sort >there
{
  comm -23 named there | sed 's/.*/docs\/architecture.md: no folder &/'
  comm -13 named there | sed 's/.*/docs\/architecture.md: & is not in the table/'
} >>missing
[ ! -s missing ] || fail "$(cat missing)"
[ "$(sed -n 's/^version: //p' "$root/CITATION.cff")" = "$("$haichi" --version | sed 's/.* //')" ] || fail 'CITATION.cff: another version'
exit $status
