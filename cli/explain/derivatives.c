#include "cli/explain/derivatives.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"

static const char *const NAME[] = {"bandwidths", "latencies", "speeds",
                                   "bandwidth",  "latency",   "speed"};

const char *derivatives_name(enum derivatives_parameter p)
{
  return NAME[p];
}

static const struct adjoint_bar *find_bar(const struct adjoint *a,
                                          const struct derivatives_effect *x)
{
  switch (x->parameter) {
  case ALL_BANDWIDTHS:
    return &a->all_bandwidths;
  case ALL_LATENCIES:
    return &a->all_latencies;
  case ALL_SPEEDS:
    return &a->all_speeds;
  case BANDWIDTH:
    return &a->one[x->number];
  case LATENCY:
    return &a->latency[x->number];
  case SPEED:
    return &a->speed[x->number];
  }
  return NULL;
}

/* The value of a parameter, which turns derivatives of find_bar() into effects of relative changes.
 * 1 for all links or hosts, whose derivatives are by relative changes already. */
static double value_of(const struct tables *t, const struct derivatives_effect *x)
{
  switch (x->parameter) {
  case BANDWIDTH:
    return flow_net_bandwidth(causes_net(t->causes), x->number);
  case LATENCY:
    return platform_link(t->platform, t->link[x->number]).latency_s;
  case SPEED:
    return platform_host_speed(t->platform, x->number);
  default:
    return 1;
  }
}

struct derivatives_effect derivatives_effect(const struct adjoint *d, const struct tables *t,
                                             enum derivatives_parameter parameter, uint32_t number)
{
  struct derivatives_effect x = {.parameter = parameter, .number = number};
  const struct adjoint_bar *b = find_bar(d, &x);
  const bool of_link = parameter == BANDWIDTH || parameter == LATENCY;
  const double value = value_of(t, &x), least = 1e-9 * (double)t->path->time_s;
  const double up = b->of[ADJOINT_EQUAL] * value;
  x.value = value;
  x.worse = parameter == ALL_LATENCIES || parameter == LATENCY ? up : -up;
  x.better = -x.worse;
  if (parameter == BANDWIDTH) {
    x.worse = -(d->bandwidth[number] + d->tied[number]) * value;
    x.better = d->bandwidth[number] * value;
  }
  x.worse += 0.0; /* no -0 in tables */
  x.better += 0.0;
  const double most = 0.01 * fmax(fabs(x.worse), least);
  const bool unknown = (of_link && fabs(x.worse) > least && d->kink[number]) ||
                       fabs(b->of[ADJOINT_MIXED] * value - up) > most;
  x.kink = unknown || fabs(x.worse + x.better) > most;
  x.holds_to = unknown ? 0 : fmin(1, adjoint_holds_to(b) / value);
  return x;
}

const char *derivatives_target(const struct derivatives_effect *x, const struct tables *t,
                               char name[PLATFORM_NAME_SIZE])
{
  if (x->parameter == SPEED)
    return platform_host_name(t->platform, x->number, name, PLATFORM_NAME_SIZE);
  if (x->parameter >= BANDWIDTH)
    return platform_link_name(t->platform, t->link[x->number], name, PLATFORM_NAME_SIZE);
  return "all";
}

static void print_effect(const struct tables *t, FILE *f, const struct derivatives_effect *x)
{
  char name[PLATFORM_NAME_SIZE];
  fprintf(f, "%s\t%s\t", NAME[x->parameter], derivatives_target(x, t, name));
  if (x->parameter < BANDWIDTH)
    fputc('-', f);
  else
    fprintf(f, "%.15g", x->value);
  fprintf(f, "\t%.15g\t%.15g\t%s\t%.3g\n", x->worse, x->better, x->kink ? "yes" : "no",
          x->holds_to);
}

static const char HEADER[] = "parameter\tname\tvalue\tworse_s\tbetter_s\tkink\tholds_to\n";

void derivatives_print_all(const struct adjoint *d, const struct tables *t, FILE *f)
{
  fputs(HEADER, f);
  for (enum derivatives_parameter p = ALL_BANDWIDTHS; p <= SPEED; p++) {
    const uint32_t n = p < BANDWIDTH ? 1 : p == SPEED ? d->hosts : d->links;
    for (uint32_t i = 0; i < n; i++) {
      const struct derivatives_effect x = derivatives_effect(d, t, p, i);
      print_effect(t, f, &x);
    }
  }
}

/* The largest effect first. */
static int by_effect(const void *a, const void *b)
{
  const struct derivatives_effect *x = a, *y = b;
  return x->better != y->better         ? RISING(x->better, y->better)
         : x->worse != y->worse         ? RISING(y->worse, x->worse)
         : x->parameter != y->parameter ? RISING(x->parameter, y->parameter)
                                        : RISING(x->number, y->number);
}

uint32_t derivatives_best_links(const struct adjoint *d, const struct tables *t,
                                struct derivatives_effect *out, uint32_t most)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->links; i++) {
    const struct derivatives_effect x = derivatives_effect(d, t, BANDWIDTH, i);
    uint32_t k = n;
    if (!(x.better < 0) || (n == most && by_effect(&x, &out[n - 1]) > 0))
      continue;
    n += n < most;
    for (k = n - 1; k > 0 && by_effect(&x, &out[k - 1]) < 0; k--)
      out[k] = out[k - 1];
    out[k] = x;
  }
  return n;
}

enum status derivatives_print(const struct adjoint *d, const struct tables *t, FILE *f,
                              struct err *e)
{
  const uint32_t links = d->links, hosts = d->hosts;
  struct derivatives_effect *x = mem_array(2 * (size_t)links + hosts, sizeof *x, e);
  uint32_t n = 0;
  if (x == NULL)
    return FAIL;
  fprintf(f, "\n%s", HEADER);
  for (enum derivatives_parameter p = ALL_BANDWIDTHS; p <= ALL_SPEEDS; p++) {
    const struct derivatives_effect all = derivatives_effect(d, t, p, 0);
    print_effect(t, f, &all);
  }
  for (uint32_t i = 0; i < links; i++) {
    x[n++] = derivatives_effect(d, t, BANDWIDTH, i);
    x[n++] = derivatives_effect(d, t, LATENCY, i);
  }
  for (uint32_t i = 0; i < hosts; i++)
    x[n++] = derivatives_effect(d, t, SPEED, i);
  if (n > 0)
    qsort(x, n, sizeof *x, by_effect);
  for (uint32_t i = 0; i < n && i < t->most; i++)
    print_effect(t, f, &x[i]);
  free(x);
  return OK;
}
