#include "mappers/hcube/cubes.h"

#include <stdlib.h>

#include "common/numeric/rising.h"

/* An arc of the task graph between two cubes. */
struct crossing {
  uint64_t pair; /* the lower cube in the upper 32 bits */
  struct relabel_arc arc;
};

enum status cubes_new(struct cubes *out, const struct graph *graph, uint32_t bits,
                      enum cubes_aim aim, struct arena *mem)
{
  const uint32_t tasks = (uint32_t)1 << bits;
  *out = (struct cubes){.graph = graph,
                        .aim = aim,
                        .bits = bits,
                        .cube = arena_array(mem, tasks, sizeof *out->cube),
                        .label = arena_array(mem, tasks, sizeof *out->label)};
  for (uint32_t t = 0; arena_status(mem) == OK && t < tasks; t++)
    out->cube[t] = t;
  return arena_status(mem);
}

static int by_pair(const void *x, const void *y)
{
  const struct crossing *p = x, *q = y;
  return RISING(p->pair, q->pair) ?: RISING(p->arc.a, q->arc.a) ?: RISING(p->arc.b, q->arc.b);
}

/* Lists each arc between different cubes once, sorted by pair of cubes. */
static size_t list_crossings(const struct cubes *c, struct crossing *out)
{
  size_t n = 0;
  const struct graph *g = c->graph;
  for (uint32_t t = 0; t < g->n; t++)
    for (uint32_t i = g->first[t]; i < g->first[t + 1]; i++) {
      const uint32_t u = g->to[i];
      if (c->cube[t] < c->cube[u])
        out[n++] = (struct crossing){(uint64_t)c->cube[t] << 32 | c->cube[u],
                                     {c->label[t], c->label[u], g->bytes[i]}};
    }
  if (n > 0)
    qsort(out, n, sizeof *out, by_pair);
  return n;
}

/* Finds the best relabelling of a joint with these arcs, and its value. */
static enum status join_best(const struct cubes *c, const struct relabel_arc *arc, size_t arcs,
                             struct relabel_scratch *scratch, struct joint *j, struct err *e)
{
  if (c->aim == CUBES_EQUAL) {
    if (relabel_most_equal(arc, arcs, c->k, scratch, &j->how, e) != OK)
      return FAIL;
    j->value = j->how.value;
    return OK;
  }
  /* If the cubes are joined now, an arc has 1 hop for the new bit and 1 for each differing bit.  If
   * they are joined later, it has up to `bits` hops. */
  uint64_t weight = 0;
  for (size_t i = 0; i < arcs; i++)
    weight += arc[i].weight;
  relabel_least_bits(arc, arcs, c->k, &j->how);
  j->value = weight * c->bits - j->how.value;
  return OK;
}

static enum status join_all(const struct cubes *c, const struct crossing *x, size_t n,
                            struct stage *s, struct err *e)
{
  ARENA(mem, e);
  struct relabel_scratch scratch = {0};
  struct relabel_arc *arc = arena_array(&mem, n, sizeof *arc);
  enum status status = arena_status(&mem);
  for (size_t i = 0, end; status == OK && i < n; i = end) {
    for (end = i; end < n && x[end].pair == x[i].pair; end++)
      arc[end - i] = x[end].arc;
    struct joint *j = &s->joint[s->joints++];
    j->a = (uint32_t)(x[i].pair >> 32);
    j->b = (uint32_t)x[i].pair;
    status = join_best(c, arc, end - i, &scratch, j, e);
  }
  relabel_scratch_clear(&scratch);
  return status;
}

/* Joints are sorted by a, then b.  Each row first gets its lower cubes, then its higher ones, and
 * is then sorted by `to`. */
enum status stage_index(struct stage *s, struct arena *mem)
{
  s->first = arena_array(mem, (size_t)s->cubes + 2, sizeof *s->first);
  s->end = arena_array(mem, 2 * (size_t)s->joints, sizeof *s->end);
  if (arena_status(mem) != OK)
    return FAIL;
  for (uint32_t i = 0; i < s->joints; i++) {
    s->first[s->joint[i].a + 2]++;
    s->first[s->joint[i].b + 2]++;
  }
  for (uint32_t v = 0; v < s->cubes; v++)
    s->first[v + 2] += s->first[v + 1];
  for (uint32_t i = 0; i < s->joints; i++) /* partners below b, sorted by a */
    s->end[s->first[s->joint[i].b + 1]++] = (struct joint_end){s->joint[i].a, i};
  for (uint32_t i = 0; i < s->joints; i++)
    s->end[s->first[s->joint[i].a + 1]++] = (struct joint_end){s->joint[i].b, i};
  return OK;
}

enum status cubes_stage(const struct cubes *c, struct stage *s, struct arena *mem)
{
  ARENA(room, mem->e);
  struct crossing *x = arena_array(&room, c->graph->first[c->graph->n], sizeof *x);
  *s = (struct stage){.cubes = (uint32_t)1 << (c->bits - c->k)};
  if (x == NULL)
    return FAIL;
  const size_t n = list_crossings(c, x);
  size_t joints = 0;
  for (size_t i = 0; i < n; i++)
    joints += i == 0 || x[i].pair != x[i - 1].pair;
  if ((s->joint = arena_array(mem, joints, sizeof *s->joint)) == NULL ||
      join_all(c, x, n, s, mem->e) != OK)
    return FAIL;
  return stage_index(s, mem);
}

const struct joint *stage_find(const struct stage *s, uint32_t a, uint32_t b)
{
  uint32_t low = s->first[a], high = s->first[a + 1];
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (s->end[middle].to < b)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s->first[a + 1] && s->end[low].to == b ? &s->joint[s->end[low].joint] : NULL;
}

enum status cubes_join(struct cubes *c, const struct stage *s, const uint32_t *mate, struct err *e)
{
  ARENA(mem, e);
  uint32_t *number = arena_array(&mem, s->cubes, sizeof *number);
  uint32_t next = 0;
  if (number == NULL)
    return FAIL;
  for (uint32_t a = 0; a < s->cubes; a++)
    number[a] = a < mate[a] ? next++ : number[mate[a]];
  for (uint32_t t = 0; t < (uint32_t)1 << c->bits; t++) {
    const uint32_t cube = c->cube[t], other = mate[cube];
    c->cube[t] = number[cube];
    if (cube < other)
      continue;
    const struct joint *j = stage_find(s, other, cube);
    if (j != NULL)
      c->label[t] = relabel_apply(&j->how, c->k, c->label[t]);
    c->label[t] |= (uint32_t)1 << c->k;
  }
  c->k++;
  return OK;
}
