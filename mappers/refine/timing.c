#include "mappers/refine/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/mem.h"
#include "mappers/refine/swaps.h"
#include "platforms/distances.h"
#include "platforms/factors.h"

/* After an exchange, the sum of a phase is inaccurate if a load exceeds FAR_ABOVE units or if the
 * sum is below FAR_BELOW.  Such a sum is computed anew. */
#define FAR_ABOVE 4
#define FAR_BELOW 1e-5

/* Similar phases are merged until they have at most this number of messages per rank. */
enum { MOST_MESSAGES = 24 };

/* Limit of the number of cells, 24 bytes each.  For programs that need more, the traffic is one
 * phase. */
#define MOST_CELLS (UINT64_C(1) << 22)

/* Equal messages of a phase, in the list of their sender or of their receiver. */
struct message {
  uint32_t partner, phase;
  uint32_t in : 1; /* 1: the rank receives them */
  uint64_t bytes;  /* on each link of their route, together */
  double latency;  /* factor of the latency, times their share of the messages of the phase */
};

/* The load of a link in a phase. */
struct cell {
  uint64_t load;    /* bytes */
  int64_t delta;    /* bytes that the tried exchange adds */
  uint32_t phase;   /* valid while `touched` */
  uint32_t touched; /* 1: listed in touched[] of the timing */
};

/* The norm of the loads of a phase is unit * sum^(1/8) seconds. */
struct phase {
  double times;  /* how often the program executes it */
  double least;  /* lower bound of `unit`, above 0 */
  double unit;   /* s; the longest time of a link when `sum` was computed */
  double sum;    /* of the 8th powers of the times of the links, in units */
  double change; /* of `sum`, by the tried exchange */
  bool active;   /* listed in active[] of the timing */
  bool stale;    /* timing_take() computes `sum` anew */
};

/* The computations of all ranks of a host. */
struct host {
  double flops;
  uint32_t ranks;
};

struct timing {
  struct arena mem;    /* owns the arrays */
  struct swaps *swaps; /* not owned, as `platform` */
  const struct platform *platform;
  uint32_t ids, phases;    /* link ids of the platform; number of phases */
  size_t *first;           /* rank r lists message[first[r]] to message[first[r + 1] - 1] */
  struct message *message; /* each one twice: at its sender and at its receiver */
  struct cell *cell;       /* by phase * ids + link */
  double *byte_s;          /* by link: s per byte */
  struct phase *phase;
  size_t *touched; /* indices of the cells that the tried exchange changes */
  size_t touches;
  uint32_t *active; /* phases that it changes */
  uint32_t actives;
  struct distances *latencies;      /* owned */
  double latency_s, latency_change; /* sum of the phases' mean latencies, and its change */
  double *flops;                    /* by rank, times the factor of computations */
  struct host *host;
  double host_unit, host_sum, host_change; /* unit, sum and change of the 16th powers of the times
                                              of hosts */
  uint32_t from, to;                       /* hosts of the tried exchange */
  double moved;                            /* flops that it moves from `from` to `to` */
  int more;                                /* ranks that it moves from `from` to `to`, net */
};

static double power8(double x)
{
  x *= x;
  x *= x;
  return x * x;
}

static double root8(double x)
{
  return x > 0 ? sqrt(sqrt(sqrt(x))) : 0; /* rounding errors may make a sum negative */
}

/* --- construction ----------------------------------------------------------------------------- */

static void add_message(struct timing *t, size_t *next, uint32_t phase,
                        const struct phase_message *x, double messages,
                        const struct mapper_model *model)
{
  const double bytes = (double)x->bytes + model->envelope_bytes;
  struct message m = {
      .partner = x->dst,
      .phase = phase,
      .bytes = (uint64_t)llround(x->messages * bytes / factors_at(model->bandwidth, bytes)),
      .latency = factors_at(model->latency, bytes) * x->messages / messages};
  t->message[next[x->src]++] = m;
  m.in = 1;
  m.partner = x->src;
  t->message[next[x->dst]++] = m;
}

static enum status take_phases(struct timing *t, const struct phases *p,
                               const struct mapper_model *model)
{
  const uint32_t ranks = p->ranks;
  const size_t messages = p->first[p->count];
  size_t *next = arena_array(&t->mem, ranks, sizeof *next);
  t->first = arena_array(&t->mem, (size_t)ranks + 1, sizeof *t->first);
  t->message = arena_array(&t->mem, 2 * messages, sizeof *t->message);
  t->phase = arena_array(&t->mem, p->count, sizeof *t->phase);
  t->active = arena_array(&t->mem, p->count, sizeof *t->active);
  t->cell = arena_array(&t->mem, (size_t)p->count * t->ids, sizeof *t->cell);
  t->touched = arena_array(&t->mem, (size_t)p->count * t->ids, sizeof *t->touched);
  if (arena_status(&t->mem) != OK)
    return FAIL;
  for (size_t i = 0; i < messages; i++) {
    t->first[p->message[i].src + 1]++;
    t->first[p->message[i].dst + 1]++;
  }
  for (uint32_t r = 0; r < ranks; r++)
    t->first[r + 1] += t->first[r];
  memcpy(next, t->first, ranks * sizeof *next);
  for (size_t i = 0; i < p->steps; i++)
    t->phase[p->step[i].phase].times += (double)p->step[i].times;
  for (uint32_t k = 0; k < p->count; k++) {
    double all = 0;
    for (size_t i = p->first[k]; i < p->first[k + 1]; i++)
      all += p->message[i].messages;
    for (size_t i = p->first[k]; i < p->first[k + 1]; i++)
      add_message(t, next, k, &p->message[i], all, model);
  }
  return OK;
}

static enum status take_links(struct timing *t)
{
  if ((t->byte_s = arena_array(&t->mem, t->ids, sizeof *t->byte_s)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < t->ids; i++)
    if (platform_has_link(t->platform, i))
      t->byte_s[i] = 1 / platform_link(t->platform, i).bandwidth;
  return OK;
}

static enum status take_hosts(struct timing *t, const struct phases *p,
                              const struct mapper_model *model)
{
  t->flops = arena_array(&t->mem, p->ranks, sizeof *t->flops);
  t->host = arena_array(&t->mem, t->swaps->hosts, sizeof *t->host);
  if (arena_status(&t->mem) != OK)
    return FAIL;
  for (uint32_t r = 0; r < p->ranks; r++) {
    t->flops[r] = p->flops[r] * model->compute_scale;
    t->host[t->swaps->host[r]].flops += t->flops[r];
    t->host[t->swaps->host[r]].ranks++;
  }
  return OK;
}

/* --- loads ------------------------------------------------------------------------------------ */

static double seconds(const struct timing *t, size_t cell, uint64_t load)
{
  return (double)load * t->byte_s[cell % t->ids];
}

static void refresh_phase(struct timing *t, uint32_t phase)
{
  struct phase *p = &t->phase[phase];
  const size_t first = (size_t)phase * t->ids;
  p->unit = p->least;
  for (size_t i = first; i < first + t->ids; i++)
    p->unit = fmax(p->unit, seconds(t, i, t->cell[i].load));
  p->sum = 0;
  for (size_t i = first; i < first + t->ids; i++)
    if (t->cell[i].load > 0)
      p->sum += power8(seconds(t, i, t->cell[i].load) / p->unit);
  p->stale = false;
}

static double host_time(const struct timing *t, uint32_t h, double flops, uint32_t ranks)
{
  const uint32_t cores = platform_host_cores(t->platform, h), used = ranks < cores ? ranks : cores;
  return used == 0 ? 0 : flops / (platform_host_speed(t->platform, h) * used);
}

static void refresh_hosts(struct timing *t)
{
  double most = 0;
  for (uint32_t h = 0; h < t->swaps->hosts; h++)
    most = fmax(most, host_time(t, h, t->host[h].flops, t->host[h].ranks));
  t->host_unit = most;
  t->host_sum = 0;
  for (uint32_t h = 0; h < t->swaps->hosts && most > 0; h++) {
    const double x = power8(host_time(t, h, t->host[h].flops, t->host[h].ranks) / most);
    t->host_sum += x * x;
  }
}

void timing_refresh(struct timing *t)
{
  for (uint32_t k = 0; k < t->phases; k++)
    refresh_phase(t, k);
  refresh_hosts(t);
}

static void add_route(struct timing *t, uint32_t phase, uint32_t src, uint32_t dst, int64_t bytes)
{
  const struct route r = routes_find(t->swaps->routes, src, dst);
  for (uint32_t i = 0; i < r.links; i++) {
    const size_t at = (size_t)phase * t->ids + r.link[i];
    struct cell *c = &t->cell[at];
    c->delta += bytes;
    if (c->touched)
      continue;
    c->touched = 1;
    c->phase = phase;
    t->touched[t->touches++] = at;
  }
}

/* Adds (@p sign 1) or removes (-1) a message between a rank on host @p a and its partner on host
 * @p b. */
static void add_message_at(struct timing *t, const struct message *m, uint32_t a, uint32_t b,
                           int sign)
{
  const uint32_t src = m->in ? b : a, dst = m->in ? a : b;
  if (a == b)
    return;
  add_route(t, m->phase, src, dst, sign * (int64_t)m->bytes);
  t->latency_change +=
      sign * t->phase[m->phase].times * m->latency * distances_mean(t->latencies, a, b);
}

static void fill_loads(struct timing *t)
{
  const struct swaps *s = t->swaps;
  for (uint32_t r = 0; r < s->ranks; r++)
    for (size_t i = t->first[r]; i < t->first[r + 1]; i++)
      if (!t->message[i].in)
        add_message_at(t, &t->message[i], s->host[r], s->host[t->message[i].partner], 1);
  for (size_t i = 0; i < t->touches; i++) {
    struct cell *c = &t->cell[t->touched[i]];
    c->load = (uint64_t)c->delta;
    c->delta = 0;
    c->touched = 0;
  }
  t->touches = 0;
  t->latency_s = t->latency_change;
}

/* --- exchanges -------------------------------------------------------------------------------- */

/* Moves the messages of @p rank from host @p a to host @p b, while rank @p other moves from @p b to
 * @p a.  @p leave: omits messages between the two, which the call for the other rank moves. */
static void move_messages(struct timing *t, uint32_t rank, uint32_t a, uint32_t b, uint32_t other,
                          bool leave)
{
  for (size_t i = t->first[rank]; i < t->first[rank + 1]; i++) {
    const struct message *m = &t->message[i];
    const uint32_t old = t->swaps->host[m->partner];
    if (m->partner == other && leave)
      continue;
    add_message_at(t, m, a, old, -1);
    add_message_at(t, m, b, m->partner == other ? a : old, 1);
  }
}

/* Sets the changes of the phases' sums. */
static void change_sums(struct timing *t)
{
  for (size_t i = 0; i < t->touches; i++) {
    const struct cell *c = &t->cell[t->touched[i]];
    struct phase *p = &t->phase[c->phase];
    if (c->delta == 0)
      continue;
    const double now = seconds(t, t->touched[i], c->load + (uint64_t)c->delta) / p->unit;
    p->change += power8(now) - power8(seconds(t, t->touched[i], c->load) / p->unit);
    p->stale = p->stale || now > FAR_ABOVE;
    if (!p->active)
      t->active[t->actives++] = c->phase;
    p->active = true;
  }
}

static double change_host(const struct timing *t, uint32_t h, double flops, int ranks)
{
  const struct host *x = &t->host[h];
  const double before = power8(host_time(t, h, x->flops, x->ranks) / t->host_unit);
  const double after =
      power8(host_time(t, h, x->flops + flops, (uint32_t)((int)x->ranks + ranks)) / t->host_unit);
  return after * after - before * before;
}

static double norm16(const struct timing *t, double sum)
{
  return t->host_unit * sqrt(root8(fmax(sum, 0)));
}

double timing_try(struct timing *t, struct swaps *s)
{
  const uint32_t other = s->at[s->target];
  double change = 0;
  t->from = s->host[s->rank];
  t->to = s->target / s->per_host;
  t->moved = t->flops[s->rank] - (other == SWAPS_NOBODY ? 0 : t->flops[other]);
  t->more = other == SWAPS_NOBODY;
  t->latency_change = 0;
  move_messages(t, s->rank, t->from, t->to, other, false);
  if (other != SWAPS_NOBODY)
    move_messages(t, other, t->to, t->from, s->rank, true);
  change_sums(t);
  for (uint32_t i = 0; i < t->actives; i++) {
    struct phase *p = &t->phase[t->active[i]];
    p->stale = p->stale || p->sum + p->change < FAR_BELOW;
    change += p->times * p->unit * (root8(p->sum + p->change) - root8(p->sum));
  }
  t->host_change = 0;
  if (t->host_unit > 0)
    t->host_change =
        change_host(t, t->from, -t->moved, -t->more) + change_host(t, t->to, t->moved, t->more);
  if (t->host_change != 0)
    change += norm16(t, t->host_sum + t->host_change) - norm16(t, t->host_sum);
  return change + t->latency_change;
}

void timing_take(struct timing *t)
{
  for (size_t i = 0; i < t->touches; i++) {
    struct cell *c = &t->cell[t->touched[i]];
    c->load += (uint64_t)c->delta;
  }
  for (uint32_t i = 0; i < t->actives; i++)
    t->phase[t->active[i]].sum += t->phase[t->active[i]].change;
  t->latency_s += t->latency_change;
  t->host[t->from].flops -= t->moved;
  t->host[t->to].flops += t->moved;
  t->host[t->from].ranks -= (uint32_t)t->more;
  t->host[t->to].ranks += (uint32_t)t->more;
  t->host_sum += t->host_change;
  for (uint32_t i = 0; i < t->actives; i++)
    if (t->phase[t->active[i]].stale)
      refresh_phase(t, t->active[i]);
  timing_drop(t);
}

void timing_drop(struct timing *t)
{
  for (size_t i = 0; i < t->touches; i++) {
    t->cell[t->touched[i]].delta = 0;
    t->cell[t->touched[i]].touched = 0;
  }
  for (uint32_t i = 0; i < t->actives; i++) {
    struct phase *p = &t->phase[t->active[i]];
    p->change = 0;
    p->active = p->stale = false;
  }
  t->touches = 0;
  t->actives = 0;
  t->moved = t->host_change = t->latency_change = 0;
  t->more = 0;
}

double timing_value(const struct timing *t)
{
  double sum = t->latency_s + norm16(t, t->host_sum);
  for (uint32_t k = 0; k < t->phases; k++)
    sum += t->phase[k].times * t->phase[k].unit * root8(t->phase[k].sum);
  return sum;
}

/* --- making and freeing ----------------------------------------------------------------------- */

static double least_byte_s(const struct timing *t)
{
  double least = INFINITY;
  for (uint32_t i = 0; i < t->ids; i++)
    if (t->byte_s[i] > 0)
      least = fmin(least, t->byte_s[i]);
  return least < INFINITY ? least : 1;
}

static void set_least(struct timing *t, uint32_t ranks)
{
  const double byte_s = least_byte_s(t);
  for (size_t i = 0; i < t->first[ranks]; i++) {
    struct phase *p = &t->phase[t->message[i].phase];
    p->least = fmax(p->least, (double)t->message[i].bytes * byte_s);
  }
}

static enum status make(struct timing *t, const struct phases *p, const struct mapper_model *model,
                        struct err *e)
{
  t->phases = p->count;
  if (take_links(t) != OK || take_phases(t, p, model) != OK || take_hosts(t, p, model) != OK ||
      distances_new(&t->latencies, t->platform, DISTANCE_LATENCY, e) != OK ||
      distances_fill(t->latencies, e) != OK)
    return FAIL;
  set_least(t, p->ranks);
  fill_loads(t);
  timing_refresh(t);
  return routes_check(t->swaps->routes, e);
}

/* Merges similar phases into *out, or leaves it empty if they need too many cells. */
static enum status use_phases(const struct timing *t, const struct phases *p,
                              const struct mapper_input *in, struct phases *out, struct err *e)
{
  if (phases_merge(out, p, (size_t)in->ranks * MOST_MESSAGES, e) != OK)
    return FAIL;
  if ((uint64_t)out->count * t->ids > MOST_CELLS)
    phases_clear(out);
  return OK;
}

enum status timing_new(struct timing **out, struct swaps *s, const struct mapper_input *in,
                       struct err *e)
{
  struct timing *t = mem_array(1, sizeof *t, e);
  const struct phases *p;
  struct phases own = {0};
  if ((*out = t) == NULL || mapper_phases(in, &p, e) != OK)
    return FAIL;
  t->mem.e = e;
  t->swaps = s;
  t->platform = in->platform;
  t->ids = platform_link_ids(in->platform);
  if (p != NULL && use_phases(t, p, in, &own, e) != OK)
    return FAIL;
  enum status status = OK;
  if (own.first == NULL)
    status = phases_of_matrix(&own, in->traffic, in->ranks, e);
  if (status == OK && p != NULL)
    memcpy(own.flops, p->flops, in->ranks * sizeof *own.flops);
  if (status == OK)
    status = make(t, &own, &in->model, e);
  phases_clear(&own);
  return status;
}

void timing_free(struct timing *t)
{
  if (t == NULL)
    return;
  distances_free(t->latencies);
  arena_clear(&t->mem);
  free(t);
}
