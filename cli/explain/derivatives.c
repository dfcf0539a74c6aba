#include "cli/explain/derivatives.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"

enum parameter { ALL_BANDWIDTHS, ALL_LATENCIES, ALL_SPEEDS, BANDWIDTH, LATENCY, SPEED };

static const char *const NAME[] = {"bandwidths", "latencies", "speeds",
                                   "bandwidth",  "latency",   "speed"};

/* Change of the time in s per relative change of a parameter for the worse and for the better. */
struct effect {
  enum parameter parameter;
  uint32_t number;
  double value;
  double worse, better;
  bool kink;
};

void derivatives_clear(struct derivatives *d)
{
  for (int k = 0; k < ADJOINT_TIES; k++)
    adjoint_clear(&d->of[k]);
}

enum status derivatives_find(struct derivatives *d, const struct tables *t,
                             const struct adjoint_options *o, struct err *e)
{
  struct adjoint_options options = *o;
  *d = (struct derivatives){0};
  for (int k = 0; k < ADJOINT_TIES; k++) {
    options.ties = (enum adjoint_ties)k;
    if (adjoint_find(&d->of[k], t->causes, &options, e) != OK)
      return FAIL;
  }
  return OK;
}

/* Effects of a parameter under one treatment of events at one date. */
static void find_one(const struct adjoint *a, const struct tables *t, struct effect *x)
{
  const uint32_t i = x->number;
  x->worse = x->better = 0;
  switch (x->parameter) {
  case ALL_BANDWIDTHS:
    x->worse = -a->all_bandwidths;
    break;
  case ALL_LATENCIES:
    x->worse = a->all_latencies;
    break;
  case ALL_SPEEDS:
    x->worse = -a->all_speeds;
    break;
  case BANDWIDTH:
    x->value = flow_net_bandwidth(causes_net(t->causes), i);
    x->worse = -(a->bandwidth[i] + a->tied[i]) * x->value;
    x->better = a->bandwidth[i] * x->value;
    return;
  case LATENCY:
    x->value = platform_link(t->platform, t->link[i]).latency_s;
    x->worse = a->latency[i] * x->value;
    break;
  case SPEED:
    x->value = platform_host_speed(t->platform, i);
    x->worse = -a->speed[i] * x->value;
    break;
  }
  x->better = -x->worse;
}

/* A kink: the treatments differ by more than 1 %, or one side differs from the other. */
static struct effect find_effect(const struct derivatives *d, const struct tables *t,
                                 enum parameter parameter, uint32_t number)
{
  struct effect x = {.parameter = parameter, .number = number}, other = x;
  find_one(&d->of[0], t, &x);
  const double least = 1e-9 * (double)t->path->time_s, size = fmax(fabs(x.worse), least);
  const bool of_link = parameter == BANDWIDTH || parameter == LATENCY;
  x.kink = fabs(x.worse + x.better) > 0.01 * size ||
           (of_link && fabs(x.worse) > least && d->of[0].kink[number]);
  for (int k = 1; k < ADJOINT_TIES; k++) {
    find_one(&d->of[k], t, &other);
    const double change = parameter == BANDWIDTH
                              ? (d->of[k].one[number] - d->of[0].one[number]) * x.value
                              : other.worse - x.worse;
    x.kink = x.kink || fabs(change) > 0.01 * size;
  }
  return x;
}

static void print_effect(const struct tables *t, FILE *f, const struct effect *x)
{
  char name[PLATFORM_NAME_SIZE] = "all";
  const char *of = name;
  if (x->parameter == SPEED)
    of = platform_host_name(t->platform, x->number, name, sizeof name);
  else if (x->parameter >= BANDWIDTH)
    of = platform_link_name(t->platform, t->link[x->number], name, sizeof name);
  fprintf(f, "%s\t%s\t", NAME[x->parameter], of);
  if (x->parameter < BANDWIDTH)
    fputc('-', f);
  else
    fprintf(f, "%.15g", x->value);
  fprintf(f, "\t%.15g\t%.15g\t%s\n", x->worse, x->better, x->kink ? "yes" : "no");
}

static const char HEADER[] = "parameter\tname\tvalue\tworse_s\tbetter_s\tkink\n";

void derivatives_print_all(const struct derivatives *d, const struct tables *t, FILE *f)
{
  fputs(HEADER, f);
  for (enum parameter p = ALL_BANDWIDTHS; p <= SPEED; p++) {
    const uint32_t n = p < BANDWIDTH ? 1 : p == SPEED ? d->of[0].hosts : d->of[0].links;
    for (uint32_t i = 0; i < n; i++) {
      const struct effect x = find_effect(d, t, p, i);
      print_effect(t, f, &x);
    }
  }
}

/* The largest effect first. */
static int by_effect(const void *a, const void *b)
{
  const struct effect *x = a, *y = b;
  if (x->better != y->better)
    return x->better < y->better ? -1 : 1;
  if (x->worse != y->worse)
    return x->worse > y->worse ? -1 : 1;
  if (x->parameter != y->parameter)
    return x->parameter < y->parameter ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

enum status derivatives_print(const struct derivatives *d, const struct tables *t, FILE *f,
                              struct err *e)
{
  const uint32_t links = d->of[0].links, hosts = d->of[0].hosts;
  struct effect *x = mem_array(2 * (size_t)links + hosts, sizeof *x, e);
  uint32_t n = 0;
  if (x == NULL)
    return FAIL;
  fprintf(f, "\n%s", HEADER);
  for (enum parameter p = ALL_BANDWIDTHS; p <= ALL_SPEEDS; p++) {
    const struct effect all = find_effect(d, t, p, 0);
    print_effect(t, f, &all);
  }
  for (uint32_t i = 0; i < links; i++) {
    x[n++] = find_effect(d, t, BANDWIDTH, i);
    x[n++] = find_effect(d, t, LATENCY, i);
  }
  for (uint32_t i = 0; i < hosts; i++)
    x[n++] = find_effect(d, t, SPEED, i);
  if (n > 0)
    qsort(x, n, sizeof *x, by_effect);
  for (uint32_t i = 0; i < n && i < t->most; i++)
    print_effect(t, f, &x[i]);
  free(x);
  return OK;
}
