#include "cli/explain/what_if.h"

#include <math.h>

#include "cli/explain/derivatives.h"
#include "common/files/memfile.h"
#include "common/mem.h"
#include "sim/load/load.h"

/* Factor on the bandwidth of a link that shall limit no message. */
#define UNLIMITED 1e6

/* --- simulations ------------------------------------------------------------------------------ */

/* Factors on parameters. */
struct change {
  double bandwidths, latencies, speeds; /* of all links, all hosts; 1: unchanged */
  uint32_t link;                        /* of the maxmin; CAUSES_NONE: none */
  double bandwidth;                     /* of this link alone */
};

#define UNCHANGED ((struct change){1, 1, 1, CAUSES_NONE, 1})

static void print_section(const struct what_if *w, FILE *f, const char *kind, uint32_t link,
                          double value)
{
  char name[PLATFORM_NAME_SIZE];
  fprintf(f, "%s %s\n0 %.17g\n", kind,
          platform_link_name(w->t->platform, w->t->link[link], name, sizeof name), value);
}

/* Writes a file of profiles (platforms/profiles.h). */
static void print_profiles(const struct what_if *w, const struct change *c, FILE *f)
{
  const struct flow_net *net = causes_net(w->x->causes);
  for (uint32_t i = 0; i < w->t->path->links; i++) {
    const double latency = platform_link(w->t->platform, w->t->link[i]).latency_s;
    const double factor = c->bandwidths * (i == c->link ? c->bandwidth : 1);
    if (factor != 1)
      print_section(w, f, "bandwidth", i, factor * flow_net_bandwidth(net, i));
    if (c->latencies != 1 && latency > 0)
      print_section(w, f, "latency", i, c->latencies * latency);
  }
  if (c->speeds != 1)
    fprintf(f, "speed *\n0 %.17g\n", c->speeds);
}

static enum status run(const struct what_if *w, const struct change *c, double *time, struct err *e)
{
  struct sim_options o = *w->options;
  struct memfile m = {0};
  struct sim_result result;
  enum status s = memfile_open(&m, "changes", e);
  if (s != OK)
    return FAIL;
  OWNED char *spec = mem_printf(e, "profile:%s", m.path);
  print_profiles(w, c, m.f);
  const bool changes = ftell(m.f) > 0; /* false if the platform or program has nothing to change */
  s = spec == NULL ? FAIL : memfile_flush(&m, e);
  if (s == OK && changes)
    s = load_specs_add(&o.loads, spec, e);
  if (s == OK)
    s = sim_run(&o, w->job, 1, w->t->platform, w->blocked, &result, e);
  *time = s == OK ? result.simulated_time_s : 0;
  memfile_close(&m);
  return s;
}

/* Profiles name links, with blanks after the names. */
enum status what_if_check(const struct platform *p, struct err *e)
{
  if (platform_is_opaque(p))
    return err_set(e, "%s: the links of this platform cannot be changed", platform_name(p));
  for (uint32_t i = 0; i < platform_link_ids(p); i++) {
    char room[PLATFORM_NAME_SIZE];
    const char *name = platform_has_link(p, i) ? platform_link_name(p, i, room, sizeof room) : "";
    if (name[strcspn(name, " \t")] != '\0')
      return err_set(e, "%s: the link '%.80s', with a blank in its name, cannot be changed",
                     platform_name(p), name);
  }
  return OK;
}

/* The number of links in tables. */
static uint32_t most_links(const struct what_if *w)
{
  const uint32_t links = w->t->path->links;
  return w->t->most < links ? w->t->most : links;
}

/* --- remedies --------------------------------------------------------------------------------- */

static double now(const struct what_if *w)
{
  return (double)w->x->path.time_s;
}

static double worse(const struct what_if *w, enum derivatives_parameter p)
{
  return derivatives_effect(&w->x->derivatives, w->t, p, 0).worse;
}

/* The time with a change, if the order of events stayed the same: it is then linear in latencies,
 * and in the reciprocals of bandwidths and speeds. */
static double predict(const struct what_if *w, const struct change *c)
{
  double time = now(w);
  time += worse(w, ALL_BANDWIDTHS) * (1 / c->bandwidths - 1);
  time += worse(w, ALL_LATENCIES) * (c->latencies - 1);
  time += worse(w, ALL_SPEEDS) * (1 / c->speeds - 1);
  if (c->link != CAUSES_NONE)
    time += derivatives_effect(&w->x->derivatives, w->t, BANDWIDTH, c->link).better *
            (1 - 1 / c->bandwidth);
  return time;
}

static enum status print_remedy(const struct what_if *w, const char *name, const char *target,
                                const struct change *c, FILE *f, struct err *e)
{
  const double factor = c->link != CAUSES_NONE ? c->bandwidth
                        : c->latencies != 1    ? 1 / c->latencies
                        : c->speeds != 1       ? c->speeds
                                               : c->bandwidths;
  double time;
  if (run(w, c, &time, e) != OK)
    return FAIL;
  fprintf(f, "%s\t%s\t%.6g\t%.9g\t%.9g\t%.4g\n", name, target, factor, predict(w, c), time,
          now(w) > 0 ? 100 * (1 - time / now(w)) : 0);
  return OK;
}

static enum status print_links(const struct what_if *w, FILE *f, struct err *e)
{
  OWNED struct derivatives_effect *best = mem_array(most_links(w) + (size_t)1, sizeof *best, e);
  if (best == NULL)
    return FAIL;
  const uint32_t n = derivatives_best_links(&w->x->derivatives, w->t, best, most_links(w));
  for (uint32_t i = 0; i < n; i++) {
    struct change c = UNCHANGED;
    char name[PLATFORM_NAME_SIZE];
    const char *target = derivatives_target(&best[i], w->t, name);
    c.link = best[i].number;
    c.bandwidth = 2;
    if (print_remedy(w, "bandwidth", target, &c, f, e) != OK)
      return FAIL;
    c.bandwidth = UNLIMITED;
    if (print_remedy(w, "bandwidth", target, &c, f, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status print_remedies(const struct what_if *w, FILE *f, struct err *e)
{
  struct change bandwidths = UNCHANGED, latencies = UNCHANGED, network = UNCHANGED,
                speeds = UNCHANGED;
  bandwidths.bandwidths = network.bandwidths = 2;
  latencies.latencies = network.latencies = 0.5;
  speeds.speeds = 2;
  fputs("\nfaster\tname\tfactor\tpredicted_s\tsimulated_s\tgain_percent\n", f);
  if (print_remedy(w, "bandwidths", "all", &bandwidths, f, e) != OK ||
      print_remedy(w, "latencies", "all", &latencies, f, e) != OK ||
      print_remedy(w, "network", "all", &network, f, e) != OK ||
      print_remedy(w, "speeds", "all", &speeds, f, e) != OK)
    return FAIL;
  return print_links(w, f, e);
}

/* --- latency ---------------------------------------------------------------------------------- */

static enum status time_at(const struct what_if *w, double latencies, double *time, struct err *e)
{
  struct change c = UNCHANGED;
  c.latencies = latencies;
  return run(w, &c, time, e);
}

/* Finds the factor on all latencies at which the time reaches @p goal, to 1e-3 of the increase, by
 * secants between a factor below and a factor above.  Infinite if factor 2^24 does not reach it. */
static enum status find_factor(const struct what_if *w, double goal, double *factor, struct err *e)
{
  enum { STEPS = 24 };
  double low = 1, low_s = now(w), high = 1, high_s = low_s;
  for (int i = 0; i < STEPS && high_s < goal; i++) {
    low = high;
    low_s = high_s;
    high *= 2;
    if (time_at(w, high, &high_s, e) != OK)
      return FAIL;
  }
  *factor = high_s < goal || goal <= now(w) ? INFINITY : high;
  for (int i = 0; i < STEPS && high_s - goal > 1e-3 * (goal - now(w)); i++) {
    const double part = i % 3 == 2 ? 0.5 : (goal - low_s) / (high_s - low_s);
    double time;
    *factor = low + fmin(0.999, fmax(0.001, part)) * (high - low);
    if (time_at(w, *factor, &time, e) != OK)
      return FAIL;
    if (fabs(time - goal) <= 1e-3 * (goal - now(w)))
      return OK;
    *(time < goal ? &low : &high) = *factor;
    *(time < goal ? &low_s : &high_s) = time;
    *factor = high;
  }
  return OK;
}

/* "-" if no factor makes the run as long. */
static void print_factor(double factor, FILE *f)
{
  if (isinf(factor))
    fputs("\t-", f);
  else
    fprintf(f, "\t%.5g", factor);
}

static enum status print_tolerance(const struct what_if *w, FILE *f, struct err *e)
{
  static const double RISE[] = {1, 2, 5, 10, 20};
  const double slope = worse(w, ALL_LATENCIES);
  fputs("\nlonger_percent\tpredicted_latencies\tlatencies\n", f);
  for (size_t i = 0; i < sizeof RISE / sizeof *RISE; i++) {
    const double more = RISE[i] / 100 * now(w);
    double factor;
    if (find_factor(w, now(w) + more, &factor, e) != OK)
      return FAIL;
    fprintf(f, "%g", RISE[i]);
    print_factor(slope > 0 ? 1 + more / slope : INFINITY, f);
    print_factor(factor, f);
    fputc('\n', f);
  }
  return OK;
}

enum status what_if_write_curve(const struct what_if *w, FILE *f, struct err *e)
{
  enum { POINTS = 24 };
  const double most = 1024, longest = 1.2 * now(w);
  double last;
  if (find_factor(w, longest, &last, e) != OK)
    return FAIL;
  fputs("latencies\tsimulated_s\tpredicted_s\n", f);
  for (int i = 0; i <= POINTS; i++) {
    struct change c = UNCHANGED;
    double time = now(w);
    c.latencies = pow(fmin(last, most), (double)i / POINTS);
    if (i > 0 && run(w, &c, &time, e) != OK)
      return FAIL;
    fprintf(f, "%.9g\t%.9g\t%.9g\n", c.latencies, time, predict(w, &c));
  }
  return OK;
}

/* --- intervals -------------------------------------------------------------------------------- */

/* The change of a parameter by @p relative; above 0 is worse: a higher latency, or a lower
 * bandwidth or speed. */
static struct change change_by(const struct derivatives_effect *x, double relative)
{
  struct change c = UNCHANGED;
  const double factor = x->parameter == ALL_LATENCIES ? 1 + relative : 1 / (1 + relative);
  c.link = x->parameter == BANDWIDTH ? x->number : CAUSES_NONE;
  *(x->parameter == ALL_BANDWIDTHS  ? &c.bandwidths
    : x->parameter == ALL_LATENCIES ? &c.latencies
    : x->parameter == ALL_SPEEDS    ? &c.speeds
                                    : &c.bandwidth) = factor;
  return c;
}

/* Sets *holds if a relative change of a parameter changes the simulated time by the product of the
 * change and the derivative, within 1 % of it plus the precision of dates. */
static enum status check_change(const struct what_if *w, const struct derivatives_effect *x,
                                double relative, bool *holds, struct err *e)
{
  const struct change c = change_by(x, relative);
  const double expected = relative > 0 ? x->worse * relative : -x->better * relative;
  double time;
  if (run(w, &c, &time, e) != OK)
    return FAIL;
  *holds = fabs(time - now(w) - expected) <= 0.01 * fabs(expected) + w->options->precision_s;
  return OK;
}

/* Estimates the largest relative change, at most 0.5, up to which the derivative holds: tries the
 * changes in STEP, then bisects between the last one that holds and the next one.  0 if the
 * derivative does not hold for the first step. */
static enum status find_interval(const struct what_if *w, const struct derivatives_effect *x,
                                 double sign, double *interval, struct err *e)
{
  enum { BETWEEN = 4 };
  static const double STEP[] = {1e-4, 1e-3, 0.01, 0.1, 0.5};
  double beyond = 0;
  bool holds = true;
  *interval = 0;
  for (size_t i = 0; i < sizeof STEP / sizeof *STEP && holds; i++) {
    if (check_change(w, x, sign * STEP[i], &holds, e) != OK)
      return FAIL;
    *(holds ? interval : &beyond) = STEP[i];
  }
  for (int i = 0; i < BETWEEN && beyond > 0 && *interval > 0; i++) {
    const double middle = sqrt(*interval * beyond);
    if (check_change(w, x, sign * middle, &holds, e) != OK)
      return FAIL;
    *(holds ? interval : &beyond) = middle;
  }
  return OK;
}

static enum status print_interval(const struct what_if *w, const struct derivatives_effect *x,
                                  FILE *f, struct err *e)
{
  char name[PLATFORM_NAME_SIZE];
  double up, down;
  if (find_interval(w, x, 1, &up, e) != OK || find_interval(w, x, -1, &down, e) != OK)
    return FAIL;
  fprintf(f, "%s\t%s\t%.9g\t%.3g\t%.9g\t%.3g\n", derivatives_name(x->parameter),
          derivatives_target(x, w->t, name), x->worse, up, x->better, down);
  return OK;
}

static enum status print_intervals(const struct what_if *w, FILE *f, struct err *e)
{
  const struct adjoint *d = &w->x->derivatives;
  OWNED struct derivatives_effect *best = mem_array(most_links(w) + (size_t)1, sizeof *best, e);
  if (best == NULL)
    return FAIL;
  fputs("\nderivative\tname\tworse_s\tworse_holds_to\tbetter_s\tbetter_holds_to\n", f);
  for (enum derivatives_parameter p = ALL_BANDWIDTHS; p <= ALL_SPEEDS; p++) {
    const struct derivatives_effect x = derivatives_effect(d, w->t, p, 0);
    if (print_interval(w, &x, f, e) != OK)
      return FAIL;
  }
  const uint32_t n = derivatives_best_links(d, w->t, best, most_links(w));
  for (uint32_t i = 0; i < n; i++)
    if (print_interval(w, &best[i], f, e) != OK)
      return FAIL;
  return OK;
}

enum status what_if_print(const struct what_if *w, FILE *f, struct err *e)
{
  if (print_remedies(w, f, e) != OK || print_tolerance(w, f, e) != OK)
    return FAIL;
  return print_intervals(w, f, e);
}
