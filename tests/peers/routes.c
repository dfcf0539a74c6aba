/* usage: routes [SPEC | FILE.xml]...
 * Compares the links and latencies of routes with SimGrid for the same file: all pairs of a
 * platform with at most MOST_PAIRS, RANDOM_PAIRS random pairs of a larger one.  Runs one child
 * process per platform, because SimGrid loads only one platform per process.  Without arguments:
 * tests specs of every kind.  Exits 1 if a route differs, or if a platform has none to compare. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "sim/simgrid/api.h"

enum { MOST_PAIRS = 40000, RANDOM_PAIRS = 10000 };

static const char *const SPECS[] = {
    "torus:1",
    "torus:2",
    "torus:3",
    "torus:4",
    "torus:7",
    "torus:5x4",
    "torus:6x6",
    "torus:2x2",
    "torus:1x1",
    "torus:4x1x3",
    "torus:3x2x4",
    "torus:5x3x2x2",
    "torus:8x2x1",
    "torus:9x8",
    "torus:4x4x4",
    "mesh:1",
    "mesh:2",
    "mesh:5",
    "mesh:4x3",
    "mesh:3x1x4",
    "mesh:1x1",
    "mesh:3x2x2x3",
    "mesh:7x6",
    "hypercube:1",
    "hypercube:4",
    "hypercube:6",
    "torus:1x1x1x5",
    "torus:2x2x2x2x2",
    "fattree:k=2",
    "fattree:k=4",
    "fattree:k=6",
    "fattree:k=4,levels=2",
    "fattree:k=4,levels=4",
    "fattree:down=4x4,up=1x2,cables=1x2",
    "fattree:down=3x5,up=2x4,cables=1x1",
    "fattree:down=3x2x4,up=1x3x2,cables=2x1x3",
    "fattree:down=5,up=3,cables=2",
    "fattree:down=2x3x2x2,up=3x1x2x2,cables=3x2x1x2",
    "fattree:down=1x4,up=2x2,cables=1x3",
    "fattree:down=4x1x3,up=1x2x2,cables=2x2x2",
    "dragonfly:groups=1,chassis=1,routers=1,nodes=3",
    "dragonfly:groups=2,chassis=1,routers=2,nodes=2",
    "dragonfly:groups=3,chassis=4,routers=5,nodes=2,blue=4,black=3,green=1",
    "dragonfly:groups=4,chassis=3,routers=4,nodes=2",
    "dragonfly:groups=5,chassis=2,routers=7,nodes=1,green=2",
    "dragonfly:groups=1,chassis=3,routers=2,nodes=3,black=2",
    "dragonfly:groups=6,chassis=1,routers=6,nodes=3,blue=2",
    "dragonfly:groups=2,chassis=5,routers=3,nodes=2",
    "dragonfly:groups=7,chassis=2,routers=9,nodes=1",
    "star:1",
    "star:9",
    "star:70",
    "star:5,backbone=1GBps",
    "star:6,backbone=3GBps,latency=2us,fat=1",
    "star:5,backbone=1GBps,node=core:4",
    "torus:3x4,node=pack:2 numa:2 l3:2 core:2",
    "mesh:5,node=pack:2 core:3;machine=1us:2GBps:3GBps",
    "fattree:down=2x3,up=1x2,cables=1x2,node=pack:2 l2:2 core:2",
    "dragonfly:groups=3,chassis=4,routers=5,nodes=2,node=core:2",
};

/* A platform in both simulators. */
struct both {
  const struct platform *p;
  struct platform_finder *f;
  struct simgrid_api sg;
  sg_host_t *host; /* hosts of SimGrid in the order of the platform */
};

static bool is_same_link(const struct both *b, uint32_t link, sg_link_t theirs)
{
  char name[PLATFORM_NAME_SIZE];
  const struct platform_link ours = platform_link(b->p, link);
  const char *text = platform_link_name(b->p, link, name, sizeof name);
  return strcmp(text, b->sg.sg_link_get_name(theirs)) == 0 && platform_has_link(b->p, link) &&
         ours.bandwidth == b->sg.sg_link_get_bandwidth(theirs) &&
         ours.latency_s == b->sg.sg_link_get_latency(theirs) &&
         ours.fat == !b->sg.sg_link_is_shared(theirs);
}

static void print_both(const struct both *b, const uint32_t pair[2],
                       const struct platform_route *ours, const sg_link_t *theirs, uint32_t n,
                       double latency_s)
{
  char name[PLATFORM_NAME_SIZE];
  printf("  %s to %s: %u links and %.17g s, SimGrid %u and %.17g:",
         b->sg.sg_host_get_name(b->host[pair[0]]), b->sg.sg_host_get_name(b->host[pair[1]]),
         ours->links, ours->latency_s, n, latency_s);
  for (uint32_t i = 0; i < ours->links; i++)
    printf(" %s", platform_link_name(b->p, ours->link[i], name, sizeof name));
  printf(", SimGrid:");
  for (uint32_t i = 0; i < n; i++)
    printf(" %s", b->sg.sg_link_get_name(theirs[i]));
  printf("\n");
}

/* Within a node, SimGrid's route back has the same links in reverse order. */
static bool is_among(const struct both *b, uint32_t link, const sg_link_t *theirs, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    if (is_same_link(b, link, theirs[i]))
      return true;
  return false;
}

/* Removes the links of the routers of nodes with an inside, which only the file has, and returns
 * the number of links that are left. */
static uint32_t skip_ports(const struct both *b, sg_link_t *theirs, uint32_t n)
{
  uint32_t left = 0;
  for (uint32_t i = 0; i < n; i++) {
    const char *name = b->sg.sg_link_get_name(theirs[i]);
    const size_t length = strlen(name);
    if (length < 5 || strcmp(name + length - 5, "-port") != 0)
      theirs[left++] = theirs[i];
  }
  return left;
}

/* Prints the difference, if any, and returns false. */
static bool compare_route(const struct both *b, const uint32_t pair[2], uint64_t *missing)
{
  struct platform_route ours;
  const sg_host_t src = b->host[pair[0]], dst = b->host[pair[1]];
  sg_link_t *theirs;
  uint32_t n;
  struct err e;
  if (platform_route(b->f, pair[0], pair[1], &ours, &e) != OK) {
    printf("%s\n", e.text);
    return false;
  }
  if (ours.links == 0 && ours.latency_s <= 0) {
    ++*missing; /* SimGrid aborts if there is no route */
    return true;
  }
  if (simgrid_api_route(&b->sg, src, dst, &theirs, &n, &e) != OK) {
    printf("%s\n", e.text);
    return false;
  }
  if (platform_inside(b->p) != NULL)
    n = skip_ports(b, theirs, n);
  const double latency_s = b->sg.sg_host_get_route_latency(src, dst);
  bool equal = n == ours.links && latency_s == ours.latency_s;
  for (uint32_t i = 0; equal && i < n; i++)
    equal = platform_inside(b->p) != NULL ? is_among(b, ours.link[i], theirs, n)
                                          : is_same_link(b, ours.link[i], theirs[i]);
  if (!equal)
    print_both(b, pair, &ours, theirs, n, latency_s);
  free(theirs);
  return equal;
}

/* The hosts of SimGrid in the order of the platform, found by name; NULL if one is missing or
 * differs. */
static sg_host_t *find_hosts(const struct simgrid_api *sg, const struct platform *p)
{
  const uint32_t n = platform_hosts(p);
  sg_host_t *hosts = calloc(n, sizeof *hosts);
  for (uint32_t h = 0; hosts != NULL && h < n; h++) {
    char name[PLATFORM_NAME_SIZE];
    const char *host = platform_host_name(p, h, name, sizeof name);
    hosts[h] = sg->sg_host_by_name(host);
    if (hosts[h] != NULL && sg->sg_host_get_speed(hosts[h]) == platform_full_speed(p, h) &&
        (uint32_t)sg->sg_host_core_count(hosts[h]) == platform_host_cores(p, h))
      continue;
    printf("host %s differs\n", host);
    free(hosts);
    return NULL;
  }
  return hosts;
}

static uint64_t next_random(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *state >> 33;
}

static bool compare_all(struct both *b, uint64_t *compared, uint64_t *missing)
{
  const uint32_t n = platform_hosts(b->p);
  const bool all = (uint64_t)n * n <= MOST_PAIRS;
  uint64_t random = n;
  struct err e;
  if ((b->host = find_hosts(&b->sg, b->p)) == NULL || platform_finder_new(&b->f, b->p, &e) != OK)
    return false;
  bool equal = true;
  *compared = all ? (uint64_t)n * n : RANDOM_PAIRS;
  for (uint64_t i = 0; equal && i < *compared; i++) {
    const uint32_t pair[2] = {(uint32_t)(all ? i / n : next_random(&random) % n),
                              (uint32_t)(all ? i % n : next_random(&random) % n)};
    equal = compare_route(b, pair, missing);
  }
  platform_finder_free(b->f);
  free(b->host);
  return equal;
}

/* SimGrid completes routes, including loopbacks, only when it starts to run. */
static bool check_platform(const char *name, const char *file, char *program)
{
  struct err e;
  struct platform *p;
  const bool spec = platform_is_spec(name);
  if ((spec ? platform_from_spec(&p, name, NULL, &e) : platform_load(&p, name, &e)) != OK ||
      (spec && platform_save(p, file, &e) != OK)) {
    printf("%s\n", e.text);
    return false;
  }
  if (platform_is_opaque(p)) {
    printf("%s opaque\n", name);
    platform_free(p);
    return false;
  }
  char level[] = "--log=root.thresh:critical";
  char *arguments[] = {program, level, NULL};
  int count = 2;
  struct both both = {.p = p};
  if (simgrid_api_open(&both.sg, &e) != OK) {
    printf("%s\n", e.text);
    return false;
  }
  both.sg.simgrid_init(&count, arguments);
  both.sg.simgrid_load_platform(spec ? file : name);
  both.sg.simgrid_run_until(0);
  uint64_t compared, missing = 0;
  const bool equal = compare_all(&both, &compared, &missing) && compared > missing;
  if (equal)
    printf("%s %u hosts %lu routes equal%s\n", name, platform_hosts(p),
           (unsigned long)(compared - missing), missing > 0 ? ", some missing" : "");
  platform_free(p);
  return equal;
}

static bool run_child(const char *name, const char *file, char *program)
{
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const bool equal = check_platform(name, file, program);
    fflush(stdout);
    _exit(equal ? 0 : 1);
  }
  int status;
  if (child > 0 && waitpid(child, &status, 0) == child && status == 0)
    return true;
  printf("%s: failed\n", name);
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
  for (int i = 1; i < argc; i++)
    equal = run_child(argv[i], file, argv[0]) && equal;
  for (size_t i = 0; argc == 1 && i < sizeof SPECS / sizeof *SPECS; i++)
    equal = run_child(SPECS[i], file, argv[0]) && equal;
  unlink(file);
  return equal ? 0 : 1;
}
