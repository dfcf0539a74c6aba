#include "sim/tasknet/steal.h"

#include <stdlib.h>

#include "common/mem.h"

static const struct steal_policy none = {.name = "none"},
                                 by_chance = {.name = "random", .steals = true},
                                 in_cluster = {.name = "cluster", .steals = true, .near = true},
                                 in_groups = {.name = "group",
                                              .steals = true,
                                              .near = true,
                                              .together = true};

#define LIST(ROW) ROW(none) ROW(by_chance) ROW(in_cluster) ROW(in_groups)

const struct registry steal_policies = REGISTRY("way to steal", LIST);

/* --- victims ---------------------------------------------------------------------------------- */

void steal_victims_clear(struct steal_victims *r)
{
  free(r->all);
  free(r->near);
  free(r->first);
  free(r->counts);
  free(r->at);
  free(r->near_at);
  *r = (struct steal_victims){0};
}

enum status steal_victims_new(struct steal_victims *r, const uint32_t *cluster, uint32_t hosts,
                              struct err *e)
{
  struct steal_victims made = {.cluster = cluster};
  uint32_t clusters = 0;
  for (uint32_t h = 0; h < hosts; h++)
    clusters = cluster[h] >= clusters ? cluster[h] + 1 : clusters;
  if ((made.all = mem_array(hosts, sizeof *made.all, e)) == NULL ||
      (made.near = mem_array(hosts, sizeof *made.near, e)) == NULL ||
      (made.first = mem_array((size_t)clusters + 1, sizeof *made.first, e)) == NULL ||
      (made.counts = mem_array(clusters, sizeof *made.counts, e)) == NULL ||
      (made.at = mem_array(hosts, sizeof *made.at, e)) == NULL ||
      (made.near_at = mem_array(hosts, sizeof *made.near_at, e)) == NULL) {
    steal_victims_clear(&made);
    return FAIL;
  }
  for (uint32_t h = 0; h < hosts; h++)
    made.first[cluster[h] + 1]++;
  for (uint32_t c = 0; c < clusters; c++)
    made.first[c + 1] += made.first[c];
  *r = made;
  return OK;
}

static void insert(uint32_t *list, uint32_t *count, uint32_t *at, uint32_t host)
{
  list[*count] = host;
  at[host] = ++*count;
}

static void drop(uint32_t *list, uint32_t *count, uint32_t *at, uint32_t host)
{
  const uint32_t last = list[--*count];
  list[at[host] - 1] = last;
  at[last] = at[host];
  at[host] = 0;
}

void steal_victims_set(struct steal_victims *r, uint32_t host, bool is_victim)
{
  const uint32_t c = r->cluster[host];
  if ((r->at[host] != 0) == is_victim)
    return;
  void (*change)(uint32_t *, uint32_t *, uint32_t *, uint32_t) = is_victim ? insert : drop;
  change(r->all, &r->count, r->at, host);
  change(&r->near[r->first[c]], &r->counts[c], r->near_at, host);
}

bool steal_victims_draw(const struct steal_victims *r, const struct steal_policy *policy,
                        uint32_t thief, struct rng *rng, uint32_t *victim)
{
  const uint32_t c = r->cluster[thief];
  if (policy->near && r->counts[c] > 0)
    *victim = r->near[r->first[c] + rng_below(rng, r->counts[c])];
  else if (r->count > 0)
    *victim = r->all[rng_below(rng, r->count)];
  else
    return false;
  return true;
}

/* --- choice of elements ----------------------------------------------------------------------- */

void steal_groups_clear(struct steal_groups *g)
{
  hierarchy_clear(&g->tree);
  free(g->from);
  free(g->to);
}

/* Sets the ranges of all units.  Visits each group after its parent, which has a higher number. */
static void number(struct steal_groups *g)
{
  const struct hierarchy *t = &g->tree;
  uint32_t at = 0;
  for (uint32_t i = 0; i < t->roots; i++) {
    g->from[t->root[i]] = at;
    at = g->to[t->root[i]] = at + g->to[t->root[i]];
  }
  for (uint32_t i = t->groups; i-- > 0;) {
    const struct hierarchy_group *x = &t->group[i];
    at = g->from[t->arrays + i];
    for (uint32_t k = 0; k < x->ins + x->outs; k++) {
      const uint32_t unit = t->member[x->member + k];
      g->from[unit] = at;
      at = g->to[unit] = at + g->to[unit];
    }
  }
}

enum status steal_groups_new(struct steal_groups *g, const struct tasknet *n, struct err *e)
{
  struct steal_groups made = {0};
  if (hierarchy_make(&made.tree, n, e) != OK)
    return FAIL;
  const size_t units = (size_t)made.tree.arrays + made.tree.groups;
  if ((made.from = mem_array(units, sizeof *made.from, e)) == NULL ||
      (made.to = mem_array(units, sizeof *made.to, e)) == NULL) {
    steal_groups_clear(&made);
    return FAIL;
  }
  for (size_t u = 0; u < units; u++) { /* `to` holds the number of arrays first */
    made.to[u] += u < made.tree.arrays;
    if (made.tree.sum[u].parent != TASKNET_NONE)
      made.to[made.tree.sum[u].parent] += made.to[u];
  }
  number(&made);
  *g = made;
  return OK;
}

/* Marks the elements of a unit and returns their number. */
static uint32_t mark(const struct steal_groups *g, const struct tasknet *n, const uint32_t *element,
                     uint32_t count, uint32_t unit, bool *taken)
{
  uint32_t marked = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t at = g->from[n->array_of[element[i]]];
    taken[i] = at >= g->from[unit] && at < g->to[unit];
    marked += taken[i];
  }
  return marked;
}

uint32_t steal_choose(const struct steal_groups *g, const struct tasknet *n,
                      const uint32_t *element, uint32_t count, bool *taken)
{
  const uint32_t half = count / 2;
  uint32_t unit = n->array_of[element[count - 1]], best = TASKNET_NONE;
  for (; g != NULL && unit != TASKNET_NONE; unit = g->tree.sum[unit].parent) {
    if (mark(g, n, element, count, unit, taken) > half)
      break;
    best = unit;
  }
  if (best != TASKNET_NONE)
    return mark(g, n, element, count, best, taken);
  uint32_t left = half;
  for (uint32_t i = count; i-- > 0;) {
    taken[i] = left > 0 && (g == NULL || n->array_of[element[i]] == unit);
    left -= taken[i];
  }
  return half - left;
}
