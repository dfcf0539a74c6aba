#include "mappers/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/mem.h"
#include "platforms/factors.h"

/* A message on its route. */
struct flight {
  double bytes;    /* on each link, of all equal messages */
  double alone_s;  /* latency, and the transfer if no other message shares a link */
  double shared_s; /* the same with the loads of the phase */
};

struct estimate {
  struct arena mem; /* owns the arrays */
  const struct mapper_input *in;
  const struct phases *phases;
  struct phases own; /* of the matrix, if the program has none */
  struct platform_finder *finder;
  double *load;          /* by link: seconds for the bytes of a phase */
  struct flight *flight; /* by message */
  double *clock;         /* by rank */
  double *start;         /* by transfer */
  uint32_t *ranks;       /* by host */
};

static enum status allocate(struct estimate *x)
{
  const struct phases *p = x->phases;
  x->load = arena_array(&x->mem, platform_link_ids(x->in->platform), sizeof *x->load);
  x->flight = arena_array(&x->mem, p->first[p->count], sizeof *x->flight);
  x->clock = arena_array(&x->mem, p->ranks, sizeof *x->clock);
  x->start = arena_array(&x->mem, p->order.transfers, sizeof *x->start);
  x->ranks = arena_array(&x->mem, platform_hosts(x->in->platform), sizeof *x->ranks);
  return arena_status(&x->mem);
}

enum status estimate_new(struct estimate **out, const struct mapper_input *in, struct err *e)
{
  struct estimate *x = mem_array(1, sizeof *x, e);
  if (x == NULL)
    return FAIL;
  x->mem.e = e;
  x->in = in;
  enum status s = mapper_phases(in, &x->phases, e);
  if (s == OK && x->phases == NULL) {
    s = phases_of_matrix(&x->own, in->traffic, in->ranks, e);
    x->phases = &x->own;
  }
  if (s == OK)
    s = allocate(x);
  if (s == OK)
    s = platform_finder_new(&x->finder, in->platform, e);
  if (s == OK)
    *out = x;
  else
    estimate_free(x);
  return s;
}

void estimate_free(struct estimate *x)
{
  if (x == NULL)
    return;
  platform_finder_free(x->finder);
  phases_clear(&x->own);
  arena_clear(&x->mem);
  free(x);
}

/* --- messages --------------------------------------------------------------------------------- */

static double factor(const struct factor_step *table, double bytes)
{
  return table == NULL ? 1 : factors_at(table, bytes);
}

/* Adds @p bytes to the loads of a route.  Returns the least bandwidth of its links. */
static double add_loads(struct estimate *x, const struct platform_route *r, double bytes)
{
  double narrowest = INFINITY;
  for (uint32_t i = 0; i < r->links; i++) {
    const struct platform_link l = platform_link(x->in->platform, r->link[i]);
    narrowest = fmin(narrowest, l.bandwidth);
    if (!l.fat)
      x->load[r->link[i]] += bytes / l.bandwidth;
  }
  return narrowest;
}

/* Puts a message on its route and on the links of the way back. */
static enum status send(struct estimate *x, const struct phase_message *m, struct flight *f,
                        uint32_t src, uint32_t dst, struct err *e)
{
  const struct mapper_model *model = &x->in->model;
  const double bytes = (double)m->bytes + model->envelope_bytes;
  const double carried = bytes / factor(model->bandwidth, bytes);
  struct platform_route r;
  f->bytes = m->messages * carried;
  if (platform_route(x->finder, src, dst, &r, e) != OK)
    return FAIL;
  double rate = add_loads(x, &r, f->bytes);
  if (r.latency_s > 0 && model->window_bytes > 0)
    rate = fmin(rate, model->window_bytes / (2 * r.latency_s));
  f->shared_s = r.latency_s * factor(model->latency, bytes);
  f->alone_s = f->shared_s + carried / rate;
  if (src == dst || model->back_share <= 0)
    return OK;
  if (platform_route(x->finder, dst, src, &r, e) != OK)
    return FAIL;
  add_loads(x, &r, f->bytes * model->back_share);
  return OK;
}

static enum status send_all(struct estimate *x, const uint32_t *host, uint32_t phase, struct err *e)
{
  const struct phases *p = x->phases;
  for (size_t i = p->first[phase]; i < p->first[phase + 1]; i++) {
    const struct phase_message *m = &p->message[i];
    if (send(x, m, &x->flight[i], host[m->src], host[m->dst], e) != OK)
      return FAIL;
  }
  return OK;
}

/* Finishes the times of the messages of a phase, whose loads are complete, and clears the loads. */
static enum status share(struct estimate *x, const uint32_t *host, uint32_t phase, struct err *e)
{
  const struct phases *p = x->phases;
  struct platform_route r;
  for (size_t i = p->first[phase]; i < p->first[phase + 1]; i++) {
    struct flight *f = &x->flight[i];
    double most = 0;
    if (platform_route(x->finder, host[p->message[i].src], host[p->message[i].dst], &r, e) != OK)
      return FAIL;
    for (uint32_t k = 0; k < r.links; k++)
      most = fmax(most, x->load[r.link[k]]);
    f->shared_s = fmax(f->shared_s + most, f->alone_s);
  }
  memset(x->load, 0, platform_link_ids(x->in->platform) * sizeof *x->load);
  return OK;
}

/* --- time ------------------------------------------------------------------------------------- */

static double seconds(const struct estimate *x, uint32_t host, double flops)
{
  const struct platform *p = x->in->platform;
  const uint32_t cores = platform_host_cores(p, host), ranks = x->ranks[host];
  const double speed = platform_host_speed(p, host) * (ranks > cores ? (double)cores / ranks : 1);
  return flops * x->in->model.compute_scale / speed;
}

/* The clock of the last rank, in the order of the program. */
static double run(struct estimate *x, const uint32_t *host)
{
  const struct phase_order *o = &x->phases->order;
  double last = 0;
  memset(x->clock, 0, x->phases->ranks * sizeof *x->clock);
  memset(x->start, 0, o->transfers * sizeof *x->start);
  for (size_t i = 0; i < o->events; i++) {
    const struct phase_event *v = &o->event[i];
    const struct phase_transfer t = o->transfer[v->transfer];
    double *clock = &x->clock[v->rank], *start = &x->start[v->transfer];
    *clock += seconds(x, host[v->rank], v->flops);
    if (!v->end)
      *start = fmax(*start, *clock);
    else if (t.message == PHASE_NONE)
      *clock = fmax(*clock, *start);
    else
      *clock = fmax(*clock, *start + t.times * x->flight[t.message].shared_s);
  }
  for (uint32_t r = 0; r < x->phases->ranks; r++)
    last = fmax(last, x->clock[r] + seconds(x, host[r], o->rest[r]));
  return last;
}

/* All phases one after the other, and the longest computation. */
static double add_up(struct estimate *x, const uint32_t *host)
{
  const struct phases *p = x->phases;
  double sum = 0, longest = 0;
  for (size_t i = 0; i < p->steps; i++) {
    const uint32_t phase = p->step[i].phase;
    double most = 0;
    for (size_t k = p->first[phase]; k < p->first[phase + 1]; k++)
      most = fmax(most, x->flight[k].shared_s);
    sum += (double)p->step[i].times * most;
  }
  for (uint32_t r = 0; r < p->ranks; r++)
    longest = fmax(longest, seconds(x, host[r], p->flops[r]));
  return sum + longest;
}

enum status estimate_time(struct estimate *x, const uint32_t *host, double *time_s, struct err *e)
{
  memset(x->ranks, 0, platform_hosts(x->in->platform) * sizeof *x->ranks);
  for (uint32_t r = 0; r < x->phases->ranks; r++)
    x->ranks[host[r]]++;
  for (uint32_t k = 0; k < x->phases->count; k++)
    if (send_all(x, host, k, e) != OK || share(x, host, k, e) != OK)
      return FAIL;
  *time_s = x->phases->order.events > 0 ? run(x, host) : add_up(x, host);
  return OK;
}
