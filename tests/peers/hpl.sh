#!/bin/sh
# usage: tests/peers/hpl.sh BUILD
# The messages and kernels of generator hpl against HPL itself, of Debian's package hpcc, recorded with haichi record.
# Compares call by call, with rank, tag and bytes, the messages of panels, and apart from them all others.  GRIDS: words
# PxQ:SWAP; each runs with both depths and all broadcasts.  hpcc also runs its other tests, which takes seconds to minutes for
# each grid.
# Then compares the kernels of a 2x2 grid: the number of calls, and the sums over calls of the products of their sizes.  Calls
# with a size of 0 do not count.  The number of calls of dcopy depends on the values of the matrix, so it is only printed.
set -eu
build=$(cd "$1" && pwd)
: "${GRIDS:=2x2:0 1x4:1 3x2:2}" "${N:=61}" "${NB:=4}"
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
root=$PWD
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
command -v hpcc >/dev/null || die "hpcc is not installed: apt-get install hpcc"
cd "$work"

# input P Q SWAP BROADCASTS DEPTHS RUNS: prints hpccinf.txt
input() {
  blocks=$(yes "$NB" | head -n "$6" | tr '\n' ' ')
  cat <<T
HPLinpack benchmark input file
grid $1 x $2
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
$N           Ns
$6           # of NBs
$blocks      NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
$1           Ps
$2           Qs
-1.0         threshold
1            # of panel fact
1            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
2            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
2            RFACTs (0=left, 1=Crout, 2=Right)
$(echo "$4" | wc -w)            # of broadcast
$4           BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
$(echo "$5" | wc -w)            # of lookahead depth
$5           DEPTHs (>=0)
$3           SWAP (0=bin-exch,1=long,2=mix)
16           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0            Number of additional problem sizes for PTRANS
1200         values of N
0            number of additional blocking sizes for PTRANS
40           values of NB
T
}

# calls FILE: prints one rank's messages with tags of HPL, in bytes; a relay counts as a receive and a send
calls() {
  awk '
    BEGIN { size[0] = 8; size[1] = 4; size[6] = 1; size[""] = 1 }
    function put(call, peer, tag, n) { if (tag >= 1001 && tag <= 4000) print (tag >= 2001 && tag <= 3000 ? "panel" : "other"), call, peer, tag, n }
    $2 ~ /^(i?send|i?recv|I?Ssend)$/ { put($2, $3, $4, $5 * size[$6]) }
    $2 == "relay" { put("recv", $3, $4, $5 * size[$7]); if ($6 >= 0) put("send", $6, $4, $5 * size[$7]) }
    $2 == "wait" { put("wait", $3 " " $4, $5, 0) }' "$1" | sort -s -k1,1
}

all=0
for grid in $GRIDS; do
  p=${grid%%x*} q=${grid#*x} swap=${grid#*:}
  q=${q%:*}
  ranks=$((p * q))
  input "$p" "$q" "$swap" '0 1 2 3 4 5' '0 1' 1 >hpccinf.txt
  rm -rf recorded hpccoutf.txt
  "$build/haichi" record -o recorded -- mpirun.openmpi --oversubscribe -np $ranks hpcc >log 2>&1 || die "hpcc on $grid: $(tail -n 1 log)"
  rm -rf made
  mkdir made
  for depth in 0 1; do
    for bcast in 0 1 2 3 4 5; do
      "$build/haichi" trace convert "hpl:N=$N,NB=$NB,P=$p,Q=$q,depth=$depth,bcast=$bcast,swap=$swap,threshold=16,pivots=matrix" -o one 2>log ||
        die "$(cat log)"
      for f in one/ranks/*; do
        cat "$f" >>"made/${f##*/}"
      done
      rm -rf one
      all=$((all + 1))
    done
  done
  for f in made/*; do
    calls "recorded/ranks/${f##*/}" >want
    calls "$f" >got
    [ -s want ] || die "$grid: HPL sent nothing"
    diff want got >difference || die "$grid, ${f##*/}: $(head -n 3 difference | tr '\n' ' ')"
  done
  echo "$grid: equal"
done
echo "$all configurations"

# The other tests of hpcc also call BLAS.  HPL's own calls are the difference between hpcc with two runs of HPL and with one.
cc -shared -fPIC -o blas.so "$root/tests/peers/blas.c"
N=1024 NB=64
for runs in 1 2; do
  input 2 2 0 0 0 $runs >hpccinf.txt
  rm -f hpccoutf.txt
  mpirun.openmpi --oversubscribe -np 4 env BLAS_CALLS="$work/blas$runs" LD_PRELOAD="$work/blas.so" hpcc >log 2>&1 ||
    die "hpcc: $(tail -n 1 log)"
done

# called KERNEL: prints number of calls, and sums of mnk, mn, mk and nk
called() {
  for runs in 1 2; do
    awk -v kernel="$1" -v sign=$((2 * runs - 3)) '$1 == kernel {
      print sign, sign * $2 * $3 * $4, sign * $2 * $3, sign * $2 * $4, sign * $3 * $4 }' blas$runs.*
  done | awk '{ for (i = 1; i <= 5; i++) sum[i] += $i } END { printf "%d %d %d %d %d\n", sum[1], sum[2], sum[3], sum[4], sum[5] }'
}

# charged KERNEL: prints the same numbers of the generator, from five tables of kernels with one term each
charged() {
  for term in 5 1 2 3 4; do
    awk -v kernel="$1" -v term="$term" 'BEGIN { OFS = "\t"
      print "kernel", "host", "cpu", "mnk", "mn", "mk", "nk", "intercept"
      if (kernel != "dgemm") print "dgemm", "*", "*", 0, 0, 0, 0, 0
      print kernel, "*", "*", (term == 1) * 1e-6, (term == 2) * 1e-6, (term == 3) * 1e-6, (term == 4) * 1e-6, (term == 5) * 1e-6 }' >table
    rm -rf one
    "$build/haichi" trace convert "hpl:N=$N,NB=$NB,P=2,Q=2,depth=0,pivots=matrix,kernels=table,speed=1Gf" -o one >log 2>&1 ||
      die "$(cat log)"
    cat one/ranks/* | awk '$2 == "compute" { sum += $3 } END { printf "%d ", sum / 1000 + 0.5 }'
  done
}

for kernel in dgemm dtrsm dgemv dscal idamax dcopy; do
  want=$(called $kernel) got=$(charged $kernel)
  echo "$kernel: $want"
  if [ $kernel = dcopy ]; then
    echo "generator: $got"
  else
    [ "$want" = "${got% }" ] || die "$kernel: $got"
  fi
done
