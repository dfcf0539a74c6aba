/* Reads the input as a topology file of Slurm, as the output of ibnetdiscover, and, from a line
 * "----" on, as forwarding tables.  Accepted networks are walked; small ones are written and read
 * again. */
#include <string.h>

#include "platforms/platform.h"
#include "tests/fuzz/input.h"

enum { MOST_HOSTS = 2000, SOME_HOSTS = 40 };

static void check_routes(const struct platform *p)
{
  const struct topology *t = platform_topology(p);
  const uint32_t n = topology_hosts(t);
  uint32_t *links = malloc(topology_diameter(t) * sizeof *links + 1);
  char name[PLATFORM_NAME_SIZE];
  for (uint32_t h = 0; h < n; h++) {
    uint32_t found;
    const uint32_t hops = topology_route(t, h, n - 1 - h, links);
    if (!platform_find_host(p, platform_host_name(p, h, name, sizeof name), &found) || found != h ||
        hops != topology_hops(t, h, n - 1 - h) || hops > topology_diameter(t))
      abort();
    for (uint32_t i = 0; i < hops; i++)
      if (!topology_has_link(t, links[i]) || platform_link(p, links[i]).bandwidth <= 0)
        abort();
  }
  free(links);
}

/* A file that has been written has the same hosts, numbered by name. */
static void check_file(const struct platform *p)
{
  char path[64], name[PLATFORM_NAME_SIZE];
  struct platform *again;
  struct err e;
  const uint32_t n = platform_hosts(p);
  if (n > SOME_HOSTS || !platform_savable(p))
    return;
  snprintf(path, sizeof path, "/tmp/haichi-fuzz.%ld", (long)getpid());
  if (platform_save(p, path, &e) != OK)
    abort();
  if (platform_load(&again, path, &e) == OK) { /* not if two links have one name */
    uint32_t found;
    for (uint32_t h = 0; h < n; h++)
      if (platform_hosts(again) != n ||
          !platform_find_host(again, platform_host_name(p, h, name, sizeof name), &found))
        abort();
    platform_free(again);
  }
  unlink(path);
}

static void check_spec(const char *spec)
{
  struct platform *p;
  struct err e;
  if (platform_from_spec(&p, spec, NULL, &e) != OK)
    return;
  if (platform_hosts(p) <= MOST_HOSTS)
    check_routes(p);
  check_file(p);
  platform_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char cut[] = "----\n";
  char path[64], tables[64], spec[256];
  const uint8_t *middle = size == 0 ? NULL : memmem(data, size, cut, strlen(cut));
  const size_t first = middle == NULL ? size : (size_t)(middle - data);
  const size_t skip = middle == NULL ? size : first + strlen(cut);
  const int fd = input_file(path, sizeof path, data, first);
  const int other = input_file(tables, sizeof tables, data + skip, size - skip);
  snprintf(spec, sizeof spec, "slurm:%s,cables=1+2", path);
  check_spec(spec);
  snprintf(spec, sizeof spec, "ib:%s,routing=updown", path);
  check_spec(spec);
  snprintf(spec, sizeof spec, "ib:%s", path);
  check_spec(spec);
  snprintf(spec, sizeof spec, "ib:%s,lft=%s", path, tables);
  check_spec(spec);
  close(fd);
  close(other);
  return 0;
}
