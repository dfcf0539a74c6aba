#include "mappers/greedy/slots.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/mem.h"
#include "mappers/greedy/grid_slots.h"
#include "platforms/distances.h"
#include "platforms/topology/grid.h"

#define NO_HOST UINT32_MAX

struct pull {
  uint32_t host;
  double weight;
  const double *row; /* distances from its group, by group */
};

struct slots {
  struct grid_slots *grid; /* NULL: not a grid.  On a grid, the members below are unused */
  struct distances *distances;
  const struct host_groups *groups;
  uint32_t per_host;
  uint32_t *used; /* by host: slots taken */
  uint32_t *next; /* by group: index in groups->member[]; no host before it has a free slot */
  struct pull *pull;
  size_t pulls, pull_room;
};

static enum status init(struct slots *s, const struct platform *p, struct err *e)
{
  if (distances_new(&s->distances, p, DISTANCE_NEAR, e) != OK ||
      (s->groups = distances_groups(s->distances, e)) == NULL ||
      (s->used = mem_array(s->groups->hosts, sizeof *s->used, e)) == NULL ||
      (s->next = mem_array(s->groups->count, sizeof *s->next, e)) == NULL)
    return FAIL;
  for (uint32_t g = 0; g < s->groups->count; g++)
    s->next[g] = s->groups->first[g];
  return OK;
}

enum status slots_new(struct slots **out, const struct platform *p, uint32_t per_host,
                      struct err *e)
{
  const struct topology *t = platform_topology(p);
  struct slots *s = mem_array(1, sizeof *s, e);
  if (s == NULL)
    return FAIL;
  s->per_host = per_host;
  const bool grid = t != NULL && topology_is_grid(t);
  if ((grid ? grid_slots_new(&s->grid, t, per_host, e) : init(s, p, e)) != OK) {
    slots_free(s);
    return FAIL;
  }
  *out = s;
  return OK;
}

void slots_free(struct slots *s)
{
  if (s == NULL)
    return;
  grid_slots_free(s->grid);
  distances_free(s->distances);
  free(s->used);
  free(s->next);
  free(s->pull);
  free(s);
}

enum status slots_pull(struct slots *s, uint32_t host, uint64_t weight, struct err *e)
{
  if (s->grid != NULL) {
    grid_slots_pull(s->grid, host, weight);
    return OK;
  }
  const double *row = distances_row(s->distances, s->groups->of[host], e);
  if (row == NULL || MEM_GROW(s->pull, s->pull_room, s->pulls + 1, e) != OK)
    return FAIL;
  s->pull[s->pulls++] = (struct pull){host, (double)weight, row};
  return OK;
}

/* --- search ----------------------------------------------------------------------------------- */

/* The cost of a host of group @p g.  @p host: a host that pulls itself, or NO_HOST. */
static double cost_of(const struct slots *s, uint32_t g, uint32_t host)
{
  double cost = 0;
  for (size_t i = 0; i < s->pulls; i++)
    if (s->pull[i].host != host)
      cost += s->pull[i].weight * s->pull[i].row[g];
  return cost;
}

static bool is_free(const struct slots *s, uint32_t host)
{
  return s->used[host] < s->per_host;
}

/* The first host of a group with a free slot; NO_HOST if the group is full. */
static uint32_t first_free(struct slots *s, uint32_t g)
{
  const struct host_groups *all = s->groups;
  while (s->next[g] < all->first[g + 1] && !is_free(s, all->member[s->next[g]]))
    s->next[g]++;
  return s->next[g] < all->first[g + 1] ? all->member[s->next[g]] : NO_HOST;
}

struct best {
  double cost;
  uint32_t host;
};

static void offer(struct best *best, double cost, uint32_t host)
{
  if (best->host == NO_HOST || cost < best->cost || (cost == best->cost && host < best->host))
    *best = (struct best){cost, host};
}

/* Considers only the first host of each group and the hosts that pull: O(pulls * (groups + pulls)).
 */
uint32_t slots_take(struct slots *s)
{
  struct best best = {0, NO_HOST};
  if (s->grid != NULL)
    return grid_slots_take(s->grid);
  for (uint32_t g = 0; g < s->groups->count; g++) {
    const uint32_t candidate = first_free(s, g);
    if (candidate != NO_HOST)
      offer(&best, cost_of(s, g, NO_HOST), candidate);
  }
  for (size_t i = 0; i < s->pulls; i++)
    if (is_free(s, s->pull[i].host))
      offer(&best, cost_of(s, s->groups->of[s->pull[i].host], s->pull[i].host), s->pull[i].host);
  s->used[best.host]++;
  s->pulls = 0;
  return best.host;
}
