#!/bin/sh
# usage: tests/debian.sh SUITE [COMMIT]
# Installs Debian's release SUITE (bookworm, trixie) into a folder, with git, gcc and make alone, and runs `make demo`
# and `make check` there, in a clone of COMMIT (HEAD).  Needs root.  The mirror is the one that apt uses here.
# KEEP=DIR: the folder, which is kept, and may hold an earlier installation.
set -eu

suite=${1:?usage: tests/debian.sh SUITE [COMMIT], SUITE bookworm or trixie}
commit=${2:-HEAD}
root=$(cd "$(dirname "$0")/.." && pwd)
if [ "$(id -u)" -ne 0 ]; then
  echo 'debian.sh: only root can make a chroot' >&2
  exit 1
fi

# All mounts are in a separate namespace and vanish with its last process.
if [ "${HAICHI_DEBIAN_INSIDE:-}" != yes ]; then
  folder=${KEEP:-$(mktemp -d /var/tmp/haichi-debian-XXXXXX)}
  [ -n "${KEEP:-}" ] || trap 'rm -rf "$folder"' EXIT
  trap 'exit 1' HUP INT TERM
  mkdir -p "$folder"
  status=0
  HAICHI_DEBIAN_INSIDE=yes HAICHI_DEBIAN_FOLDER=$folder \
    unshare --mount --pid --fork --kill-child "$0" "$suite" "$commit" || status=$?
  exit "$status"
fi
folder=$HAICHI_DEBIAN_FOLDER

mirror=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
  awk '$2 == "main" && $1 !~ /security/ { print $1; exit }')
if [ -z "$mirror" ]; then
  echo 'debian.sh: apt names no mirror of Debian (run apt-get update first)' >&2
  exit 1
fi

if ! [ -e "$folder/etc/debian_version" ]; then
  echo "installing $suite" >&2
  debootstrap --variant=minbase --include=git,gcc,make,ca-certificates "$suite" "$folder" "$mirror" >"$folder.log" 2>&1 || {
    tail -n 20 "$folder.log" >&2
    exit 1
  }
  rm -f "$folder.log"
fi
apt-config dump Acquire | grep '^Acquire::[a-z]*::Proxy ' >"$folder/etc/apt/apt.conf.d/proxy" || :
# Open MPI 4 looks up the name of the machine.
cp /etc/resolv.conf /etc/hosts "$folder/etc"
mount -t proc proc "$folder/proc"
mount -t sysfs -o ro sysfs "$folder/sys"
mount --rbind /dev "$folder/dev"
rm -rf "$folder/root/haichi"
git clone -q "$root" "$folder/root/haichi"
git -C "$folder/root/haichi" checkout -q "$(git -C "$root" rev-parse "$commit")"

inside()
{
  env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
    chroot "$folder" sh -c "cd /root/haichi && $*"
}
inside cat /etc/debian_version
inside make demo
inside ls -l haichi
inside make check
