#include "traces/generators/hpl/charge.h"

#include <math.h>

static double deviate(struct hpl_at *a, const struct kernel_cost *c)
{
  bool noisy = false;
  for (int i = 0; i < KERNEL_TERMS; i++)
    noisy |= c->sd[i] != 0;
  return noisy && a->h->o.noise > 0 ? a->h->o.noise * rng_half_normal(&a->noise) : 0;
}

void hpl_charge(struct hpl_at *a, enum kernel which, double m, double n, double k)
{
  const struct kernel_size s = {m, n, k};
  if (m <= 0 || n <= 0 || k <= 0)
    return;
  if (a->cost == NULL)
    a->due += kernel_flops(which, &s);
  else
    a->due += kernel_time(&a->cost[which], &s, deviate(a, &a->cost[which]));
}

void hpl_charge_columns(const struct hpl_at *a, struct hpl_columns *c, enum kernel which, double m,
                        double n, double k)
{
  const struct kernel_size none = {m, 0, k}, one = {m, 1, k}, all = {m, n, k};
  if (m <= 0 || n <= 0 || k <= 0)
    return;
  if (a->cost == NULL) {
    c->column += kernel_flops(which, &one);
    return;
  }
  const struct kernel_cost *cost = &a->cost[which];
  const double call = kernel_time(cost, &none, 0);
  c->call += call;
  c->column += fmax(kernel_time(cost, &one, 0) - call, 0);
  c->sd = hypot(c->sd, a->h->o.noise * kernel_sd(cost, &all));
}
