/* Loads the input as a platform file.  An accepted platform is walked, written and read again. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platforms/platform.h"
#include "tests/fuzz/input.h"

enum { MOST_HOSTS = 64, MOST_LINKS = 1 << 20 };

/* Hosts must have unique names.  Routes must consist of existing links with names, bandwidths and
 * latencies. */
static void check_hosts(const struct platform *p)
{
  char name[PLATFORM_NAME_SIZE];
  struct platform_finder *f;
  struct err e;
  const uint32_t n = platform_hosts(p);
  if (platform_finder_new(&f, p, &e) != OK)
    abort();
  for (uint32_t h = 0; h < n && h < MOST_HOSTS; h++) {
    uint32_t found;
    struct platform_route route;
    if (!platform_find_host(p, platform_host_name(p, h, name, sizeof name), &found) || found != h)
      abort();
    if (!isfinite(platform_host_speed(p, h)) || platform_host_speed(p, h) <= 0 ||
        platform_host_cores(p, h) == 0)
      abort();
    if (platform_route(f, h, n - 1 - h, &route, &e) != OK || route.latency_s < 0)
      abort();
    for (uint32_t i = 0; i < route.links; i++) {
      const struct platform_link l = platform_link(p, route.link[i]);
      if (!platform_has_link(p, route.link[i]) || l.bandwidth <= 0 || l.latency_s < 0 ||
          *platform_link_name(p, route.link[i], name, sizeof name) == '\0')
        abort();
    }
  }
  platform_finder_free(f);
}

/* The names, the latency and the topology must survive being written and read. */
static void check_round_trip(const struct platform *p)
{
  char path[64], first[PLATFORM_NAME_SIZE], second[PLATFORM_NAME_SIZE];
  struct err e;
  struct platform *again;
  snprintf(path, sizeof path, "/tmp/haichi-fuzz.%ld", (long)getpid());
  if (platform_save(p, path, &e) != OK || platform_load(&again, path, &e) != OK)
    abort();
  if (strcmp(topology_spec(platform_topology(p)), topology_spec(platform_topology(again))) != 0)
    abort();
  platform_link_name(p, 0, first, sizeof first);
  platform_link_name(again, 0, second, sizeof second);
  if (strcmp(first, second) != 0 || platform_latency(p) != platform_latency(again))
    abort();
  platform_free(again);
  unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[64];
  struct err e;
  struct platform *p;
  const int fd = input_file(path, sizeof path, data, size);
  if (platform_load(&p, path, &e) == OK) {
    const struct topology *t = platform_topology(p);
    const bool small = !platform_is_opaque(p) && (t == NULL || topology_diameter(t) < MOST_LINKS);
    if (small && platform_hosts(p) > 0)
      check_hosts(p);
    if (small && t != NULL)
      check_round_trip(p);
    platform_free(p);
  }
  close(fd);
  return 0;
}
