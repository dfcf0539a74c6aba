#include "traces/generators/hpl/charge.h"

static double deviate(struct hpl_at *a, const struct kernel_cost *c)
{
  bool noisy = false;
  for (int i = 0; i < KERNEL_TERMS; i++)
    noisy |= c->sd[i] != 0;
  return noisy && a->h->o.noise > 0 ? a->h->o.noise * kernel_deviate(&a->noise) : 0;
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

void hpl_charge_columns(struct hpl_at *a, struct hpl_columns *c, enum kernel which, double m,
                        double k)
{
  const struct kernel_size none = {m, 0, k}, one = {m, 1, k};
  if (m <= 0 || k <= 0)
    return;
  if (a->cost == NULL) {
    c->column += kernel_flops(which, &one);
    return;
  }
  const struct kernel_cost *cost = &a->cost[which];
  const double z = deviate(a, cost), call = kernel_time(cost, &none, z);
  const double with_one = kernel_time(cost, &one, z);
  c->call += call;
  c->column += with_one > call ? with_one - call : 0;
}
