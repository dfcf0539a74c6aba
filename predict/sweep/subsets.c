#include "predict/sweep/subsets.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "platforms/clusters/clusters.h"

/* Hosts of one cluster and one speed. */
struct group {
  uint32_t cluster, hosts, first;
  double speed;
};

struct finder {
  const struct platform *platform;
  struct platform_clusters clusters;
  struct group *group; /* fastest first, then by first host */
  size_t room, groups;
  uint32_t *of_host; /* by host: its group */
  uint32_t wanted;   /* hosts in a set */
};

static int compare_groups(const void *a, const void *b)
{
  const struct group *x = a, *y = b;
  return RISING(y->speed, x->speed) ?: RISING(x->first, y->first);
}

/* Finds the group of a host, or adds a new one. */
static enum status find_group(struct finder *f, uint32_t host, size_t *at, struct err *e)
{
  const struct group g = {.cluster = f->clusters.of_host[host],
                          .first = host,
                          .speed = platform_host_speed(f->platform, host)};
  for (size_t i = 0; i < f->groups; i++)
    if (f->group[i].cluster == g.cluster && f->group[i].speed == g.speed) {
      *at = i;
      return OK;
    }
  if (MEM_GROW(f->group, f->room, f->groups + 1, e) != OK)
    return FAIL;
  *at = f->groups;
  f->group[f->groups++] = g;
  return OK;
}

static enum status find_groups(struct finder *f, struct err *e)
{
  const uint32_t hosts = platform_hosts(f->platform);
  size_t at = 0;
  if ((f->of_host = mem_array(hosts, sizeof *f->of_host, e)) == NULL)
    return FAIL;
  for (uint32_t h = 0; h < hosts; h++) {
    if (find_group(f, h, &at, e) != OK)
      return FAIL;
    f->group[at].hosts++;
  }
  qsort(f->group, f->groups, sizeof *f->group, compare_groups);
  for (uint32_t h = 0; h < hosts; h++) {
    if (find_group(f, h, &at, e) != OK)
      return FAIL;
    f->of_host[h] = (uint32_t)at;
  }
  return OK;
}

/* --- sets ------------------------------------------------------------------------------------- */

static bool is_listed(const struct subsets *s, const struct subset *x)
{
  for (size_t i = 0; i < s->count; i++)
    if (memcmp(s->set[i].host, x->host, x->hosts * sizeof *x->host) == 0)
      return true;
  return false;
}

/* Adds a set with the first take[g] hosts of each group, in the order of the platform. */
static enum status add_set(struct subsets *out, const struct finder *f, uint32_t *take,
                           const char *name, struct err *e)
{
  struct subset x = {.host = mem_array(f->wanted, sizeof *x.host, e)};
  if (x.host == NULL)
    return FAIL;
  for (uint32_t h = 0; h < platform_hosts(f->platform) && x.hosts < f->wanted; h++)
    if (take[f->of_host[h]] > 0) {
      take[f->of_host[h]]--;
      x.host[x.hosts++] = h;
    }
  snprintf(x.name, sizeof x.name, "%s", name);
  if (x.hosts == f->wanted && !is_listed(out, &x) &&
      MEM_GROW(out->set, out->room, out->count + 1, e) == OK) {
    out->set[out->count++] = x;
    return OK;
  }
  const bool ok = x.hosts < f->wanted || is_listed(out, &x);
  free(x.host);
  return ok ? OK : FAIL;
}

static void name_set(const struct finder *f, const bool *in, const char *how, char *name)
{
  size_t n = 0;
  *name = '\0';
  for (size_t g = 0; g < f->groups && n < SUBSETS_NAME; g++)
    if (in[g])
      n += (size_t)snprintf(name + n, SUBSETS_NAME - n, "%s%s@%.4gGf", n == 0 ? "" : "+",
                            f->clusters.name[f->group[g].cluster], f->group[g].speed / 1e9);
  if (n < SUBSETS_NAME)
    snprintf(name + n, SUBSETS_NAME - n, "%s", how);
}

static uint32_t size_of(const struct finder *f, const bool *in)
{
  uint64_t n = 0;
  for (size_t g = 0; g < f->groups; g++)
    n += in[g] ? f->group[g].hosts : 0;
  return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

/* Fills the fastest groups of the combination first. */
static void take_fastest(const struct finder *f, const bool *in, uint32_t *take)
{
  uint32_t left = f->wanted;
  for (size_t g = 0; g < f->groups; g++) {
    const uint32_t here = in[g] ? f->group[g].hosts : 0;
    take[g] = here < left ? here : left;
    left -= take[g];
  }
}

/* Takes hosts of each group in proportion to its size; rounding favours the fastest groups. */
static void take_evenly(const struct finder *f, const bool *in, uint32_t *take)
{
  const uint64_t all = size_of(f, in);
  uint64_t before = 0, given = 0;
  for (size_t g = 0; g < f->groups; g++) {
    before += in[g] ? f->group[g].hosts : 0;
    const uint64_t upto = (before * f->wanted + all - 1) / all;
    take[g] = in[g] ? (uint32_t)(upto - given) : 0;
    given = in[g] ? upto : given;
  }
}

static enum status add_both(struct subsets *out, const struct finder *f, const bool *in,
                            struct err *e)
{
  char name[SUBSETS_NAME];
  OWNED uint32_t *take = mem_array(f->groups, sizeof *take, e);
  if (take == NULL)
    return FAIL;
  enum status s = OK;
  if (size_of(f, in) >= f->wanted) {
    take_fastest(f, in, take);
    name_set(f, in, "", name);
    s = add_set(out, f, take, name, e);
    take_evenly(f, in, take);
    name_set(f, in, ",even", name);
    s = s == OK ? add_set(out, f, take, name, e) : s;
  }
  return s;
}

static enum status add_all(struct subsets *out, const struct finder *f, bool *in, struct err *e)
{
  const bool few = f->groups <= SUBSETS_GROUPS;
  const size_t sets = few ? ((size_t)1 << f->groups) - 1 : 2 * f->groups;
  for (size_t i = 0; i < sets; i++) {
    for (size_t g = 0; g < f->groups; g++)
      in[g] = few ? ((i + 1) >> g & 1) != 0 : i < f->groups ? g <= i : g == i - f->groups;
    if (add_both(out, f, in, e) != OK)
      return FAIL;
  }
  return OK;
}

enum status subsets_find(struct subsets *out, const struct platform *p, uint32_t hosts,
                         struct err *e)
{
  struct finder f = {.platform = p, .wanted = hosts};
  OWNED bool *in = NULL;
  *out = (struct subsets){0};
  if (platform_clusters_find(&f.clusters, p, e) != OK)
    return FAIL;
  enum status s = find_groups(&f, e);
  if (s == OK)
    s = (in = mem_array(f.groups, sizeof *in, e)) == NULL ? FAIL : add_all(out, &f, in, e);
  if (s != OK)
    subsets_clear(out);
  free(f.group);
  free(f.of_host);
  platform_clusters_clear(&f.clusters);
  return s;
}

void subsets_clear(struct subsets *s)
{
  for (size_t i = 0; i < s->count; i++)
    free(s->set[i].host);
  free(s->set);
  *s = (struct subsets){0};
}
