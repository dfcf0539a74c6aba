#!/bin/sh
# usage: tests/cli/hostile.sh HAICHI
# All malformed inputs of the tests, including the corpus of the fuzzers: plain, compressed, in a tar archive and through a
# pipe.  Each command ends within 10 s and 1 GiB.  Unless the input is valid for the command, it prints one line and exits
# with 1.  The same holds for endless archives and pipes.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
mkdir tmp in || exit 1
export TMPDIR="$work/tmp"
corpus=$root/tests/fuzz/corpus
: >failures
: >runs

# Collects failures in a file, because a pipeline runs in a subshell.
fail()
{
  echo "$*" | head -c 600 >>failures
  echo >>failures
}

# ends WHAT WORD...: runs haichi with these words and the standard input of the function
ends()
{
  what=$1
  shift
  echo "$what" >>runs
  timeout -s KILL 10 /usr/bin/time -q -o used -f %M "$haichi" "$@" >/dev/null 2>log
  code=$?
  kb=$(tail -n 1 used)
  case $code in
  0) return ;; # valid for this command
  1) ;;
  *) fail "$what: exit $code: $(head -c 500 log)" ;;
  esac
  # The line of a deadlock is followed by lines of blocked ranks.
  lines=$(grep -vc '^  rank [0-9]* is blocked in ' log)
  [ "$lines" -eq 1 ] && grep -q '^haichi: ' log || fail "$what: $(head -c 500 log)"
  [ "$kb" -le 1048576 ] || fail "$what: $kb KB"
}

# traces FILE: reads the file as a trace, in all forms
traces()
{
  name=$(basename "$1")
  cp "$1" in/t || return
  gzip -c in/t >t.gz
  zstd -q -c in/t >t.zst
  tar -C in -cf t.tar t
  tar -C in -czf t.tgz t
  for form in in/t t.gz t.zst t.tar t.tgz; do
    ends "$name as $form" sim -p torus:4x4 -t $form
  done
  for form in in/t t.tgz; do
    cat $form | ends "$name through a pipe, $form" trace matrix /dev/stdin
  done
}

for file in "$root"/tests/data/traces/* "$corpus"/trace/*; do
  [ -f "$file" ] && traces "$file"
done
for file in "$root"/tests/data/two-hosts-bad.xml "$corpus"/platform/*; do
  name=$(basename "$file")
  ends "$name as a platform" platform --info "$file"
  ends "$name as a platform" map xyz -p "$file" --ranks 2
  ends "$name as a platform" sim -p "$file" -t ring:2 --engine simgrid
  cat "$file" | ends "$name as a platform, through a pipe" platform --info /dev/stdin
done
for file in "$corpus"/mapping/*; do
  name=$(basename "$file")
  ends "$name as a mapping" metrics -p torus:4 -t ring:4 "$file"
  ends "$name as a matrix" metrics -p torus:4 --matrix "$file"
  ends "$name as a table" plot speedup "$file" -o z.svg
  cat "$file" | ends "$name as a mapping, through a pipe" sim -p torus:4 -t ring:4 -m /dev/stdin
done
for file in "$corpus"/matrix/*; do
  name=$(basename "$file")
  ends "$name as a matrix" metrics -p torus:4 --matrix "$file"
  ends "$name as a matrix in kB" map greedy -p star:16 --matrix "$file" --matrix-unit kB
  zstd -q -c "$file" | ends "$name as a matrix, through a pipe" metrics -p torus:4 --matrix -
done
while IFS= read -r spec; do
  ends "$spec" trace info "$spec"
  ends "$spec" platform --info "$spec"
  ends "$spec" sim -p torus:4 -t ring:4 -m "$spec"
done <<END
$(cat "$corpus"/spec/* | tr -d '\000')
END

# All attributes that name a file are checked, not only the first one.
mkfifo pipe && printf '0 1e9\n' >good.profile
cat >pipes.xml <<END
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="w" routing="Full">
    <host id="a" speed="1Gf"/>
    <link id="l" bandwidth="1GBps" latency="1us" bandwidth_file="good.profile" latency_file="pipe"/>
  </zone>
</platform>
END
ends 'a pipe as a second profile' platform --info pipes.xml
grep -q "pipes.xml:6: pipe: a profile is a file" log || fail "a second profile: $(cat log)"

# Endless inputs: 4 GiB of zeros compressed to 4 MB, 4 GiB of lines compressed to 12 MB, random bytes, text through a pipe.
limit='unpacks to more than [0-9]* bytes; --unpack-limit allows more'
head -c 67108864 /dev/zero | gzip -1 >64M.gz
yes '0 compute 1' | head -c 67108864 | gzip -1 >64M.lines.gz
for i in $(seq 64); do cat 64M.gz; done >bomb.gz
for i in $(seq 64); do cat 64M.lines.gz; done >lines.gz
ends bomb.gz trace info bomb.gz --unpack-limit 64MiB
ends lines.gz trace info lines.gz --unpack-limit 64MiB
grep -q "^haichi: lines.gz: $limit\$" log || fail "lines.gz: $(cat log)"
yes '0 compute 1' 2>/dev/null |
  ends 'lines without end' trace info /dev/stdin --unpack-limit 64MiB
grep -q "$limit" log || fail "lines without end: $(cat log)"
# Inputs that cannot be traces are refused after the first line, without --unpack-limit.
says()
{
  grep -q "^haichi: .*: is no trace: $1\$" log || fail "$1: $(cat log)"
}
ends 'random bytes without end' trace info /dev/urandom
says '.*'
{ echo 'a line of text' && cat /dev/urandom; } 2>/dev/null | ends 'random bytes after a line of text' trace info /dev/stdin
says 'byte 0x[017][0-9a-f] at offset [0-9]*'
head -c 67108864 /dev/zero | tr '\0' a | gzip -1 >64M.word.gz
for i in $(seq 64); do cat 64M.word.gz; done >word.gz
ends word.gz trace info word.gz
says 'its first word has more than 4096 bytes'
head -c 67108864 /dev/zero | tr '\0' '\n' | gzip -1 >64M.blank.gz
for i in $(seq 64); do cat 64M.blank.gz; done >blank.gz
ends blank.gz trace info blank.gz
says 'it begins with 67108864 bytes of blanks and comments'
printf '7z\274\257\047\034 \001\n' >packed.7z
ends packed.7z trace info packed.7z
grep -q '[^ -~]' log && fail "packed.7z: the message has bytes that are no text: $(cat -v log)"
ends 'zeros without end' trace info /dev/zero --unpack-limit 64MiB
[ -z "$(ls tmp)" ] || fail "files are left in TMPDIR: $(ls tmp)"
[ "$(wc -l <runs)" -gt 200 ] || fail "only $(wc -l <runs) runs"
cat failures
! [ -s failures ]
