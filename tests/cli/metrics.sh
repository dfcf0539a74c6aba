#!/bin/sh
# usage: tests/cli/metrics.sh HAICHI
# The max link load of `metrics` equals the largest entry of `sim --links`, for all committed traces.
. "$(dirname "$0")/../shell.sh"
for trace in "$root"/tests/data/*.tar.zst; do
  case $trace in
  *.64.*) platforms='torus:4x4x4 mesh:4x4x4 hypercube:6' ;;
  *) platforms='torus:4x4 mesh:4x4 hypercube:4' ;;
  esac
  for platform in $platforms; do
    for mapping in xyz random:seed=3; do
      "$haichi" sim -p "$platform" -t "$trace" -m "$mapping" --compute-scale 0 --links links \
        >/dev/null 2>&1
      simulated=$(tail -n +2 links | cut -f3 | sort -rn | head -n 1)
      computed=$("$haichi" metrics -p "$platform" -t "$trace" "$mapping" |
        sed -n 's/^max_link_load_bytes.//p')
      [ -n "$computed" ] && [ "$simulated" = "$computed" ] ||
        fail "$trace on $platform, $mapping: sim $simulated, metrics $computed"
    done
  done
done
exit $status
