#!/bin/sh
# usage: tests/fuzz/run.sh BUILD SECONDS TARGET...
# Runs each libFuzzer target for SECONDS on its seeds in tests/fuzz/corpus; the inputs that it finds stay in
# BUILD/corpus.  Exits 1 at the first crash, leak or hang; the input that caused it is kept in BUILD.
set -eu
build=$1 seconds=$2
shift 2
export ASAN_OPTIONS=allocator_may_return_null=1
LSAN_OPTIONS="suppressions=$(dirname "$0")/../lsan.supp:print_suppressions=0"
export LSAN_OPTIONS
for target in "$@"; do
  name=${target#fuzz_}
  mkdir -p "$build/corpus/$name"
  echo "$target: $seconds s"
  status=0
  "$build/tests/fuzz/$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=4096 \
    -max_len=65536 -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/$name-" \
    "$build/corpus/$name" "tests/fuzz/corpus/$name" >"$build/$name.log" 2>&1 || status=$?
  tail -n 12 "$build/$name.log"
  if [ $status -ne 0 ]; then
    echo "$target: FAILED (exit $status), see $build/$name.log and $build/$name-*" >&2
    exit 1
  fi
done
