#include "mappers/hcube/group.h"

#include <stdlib.h>

#include "common/mem.h"
#include "mappers/hcube/blossom.h"
#include "mappers/hcube/cubes.h"
#include "mappers/hcube/ties.h"

struct link {
  uint32_t a, b;
  uint64_t weight;
};

static int by_ends(const void *x, const void *y)
{
  const struct link *p = x, *q = y;
  if (p->a != q->a)
    return p->a < q->a ? -1 : 1;
  return (p->b > q->b) - (p->b < q->b);
}

/* Sums up links between the same groups; returns the number of links left. */
static size_t add_up(struct link *link, size_t n)
{
  size_t kept = 0;
  if (n > 0)
    qsort(link, n, sizeof *link, by_ends);
  for (size_t i = 0; i < n; i++)
    if (kept > 0 && by_ends(&link[kept - 1], &link[i]) == 0)
      link[kept - 1].weight += link[i].weight;
    else
      link[kept++] = link[i];
  return kept;
}

enum status group_graph(const struct partners *graph, const uint32_t *group, uint32_t groups,
                        struct partners *out, struct err *e)
{
  struct partners g = {.ranks = groups};
  struct link *link = mem_array(graph->first[graph->ranks], sizeof *link, e);
  size_t n = 0;
  if (link == NULL)
    return FAIL;
  for (uint32_t t = 0; t < graph->ranks; t++)
    for (size_t i = graph->first[t]; i < graph->first[t + 1]; i++) {
      const struct partner *p = &graph->partner[i];
      if (group[t] != group[p->rank])
        link[n++] = (struct link){group[t], group[p->rank], p->bytes};
    }
  n = add_up(link, n);
  if ((g.first = mem_array((size_t)groups + 1, sizeof *g.first, e)) == NULL ||
      (g.partner = mem_array(n, sizeof *g.partner, e)) == NULL) {
    partners_clear(&g);
    free(link);
    return FAIL;
  }
  for (size_t i = 0; i < n; i++) {
    g.first[link[i].a + 1]++;
    g.partner[i] = (struct partner){link[i].b, link[i].weight};
  }
  for (uint32_t v = 0; v < groups; v++)
    g.first[v + 1] += g.first[v];
  free(link);
  *out = g;
  return OK;
}

/* The merging of tasks into groups. */
struct merging {
  const struct partners *graph;
  uint32_t groups, room; /* number and size of groups to reach */
  struct rng *rng;       /* NULL: the first of equal matchings */
  uint32_t *group;       /* by task; not owned */
  uint32_t count;        /* of groups now */
  uint32_t *size, *number, *mate;
};

static int by_weight(const void *x, const void *y)
{
  const struct link *p = x, *q = y;
  if (p->weight != q->weight)
    return p->weight > q->weight ? -1 : 1;
  return by_ends(x, y);
}

/* Fills @p s with the pairs of groups that fit in one group. */
static enum status list_pairs(const struct merging *m, const struct partners *g, struct stage *s,
                              struct err *e)
{
  s->cubes = g->ranks;
  if ((s->joint = mem_array(g->first[g->ranks], sizeof *s->joint, e)) == NULL)
    return FAIL;
  for (uint32_t a = 0; a < g->ranks; a++)
    for (size_t i = g->first[a]; i < g->first[a + 1]; i++) {
      const struct partner *p = &g->partner[i];
      if (a < p->rank && m->size[a] + m->size[p->rank] <= m->room)
        s->joint[s->joints++] = (struct joint){.a = a, .b = p->rank, .value = p->bytes};
    }
  return stage_index(s, e);
}

/* Keeps the heaviest matched pairs, only the number needed.  All other groups lose their mates. */
static enum status keep_heaviest(struct merging *m, const struct stage *s, uint32_t *merged,
                                 struct err *e)
{
  const uint32_t need = m->count - m->groups;
  uint32_t n = 0;
  struct link *pair = mem_array(m->count, sizeof *pair, e);
  if (pair == NULL)
    return FAIL;
  for (uint32_t j = 0; j < s->joints; j++)
    if (m->mate[s->joint[j].a] == s->joint[j].b)
      pair[n++] = (struct link){s->joint[j].a, s->joint[j].b, s->joint[j].value};
  if (n > 0)
    qsort(pair, n, sizeof *pair, by_weight);
  *merged = n < need ? n : need;
  for (uint32_t a = 0; a < m->count; a++)
    m->mate[a] = BLOSSOM_FREE;
  for (uint32_t i = 0; i < *merged; i++) {
    m->mate[pair[i].a] = pair[i].b;
    m->mate[pair[i].b] = pair[i].a;
  }
  free(pair);
  return OK;
}

static enum status match_groups(struct merging *m, uint32_t *merged, struct err *e)
{
  struct partners g = {0};
  struct stage s = {0};
  enum status status = group_graph(m->graph, m->group, m->count, &g, e);
  if (status == OK)
    status = list_pairs(m, &g, &s, e);
  if (status == OK)
    status = m->rng != NULL ? ties_grown(&s, m->rng, m->mate, e) : ties_first(&s, m->mate, e);
  if (status == OK)
    status = keep_heaviest(m, &s, merged, e);
  partners_clear(&g);
  stage_clear(&s);
  return status;
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
  for (uint32_t t = 0; t < m->graph->ranks; t++)
    m->size[m->group[t] = m->number[m->group[t]]]++;
  m->count = count;
}

/* Dissolves the smallest groups until the number of groups is right.  Their tasks get no group. */
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
  for (uint32_t t = 0; t < m->graph->ranks; t++) {
    m->group[t] = m->number[m->group[t]];
    if (m->group[t] != BLOSSOM_FREE)
      m->size[m->group[t]]++;
  }
  m->count = count;
}

/* The group with room that has the most weight with task @p t; if it has none, the first group with
 * room.  @p weight must be all zeros and is reset to zeros. */
static uint32_t best_group(const struct merging *m, uint32_t t, uint64_t *weight, uint32_t *first)
{
  const struct partners *g = m->graph;
  while (m->size[*first] == m->room)
    ++*first;
  uint32_t best = *first;
  for (size_t i = g->first[t]; i < g->first[t + 1]; i++) {
    const uint32_t a = m->group[g->partner[i].rank];
    if (a == BLOSSOM_FREE || m->size[a] == m->room)
      continue;
    weight[a] += g->partner[i].bytes;
    if (weight[a] > weight[best] || (weight[a] == weight[best] && a < best))
      best = a;
  }
  for (size_t i = g->first[t]; i < g->first[t + 1]; i++)
    if (m->group[g->partner[i].rank] != BLOSSOM_FREE)
      weight[m->group[g->partner[i].rank]] = 0;
  return best;
}

static enum status hand_out(struct merging *m, struct err *e)
{
  uint64_t *weight = mem_array(m->groups, sizeof *weight, e);
  uint32_t first = 0;
  if (weight == NULL)
    return FAIL;
  for (uint32_t t = 0; t < m->graph->ranks; t++)
    if (m->group[t] == BLOSSOM_FREE)
      m->size[m->group[t] = best_group(m, t, weight, &first)]++;
  free(weight);
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

enum status group_tasks(const struct partners *graph, uint32_t groups, uint32_t room,
                        struct rng *rng, uint32_t *group, struct err *e)
{
  const uint32_t n = graph->ranks;
  struct merging m = {
      .graph = graph, .groups = groups, .room = room, .rng = rng, .group = group, .count = n};
  const size_t most = n > groups ? n : groups;
  enum status s = OK;
  if ((m.size = mem_array(most, sizeof *m.size, e)) == NULL ||
      (m.number = mem_array(most, sizeof *m.number, e)) == NULL ||
      (m.mate = mem_array(most, sizeof *m.mate, e)) == NULL)
    s = FAIL;
  if (s == OK)
    s = merge_all(&m, e);
  free(m.size);
  free(m.number);
  free(m.mate);
  return s;
}
