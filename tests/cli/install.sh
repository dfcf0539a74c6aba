#!/bin/sh
# usage: tests/cli/install.sh HAICHI
# `make install` into a scratch folder installs exactly the listed files.  They work from another folder and complete words,
# and `make uninstall` removes them.
. "$(dirname "$0")/../shell.sh"
# The build that is under test: build/CC or build/CC-san.
build=$(basename "$(dirname "$haichi")")
unset SAN
case $build in
*-san) SAN=1 ;;
esac
# makes TARGET
makes()
{
  make -s -C "$root" "$1" "CC=${build%-san}" "SAN=${SAN-}" "DESTDIR=$work" PREFIX=/opt
}

(umask 077 && makes install) || exit 1

version=$("$haichi" --version | sed 's/^haichi \([^ ]*\).*/\1/;q')
cat >expected <<END
opt/bin/haichi
opt/include/haichi/error.h
opt/include/haichi/haichi.h
opt/include/haichi/mapper.h
opt/include/haichi/mapping.h
opt/include/haichi/metrics.h
opt/include/haichi/mpi.h
opt/include/haichi/platform.h
opt/include/haichi/simulation.h
opt/include/haichi/trace.h
opt/include/haichi/traffic.h
opt/lib/haichi/libhaichi-record-mpich.so
opt/lib/haichi/libhaichi-record-openmpi.so
opt/lib/haichi/libhaichi-record.so
opt/lib/haichi/libhaichi-reorder-mpich.so
opt/lib/haichi/libhaichi-reorder-openmpi.so
opt/lib/haichi/libhaichi-reorder-smpi.so
opt/lib/haichi/libhaichi-reorder.so
opt/lib/libhaichi-mpich.so.$version
opt/lib/libhaichi-openmpi.so.$version
opt/lib/libhaichi.so.$version
opt/lib/pkgconfig/haichi-mpich.pc
opt/lib/pkgconfig/haichi-openmpi.pc
opt/lib/pkgconfig/haichi.pc
opt/share/bash-completion/completions/haichi
opt/share/haichi/platforms/hypercube-9.xml
opt/share/haichi/platforms/intrigger4-3fw.clusters
opt/share/haichi/platforms/intrigger4-3fw.xml
opt/share/haichi/platforms/intrigger4.clusters
opt/share/haichi/platforms/intrigger4.xml
opt/share/haichi/platforms/mega-homogeneous.clusters
opt/share/haichi/platforms/mega-homogeneous.xml
opt/share/haichi/platforms/mega-table8.clusters
opt/share/haichi/platforms/mega-table8.xml
opt/share/haichi/platforms/mesh-16x16.xml
opt/share/haichi/platforms/torus-8x8x8.xml
opt/share/haichi/predict/runtime/haichi_blocks.c
opt/share/haichi/predict/runtime/haichi_blocks.h
opt/share/haichi/scripts/calibrate/Makefile
opt/share/haichi/scripts/calibrate/blas.c
opt/share/haichi/scripts/calibrate/kernel.c
opt/share/haichi/scripts/calibrate/load.c
opt/share/haichi/scripts/calibrate/pingpong.c
opt/share/haichi/scripts/demo.sh
opt/share/haichi/scripts/plot_block-error.gp
opt/share/haichi/scripts/plot_block-series.gp
opt/share/haichi/scripts/plot_block-times.gp
opt/share/haichi/scripts/plot_calibration.gp
opt/share/haichi/scripts/plot_collective.gp
opt/share/haichi/scripts/plot_common.gp
opt/share/haichi/scripts/plot_fit.gp
opt/share/haichi/scripts/plot_latency.gp
opt/share/haichi/scripts/plot_link_groups.gp
opt/share/haichi/scripts/plot_links.gp
opt/share/haichi/scripts/plot_matrix.gp
opt/share/haichi/scripts/plot_metrics.gp
opt/share/haichi/scripts/plot_speedup.gp
opt/share/haichi/scripts/plot_sweep.gp
opt/share/haichi/scripts/plot_timeline.gp
opt/share/haichi/scripts/plot_use.gp
opt/share/haichi/scripts/plot_wan.gp
opt/share/haichi/scripts/report.css
opt/share/haichi/scripts/report.html
opt/share/haichi/scripts/report.js
opt/share/haichi/tests/data/cg.A.64.2it.tar.zst
opt/share/man/man1/haichi.1
opt/share/zsh/site-functions/_haichi
END
find opt -type f | sort | diff expected - || exit 1
hidden=$(find opt ! -perm -o=r)
[ -z "$hidden" ] || fail "others cannot read $hidden"

# The installed scripts find their files relative to themselves, and the program in PATH.
PATH=$work/opt/bin:$PATH
share=$work/opt/share/haichi
mkdir elsewhere && cd elsewhere || exit 1
haichi sim --platform "$share/platforms/torus-8x8x8.xml" --compute-scale 0 \
  --trace "$share/tests/data/cg.A.64.2it.tar.zst" || exit 1
haichi calibrate --sources measure && cmp measure/kernel.c "$share/scripts/calibrate/kernel.c" || exit 1
haichi trace matrix "$share/tests/data/cg.A.64.2it.tar.zst" -o matrix.tsv || exit 1
haichi plot matrix matrix.tsv -o matrix.svg || exit 1
sh "$share/scripts/demo.sh" || exit 1
[ -s results/demo/mesh/plots/speedup.svg ] || exit 1

# completes WORD...: prints the completions of the last word in bash
completes()
{
  # shellcheck disable=SC2016 # the inner shell's
  bash -c '. "$0" && COMP_WORDBREAKS=" :=" COMP_LINE="$*" && COMP_POINT=${#COMP_LINE} && _haichi && printf "%s\n" "${COMPREPLY[@]}"' \
    "$work/opt/share/bash-completion/completions/haichi" "$@" | tr '\n' ' '
}

# expects WANT WORD...
expects()
{
  want=$1
  shift
  got=$(completes "$@")
  [ "$got" = "$want" ] || fail "$*: completes to '$got', not '$want'"
}

mkdir empty && cd empty && touch mine.tsv || exit 1
expects 'compare ' haichi compa
expects 'calibrate ' haichi cal
expects '--kernel ' haichi calibrate --k
expects 'matrix ' haichi trace ma
expects '--unpack-limit ' haichi trace info --un
expects '--partial --per-rank --platform --precision ' haichi sim --p
expects 'random ' haichi map ra
expects 'torus: ' haichi sim -p to
expects 'csv paje chrome otf2 ' haichi sim --timeline-format ''
expects 'paje chrome ' haichi explain --timeline-format ''
expects 'hostfile ' haichi map --format h
expects 'svg png pdf eps ' haichi compare --format ''
expects 'tsv json ' haichi sim --format ''
expects 'abstract flow simgrid simgrid-full ' haichi schedule --model ''
expects 'smpi lv08 cm02 ' haichi sim -M ''
expects 'fmopt fmopt-half ' haichi sim -m fm
expects 'simgrid simgrid-full ' haichi sim --engine simg
expects 'speedup ' haichi plot sp
expects 'mappers models matrices ' haichi list m
expects 'info matrix npb convert ' haichi trace ''
expects 'compare ' haichi help com
expects 'npb: ' haichi sim -t n
expects 'cg.A.64 cg.C.512@10 ' haichi sim -t npb:c
expects 'greedy ' haichi compare -m xyz gr
expects 'scotch ' haichi compare --mapper xyz --mapper sc
expects 'tasks: ' haichi compare --background t
expects '10,seed=1 ' haichi sim --background tasks:
expects 'simgrid simgrid-full ' haichi sim --engine=simg
expects 'arithmetic ' haichi calibrate --kernel a
expects 'none random cluster group ' haichi schedule --steal ''
expects 'settled separate ' haichi predict --method se
expects 'mine.tsv ' haichi plot speedup m
expects ' ' haichi sim --engine mi
expects ' ' haichi trace mi
expects ' ' haichi list mi

# Files of other versions and of others stay.
others="libhaichi-extra.so libhaichi.so.9.0 pkgconfig/haichi-extra.pc"
(cd "$work/opt/lib" && touch $others && ln -sf libhaichi.so.9.0 libhaichi.so) || exit 1
makes uninstall || exit 1
left=$(cd "$work/opt" && find . ! -type d | sort | tr '\n' ' ')
[ "$left" = './lib/libhaichi-extra.so ./lib/libhaichi.so ./lib/libhaichi.so.9.0 ./lib/pkgconfig/haichi-extra.pc ' ] ||
  fail "make uninstall leaves: $left"

# A blank would make `make uninstall` remove the folder before it.
for prefix in '/opt/my tools' '/opt '; do
  make -s -C "$root" -n uninstall "PREFIX=$prefix" >log 2>&1 && fail "'$prefix' is accepted"
  grep -q 'PREFIX and DESTDIR must not contain blanks' log || fail "'$prefix': $(cat log)"
done
exit $status
