#include "wan/adjacency.h"

#include <stdlib.h>

#include "common/containers/search.h"
#include "common/mem.h"
#include "common/numeric/rising.h"

/* Sort key of one side of a connection: process, neighbour, and a last bit that is 0 if the process
 * can open the connection.  merge() keeps the lowest key of a side: one key with a last bit of 0 is
 * enough. */
static uint64_t side(uint32_t p, uint32_t q, bool opened)
{
  return (uint64_t)p << 33 | (uint64_t)q << 1 | !opened;
}

/* Sorts the keys, keeps the lowest key of each side and returns the number kept. */
static size_t merge(uint64_t *key, size_t count)
{
  size_t n = 0;
  qsort(key, count, sizeof *key, rising_u64);
  for (size_t i = 0; i < count; i++)
    if (n == 0 || key[n - 1] >> 1 != key[i] >> 1)
      key[n++] = key[i];
  return n;
}

static void fill(struct adjacency *a, const uint64_t *key, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    a->first[(key[i] >> 33) + 1]++;
    a->edge[i] = (struct adjacency_edge){(uint32_t)(key[i] >> 1), (key[i] & 1) == 0};
  }
  for (uint32_t p = 0; p < a->n; p++)
    a->first[p + 1] += a->first[p];
}

enum status adjacency_new(struct adjacency *out, uint32_t n, const struct adjacency_open *open,
                          size_t count, struct err *e)
{
  struct adjacency a = {.n = n};
  OWNED uint64_t *key = mem_array(count, 2 * sizeof *key, e);
  if (key == NULL)
    return FAIL;
  for (size_t i = 0; i < count; i++) {
    key[2 * i] = side(open[i].from, open[i].to, true);
    key[2 * i + 1] = side(open[i].to, open[i].from, false);
  }
  const size_t sides = merge(key, 2 * count);
  enum status s = OK;
  if ((a.first = mem_array((size_t)n + 1, sizeof *a.first, e)) == NULL ||
      (a.edge = mem_array(sides, sizeof *a.edge, e)) == NULL)
    s = FAIL;
  if (s == OK) {
    fill(&a, key, sides);
    *out = a;
  } else {
    adjacency_clear(&a);
  }
  return s;
}

void adjacency_clear(struct adjacency *a)
{
  free(a->first);
  free(a->edge);
  *a = (struct adjacency){0};
}

struct wanted {
  const struct adjacency_edge *edge;
  uint32_t to;
};

static bool is_before(const void *key, size_t i)
{
  const struct wanted *w = key;
  return w->edge[i].to < w->to;
}

const struct adjacency_edge *adjacency_find(const struct adjacency *a, uint32_t p, uint32_t q)
{
  const struct wanted w = {a->edge, q};
  const size_t i = search(a->first[p], a->first[p + 1], is_before, &w);
  return i < a->first[p + 1] && a->edge[i].to == q ? &a->edge[i] : NULL;
}

#define UNSEEN UINT32_MAX

/* Writes @p number for all processes in the component of process @p start. */
static void spread(const struct adjacency *a, uint32_t start, uint32_t number, uint32_t *component,
                   uint32_t *stack)
{
  size_t top = 0;
  component[start] = number;
  stack[top++] = start;
  while (top > 0) {
    const uint32_t p = stack[--top];
    for (size_t i = a->first[p]; i < a->first[p + 1]; i++) {
      const uint32_t q = a->edge[i].to;
      if (component[q] != UNSEEN)
        continue;
      component[q] = number;
      stack[top++] = q;
    }
  }
}

enum status adjacency_components(const struct adjacency *a, uint32_t *component, uint32_t *count,
                                 struct err *e)
{
  OWNED uint32_t *stack = mem_array(a->n, sizeof *stack, e);
  if (stack == NULL)
    return FAIL;
  *count = 0;
  for (uint32_t p = 0; p < a->n; p++)
    component[p] = UNSEEN;
  for (uint32_t p = 0; p < a->n; p++)
    if (component[p] == UNSEEN)
      spread(a, p, (*count)++, component, stack);
  return OK;
}
