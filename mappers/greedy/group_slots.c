#include "mappers/greedy/group_slots.h"

#include <float.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/mem.h"

#define NOBODY UINT32_MAX

/* The weight of a hop, in s: below any latency, so that hops only break ties. */
#define HOP_S 1e-15

struct pull {
  uint32_t host;
  double weight;
};

struct group {
  uint32_t first;   /* index of its first host in member[] */
  uint32_t next;    /* index in member[]: no host before it has a free slot */
  double inside;    /* distance between two hosts of the group */
  double *distance; /* by group; NULL until a host of this group pulls; owned */
};

struct group_slots {
  const struct platform *platform;
  struct platform_finder *finder;
  uint32_t per_host, hosts, groups;
  uint32_t *of;     /* by host: its group */
  uint32_t *member; /* hosts by group, in order */
  uint32_t *used;   /* by host: slots taken */
  struct group *group;
  struct pull *pull;
  size_t pulls, pull_room;
};

/* --- building --------------------------------------------------------------------------------- */

static enum status list_members(struct group_slots *s, struct err *e)
{
  if ((s->group = mem_array((size_t)s->groups + 2, sizeof *s->group, e)) == NULL ||
      (s->member = mem_array(s->hosts, sizeof *s->member, e)) == NULL)
    return FAIL;
  for (uint32_t h = 0; h < s->hosts; h++)
    s->group[s->of[h] + 2].first++;
  for (uint32_t g = 0; g < s->groups; g++)
    s->group[g + 2].first += s->group[g + 1].first;
  for (uint32_t h = 0; h < s->hosts; h++)
    s->member[s->group[s->of[h] + 1].first++] = h;
  for (uint32_t g = 0; g < s->groups; g++)
    s->group[g].next = s->group[g].first;
  return OK;
}

enum status group_slots_new(struct group_slots **out, const struct platform *p, uint32_t per_host,
                            struct err *e)
{
  struct group_slots *s = mem_array(1, sizeof *s, e);
  if (s == NULL)
    return FAIL;
  *s = (struct group_slots){.platform = p, .per_host = per_host, .hosts = platform_hosts(p)};
  if ((s->of = mem_array(s->hosts, sizeof *s->of, e)) == NULL ||
      (s->used = mem_array(s->hosts, sizeof *s->used, e)) == NULL ||
      platform_groups(p, s->of, &s->groups, e) != OK || list_members(s, e) != OK ||
      platform_finder_new(&s->finder, p, e) != OK) {
    group_slots_free(s);
    return FAIL;
  }
  *out = s;
  return OK;
}

void group_slots_free(struct group_slots *s)
{
  if (s == NULL)
    return;
  for (uint32_t g = 0; s->group != NULL && g < s->groups; g++)
    free(s->group[g].distance);
  platform_finder_free(s->finder);
  free(s->of);
  free(s->member);
  free(s->used);
  free(s->group);
  free(s->pull);
  free(s);
}

/* --- distances -------------------------------------------------------------------------------- */

/* The mean of both directions; DBL_MAX if there is no route. */
static enum status measure(struct group_slots *s, uint32_t a, uint32_t b, double *out,
                           struct err *e)
{
  struct platform_route r;
  double sum = 0;
  for (int way = 0; way < 2; way++) {
    if (platform_route(s->finder, way == 0 ? a : b, way == 0 ? b : a, &r, e) != OK)
      return FAIL;
    sum = r.links == 0 && r.latency_s <= 0 ? DBL_MAX : sum + r.latency_s + r.links * HOP_S;
  }
  *out = sum < DBL_MAX ? sum / 2 : DBL_MAX;
  return OK;
}

/* Distances are symmetric: distances that another group has measured are copied. */
static enum status measure_group(struct group_slots *s, uint32_t g, struct err *e)
{
  struct group *x = &s->group[g];
  const uint32_t host = s->member[x->first];
  double *distance = mem_array(s->groups, sizeof *distance, e);
  enum status status = distance == NULL ? FAIL : OK;
  for (uint32_t i = 0; status == OK && i < s->groups; i++)
    if (s->group[i].distance != NULL)
      distance[i] = s->group[i].distance[g];
    else if (i != g)
      status = measure(s, host, s->member[s->group[i].first], &distance[i], e);
  if (status == OK && s->group[g + 1].first - x->first > 1)
    status = measure(s, host, s->member[x->first + 1], &x->inside, e);
  if (status != OK) {
    free(distance);
    return FAIL;
  }
  distance[g] = x->inside;
  x->distance = distance;
  return OK;
}

enum status group_slots_pull(struct group_slots *s, uint32_t host, uint64_t weight, struct err *e)
{
  const uint32_t g = s->of[host];
  if (s->group[g].distance == NULL && measure_group(s, g, e) != OK)
    return FAIL;
  if (MEM_GROW(s->pull, s->pull_room, s->pulls + 1, e) != OK)
    return FAIL;
  s->pull[s->pulls++] = (struct pull){host, (double)weight};
  return OK;
}

/* --- search ----------------------------------------------------------------------------------- */

/* The cost of a host of group @p g.  @p host: a host that pulls itself, or UINT32_MAX. */
static double cost_of(const struct group_slots *s, uint32_t g, uint32_t host)
{
  double cost = 0;
  for (size_t i = 0; i < s->pulls; i++)
    if (s->pull[i].host != host)
      cost += s->pull[i].weight * s->group[s->of[s->pull[i].host]].distance[g];
  return cost;
}

static bool is_free(const struct group_slots *s, uint32_t host)
{
  return s->used[host] < s->per_host;
}

/* The first host of a group with a free slot; UINT32_MAX if the group is full. */
static uint32_t first_free(struct group_slots *s, uint32_t g)
{
  struct group *x = &s->group[g];
  while (x->next < s->group[g + 1].first && !is_free(s, s->member[x->next]))
    x->next++;
  return x->next < s->group[g + 1].first ? s->member[x->next] : NOBODY;
}

struct best {
  double cost;
  uint32_t host;
};

static void offer(struct best *best, double cost, uint32_t host)
{
  if (best->host == NOBODY || cost < best->cost || (cost == best->cost && host < best->host))
    *best = (struct best){cost, host};
}

uint32_t group_slots_take(struct group_slots *s)
{
  struct best best = {0, NOBODY};
  for (uint32_t g = 0; g < s->groups; g++) {
    const uint32_t candidate = first_free(s, g);
    if (candidate != NOBODY)
      offer(&best, cost_of(s, g, NOBODY), candidate);
  }
  for (size_t i = 0; i < s->pulls; i++)
    if (is_free(s, s->pull[i].host))
      offer(&best, cost_of(s, s->of[s->pull[i].host], s->pull[i].host), s->pull[i].host);
  s->used[best.host]++;
  s->pulls = 0;
  return best.host;
}
