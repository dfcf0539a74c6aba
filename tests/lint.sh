#!/bin/sh
# usage: tests/lint.sh
# Checks the C files in the folders of layers.mk, in examples/ and in tests/ against the house rules: format, lengths, sizes,
# banned calls and includes; and the English of comments and pages (plain-words.awk).  Prints FILE:LINE for each fault.
set -u

# Other versions format differently.
format=clang-format-14

cd "$(dirname "$0")/.." || exit 1
status=0

# bad TEXT: reports the lines of TEXT, if any, as failures.
bad()
{
  [ -z "$1" ] && return
  printf '%s\n' "$1"
  status=1
}

# layer NAME: a value of layers.mk
layer()
{
  sed -n "s/^$1 *= *//p" layers.mk
}
folders=$(layer FOLDERS)
# shellcheck disable=SC2086 # a list of words
sources=$(find $folders interpose record reorder examples tests -name '*.[ch]' ! -path 'tests/data/*' | sort)
libraries=$(sed -n 's/^only_\([^ ]*\) *= *\(.*\)/\1=\2/p' layers.mk | tr '\n' ' ')

# allowed FOLDER: the other folders whose headers it may include
allowed()
{
  case $1 in
  tests/unit/*) echo "${1#tests/unit/} $(allowed "${1#tests/unit/}")" ;;
  record | reorder) echo interpose ;;
  *) case " $folders " in
    *" $1 "*) layer "may_$1" ;;
    *) echo "$folders" ;;
    esac ;;
  esac
}

# check_includes FILE FOLDER: prints the includes that layers.mk does not allow.  The runtime of instrumented programs is
# not part of haichi.
check_includes()
{
  [ "$2" != predict/runtime ] || return 0
  awk -v file="$1" -v folder="$2" -v may=" $2 $(allowed "$2") " -v libraries="$libraries" '
    BEGIN {
      n = split(libraries, pair, " ")
      for (i = 1; i <= n; i++) {
        split(pair[i], part, "=")
        only[part[1]] = part[2]
      }
    }
    /^#include "/ {
      split($2, part, /["\/]/)
      if (folder ~ /^tests\/unit\// && $2 ~ /^"tests\/unit\/([a-z_]*\/)?[a-z_]*\.h"/)
        next
      if (index($2, "\"" folder "/") != 1 && index(may, " " part[2] " ") == 0)
        printf "%s:%d: %s may not include %s\n", file, NR, folder, $2
    }
    /^#include </ {
      split($2, part, /[<\/]/)
      if (part[2] in only && folder != only[part[2]] && folder != "tests/peers")
        printf "%s:%d: only %s may include %s\n", file, NR, only[part[2]], $2
    }' "$1"
}

folder_of()
{
  case $1 in
  tests/unit/*) echo "$1" | cut -d/ -f-3 ;;
  tests/peers/*) echo tests/peers ;;
  predict/runtime/*) echo predict/runtime ;;
  *) echo "${1%%/*}" ;;
  esac
}

banned='(atoi|atol|atoll|atof|sscanf|strcpy|strcat|sprintf|vsprintf|gets|strtok)'

for file in $sources; do
  bad "$(check_includes "$file" "$(folder_of "$file")")"
  bad "$(awk -v file="$file" -v banned="(^|[^A-Za-z0-9_])$banned *[(]" '
    $0 ~ banned { printf "%s:%d: a banned call\n", file, NR }
    # clang-format puts the braces of a function, and of no other block, in the first column.
    BEGIN { limit = file ~ /^tests\// ? 60 : 40; most = 600 }
    /^\{/ { start = NR }
    /^\}$/ && start {
      if (NR - start - 1 > limit)
        printf "%s:%d: a function of %d lines, above %d\n", file, start, NR - start - 1, limit
      start = 0
    }
    length($0) > 100 { printf "%s:%d: a line of %d columns, above 100\n", file, NR, length($0) }
    END { if (NR > most) printf "%s:%d: a file of %d lines, above %d\n", file, NR, NR, most }
    ' "$file")"
done

# shellcheck disable=SC2086 # a list of words
bad "$(find $folders record examples -name '*.[ch]' | awk -v most=25 '
  { sub(/\/[^\/]*$/, ""); files[$0]++ }
  END { for (f in files) if (files[f] > most) printf "%s: %d source files, above %d\n", f, files[f], most }' | sort)"

# words PAGES FILE...: faults of the English; the limits are in the script, which exits 1 if it found some.
words()
{
  pages=$1 code=0
  shift
  awk -v pages="$pages" -f tests/plain-words.awk "$@" || code=$?
  [ $code -le 1 ] || echo "tests/plain-words.awk: exit $code"
}
# shellcheck disable=SC2086 # a list of words
bad "$(words 0 $sources)"
# shellcheck disable=SC2046 # a list of words
bad "$(words 1 docs/haichi.1 $(find README.md docs tests examples -name '*.md' | sort))"

if command -v "$format" >/dev/null; then
  # shellcheck disable=SC2086 # a list of words
  "$format" --dry-run -Werror $sources tests/data/mpi/*.c tests/data/mpi/*/*.h || status=1
else
  echo "lint: $format is not installed, so the format of the sources is not checked"
fi
exit $status
