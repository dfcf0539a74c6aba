/* Compares every route of small platforms, link by link, with the one that SimGrid computes from
 * the file that haichi writes.  One child process a shape, as SimGrid loads one platform only. */
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xbt/dynar.h>

#include "common/err.h"
#include "platforms/platform.h"

#define MAX_HOPS 64

static const char *const SHAPES[] = {
    "torus:1",     "torus:2",       "torus:3",         "torus:4",     "torus:7",
    "torus:5x4",   "torus:6x6",     "torus:2x2",       "torus:1x1",   "torus:4x1x3",
    "torus:3x2x4", "torus:5x3x2x2", "torus:8x2x1",     "torus:9x8",   "torus:4x4x4",
    "mesh:1",      "mesh:2",        "mesh:5",          "mesh:4x3",    "mesh:3x1x4",
    "mesh:1x1",    "mesh:3x2x2x3",  "mesh:7x6",        "hypercube:1", "hypercube:4",
    "hypercube:6", "torus:1x1x1x5", "torus:2x2x2x2x2",
};

/* Prints what differs and returns false. */
static bool compare_route(const struct platform *p, const uint32_t pair[2], sg_host_t const ends[2],
                          xbt_dynar_t route)
{
  uint32_t links[MAX_HOPS];
  char ours[PLATFORM_NAME_SIZE];
  const struct topology *t = platform_topology(p);
  const uint32_t n = topology_route(t, pair[0], pair[1], links);
  xbt_dynar_reset(route);
  sg_host_get_route(ends[0], ends[1], route);
  bool equal = xbt_dynar_length(route) == n && topology_hops(t, pair[0], pair[1]) == n;
  for (uint32_t i = 0; equal && i < n; i++) {
    platform_link_name(p, links[i], ours, sizeof ours);
    equal = strcmp(ours, sg_link_get_name(xbt_dynar_get_as(route, i, sg_link_t))) == 0 &&
            topology_has_link(t, links[i]);
  }
  if (!equal)
    printf("%s: the route from host %u to host %u differs\n", topology_spec(t), pair[0], pair[1]);
  return equal;
}

/* The hosts in the platform's order, found in SimGrid by name; NULL if one is missing. */
static sg_host_t *find_hosts(const struct platform *p)
{
  const uint32_t n = platform_hosts(p);
  sg_host_t *hosts = calloc(n, sizeof *hosts);
  for (uint32_t h = 0; hosts != NULL && h < n; h++) {
    char name[PLATFORM_NAME_SIZE];
    if ((hosts[h] = sg_host_by_name(platform_host_name(p, h, name, sizeof name))) != NULL)
      continue;
    printf("SimGrid has no host %s\n", name);
    free(hosts);
    return NULL;
  }
  return hosts;
}

/* A host's route to itself is its loopback, which is no link of the topology. */
static bool compare_all(const struct platform *p)
{
  const uint32_t n = platform_hosts(p);
  uint32_t links[MAX_HOPS];
  sg_host_t *hosts = find_hosts(p);
  xbt_dynar_t route = xbt_dynar_new(sizeof(sg_link_t), NULL);
  bool equal = hosts != NULL;
  for (uint32_t i = 0; equal && i < n * n; i++) {
    const uint32_t pair[2] = {i / n, i % n};
    const sg_host_t ends[2] = {hosts[pair[0]], hosts[pair[1]]};
    equal = pair[0] == pair[1] ? topology_route(platform_topology(p), pair[0], pair[1], links) == 0
                               : compare_route(p, pair, ends, route);
  }
  xbt_dynar_free(&route);
  free(hosts);
  return equal;
}

static bool check_shape(const char *spec, const char *file, char *program)
{
  struct err e;
  struct platform *p;
  if (platform_from_spec(&p, spec, NULL, &e) != OK || platform_save(p, file, &e) != OK) {
    printf("%s\n", e.text);
    return false;
  }
  char *arguments[] = {program, NULL};
  int count = 1;
  simgrid_init(&count, arguments);
  simgrid_load_platform(file);
  const bool equal = compare_all(p);
  const unsigned long n = platform_hosts(p);
  if (equal)
    printf("%s %lu hosts %lu routes equal\n", spec, n, n * n);
  platform_free(p);
  return equal;
}

static bool run_child(const char *spec, const char *file, char *program)
{
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const bool equal = check_shape(spec, file, program);
    fflush(stdout);
    _exit(equal ? 0 : 1);
  }
  int status;
  if (child > 0 && waitpid(child, &status, 0) == child && status == 0)
    return true;
  printf("%s: failed\n", spec);
  return false;
}

int main(int argc, char **argv)
{
  char file[] = "/tmp/haichi-routes-XXXXXX";
  const int fd = mkstemp(file);
  if (argc < 1 || fd < 0)
    return 1;
  close(fd);
  bool equal = true;
  for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++)
    equal = run_child(SHAPES[i], file, argv[0]) && equal;
  unlink(file);
  return equal ? 0 : 1;
}
