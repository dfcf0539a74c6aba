#include "mappers/general/rivals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "mappers/on_box.h"
#include "platforms/part.h"

/* Sums up bytes times cost: hops on a topology, nanoseconds of latency without one. */
static enum status measure(const struct problem *p, struct distances *d, const uint32_t *host,
                           unsigned __int128 *sum, struct err *e)
{
  const struct matrix *traffic = p->in->traffic;
  const double unit = distances_are_hops(d) ? 1 : 1e9;
  double distance;
  *sum = 0;
  for (size_t i = 0; i < traffic->count; i++) {
    const struct matrix_entry x = matrix_at(traffic, i);
    const uint32_t a = host[x.src], b = host[x.dst];
    if (a == b)
      continue;
    if (distances_one_way(d, a, b, &distance, e) != OK)
      return FAIL;
    *sum += (unsigned __int128)x.bytes * (uint64_t)llround(distance * unit);
  }
  return OK;
}

/* A lower bound of the cost: with one rank per host, a byte between different ranks takes at least
 * one hop.  0 with several ranks per host, and for latencies. */
static unsigned __int128 least(const struct problem *p)
{
  unsigned __int128 sum = 0;
  for (size_t i = 0; i < p->in->traffic->count; i++) {
    const struct matrix_entry x = matrix_at(p->in->traffic, i);
    if (x.src != x.dst)
      sum += x.bytes;
  }
  return p->m.per_host == 1 && platform_topology(p->in->platform) != NULL ? sum : 0;
}

/* Keeps the mapping if it is the best so far, and frees it. */
static enum status offer(struct rivals *r, const struct problem *p, struct mapping *m,
                         struct err *e)
{
  unsigned __int128 cost;
  enum status s = measure(p, r->distances, m->host, &cost, e);
  if (s == OK && cost < r->cost) {
    target_slots(&p->m, m->host, p->in->ranks, r->fill, r->slot);
    r->cost = cost;
  }
  mapping_clear(m);
  return s;
}

static enum status run(struct rivals *r, const struct problem *p, const char *mapper, struct err *e)
{
  struct mapping m;
  return mapper_run(mapper, p->in, &m, e) == OK ? offer(r, p, &m, e) : FAIL;
}

static enum status map_box(const struct mapper_input *in, const void *plan, struct mapping *out,
                           struct err *e)
{
  return general_mapping(out, in, plan, e);
}

/* On an allocation with holes, a mapping on the hosts of one box may be better than a mapping on
 * all hosts. */
static enum status run_box(struct rivals *r, const struct problem *p,
                           const struct general_plan *plan, struct err *e)
{
  struct mapping m;
  bool found;
  if (!platform_part_has_boxes(p->in->platform))
    return OK;
  if (on_box_map(p->in, map_box, plan, &found, &m, e) != OK)
    return FAIL;
  return found ? offer(r, p, &m, e) : OK;
}

static enum status measure_own(const struct rivals *r, const struct problem *p,
                               unsigned __int128 *cost, struct err *e)
{
  struct mapping own;
  if (problem_mapping(p, &own, e) != OK)
    return FAIL;
  const enum status s = measure(p, r->distances, own.host, cost, e);
  mapping_clear(&own);
  return s;
}

enum status rivals_run(struct rivals *r, const struct problem *p, const struct general_plan *plan,
                       bool greedy, struct err *e)
{
  unsigned __int128 own;
  *r = (struct rivals){.cost = RIVALS_NONE};
  if ((r->slot = mem_array(p->in->ranks, sizeof *r->slot, e)) == NULL ||
      (r->fill = mem_array(p->m.hosts, sizeof *r->fill, e)) == NULL ||
      distances_new(&r->distances, p->in->platform, DISTANCE_USUAL, e) != OK ||
      measure_own(r, p, &own, e) != OK)
    return FAIL;
  if (own <= least(p))
    return OK;
  if (run(r, p, "xyz:order=number", e) != OK || (greedy && run(r, p, "greedy", e) != OK) ||
      (p->in->order != NULL && run(r, p, "xyz", e) != OK) ||
      (p->m.ndims == 0 && run(r, p, "xyz:order=switch", e) != OK))
    return FAIL;
  return run_box(r, p, plan, e);
}

enum status rivals_offer(struct rivals *r, const struct problem *p, const uint32_t *slot,
                         struct err *e)
{
  struct mapping m;
  if (mapping_new(&m, p->in->ranks, e) != OK)
    return FAIL;
  mapper_hosts(p->in, slot, m.host);
  return offer(r, p, &m, e);
}

enum status rivals_settle(const struct rivals *r, struct problem *p, bool *below, struct err *e)
{
  unsigned __int128 own;
  if (measure_own(r, p, &own, e) != OK)
    return FAIL;
  *below = r->cost < own;
  if (*below)
    memcpy(p->slot, r->slot, p->in->ranks * sizeof *p->slot);
  return OK;
}

void rivals_clear(struct rivals *r)
{
  distances_free(r->distances);
  free(r->fill);
  free(r->slot);
  *r = (struct rivals){.slot = NULL};
}
