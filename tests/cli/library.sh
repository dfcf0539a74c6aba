#!/bin/sh
# usage: tests/cli/library.sh HAICHI
# The installed libhaichi: compiles examples/library with it and compares the figures with the program haichi, checks the
# exported names, and calls the library from several threads.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

build=$(basename "$(cd "$(dirname "$haichi")" && pwd)")
case $build in
*-san) san=1 ;;
*) san= ;;
esac
compiler=${build%%-*}
make -s -C "$root" CC="$compiler" SAN=$san PREFIX=/usr DESTDIR="$work/to" install >log 2>&1 || {
  cat log
  exit 1
}
lib=$work/to/usr/lib
export PKG_CONFIG_PATH="$lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$work/to" LD_LIBRARY_PATH="$lib"
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1

# compile FILE: like a user, with the installed files only
compile()
{
  # shellcheck disable=SC2046,SC2086 # words
  "$compiler" -std=c99 -Wall -Wextra -Wpedantic -Werror ${san:+-fsanitize=address,undefined} "$1.c" -o "$1" \
    $(pkg-config --cflags --libs haichi) -pthread || fail "$1: does not compile"
}

[ "$(pkg-config --modversion haichi)" = "$("$haichi" --version | sed 's/^haichi \([^ ]*\).*/\1/;q')" ] ||
  fail "haichi.pc has another version: $(pkg-config --modversion haichi)"
[ "$(readlink "$lib/libhaichi.so")" = libhaichi.so.0 ] || fail "$(ls -l "$lib")"
objdump -p "$lib/libhaichi.so" | grep -q 'SONAME *libhaichi.so.0$' || fail "$(objdump -p "$lib/libhaichi.so" | grep SONAME)"

# The library exports the names in the headers and no others.
nm -D --defined-only "$lib/libhaichi.so" | awk '{ print $3 }' | grep -v '^__odr_asan' | sort >exported
cat $(find "$work/to/usr/include/haichi" -name '*.h' ! -name mpi.h) | grep -v '^#define' | tr '\n' ' ' | grep -o 'HAICHI_PUBLIC [^(]*(' |
  sed 's/($//; s/.*[ *]//' | sort >declared
cmp -s exported declared || fail "exported names: $(diff declared exported)"
[ "$(find "$work/to/usr/include/haichi" -name '*.h' | wc -l)" -le 10 ] || fail 'more than ten headers'

# Every header compiles alone.
for header in $(find "$work/to/usr/include/haichi" -name '*.h' ! -name mpi.h); do
  echo "#include <haichi/${header##*/}>" >header.c
  # shellcheck disable=SC2046 # words
  "$compiler" -std=c99 -Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags haichi) -c header.c -o header.o ||
    fail "$header does not compile alone"
done

cp "$root/examples/library/place.c" .
compile place
for case in 'npb:cg.S.16@2 torus:4x4 auto' 'npb:mg.S.8 fattree:k=4 greedy' 'stencil:4x4 mesh:4x4 random:seed=3' \
  "$root/tests/data/is.S.16.tar.zst mesh:4x4 xyz" "npb:cg.S.16@2 torus:4x4 tune:runs=4"; do
  # shellcheck disable=SC2086 # words
  set -- $case
  ./place "$@" >got 2>err
  code=$?
  [ $code -eq 0 ] && [ ! -s err ] || fail "$case: $code, $(cat err)"
  "$haichi" sim -t "$1" -p "$2" --mapping "$3" 2>err >want || fail "$case: $(cat err)"
  "$haichi" map "$3" -t "$1" -p "$2" >mapping && "$haichi" metrics mapping -t "$1" -p "$2" >>want
  awk -F'\t' 'NR == FNR { want[$1] = $2; next } { rows++ } want[$1] != $2 { print $1, $2, "not", want[$1]; bad = 1 } END { exit bad || !rows }' \
    want got >differs || fail "$case: $(cat differs)"
done

# A program in C++.
case $compiler in *clang) cxx=clang++ ;; *) cxx=g++ ;; esac
# shellcheck disable=SC2046,SC2086 # words
"$cxx" -std=c++20 -Wall -Werror ${san:+-fsanitize=address,undefined} -x c++ place.c -o place_cxx $(pkg-config --cflags --libs haichi) ||
  fail "place.c: does not compile as C++"
./place npb:cg.S.16@2 torus:4x4 auto >want || fail "place: $(cat want)"
./place_cxx npb:cg.S.16@2 torus:4x4 auto >got 2>err || fail "place_cxx: $(cat err)"
cmp -s got want || fail "place_cxx: $(diff got want)"

for case in 'nothing torus:4x4 auto' 'npb:cg.S.16 torus:0 auto' 'npb:cg.S.16 torus:2x2 auto' 'npb:cg.S.16 torus:4x4 aut' \
  "npb:cg.S.16 $root/tests/data/opaque.xml auto"; do
  # shellcheck disable=SC2086 # words
  ./place $case >got 2>err
  [ $? -eq 1 ] && [ ! -s got ] && [ "$(wc -l <err)" -eq 1 ] && grep -q '^place: .' err || fail "$case: $(cat got err)"
done

# The companion libraries for MPI, which export the functions of haichi/mpi.h only.
. "$root/tests/mpi.sh"
"$haichi" map random:seed=7 -p torus:4x3 --ranks 12 -o hosts
for mpi in $mpis; do
  [ "$(nm -D --defined-only "$lib/libhaichi-$mpi.so" | awk '{ print $3 }')" = haichi_mpi_cart_create ] || fail "libhaichi-$mpi.so: exported names"
  # shellcheck disable=SC2046 # words
  "mpicc.$mpi" -std=c99 -Wall -Wextra -Werror "$root/examples/library/grid.c" -o grid $(pkg-config --cflags --libs haichi-$mpi) || fail "grid.c: mpicc.$mpi"
  [ -z "$san" ] || continue # mpirun's program does not load AddressSanitizer first
  # shellcheck disable=SC2046 # words
  HAICHI_PLATFORM=torus:4x3 HAICHI_HOSTS=hosts $(launcher $mpi 12) ./grid >got 2>err || fail "grid: $(cat got err)"
  grep -qx 'grid of 4x3: [1-9][0-9]* ranks moved' got || fail "grid: $mpi: $(cat got err)"
  # shellcheck disable=SC2046 # words
  HAICHI_PLATFORM=torus:4x3 $(launcher $mpi 12) ./grid >got 2>err || fail "grid: $(cat got err)"
  grep -qx 'grid of 4x3: 0 ranks moved: torus:4x3: no host .*' got && [ ! -s err ] || fail "grid: $mpi: $(cat got err)"
done

cp "$root/tests/data/library/calls.c" .
compile calls
./calls >got 2>err || fail "calls: $(cat got err)"
[ ! -s got ] && [ ! -s err ] || fail "the library prints: $(cat got err)"
exit $status
