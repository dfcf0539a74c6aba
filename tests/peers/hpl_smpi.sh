#!/bin/sh
# usage: tests/peers/hpl_smpi.sh BUILD SOURCE
# The time of generator hpl against HPL under SMPI: SOURCE is a copy of T. Cornebize's HPL (Ezibenroc/hpl, 8118545), which
# sleeps in place of its kernels.  Both have the same table of kernels, without noise, on a platform of nodes with 32 cores.
# RUNS: words N,NB,P,Q,depth,bcast,swap.  Prints the time of each run in both, and the difference.  A run with 64 ranks and
# N = 20000 takes a minute.
# Two changes of SOURCE: a call of dgemm with a size of 0 takes no time (as in BLAS; the polynomial of its time would be
# above 0), and times are not rounded to microseconds.  Probes of SMPI do not become longer (smpi/grow-injected-times).
set -eu
haichi=$(cd "$1" && pwd)/haichi
source=$(cd "$2" && pwd)
: "${RUNS:=10000,128,8,8,0,0,0 10000,256,8,8,0,4,1 10000,128,8,8,1,2,0 10000,128,8,8,1,1,2}"
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
cd "$work"
cp -r "$source" hpl
cat >hpl/src/blas/dgemm_model.c <<'C'
if (m == 0 || n == 0 || k == 0) return 0;
return 2.6e-6 + 7.2e-11 * mnk - 1.45e-10 * mn + 2.3e-9 * mk + 3.1e-9 * nk;
C
sed -i 's/usleep((useconds_t)(\(.*\)\*1e6))/smpi_execute_benched(\1)/; s/return x\*sigma + mu/return exp/' hpl/src/blas/HPL_dgemm.c
sed -i "s#^TOPdir.*#TOPdir = $work/hpl#; s#^LAlib.*#LAlib = -lblas#; s#^ARCH .*#ARCH = SMPI#; s#-trace-call-location##; s#-Wall#-w#" hpl/Make.SMPI
make -C hpl arch=SMPI SMPI_OPTS=-DSMPI_OPTIMIZATION_LEVEL=3 >made 2>&1 || die "HPL: $(tail -n 1 made)"

# The times of kernels in SOURCE, include/hpl_blas.h and src.
{
  printf 'kernel\thost\tcpu\tmnk\tmn\tmk\tnk\tintercept\n'
  printf '%s\t*\t*\t%s\t%s\t%s\t%s\t%s\n' dgemm 7.2e-11 -1.45e-10 2.3e-9 3.1e-9 2.6e-6 dtrsm 5.44554e-11 0 0 0 0 \
    dgemv 0 1.278804e-9 0 0 0 dscal 0 3.798686e-10 0 0 0 idamax 0 6.052262e-10 0 0 0 daxpy 0 0 0 0 6.680085e-7 \
    dtrsv 0 0 0 0 2.438651e-5 HPL_dlacpy 0 3.871806e-9 0 0 0 HPL_dlatcpy 0 4.8939e-9 0 0 0 \
    HPL_dlaswp01T 0 7.547639e-9 0 0 0 HPL_dlaswp02N 0 2.822241e-8 0 0 0 HPL_dlaswp03T 0 3.77524e-9 0 0 0 \
    HPL_dlaswp04T 0 8.498957e-9 0 0 0
} >kernels
cat >nodes.xml <<'X'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config id="General">
    <prop id="smpi/os" value="0:3e-7:1e-10;64000:0:0"/><prop id="smpi/ois" value="0:7e-7:7e-11;64000:7e-7:0"/>
    <prop id="smpi/or" value="0:1.4e-6:8e-11;64000:0:0"/><prop id="smpi/iprobe" value="2e-7"/>
    <prop id="smpi/async-small-thresh" value="64000"/><prop id="smpi/send-is-detached-thresh" value="64000"/>
    <prop id="smpi/bw-factor" value="0:0.5;64000:0.98"/><prop id="smpi/lat-factor" value="0:1.2;64000:129"/>
  </config>
  <cluster id="c" prefix="node-" suffix="" radical="0-31" speed="1Gf" core="32" bw="12.5GBps" lat="0.05us" loopback_bw="18GBps" loopback_lat="0us"/>
</platform>
X
seq -f 'node-%g:32' 0 31 >hosts

printf 'N\tNB\tP\tQ\tdepth\tbcast\tswap\tsmpi_s\thaichi_s\tdifference\n'
for run in $RUNS; do
  # shellcheck disable=SC2046 # words
  set -- $(echo "$run" | tr , ' ')
  printf '%s\n' HPL HPL HPL.out 6 1 "$1" 1 "$2" 0 1 "$3" "$4" 16 1 1 1 2 1 2 1 2 1 "$6" 1 "$5" "$7" "$2" 0 0 1 8 >HPL.dat
  smpirun -np $(($3 * $4)) -hostfile hosts -platform nodes.xml --cfg=smpi/privatization:dlopen \
    --cfg=smpi/simulate-computation:no --cfg=smpi/grow-injected-times:no --cfg=smpi/display-timing:yes \
    --cfg=smpi/shared-malloc-blocksize:2097152 hpl/bin/SMPI/xhpl >out 2>&1 || die "smpirun: $(tail -n 1 out)"
  smpi=$(sed -n 's/.*Simulated time: \([^ ]*\) seconds.*/\1/p' out)
  "$haichi" sim -p nodes.xml --ranks-per-host 32 \
    -t "hpl:N=$1,NB=$2,P=$3,Q=$4,depth=$5,bcast=$6,swap=$7,threshold=$2,kernels=kernels,per-host=32" >report 2>&1 ||
    die "haichi: $(tail -n 1 report)"
  awk -v run="$run" -v smpi="$smpi" 'BEGIN { gsub(",", "\t", run) }
    $1 == "simulated_time_s" { printf "%s\t%s\t%s\t%+.2f %%\n", run, smpi, $2, 100 * ($2 / smpi - 1) }' report
done
