#include "mappers/estimate.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/mem.h"
#include "mappers/fluid.h"
#include "platforms/factors.h"

/* Limit of the messages of a phase for computing rates instead of loads. */
enum { MOST_FLOWS = 3000 };

/* A message without its route. */
struct cargo {
  double carried; /* bytes that cost time, of one message */
  double latency; /* factor of the latency */
};

struct estimate {
  struct arena mem; /* owns the arrays */
  const struct mapper_input *in;
  const struct phases *phases;
  struct phases own; /* of the matrix, if the program has none */
  struct kept_routes routes;
  struct fluid *fluid;
  bool by_rates; /* durations follow from rates; false: from loads */
  uint32_t hosts, ids;
  double *byte_s;             /* by link: seconds per byte; 0: not shared, or no such link */
  double *load;               /* by link: seconds for the bytes of a phase */
  double *total;              /* by link: seconds for the bytes of the program */
  double fullest;             /* the largest total */
  double *occurrences;        /* by phase */
  struct cargo *cargo;        /* by message */
  double *alone_s;            /* by message: its duration if no other message shares a link */
  double *latency_s;          /* by message */
  double *duration_s;         /* by message, in its phase */
  double *clock;              /* by rank */
  double *start;              /* by transfer */
  uint32_t *starter;          /* by transfer: index of the event of its later post */
  bool *waits;                /* by event: the rank waited for the end of the transfer */
  uint32_t last;              /* the rank that ends last */
  struct mapper_blame *blame; /* of estimate_blame() */
  uint32_t *ranks;            /* by host */
  uint32_t *host;             /* by rank, for estimate_of_slots() */
  struct kept_route *sent;    /* by message: its route under the mapping, if phases have loads */
};

static enum status allocate(struct estimate *x)
{
  const struct phases *p = x->phases;
  const size_t messages = p->first[p->count];
  x->byte_s = arena_array(&x->mem, x->ids, sizeof *x->byte_s);
  x->load = arena_array(&x->mem, x->ids, sizeof *x->load);
  x->total = arena_array(&x->mem, x->ids, sizeof *x->total);
  x->occurrences = arena_array(&x->mem, p->count, sizeof *x->occurrences);
  x->alone_s = arena_array(&x->mem, messages, sizeof *x->alone_s);
  x->cargo = arena_array(&x->mem, messages, sizeof *x->cargo);
  x->latency_s = arena_array(&x->mem, messages, sizeof *x->latency_s);
  x->duration_s = arena_array(&x->mem, messages, sizeof *x->duration_s);
  x->clock = arena_array(&x->mem, p->ranks, sizeof *x->clock);
  x->start = arena_array(&x->mem, p->order.transfers, sizeof *x->start);
  x->starter = arena_array(&x->mem, p->order.transfers, sizeof *x->starter);
  x->waits = arena_array(&x->mem, p->order.events, sizeof *x->waits);
  x->blame = arena_array(&x->mem, p->order.transfers, sizeof *x->blame);
  x->ranks = arena_array(&x->mem, x->hosts, sizeof *x->ranks);
  x->host = arena_array(&x->mem, x->in->ranks, sizeof *x->host);
  if (!x->by_rates)
    x->sent = arena_array(&x->mem, messages, sizeof *x->sent);
  return arena_status(&x->mem);
}

static void fill(struct estimate *x)
{
  const struct phases *p = x->phases;
  const struct mapper_model *model = &x->in->model;
  for (uint32_t i = 0; i < x->ids; i++)
    if (platform_has_link(x->in->platform, i)) {
      const struct platform_link l = platform_link(x->in->platform, i);
      x->byte_s[i] = l.fat ? 0 : 1 / l.bandwidth;
    }
  for (size_t i = 0; i < p->steps; i++)
    x->occurrences[p->step[i].phase] += (double)p->step[i].times;
  for (size_t i = 0; i < p->first[p->count]; i++) {
    const double bytes = (double)p->message[i].bytes + model->envelope_bytes;
    x->cargo[i] = (struct cargo){bytes / factors_at(model->bandwidth, bytes),
                                 factors_at(model->latency, bytes)};
  }
}

/* True if durations follow from rates.  The messages of a matrix do not all start together: loads
 * estimate them better. */
static bool has_rates(const struct estimate *x)
{
  const struct phases *p = x->phases;
  for (uint32_t k = 0; k < p->count; k++)
    if (p->first[k + 1] - p->first[k] > MOST_FLOWS)
      return false;
  return p != &x->own;
}

enum status estimate_new(struct estimate **out, const struct mapper_input *in, struct err *e)
{
  struct estimate *x = mem_array(1, sizeof *x, e);
  if (x == NULL)
    return FAIL;
  x->mem.e = e;
  x->in = in;
  x->hosts = platform_hosts(in->platform);
  x->ids = platform_link_ids(in->platform);
  enum status s = mapper_phases(in, &x->phases, e);
  if (s == OK && x->phases == NULL) {
    s = phases_of_matrix(&x->own, in->traffic, in->ranks, e);
    x->phases = &x->own;
  }
  if (s == OK) {
    x->by_rates = has_rates(x);
    s = allocate(x);
  }
  if (s == OK)
    s = kept_routes_new(&x->routes, in->platform, e);
  if (s == OK)
    s = fluid_new(&x->fluid, in->platform, e);
  if (s == OK) {
    fill(x);
    *out = x;
  } else
    estimate_free(x);
  return s;
}

void estimate_free(struct estimate *x)
{
  if (x == NULL)
    return;
  kept_routes_clear(&x->routes);
  fluid_free(x->fluid);
  phases_clear(&x->own);
  arena_clear(&x->mem);
  free(x);
}

/* --- messages --------------------------------------------------------------------------------- */

/* Puts @p share of the bytes of @p f, in each of the occurrences of its phase, on a route: as a
 * load, or as uses of its links. */
static enum status put(struct estimate *x, const struct kept_route *path,
                       const struct fluid_flow *f, double share, double occurrences)
{
  const uint32_t *link = x->routes.link + path->first;
  const double bytes = share * f->count * f->bytes;
  for (uint32_t i = 0; i < path->links; i++) {
    x->total[link[i]] += occurrences * bytes * x->byte_s[link[i]];
    x->fullest = fmax(x->fullest, x->total[link[i]]);
  }
  if (x->by_rates)
    return fluid_use(x->fluid, link, path->links, share);
  for (uint32_t i = 0; i < path->links; i++)
    x->load[link[i]] += bytes * x->byte_s[link[i]];
  return OK;
}

static struct fluid_flow flow_of(const struct estimate *x, size_t i, const struct kept_route *path)
{
  const struct mapper_model *model = &x->in->model;
  struct fluid_flow f = {x->phases->message[i].messages, x->cargo[i].carried, 1, path->narrowest,
                         path->latency_s * x->cargo[i].latency};
  if (path->latency_s > 0 && model->window_bytes > 0)
    f.bound = fmin(f.bound, model->window_bytes / (2 * path->latency_s));
  if (path->latency_s > 0)
    f.penalty = path->latency_s + model->weight_bytes * path->byte_s;
  return f;
}

/* Puts message @p i on its route, and a share of it on the opposite route. */
static enum status send(struct estimate *x, uint32_t phase, size_t i, const uint32_t *host,
                        struct err *e)
{
  const double occurrences = x->occurrences[phase];
  const double back_share = x->in->model.back_share;
  const struct phase_message *m = &x->phases->message[i];
  const uint32_t src = host[m->src], dst = host[m->dst];
  struct kept_route path;
  if (kept_routes_find(&x->routes, src, dst, &path, e) != OK)
    return FAIL;
  const struct fluid_flow f = flow_of(x, i, &path);
  x->latency_s[i] = f.start_s;
  x->alone_s[i] = x->latency_s[i] + f.bytes / f.bound;
  if ((x->by_rates && fluid_add(x->fluid, &f) != OK) || put(x, &path, &f, 1, occurrences) != OK)
    return FAIL;
  if (!x->by_rates)
    x->sent[i] = path;
  if (src == dst || back_share <= 0)
    return OK;
  return kept_routes_find(&x->routes, dst, src, &path, e) == OK
             ? put(x, &path, &f, back_share, occurrences)
             : FAIL;
}

/* Sets the duration of message @p i by the most loaded link of its route. */
static void share(struct estimate *x, size_t i)
{
  const struct kept_route *path = &x->sent[i];
  double most = 0;
  for (uint32_t k = 0; k < path->links; k++)
    most = fmax(most, x->load[x->routes.link[path->first + k]]);
  x->duration_s[i] = fmax(x->latency_s[i] + most, x->alone_s[i]);
}

static enum status run_flows(struct estimate *x, uint32_t phase, const uint32_t *host,
                             struct err *e)
{
  const size_t first = x->phases->first[phase], end = x->phases->first[phase + 1];
  fluid_begin(x->fluid, e);
  for (size_t i = first; i < end; i++)
    if (send(x, phase, i, host, e) != OK)
      return FAIL;
  return fluid_run(x->fluid, &x->duration_s[first]);
}

static enum status run_loads(struct estimate *x, uint32_t phase, const uint32_t *host,
                             struct err *e)
{
  const size_t first = x->phases->first[phase], end = x->phases->first[phase + 1];
  memset(x->load, 0, x->ids * sizeof *x->load);
  for (size_t i = first; i < end; i++)
    if (send(x, phase, i, host, e) != OK)
      return FAIL;
  for (size_t i = first; i < end; i++)
    share(x, i);
  return OK;
}

static enum status run_phase(struct estimate *x, uint32_t phase, const uint32_t *host,
                             struct err *e)
{
  kept_routes_shed(&x->routes);
  return x->by_rates ? run_flows(x, phase, host, e) : run_loads(x, phase, host, e);
}

/* --- time ------------------------------------------------------------------------------------- */

static double seconds(const struct estimate *x, uint32_t host, double flops)
{
  const struct platform *p = x->in->platform;
  const uint32_t cores = platform_host_cores(p, host), ranks = x->ranks[host];
  const double speed = platform_host_speed(p, host) * (ranks > cores ? (double)cores / ranks : 1);
  return flops * x->in->model.compute_scale / speed;
}

/* Fills x->ranks. */
static void count_ranks(struct estimate *x, const uint32_t *host)
{
  memset(x->ranks, 0, x->hosts * sizeof *x->ranks);
  for (uint32_t r = 0; r < x->phases->ranks; r++)
    x->ranks[host[r]]++;
}

static double longest_computation(const struct estimate *x, const uint32_t *host)
{
  double longest = 0;
  for (uint32_t r = 0; r < x->phases->ranks; r++)
    longest = fmax(longest, seconds(x, host[r], x->phases->flops[r]));
  return longest;
}

static double transfer_time(const struct estimate *x, struct phase_transfer t)
{
  return t.message == PHASE_NONE ? 0 : t.times * x->duration_s[t.message];
}

/* Runs the program in its order.  Returns the time at which the last rank ends. */
static double run(struct estimate *x, const uint32_t *host)
{
  const struct phase_order *o = &x->phases->order;
  double most = -1;
  memset(x->clock, 0, x->phases->ranks * sizeof *x->clock);
  memset(x->start, 0, o->transfers * sizeof *x->start);
  for (size_t i = 0; i < o->events; i++) {
    const struct phase_event *v = &o->event[i];
    double *clock = &x->clock[v->rank], *start = &x->start[v->transfer];
    *clock += seconds(x, host[v->rank], v->flops);
    if (v->end) {
      const double end = *start + transfer_time(x, o->transfer[v->transfer]);
      x->waits[i] = end > *clock;
      *clock = fmax(*clock, end);
    } else if (*clock >= *start) {
      *start = *clock;
      x->starter[v->transfer] = (uint32_t)i;
    }
  }
  for (uint32_t r = 0; r < x->phases->ranks; r++) {
    const double end = x->clock[r] + seconds(x, host[r], o->rest[r]);
    x->last = end > most ? r : x->last;
    most = fmax(most, end);
  }
  return most;
}

/* The time of a program without an order: all phases one after the other, then the longest
 * computation. */
static double add_up(struct estimate *x, const uint32_t *host)
{
  const struct phases *p = x->phases;
  double sum = 0;
  for (size_t i = 0; i < p->steps; i++) {
    const uint32_t phase = p->step[i].phase;
    double most = 0;
    for (size_t k = p->first[phase]; k < p->first[phase + 1]; k++)
      most = fmax(most, x->duration_s[k]);
    sum += (double)p->step[i].times * most;
  }
  return sum + longest_computation(x, host);
}

enum status estimate_time(struct estimate *x, const uint32_t *host, double *time_s, struct err *e)
{
  count_ranks(x, host);
  memset(x->total, 0, x->ids * sizeof *x->total);
  x->fullest = 0;
  for (uint32_t k = 0; k < x->phases->count; k++)
    if (run_phase(x, k, host, e) != OK)
      return FAIL;
  *time_s = fmax(x->phases->order.events > 0 ? run(x, host) : add_up(x, host), x->fullest);
  return OK;
}

double estimate_of_slots(struct estimate *x, const uint32_t *at)
{
  struct err unused;
  double time_s;
  mapper_hosts(x->in, at, x->host);
  return estimate_time(x, x->host, &time_s, &unused) == OK ? time_s : INFINITY;
}

size_t estimate_blame(struct estimate *x, const struct mapper_blame **blame)
{
  const struct phase_order *o = &x->phases->order;
  uint32_t rank = x->last;
  size_t n = 0;
  *blame = x->blame;
  for (size_t i = o->events; i-- > 0;) {
    const struct phase_event *v = &o->event[i];
    if (v->rank != rank || !v->end || !x->waits[i])
      continue;
    const struct phase_transfer t = o->transfer[v->transfer];
    if (t.message != PHASE_NONE) {
      const struct phase_message *m = &x->phases->message[t.message];
      x->blame[n++] = (struct mapper_blame){m->src, m->dst, transfer_time(x, t)};
    }
    i = x->starter[v->transfer];
    rank = o->event[i].rank;
  }
  return n;
}

struct kept_routes *estimate_routes(struct estimate *x)
{
  return &x->routes;
}

double estimate_computation(struct estimate *x, const uint32_t *host)
{
  count_ranks(x, host);
  return longest_computation(x, host);
}

double estimate_fixed(struct estimate *x, const uint32_t *host)
{
  const struct platform *p = x->in->platform;
  for (uint32_t h = 0; h < x->hosts; h++)
    if (platform_host_speed(p, h) != platform_host_speed(p, 0) ||
        platform_host_cores(p, h) < x->in->ranks_per_host)
      return 0;
  return estimate_computation(x, host);
}

/* Some 200 steps for a message with rates, 30 for a message with loads, 5 for an event. */
uint64_t estimate_work(const struct estimate *x)
{
  const uint64_t least = 100; /* also without messages */
  const uint64_t each = x->by_rates ? 200 : 30;
  const uint64_t work = 1 + each * x->phases->first[x->phases->count] + 5 * x->phases->order.events;
  return work > least ? work : least;
}
