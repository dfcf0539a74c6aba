#include "mappers/hcube/cubes.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

/* An arc of the task graph between two cubes. */
struct crossing {
  uint64_t pair; /* the lower cube in the upper 32 bits */
  struct relabel_arc arc;
};

enum status cubes_new(struct cubes *out, const struct partners *graph, uint32_t bits,
                      enum cubes_aim aim, struct err *e)
{
  struct cubes c = {.graph = graph, .aim = aim, .bits = bits};
  const uint32_t tasks = (uint32_t)1 << bits;
  if ((c.cube = mem_array(tasks, sizeof *c.cube, e)) == NULL ||
      (c.label = mem_array(tasks, sizeof *c.label, e)) == NULL) {
    cubes_clear(&c);
    return FAIL;
  }
  for (uint32_t t = 0; t < tasks; t++)
    c.cube[t] = t;
  *out = c;
  return OK;
}

void cubes_clear(struct cubes *c)
{
  free(c->cube);
  free(c->label);
  *c = (struct cubes){0};
}

void stage_clear(struct stage *s)
{
  free(s->joint);
  free(s->first);
  free(s->end);
  *s = (struct stage){0};
}

static int by_pair(const void *x, const void *y)
{
  const struct crossing *p = x, *q = y;
  if (p->pair != q->pair)
    return p->pair < q->pair ? -1 : 1;
  if (p->arc.a != q->arc.a)
    return p->arc.a < q->arc.a ? -1 : 1;
  return (p->arc.b > q->arc.b) - (p->arc.b < q->arc.b);
}

/* Lists each arc between different cubes once, sorted by pair of cubes. */
static size_t list_crossings(const struct cubes *c, struct crossing *out)
{
  size_t n = 0;
  const struct partners *g = c->graph;
  for (uint32_t t = 0; t < g->ranks; t++)
    for (size_t i = g->first[t]; i < g->first[t + 1]; i++) {
      const struct partner *p = &g->partner[i];
      if (c->cube[t] < c->cube[p->rank])
        out[n++] = (struct crossing){(uint64_t)c->cube[t] << 32 | c->cube[p->rank],
                                     {c->label[t], c->label[p->rank], p->bytes}};
    }
  if (n > 0)
    qsort(out, n, sizeof *out, by_pair);
  return n;
}

static enum status value_joint(const struct cubes *c, const struct relabel_arc *arc, size_t arcs,
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

static enum status value_all(const struct cubes *c, const struct crossing *x, size_t n,
                             struct stage *s, struct err *e)
{
  struct relabel_scratch scratch = {0};
  struct relabel_arc *arc = mem_array(n, sizeof *arc, e);
  enum status status = arc == NULL ? FAIL : OK;
  for (size_t i = 0, end; status == OK && i < n; i = end) {
    for (end = i; end < n && x[end].pair == x[i].pair; end++)
      arc[end - i] = x[end].arc;
    struct joint *j = &s->joint[s->joints++];
    j->a = (uint32_t)(x[i].pair >> 32);
    j->b = (uint32_t)x[i].pair;
    status = value_joint(c, arc, end - i, &scratch, j, e);
  }
  relabel_scratch_clear(&scratch);
  free(arc);
  return status;
}

/* Joints are sorted by a, then b.  Filling the rows in that order, lower cubes first, also sorts
 * them by `to`. */
enum status stage_index(struct stage *s, struct err *e)
{
  if ((s->first = mem_array((size_t)s->cubes + 2, sizeof *s->first, e)) == NULL ||
      (s->end = mem_array(2 * (size_t)s->joints, sizeof *s->end, e)) == NULL)
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

enum status cubes_stage(const struct cubes *c, struct stage *out, struct err *e)
{
  struct stage s = {.cubes = (uint32_t)1 << (c->bits - c->k)};
  struct crossing *x = mem_array(c->graph->first[c->graph->ranks], sizeof *x, e);
  if (x == NULL)
    return FAIL;
  const size_t n = list_crossings(c, x);
  size_t joints = 0;
  for (size_t i = 0; i < n; i++)
    joints += i == 0 || x[i].pair != x[i - 1].pair;
  s.joint = mem_array(joints, sizeof *s.joint, e);
  enum status status = s.joint == NULL ? FAIL : value_all(c, x, n, &s, e);
  free(x);
  if (status == OK)
    status = stage_index(&s, e);
  if (status == OK)
    *out = s;
  else
    stage_clear(&s);
  return status;
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
  uint32_t *number = mem_array(s->cubes, sizeof *number, e);
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
  free(number);
  return OK;
}
