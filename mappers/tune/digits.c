#include "mappers/tune/digits.h"

#include "platforms/topology/grid.h"

/* Adds a digit with @p side values as the slowest one.  Adds none for fewer than 2 values. */
static void add_digit(struct digits *d, uint32_t side)
{
  if (side < 2 || d->n == DIGITS_MOST)
    return;
  d->stride[d->n] = d->n == 0 ? 1 : d->stride[d->n - 1] * d->side[d->n - 1];
  d->side[d->n++] = side;
}

void digits_factor(struct digits *d, uint32_t value)
{
  for (uint32_t p = 2; value > 1; p++) {
    if ((uint64_t)p * p > value)
      p = value;
    for (; value % p == 0; value /= p)
      add_digit(d, p);
  }
}

struct digits digits_of_hosts(const struct platform *p, bool factor)
{
  const struct topology *t = platform_topology(p);
  struct digits d = {.n = 0};
  uint32_t ndims = 0;
  const uint32_t *side = t != NULL && topology_is_grid(t) ? grid_sides(t, &ndims) : NULL;
  for (uint32_t i = 0; i < ndims; i++)
    if (factor)
      digits_factor(&d, side[i]);
    else
      add_digit(&d, side[i]);
  if (side == NULL)
    digits_factor(&d, platform_hosts(p));
  return d;
}

uint32_t digits_swapped(const struct digits *d, uint32_t a, uint32_t b, uint32_t number)
{
  uint32_t image = 0, stride = 1;
  for (uint32_t i = 0; i < d->n; i++) {
    const uint32_t from = i == a ? b : i == b ? a : i;
    image += digits_at(d, number, from) * stride;
    stride *= d->side[from];
  }
  return image;
}
