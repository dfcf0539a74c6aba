/* Reads the input as a description of clusters, and as the parameters of random clusters.  An
 * accepted input must give a platform with hosts and routes. */
#include <string.h>

#include "platforms/clusters/clusters.h"
#include "platforms/clusters/multicluster.h"
#include "platforms/platform.h"
#include "tests/fuzz/input.h"

enum { MOST_HOSTS = 5000, MOST_SITES = 40, LONGEST = 100 };

static bool is_small(const struct multicluster *m)
{
  uint64_t hosts = 0;
  for (uint32_t i = 0; i < m->sites; i++)
    hosts += topology_hosts(m->site[i].c.topology);
  return hosts < MOST_HOSTS && m->sites < MOST_SITES;
}

/* Each host must be in a cluster and have a route to the last host. */
static void check_platform(const struct platform *p)
{
  struct platform_clusters c;
  struct platform_finder *f;
  struct err e;
  const uint32_t n = platform_hosts(p);
  if (platform_clusters_find(&c, p, &e) != OK || platform_finder_new(&f, p, &e) != OK)
    abort();
  for (uint32_t h = 0; h < n; h++) {
    struct platform_route route;
    if (c.of_host[h] >= c.count || platform_host_speed(p, h) <= 0 ||
        platform_route(f, h, n - 1, &route, &e) != OK || route.links == 0)
      abort();
  }
  platform_finder_free(f);
  platform_clusters_clear(&c);
}

/* Every description that has been read gives a platform.  The reader of its XML refuses a second
 * link or host of the same name. */
static void check_spec(const char *spec)
{
  struct platform *p;
  struct err e;
  if (platform_from_spec(&p, spec, NULL, &e) != OK)
    abort();
  check_platform(p);
  platform_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[64], spec[LONGEST + 80];
  struct multicluster m = {0};
  struct err e;
  const int fd = input_file(path, sizeof path, data, size);
  if (multicluster_read(&m, path, &e) == OK && is_small(&m)) {
    snprintf(spec, sizeof spec, "clusters:%s", path);
    check_spec(spec);
  }
  multicluster_clear(&m);
  close(fd);
  snprintf(spec, sizeof spec, "random-clusters:%.*s", size < LONGEST ? (int)size : LONGEST,
           (const char *)data);
  if (multicluster_draw(&m, spec + strlen("random-clusters:"), &e) == OK && is_small(&m))
    check_spec(spec);
  multicluster_clear(&m);
  return 0;
}
