/* Loads any bytes as a platform file; what is accepted is walked, written and read again. */
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platforms/platform.h"
#include "tests/fuzz/input.h"

#define MAX_LOOKED_AT 256 /* hosts of a platform */

static void check_hosts(const struct platform *p, const struct topology *t)
{
  char name[PLATFORM_NAME_SIZE];
  const uint32_t n = topology_hosts(t);
  uint32_t *links = calloc(topology_diameter(t) + 1, sizeof *links);
  if (links == NULL)
    abort();
  for (uint32_t h = 0; h < n && h < MAX_LOOKED_AT; h++) {
    uint32_t found;
    if (!platform_find_host(p, platform_host_name(p, h, name, sizeof name), &found) || found != h)
      abort();
    if (!isfinite(platform_host_speed(p, h)) || platform_host_speed(p, h) <= 0)
      abort();
    const uint32_t hops = topology_route(t, h, n - 1 - h, links);
    if (hops != topology_hops(t, h, n - 1 - h) || hops > topology_diameter(t))
      abort();
    for (uint32_t i = 0; i < hops && i < MAX_LOOKED_AT; i++)
      platform_link_name(p, links[i], name, sizeof name);
  }
  topology_bisection(t);
  free(links);
}

/* The names and the topology must survive being written and read. */
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
    if (t != NULL && topology_diameter(t) < 1u << 20) {
      check_hosts(p, t);
      check_round_trip(p);
    }
    platform_free(p);
  }
  close(fd);
  return 0;
}
