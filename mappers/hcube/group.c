#include "mappers/hcube/group.h"

#include <stdlib.h>

#include "common/numeric/rising.h"
#include "mappers/hcube/blossom.h"
#include "mappers/hcube/cubes.h"
#include "mappers/hcube/ties.h"

/* Two groups that are matched. */
struct pair {
  uint32_t a, b;
  uint64_t weight;
};

/* The merging of tasks into groups. */
struct merging {
  const struct graph *graph;
  uint32_t groups, room; /* number and size of groups to reach */
  struct rng *rng;       /* NULL: the first of equal matchings */
  uint32_t *group;       /* by task; not owned */
  uint32_t count;        /* of groups now */
  uint32_t *size, *number, *mate;
};

static int by_weight(const void *x, const void *y)
{
  const struct pair *p = x, *q = y;
  return RISING(q->weight, p->weight) ?: RISING(p->a, q->a) ?: RISING(p->b, q->b);
}

/* Fills @p s with the pairs of groups that fit in one group. */
static enum status list_pairs(const struct merging *m, const struct graph *g, struct stage *s,
                              struct arena *mem)
{
  s->cubes = g->n;
  if ((s->joint = arena_array(mem, g->first[g->n], sizeof *s->joint)) == NULL)
    return FAIL;
  for (uint32_t a = 0; a < g->n; a++)
    for (uint32_t i = g->first[a]; i < g->first[a + 1]; i++) {
      const uint32_t b = g->to[i];
      if (a < b && m->size[a] + m->size[b] <= m->room)
        s->joint[s->joints++] = (struct joint){.a = a, .b = b, .value = g->bytes[i]};
    }
  return stage_index(s, mem);
}

/* Keeps the heaviest matched pairs, only the number needed.  All other groups lose their mates. */
static enum status keep_heaviest(struct merging *m, const struct stage *s, uint32_t *merged,
                                 struct arena *mem)
{
  const uint32_t need = m->count - m->groups;
  uint32_t n = 0;
  struct pair *pair = arena_array(mem, m->count, sizeof *pair);
  if (pair == NULL)
    return FAIL;
  for (uint32_t j = 0; j < s->joints; j++)
    if (m->mate[s->joint[j].a] == s->joint[j].b)
      pair[n++] = (struct pair){s->joint[j].a, s->joint[j].b, s->joint[j].value};
  if (n > 0)
    qsort(pair, n, sizeof *pair, by_weight);
  *merged = n < need ? n : need;
  for (uint32_t a = 0; a < m->count; a++)
    m->mate[a] = BLOSSOM_FREE;
  for (uint32_t i = 0; i < *merged; i++) {
    m->mate[pair[i].a] = pair[i].b;
    m->mate[pair[i].b] = pair[i].a;
  }
  return OK;
}

static enum status match_groups(struct merging *m, uint32_t *merged, struct err *e)
{
  ARENA(mem, e);
  struct graph g;
  struct stage s = {0};
  if (graph_contract(&g, m->graph, m->group, m->count, &mem) != OK ||
      list_pairs(m, &g, &s, &mem) != OK ||
      (m->rng != NULL ? ties_grown(&s, m->rng, m->mate, e) : ties_first(&s, m->mate, e)) != OK)
    return FAIL;
  return keep_heaviest(m, &s, merged, &mem);
}

/* Merges each group with its mate and renumbers the groups. */
static void merge(struct merging *m)
{
  uint32_t count = 0;
  for (uint32_t a = 0; a < m->count; a++) {
    const uint32_t b = m->mate[a];
    m->number[a] = b < a ? m->number[b] : count++;
  }
  for (uint32_t a = 0; a < count; a++)
    m->size[a] = 0;
  for (uint32_t t = 0; t < m->graph->n; t++)
    m->size[m->group[t] = m->number[m->group[t]]]++;
  m->count = count;
}

/* Dissolves the smallest groups so that m->groups remain.  Their tasks get no group. */
static void dissolve(struct merging *m)
{
  uint32_t count = 0, kept = 0;
  for (uint32_t size = m->room; size > 0; size--)
    for (uint32_t a = 0; a < m->count; a++)
      if (m->size[a] == size)
        m->mate[a] = kept++ < m->groups ? 1 : 0;
  for (uint32_t a = 0; a < m->count; a++)
    m->number[a] = m->mate[a] != 0 ? count++ : BLOSSOM_FREE;
  for (uint32_t a = 0; a < m->groups; a++)
    m->size[a] = 0;
  for (uint32_t t = 0; t < m->graph->n; t++) {
    m->group[t] = m->number[m->group[t]];
    if (m->group[t] != BLOSSOM_FREE)
      m->size[m->group[t]]++;
  }
  m->count = count;
}

/* The group with room that exchanges the most bytes with task @p t; if none does, the first group
 * with room.  @p weight must be all zeros and is reset to zeros. */
static uint32_t best_group(const struct merging *m, uint32_t t, uint64_t *weight, uint32_t *first)
{
  const struct graph *g = m->graph;
  while (m->size[*first] == m->room)
    ++*first;
  uint32_t best = *first;
  for (uint32_t i = g->first[t]; i < g->first[t + 1]; i++) {
    const uint32_t a = m->group[g->to[i]];
    if (a == BLOSSOM_FREE || m->size[a] == m->room)
      continue;
    weight[a] += g->bytes[i];
    if (weight[a] > weight[best] || (weight[a] == weight[best] && a < best))
      best = a;
  }
  for (uint32_t i = g->first[t]; i < g->first[t + 1]; i++)
    if (m->group[g->to[i]] != BLOSSOM_FREE)
      weight[m->group[g->to[i]]] = 0;
  return best;
}

static enum status hand_out(struct merging *m, struct err *e)
{
  ARENA(mem, e);
  uint64_t *weight = arena_array(&mem, m->groups, sizeof *weight);
  uint32_t first = 0;
  if (weight == NULL)
    return FAIL;
  for (uint32_t t = 0; t < m->graph->n; t++)
    if (m->group[t] == BLOSSOM_FREE)
      m->size[m->group[t] = best_group(m, t, weight, &first)]++;
  return OK;
}

static enum status merge_all(struct merging *m, struct err *e)
{
  for (uint32_t t = 0; t < m->count; t++) {
    m->group[t] = t;
    m->size[t] = 1;
  }
  for (uint32_t merged = 1; m->count > m->groups && merged > 0;) {
    if (match_groups(m, &merged, e) != OK)
      return FAIL;
    merge(m);
  }
  if (m->count <= m->groups)
    return OK;
  dissolve(m);
  return hand_out(m, e);
}

enum status group_tasks(const struct graph *graph, uint32_t groups, uint32_t room, struct rng *rng,
                        uint32_t *group, struct err *e)
{
  ARENA(mem, e);
  const uint32_t n = graph->n, most = n > groups ? n : groups;
  struct merging m = {.graph = graph,
                      .groups = groups,
                      .room = room,
                      .rng = rng,
                      .group = group,
                      .count = n,
                      .size = arena_array(&mem, most, sizeof *m.size),
                      .number = arena_array(&mem, most, sizeof *m.number),
                      .mate = arena_array(&mem, most, sizeof *m.mate)};
  return arena_status(&mem) == OK ? merge_all(&m, e) : FAIL;
}
