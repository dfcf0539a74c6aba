#include "mappers/inside/tree.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"

/* A core to be sorted by its objects. */
struct key {
  const struct inside *in;
  uint32_t core;
};

static int by_objects(const void *a, const void *b)
{
  const struct key *x = a, *y = b;
  for (uint32_t l = 1; l < x->in->levels; l++) {
    const uint16_t *object = x->in->level[l].object;
    if (object[x->core] != object[y->core])
      return RISING(object[x->core], object[y->core]);
  }
  return RISING(x->core, y->core);
}

static enum status sort_cores(struct tree *t, struct err *e)
{
  OWNED struct key *key = mem_array(t->in->cores, sizeof *key, e);
  if (key == NULL)
    return FAIL;
  for (uint32_t c = 0; c < t->in->cores; c++)
    key[c] = (struct key){t->in, c};
  qsort(key, t->in->cores, sizeof *key, by_objects);
  for (uint32_t i = 0; i < t->in->cores; i++)
    t->core[i] = key[i].core;
  return OK;
}

/* The objects that a message crosses: one of the common level, two of each level inside it. */
double tree_seconds(const struct inside *in, uint32_t level)
{
  double s = 1 / in->level[level].bandwidth + 1 / in->level[level].memory_bandwidth;
  for (uint32_t l = level + 1; l < in->levels; l++)
    s += 2 / in->level[l].memory_bandwidth;
  return s;
}

/* Sets `even` and the sizes. */
static void measure(struct tree *t)
{
  const uint32_t n = t->in->cores;
  t->even = true;
  for (uint32_t l = 0; l < t->in->levels; l++) {
    const uint16_t *object = t->in->level[l].object;
    t->size[l] = n / t->in->level[l].objects;
    for (uint32_t i = 1; i < n; i++)
      t->even &= (object[t->core[i]] != object[t->core[i - 1]]) == (i % t->size[l] == 0);
    t->even &= n % t->size[l] == 0;
  }
}

enum status tree_make(struct tree *t, const struct inside *in, struct arena *mem)
{
  const uint32_t n = in->cores;
  double slowest = 0;
  *t = (struct tree){.in = in};
  t->core = arena_array(mem, n, sizeof *t->core);
  t->common = arena_array(mem, (size_t)n * n, sizeof *t->common);
  if (arena_status(mem) != OK || sort_cores(t, mem->e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++)
      t->common[i * n + k] =
          (uint8_t)(i == k ? in->levels : inside_common(in, t->core[i], t->core[k]));
  for (uint32_t l = 0; l < in->levels; l++)
    slowest = fmax(slowest, tree_seconds(in, l));
  for (uint32_t l = 0; l < in->levels; l++)
    t->cost[l] = (int64_t)fmax(1, round(tree_seconds(in, l) / slowest * TREE_COST));
  measure(t);
  return OK;
}

uint32_t tree_cut(const struct tree *t, uint32_t low, uint32_t high)
{
  const uint32_t n = t->in->cores;
  const uint32_t outermost = high - low > 1 ? t->common[low * n + high - 1] : t->in->levels;
  uint32_t best = high;
  if (outermost + 1 >= t->in->levels)
    return high;
  const uint16_t *object = t->in->level[outermost + 1].object;
  for (uint32_t i = low + 1; i < high; i++)
    if (object[t->core[i]] != object[t->core[i - 1]] &&
        (best == high ||
         abs((int)(2 * i) - (int)(low + high)) < abs((int)(2 * best) - (int)(low + high))))
      best = i;
  return best;
}
