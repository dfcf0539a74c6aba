#!/bin/sh
# usage: tests/cli/readme.sh HAICHI
# Runs every `$ ./haichi ...` command of README.md, docs/cookbook.md and docs/tutorial.md.  Checks that the files
# to which the pages link exist, that the table of folders in docs/developers/architecture.md is complete, and that
# CITATION.cff has the version of the program.
set -u

haichi=$1
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0

# commands: prints the commands in the Markdown on standard input, one per line, with continuation lines joined
commands()
{
  sed -e :join -e '/\\$/{N;s/\\\n *//;b join' -e '}' | sed -n 's/^ *\$ \(\.\/haichi .*\)/\1/p'
}

# The commands run in a folder with tests/, as in the repository, and leave their files there.
mkdir "$work/run" || exit 1
ln -s "$(cd "$(dirname "$haichi")" && pwd)/$(basename "$haichi")" "$work/run/haichi" || exit 1
ln -s "$root/examples" "$root/tests" "$root/platforms" "$work/run/" || exit 1
for page in README.md docs/cookbook.md docs/tutorial.md; do
  commands <"$root/$page" >"$work/commands"
  if ! [ -s "$work/commands" ]; then
    echo "$page: no commands"
    status=1
  fi
  while IFS= read -r command; do
    (cd "$work/run" && sh -c "$command") >"$work/log" 2>&1 </dev/null && continue
    echo "$page: this fails: $command"
    sed 's/^/  /' "$work/log"
    status=1
  done <"$work/commands"
done

for page in README.md $(cd "$root" && ls docs/*.md docs/*/*.md); do
  grep -o -e ']([^)]*)' -e 'src="[^"]*"' "$root/$page" | sed 's/^](//; s/^src="//; s/[#)"].*//' | grep -v -e '^$' -e '://' |
    while IFS= read -r file; do
      [ -e "$root/$(dirname "$page")/$file" ] || echo "$page: no file '$file'"
    done
done >"$work/missing"

# Generated folders are not in the table.
# shellcheck disable=SC2016 # Markdown's quotes
sed -n 's/^| `\([a-z]*\)\/` .*/\1/p' "$root/docs/developers/architecture.md" | sort >"$work/named"
find "$root" -mindepth 1 -maxdepth 1 -type d ! -name '.*' ! -name build ! -name results \
  -exec basename {} ';' | sort >"$work/there"
{
  comm -23 "$work/named" "$work/there" | sed 's/.*/docs\/architecture.md: no folder &/'
  comm -13 "$work/named" "$work/there" | sed 's/.*/docs\/architecture.md: & is not in the table/'
} >>"$work/missing"
if [ -s "$work/missing" ]; then
  cat "$work/missing"
  status=1
fi
[ "$(sed -n 's/^version: //p' "$root/CITATION.cff")" = "$("$haichi" --version | sed 's/.* //')" ] || {
  echo 'CITATION.cff: another version'
  status=1
}
exit $status
