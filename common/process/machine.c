#include "common/process/machine.h"

#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "common/num.h"

static const struct machine_cgroups SYSTEM = {"/proc/self/cgroup", "/sys/fs/cgroup"};

/* Reads the first line of a file, at most @p size - 1 bytes.  False if it cannot be read. */
static bool read_words(const char *path, char *text, size_t size)
{
  FILE *f = fopen(path, "re");
  if (f == NULL)
    return false;
  const size_t n = fread(text, 1, size - 1, f);
  fclose(f);
  text[n] = '\0';
  text[strcspn(text, "\n")] = '\0';
  return n > 0;
}

/* False if the text is not a number, such as "max" or "-1", which mean no limit. */
static bool read_number(const char *text, uint64_t *out)
{
  struct err ignored;
  return num_u64(text, UINT64_MAX, out, &ignored) == OK;
}

/* True if @p list, controllers in the v1 format ("cpu,cpuacct"), contains @p name. */
static bool has_controller(const char *list, const char *name)
{
  const size_t n = strlen(name);
  for (const char *word = list;; word++) {
    if (strncmp(word, name, n) == 0 && (word[n] == ',' || word[n] == '\0'))
      return true;
    if ((word = strchr(word, ',')) == NULL)
      return false;
  }
}

/* The path in a line "NUMBER:CONTROLLERS:PATH", which it splits in place.  A v2 line lists no
 * controllers.  NULL for a v1 line of another controller. */
static char *path_in(char *line, const char *controller, bool *v2)
{
  char *list = strchr(line, ':'), *path = list == NULL ? NULL : strchr(list + 1, ':');
  if (path == NULL)
    return NULL;
  *list++ = '\0';
  *path++ = '\0';
  path[strcspn(path, "\n")] = '\0';
  *v2 = *list == '\0';
  return *v2 || has_controller(list, controller) ? path : NULL;
}

/* Lowers *least to the limit of the control group at @p folder, if it has one. */
typedef void limit_fn(const char *folder, bool v2, double *least);

/* Calls @p look for the folder of the group and for each parent.  In a container the folder of the
 * group may be mounted as the root, so that @p path does not exist there. */
static void look_upwards(const char *root, const char *path, bool v2, limit_fn *look, double *least)
{
  char folder[PATH_MAX];
  const size_t shortest = strlen(root);
  if (snprintf(folder, sizeof folder, "%s%s", root, path) >= (int)sizeof folder)
    return;
  for (;;) {
    look(folder, v2, least);
    char *slash = strrchr(folder, '/');
    if (slash == NULL || (size_t)(slash - folder) < shortest)
      return;
    *slash = '\0';
  }
}

static double least_limit(const struct machine_cgroups *g, const char *controller, limit_fn *look)
{
  double least = INFINITY;
  char line[PATH_MAX + 256], root[PATH_MAX];
  FILE *f = fopen(g->membership, "re");
  while (f != NULL && fgets(line, sizeof line, f) != NULL) {
    bool v2;
    const char *path = path_in(line, controller, &v2);
    if (path == NULL)
      continue;
    snprintf(root, sizeof root, "%s%s%s", g->root, v2 ? "" : "/", v2 ? "" : controller);
    look_upwards(root, path, v2, look, &least);
  }
  if (f != NULL)
    fclose(f);
  return least;
}

static void look_at_memory(const char *folder, bool v2, double *least)
{
  char path[PATH_MAX + 32], text[64];
  uint64_t bytes;
  snprintf(path, sizeof path, "%s/%s", folder, v2 ? "memory.max" : "memory.limit_in_bytes");
  if (read_words(path, text, sizeof text) && read_number(text, &bytes))
    *least = fmin(*least, (double)bytes);
}

static void take_quota(uint64_t quota, uint64_t period, double *least)
{
  if (period > 0)
    *least = fmin(*least, fmax(1, ceil((double)quota / (double)period)));
}

/* v2: one file "QUOTA PERIOD", where "max" is no quota. v1: two files; a quota of -1 is no quota.
 */
static void look_at_cores(const char *folder, bool v2, double *least)
{
  char path[PATH_MAX + 32], text[64], other[64];
  uint64_t quota, period;
  snprintf(path, sizeof path, "%s/%s", folder, v2 ? "cpu.max" : "cpu.cfs_quota_us");
  if (!read_words(path, text, sizeof text))
    return;
  char *blank = strchr(text, ' ');
  if (v2 && blank != NULL) {
    *blank = '\0';
    snprintf(other, sizeof other, "%s", blank + 1);
  } else {
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    if (v2 || !read_words(path, other, sizeof other))
      return;
  }
  if (read_number(text, &quota) && read_number(other, &period))
    take_quota(quota, period, least);
}

uint64_t machine_cgroup_memory(const struct machine_cgroups *g)
{
  const double bytes = least_limit(g, "memory", look_at_memory);
  return bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
}

uint32_t machine_cgroup_cores(const struct machine_cgroups *g)
{
  const double cores = least_limit(g, "cpu", look_at_cores);
  return cores < UINT32_MAX ? (uint32_t)cores : UINT32_MAX;
}

static uint32_t affinity_cores(void)
{
  cpu_set_t *set = CPU_ALLOC(1 << 16);
  const size_t size = CPU_ALLOC_SIZE(1 << 16);
  const int n = set != NULL && sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 1;
  CPU_FREE(set);
  return n < 1 ? 1 : (uint32_t)n;
}

uint32_t machine_cores(void)
{
  const uint32_t mask = affinity_cores(), quota = machine_cgroup_cores(&SYSTEM);
  return mask < quota ? mask : quota;
}

uint64_t machine_memory(void)
{
  struct rlimit limit;
  uint64_t least = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  const uint64_t group = machine_cgroup_memory(&SYSTEM);
  least = group < least ? group : least;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < least)
    least = limit.rlim_cur;
  return least;
}

static double seconds(clockid_t clock)
{
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double machine_seconds(void)
{
  return seconds(CLOCK_MONOTONIC);
}

double machine_cpu_seconds(void)
{
  return seconds(CLOCK_PROCESS_CPUTIME_ID);
}
