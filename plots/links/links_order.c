#include "plots/links/links_order.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { BASELINE, FASTEST, PEER, OTHER };

/* Criteria of the order of a trace's files. */
struct order {
  const char *baseline;
  const char *fastest; /* NULL: no mapper has a time */
};

static uint32_t find_trace(const struct results *r, const char *trace)
{
  uint32_t t = 0;
  while (t < r->trace.count && strcmp(r->trace.name[t], trace) != 0)
    t++;
  return t;
}

static const char *find_fastest(const struct plot_results *r, const char *trace)
{
  const uint32_t t = find_trace(&r->r, trace);
  const char *fastest = NULL;
  double least = INFINITY;
  for (uint32_t m = 0; t < r->r.trace.count && m < r->r.mapper.count; m++) {
    const struct results_spread x = results_spread(&r->r, t, m, RELATIVE_TIME);
    if (x.count > 0 && x.mean < least) {
      least = x.mean;
      fastest = r->r.mapper.name[m];
    }
  }
  return fastest;
}

static int group_of(const struct links_file *f, const struct order *o)
{
  if (strcmp(f->mapper, o->baseline) == 0)
    return BASELINE;
  if (o->fastest != NULL && strcmp(f->mapper, o->fastest) == 0)
    return FASTEST;
  return f->peer ? PEER : OTHER;
}

void links_order(struct links_file *file, size_t n, const struct plot_results *r, const char *trace)
{
  const struct order o = {r->r.mapper.name[r->baseline], find_fastest(r, trace)};
  size_t to = 0;
  for (int group = BASELINE; group <= OTHER; group++)
    for (size_t i = to; i < n; i++)
      if (group_of(&file[i], &o) == group) {
        const struct links_file one = file[i];
        memmove(&file[to + 1], &file[to], (i - to) * sizeof *file);
        file[to++] = one;
      }
}
