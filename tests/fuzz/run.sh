#!/bin/sh
# usage: tests/fuzz/run.sh BUILD SECONDS TARGET...
# Runs each libFuzzer target for SECONDS on its seeds in tests/fuzz/corpus; what it learns stays in
# BUILD/corpus.  Exits 1 at the first crash, leak or hang, whose input is kept in BUILD.
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
  "$build/tests/fuzz/$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=4096 \
    -max_len=65536 -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/$name-" \
    "$build/corpus/$name" "tests/fuzz/corpus/$name" 2>&1 | tail -n 12
  # A pipe hides the fuzzer's status: a failure leaves its input behind.
  if ls "$build/$name"-crash-* "$build/$name"-leak-* "$build/$name"-timeout-* \
    "$build/$name"-oom-* 2>/dev/null | grep -q .; then
    echo "$target: FAILED, see $build/$name-*" >&2
    exit 1
  fi
done
