#include "mappers/merge/objective/descent.h"

/* The best join found.  better: its value is below the value at the beginning of the step. */
struct best {
  struct merge_join join;
  uint64_t value;
  bool better;
};

struct descent {
  const struct merge_case *c;
  merge_descent_value *value;
  void *context;
};

static void try_join(const struct descent *s, const struct merge_join *j, struct best *best)
{
  if (best->value == 0)
    return;
  const uint64_t value = s->value(s->context, j, best->value - 1);
  if (value >= best->value)
    return;
  *best = (struct best){*j, value, true};
}

static void try_exchanges(const struct descent *s, const struct merge_join *now, int h,
                          struct best *best)
{
  const uint8_t *kind = s->c->patterns[h].kind;
  for (uint32_t a = 0; a < s->c->ndims; a++)
    for (uint32_t b = a + 1; b < s->c->ndims; b++) {
      if (kind[a] != kind[b])
        continue;
      struct merge_join j = *now;
      j.pattern[h].from[a] = now->pattern[h].from[b];
      j.pattern[h].from[b] = now->pattern[h].from[a];
      try_join(s, &j, best);
    }
}

static void try_reflections(const struct descent *s, const struct merge_join *now, int h,
                            struct best *best)
{
  for (uint32_t d = 0; d < s->c->ndims; d++) {
    if ((s->c->patterns[h].flips >> d & 1) == 0 || (h == 0 && d != s->c->axis))
      continue;
    struct merge_join j = *now;
    j.pattern[h].flip ^= (uint32_t)1 << d;
    try_join(s, &j, best);
  }
}

void merge_descent(const struct merge_case *c, merge_descent_value *value, void *context,
                   struct merge_join *out)
{
  const struct descent s = {c, value, context};
  struct best best = {.better = true};
  best.join.pattern[0] = best.join.pattern[1] = merge_pattern_identity(c->ndims);
  best.value = value(context, &best.join, UINT64_MAX);
  while (best.better) {
    const struct merge_join now = best.join;
    best.better = false;
    for (int h = 0; h < 2; h++) {
      try_exchanges(&s, &now, h, &best);
      try_reflections(&s, &now, h, &best);
    }
  }
  *out = best.join;
}
