#!/bin/sh
# usage: scripts/install-deps.sh [LIST...]
# Installs the Debian packages of the lists; without a list, of `build`.  Packages that are installed already are skipped.
# The lists are `build`, to build, run and test haichi; `slurm`, for make check-slurm; `hpl`, for make hpl; `browser`, for
# make check-report; `debian`, for make check-debian.  Runs apt-get as root or through sudo, and asks no questions.
set -eu

build="gcc g++ make libc6-dev libsimgrid-dev libxml2-dev libarchive-dev libzstd-dev libjansson-dev libqpdf-dev nettle-dev libcmocka-dev libscotch-dev libhwloc-dev libpfm4-dev libopen-trace-format2-dev otf2-tools \
gnuplot-nox clang clang-format libclang-dev libclang-rt-dev openmpi-bin libopenmpi-dev mpich libmpich-dev libblas-dev gfortran man-db pkgconf time zstd xz-utils"
slurm="slurm-wlm munge parallel"
hpl="hpcc"
browser="chromium python3 fonts-dejavu-core"
debian="debootstrap"

packages=
for list in "${@:-build}"; do
  case $list in
  build) packages="$packages $build" ;;
  slurm) packages="$packages $slurm" ;;
  hpl) packages="$packages $hpl" ;;
  browser) packages="$packages $browser" ;;
  debian) packages="$packages $debian" ;;
  *)
    echo "install-deps.sh: unknown list '$list'; the lists are build, slurm, hpl, browser and debian" >&2
    exit 2
    ;;
  esac
done

missing=
for p in $packages; do
  dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null | grep -qx installed ||
    missing="$missing $p"
done
[ -n "$missing" ] || exit 0

echo "installing:$missing" >&2
as_root=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "install-deps.sh: not root, and sudo is not installed; install these packages as root:$missing" >&2
    exit 1
  }
  as_root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq >&2
# shellcheck disable=SC2086 # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
