#!/bin/sh
# usage: tests/cli/locale.sh HAICHI
# Libraries inside programs whose locale has a decimal comma: libhaichi and libhaichi-reorder, haichi record, and the runtime
# of instrumented programs.
. "$(dirname "$0")/../shell.sh"
. "$root/tests/mpi.sh"
. "$root/tests/preloaded.sh"

# LC_NUMERIC in glibc's form: six fields from byte 32 on, of which the first is the decimal point.
mkdir -p locales/comma
printf '\024\021\003\040\006\000\000\000\040\000\000\000\042\000\000\000\043\000\000\000\044\000\000\000\050\000\000\000\054\000\000\000,\000\000\000\000\000\000\000\000\000\000\000ANSI_X3.4-1968\000' >locales/comma/LC_NUMERIC
cat >comma.c <<'E'
#include <locale.h>
#include <stdlib.h>
__attribute__((constructor)) static void use_comma(void)
{
  if (setlocale(LC_NUMERIC, "comma") == NULL || atof("0,5") != 0.5)
    abort();
}
E
gcc -shared -fPIC -o comma.so comma.c && LOCPATH=$work/locales LD_PRELOAD=$work/comma.so "$haichi" --version >log || fail 'no locale with a decimal comma'

"$haichi" platform torus:4x3 --bandwidth 1.5GBps -o torus.xml
for mpi in $mpis; do
  "mpicc.$mpi" -w -O1 -o checker-$mpi "$root/tests/data/reorder/checker.c" || fail "mpicc.$mpi"
  for with in '' "$work/comma.so"; do
    rm -f report
    LOCPATH=$work/locales HAICHI_PLATFORM=torus.xml HAICHI_TIME=9.5 HAICHI_REPORT=report preload="$reorder $with" preloaded $mpi 12 ./checker-$mpi 9 16
    says '8 cases, 0 wrong, ranks moved in 4'
    cut -f -12 report >"$mpi${with:+-comma}"
  done
  cmp -s $mpi $mpi-comma || { fail "$mpi: another report with a decimal comma" && diff $mpi $mpi-comma; }

  "$haichi" instrument "$root/tests/data/mpi/stencil.c" -o stencil-$mpi >log 2>&1 && make -s -C stencil-$mpi timing CC="mpicc.$mpi" >log 2>&1 || fail "instrument: $(cat log)"
  LOCPATH=$work/locales HAICHI_BLOCKS_SLOW=1:1.5 HAICHI_BLOCKS_WARMUP=2:1.5 HAICHI_BLOCKS_VARIATION=0.5 preload="$work/comma.so" preloaded $mpi 3 stencil-$mpi/bin/timing
  awk 'FNR > 1 && NF == 4 && $4 ~ /^[0-9.e-]+$/ { times++ } /,/ { exit 1 } END { exit times == 0 }' stencil-$mpi/timing.?.tsv || { fail "$mpi: times of blocks" && cat log stencil-$mpi/timing.0.tsv; }
done
exit $status
