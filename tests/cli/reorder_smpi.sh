#!/bin/sh
# usage: tests/cli/reorder_smpi.sh HAICHI
# libhaichi-reorder under SMPI: the stencil of examples/ takes less simulated time with it than without.
. "$(dirname "$0")/../shell.sh"
. "$root/tests/mpi.sh"
. "$root/tests/preloaded.sh"

smpicc -w -O2 -DMODEL -o himeno "$root/examples/himeno/himeno.c" -lm >log 2>&1 || { fail smpicc && cat log; }
seq -f 'node-%g' 0 31 >hosts32
for platform in torus:8x2x2 fattree:down=8x4,up=1x2,cables=1x1; do
  "$haichi" platform $platform --speed 100Gf -o platform.xml
  for preload in '' "$reorder"; do
    HAICHI_HOSTS='' HAICHI_PLATFORM=platform.xml LD_PRELOAD=$preload smpirun -np 32 -platform platform.xml -hostfile hosts32 \
      --cfg=smpi/simulate-computation:no --cfg=smpi/display-timing:yes ./himeno 40 96 96 96 2>&1 | sed -n 's/.*Simulated time: *\([0-9.e-]*\).*/\1/p'
  done >times
  awk 'NR == 1 { a = $1 } NR == 2 { b = $1 } END { exit !(NR == 2 && b > 0 && b < 0.98 * a) }' times || fail "$platform: simulated times without and with the library: $(tr '\n' ' ' <times)"
done
exit $status
