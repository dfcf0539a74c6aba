#include "traces/repetition.h"

#include "common/mem.h"

enum { WINDOW_LEAST = 2 };

/* Smallest period of n > 0 values; prefix[] has room for n entries. */
static size_t smallest_period(const uint64_t *value, size_t n, size_t *prefix)
{
  size_t k = 0;
  prefix[0] = 0;
  for (size_t i = 1; i < n; i++) {
    while (k > 0 && value[i] != value[k])
      k = prefix[k - 1];
    k += value[i] == value[k];
    prefix[i] = k;
  }
  return n - prefix[n - 1];
}

/* Extends value[from..to-1], which has period p, on both sides as far as the period continues. */
static struct repetition extend(const uint64_t *value, size_t n, size_t from, size_t to, size_t p)
{
  while (from > 0 && value[from - 1] == value[from - 1 + p])
    from--;
  while (to < n && value[to] == value[to - p])
    to++;
  return (struct repetition){.first = from, .length = to - from, .period = p};
}

/* Searches all windows of one size; consecutive windows overlap by half. */
static void look_through(const uint64_t *value, size_t n, size_t window, size_t *prefix,
                         struct repetition *best)
{
  for (size_t from = 0; from + window <= n; from += (window + 1) / 2) {
    const size_t p = smallest_period(value + from, window, prefix);
    if (p > window / 2)
      continue;
    const struct repetition found = extend(value, n, from, from + window, p);
    if (found.length > best->length)
      *best = found;
    if (from < found.first + found.length - window / 2)
      from = found.first + found.length - window / 2;
  }
}

enum status repetition_find(const uint64_t *value, size_t n, struct repetition *out, struct err *e)
{
  struct repetition best = {0};
  OWNED size_t *prefix = mem_array(n, sizeof *prefix, e);
  if (prefix == NULL)
    return FAIL;
  for (size_t w = n; w >= WINDOW_LEAST && best.length < w; w = (w + 1) / 2)
    look_through(value, n, w, prefix, &best);
  *out = best;
  return OK;
}
