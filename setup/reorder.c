#include "setup/reorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "mappers/mapper.h"
#include "mappers/metrics.h"
#include "platforms/inside/inside.h"
#include "platforms/topology/grid.h"
#include "setup/place.h"

/* Ranks move only if a relative gain is larger than its bound.  LEAST_GAIN, of the estimated time:
 * the relative error of the estimate for one exchange of messages.  LEAST_LOAD_GAIN, of the time of
 * the most loaded link: counts if neither the estimated time nor the hop-bytes rise. */
static const double LEAST_GAIN = 0.05, LEAST_LOAD_GAIN = 0.1;

/* With more ranks, the default mapper computes a single mapping: the candidates of auto would take
 * seconds. */
enum { MOST_SEARCHED = 1024 };

struct work {
  const struct reorder_request *q;
  const struct platform *platform; /* without an inside if processes share a core */
  struct sim_options options;
  const char *mapper;
  bool crowded;      /* a host has several processes */
  uint64_t bytes;    /* between different ranks */
  uint32_t *host;    /* by process, on `platform` */
  uint32_t *node;    /* by process */
  uint32_t *count;   /* by host, or by node */
  uint32_t *process; /* by rank, of the new order */
};

static enum status check(const struct reorder_request *q, struct err *e)
{
  const uint32_t hosts = platform_hosts(q->platform);
  if (q->traffic->ranks > q->processes)
    return err_set(e, "traffic of %" PRIu32 " ranks, but %" PRIu32 " processes", q->traffic->ranks,
                   q->processes);
  for (uint32_t i = 0; i < q->processes; i++)
    if (q->host[i] >= hosts)
      return err_set(
          e, "process %" PRIu32 " is on host %" PRIu32 ", but there are only %" PRIu32 " hosts", i,
          q->host[i], hosts);
  if (q->mapper == NULL || mapper_is_spec(q->mapper))
    return OK;
  return registry_unknown(&mappers, q->mapper, strcspn(q->mapper, ":"), e);
}

/* True if a host has several processes. */
static bool is_crowded(struct work *w)
{
  bool crowded = false;
  for (uint32_t i = 0; i < w->q->processes; i++)
    crowded |= w->count[w->host[i]]++ > 0;
  memset(w->count, 0, platform_hosts(w->platform) * sizeof *w->count);
  return crowded;
}

static enum status prepare(struct work *w, struct err *e)
{
  const uint32_t n = w->q->processes;
  w->platform = w->q->platform;
  w->options = sim_defaults();
  if ((w->host = mem_array(n, sizeof *w->host, e)) == NULL ||
      (w->node = mem_array(n, sizeof *w->node, e)) == NULL ||
      (w->process = mem_array(n, sizeof *w->process, e)) == NULL ||
      (w->count = mem_array(platform_hosts(w->platform), sizeof *w->count, e)) == NULL)
    return FAIL;
  memcpy(w->host, w->q->host, n * sizeof *w->host);
  for (uint32_t i = 0; i < n; i++)
    w->node[i] = platform_node(w->platform, w->host[i]);
  w->crowded = is_crowded(w);
  if (platform_inside(w->platform) != NULL && w->crowded) {
    w->platform = platform_nodes(w->platform);
    memcpy(w->host, w->node, n * sizeof *w->host);
  }
  return OK;
}

/* Number of processes per node if all nodes have the same number; 0 if not. */
static uint32_t equal_slots(struct work *w)
{
  const uint32_t nodes = platform_hosts(platform_nodes(w->platform)), n = w->q->processes;
  const uint32_t each = n / nodes;
  bool equal = n % nodes == 0;
  for (uint32_t i = 0; i < n; i++)
    w->count[w->node[i]]++;
  for (uint32_t h = 0; h < nodes; h++) {
    equal &= w->count[h] == each;
    w->count[h] = 0;
  }
  return equal ? each : 0;
}

static struct place place_of(struct work *w)
{
  const uint32_t each = equal_slots(w);
  return (struct place){.mapping = w->mapper,
                        .slot = each > 0 ? NULL : w->node,
                        .slots = w->q->processes,
                        .ranks_per_host = each,
                        .ranks = w->q->traffic->ranks,
                        .threads = w->q->threads,
                        .traffic = w->q->traffic,
                        .options = &w->options};
}

static enum status cost(struct reorder_cost *out, struct work *w, const struct mapping *m,
                        struct err *e)
{
  const struct place a = place_of(w);
  struct metrics x;
  if (metrics_compute(&x, w->platform, m, w->q->traffic, e) != OK ||
      place_estimate(&a, w->platform, m, &x.estimated_time_s, e) != OK)
    return FAIL;
  w->bytes = x.bytes;
  *out = (struct reorder_cost){x.hop_bytes, x.max_link_load_bytes, x.max_link_load_s,
                               x.estimated_time_s};
  return OK;
}

/* --- processes for ranks ---------------------------------------------------------------------- */

/* A rank or a process on a host. */
struct seat {
  uint32_t node, host, number;
};

static int by_host(const void *a, const void *b)
{
  const struct seat *x = a, *y = b;
  return x->node != y->node   ? RISING(x->node, y->node)
         : x->host != y->host ? RISING(x->host, y->host)
                              : RISING(x->number, y->number);
}

/* A rank keeps its process if the mapper has chosen the host of this process, unless nodes have an
 * inside: there the mapper may have used cores without a process.  Sets w->process[r] of other
 * ranks r, and rank[i] of processes i that are free, to UINT32_MAX. */
static void keep(struct work *w, const struct mapping *m, uint32_t *rank)
{
  const bool inside = platform_inside(w->platform) != NULL;
  memset(rank, 0xff, w->q->processes * sizeof *rank);
  for (uint32_t r = 0; r < m->ranks; r++) {
    const bool same = !inside && w->host[r] == m->host[r];
    w->process[r] = same ? r : UINT32_MAX;
    if (same)
      rank[r] = r;
  }
}

/* Gives the ranks without a process the free processes of their nodes, both in the order of cores.
 * False if a node has too few free processes. */
static bool match(struct work *w, const struct mapping *m, uint32_t *rank, struct seat *of)
{
  const uint32_t n = w->q->processes;
  struct seat *ranks = of, *spare = of + n;
  uint32_t wanting = 0, unused = 0;
  for (uint32_t r = 0; r < m->ranks; r++)
    if (w->process[r] == UINT32_MAX)
      ranks[wanting++] = (struct seat){platform_node(w->platform, m->host[r]), m->host[r], r};
  for (uint32_t i = 0; i < n; i++)
    if (rank[i] == UINT32_MAX)
      spare[unused++] = (struct seat){w->node[i], w->host[i], i};
  qsort(ranks, wanting, sizeof *ranks, by_host);
  qsort(spare, unused, sizeof *spare, by_host);
  for (uint32_t k = 0, at = 0; k < wanting; k++, at++) {
    while (at < unused && spare[at].node < ranks[k].node)
      at++;
    if (at == unused || spare[at].node != ranks[k].node)
      return false;
    w->process[ranks[k].number] = spare[at].number;
    rank[spare[at].number] = ranks[k].number;
  }
  return true;
}

/* Makes the new order from mapping @p m, and sets @p m to the hosts of this order. */
static enum status seat_ranks(struct work *w, struct mapping *m, struct err *e)
{
  const uint32_t n = w->q->processes;
  OWNED uint32_t *rank = mem_array(n, sizeof *rank, e);
  OWNED struct seat *seats = mem_array(2 * (size_t)n, sizeof *seats, e);
  if (rank == NULL || seats == NULL)
    return FAIL;
  keep(w, m, rank);
  if (!match(w, m, rank, seats))
    return err_set(e, "mapper '%.80s' puts more ranks on a host than it has processes", w->mapper);
  for (uint32_t i = 0, r = m->ranks; i < n; i++)
    if (rank[i] == UINT32_MAX)
      w->process[r++] = i;
  for (uint32_t r = 0; r < m->ranks; r++)
    m->host[r] = w->host[w->process[r]];
  return OK;
}

/* --- the order -------------------------------------------------------------------------------- */

static enum status map(struct work *w, const char *mapper, struct reorder_cost *out, struct err *e)
{
  struct mapping m = {0};
  w->mapper = mapper;
  const struct place a = place_of(w);
  enum status s = place_ranks(&a, w->platform, &m, e);
  if (s == OK)
    s = seat_ranks(w, &m, e);
  if (s == OK)
    s = cost(out, w, &m, e);
  mapping_clear(&m);
  return s;
}

/* --- cores ------------------------------------------------------------------------------------ */

/* Writes the process on the host of each rank to w->process. */
static void take(struct work *w, const struct mapping *m)
{
  const uint32_t n = w->q->processes;
  for (uint32_t i = 0; i < n; i++)
    w->count[w->host[i]] = i;
  for (uint32_t r = 0; r < n; r++)
    w->process[r] = w->count[m->host[r]];
  for (uint32_t i = 0; i < n; i++)
    w->count[w->host[i]] = 0;
}

/* Exchanges processes to lower the estimated time, starting from @p m, the hosts of all processes
 * in some order.  Keeps the order found if its time is below *best. */
static enum status exchange_from(struct work *w, struct mapping *m, struct reorder_cost *best,
                                 struct err *e)
{
  struct place a = place_of(w);
  struct reorder_cost found;
  a.ranks = m->ranks;
  if (place_exchange(&a, w->platform, m, e) != OK)
    return FAIL;
  struct mapping used = *m;
  used.ranks = w->q->traffic->ranks;
  if (cost(&found, w, &used, e) != OK)
    return FAIL;
  if (found.estimated_time_s < best->estimated_time_s) {
    *best = found;
    take(w, m);
  }
  return OK;
}

/* Mappers choose cores for the sum of the traffic, although messages of the same phase share the
 * memory, and as if all cores of a node were free for its processes.  Therefore exchanges processes
 * by estimated time: from the order of the mapper, and from the order in which rank r is process
 * r. */
static enum status exchange_cores(struct work *w, struct reorder_cost *best, struct err *e)
{
  struct mapping m;
  if (platform_inside(w->platform) == NULL || w->q->processes > MOST_SEARCHED)
    return OK;
  if (mapping_new(&m, w->q->processes, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < m.ranks; r++)
    m.host[r] = w->host[w->process[r]];
  enum status s = exchange_from(w, &m, best, e);
  memcpy(m.host, w->host, m.ranks * sizeof *m.host);
  if (s == OK)
    s = exchange_from(w, &m, best, e);
  mapping_clear(&m);
  return s;
}

/* --- the default ------------------------------------------------------------------------------ */

/* On a grid with one process per host, mappings with few hops are fast.  auto:choose=hopbytes takes
 * a tenth of the time of auto; its mapping is used if messages cross at most NEAR links on
 * average. */
static enum status map_by_default(struct work *w, struct reorder_cost *out, struct err *e)
{
  static const double NEAR = 1.5;
  const struct topology *t = platform_topology(w->platform);
  if (w->q->traffic->ranks > MOST_SEARCHED)
    return map(w, "auto:choose=quick", out, e);
  if (!w->crowded && platform_inside(w->platform) == NULL && t != NULL && topology_is_grid(t)) {
    if (map(w, "auto:choose=hopbytes", out, e) != OK)
      return FAIL;
    if ((double)out->hop_bytes <= NEAR * (double)w->bytes)
      return OK;
  }
  return map(w, "auto", out, e) == OK ? exchange_cores(w, out, e) : FAIL;
}

/* Sufficient condition for an order of which no other has fewer hop-bytes. */
static bool is_optimal(const struct work *w, const struct reorder_cost *x)
{
  return x->hop_bytes == 0 || (!w->crowded && x->hop_bytes <= w->bytes);
}

static bool helps(const struct reorder_cost *before, const struct reorder_cost *after)
{
  return after->estimated_time_s < (1 - LEAST_GAIN) * before->estimated_time_s ||
         (after->estimated_time_s <= before->estimated_time_s &&
          after->max_link_load_s < (1 - LEAST_LOAD_GAIN) * before->max_link_load_s &&
          after->hop_bytes <= before->hop_bytes);
}

static enum status compare(struct work *w, struct reorder_result *out, struct err *e)
{
  struct mapping stay = {0};
  enum status s = mapping_new(&stay, w->q->traffic->ranks, e);
  if (s == OK) {
    memcpy(stay.host, w->host, stay.ranks * sizeof *stay.host);
    s = cost(&out->before, w, &stay, e);
  }
  mapping_clear(&stay);
  out->after = out->before;
  if (s == OK && (platform_inside(w->platform) != NULL || !is_optimal(w, &out->before)))
    s = w->q->mapper == NULL ? map_by_default(w, &out->after, e)
                             : map(w, w->q->mapper, &out->after, e);
  if (s != OK)
    return FAIL;
  out->moved = helps(&out->before, &out->after);
  for (uint32_t i = 0; i < w->q->processes && !out->moved; i++)
    w->process[i] = i;
  if (!out->moved)
    out->after = out->before;
  return OK;
}

enum status reorder_find(const struct reorder_request *q, uint32_t *process,
                         struct reorder_result *out, struct err *e)
{
  struct work w = {.q = q};
  struct reorder_result found;
  enum status s = check(q, e);
  if (s == OK && (s = prepare(&w, e)) == OK && (s = compare(&w, &found, e)) == OK) {
    memcpy(process, w.process, q->processes * sizeof *process);
    *out = found;
  }
  free(w.host);
  free(w.node);
  free(w.count);
  free(w.process);
  return s;
}

/* --- where processes run ---------------------------------------------------------------------- */

static enum status find_machine(const struct platform *nodes, const char *name, uint32_t *node,
                                struct err *e)
{
  char first[PLATFORM_NAME_SIZE];
  snprintf(first, sizeof first, "%.*s", (int)strcspn(name, "."), name);
  if (platform_find_host(nodes, name, node) || platform_find_host(nodes, first, node))
    return OK;
  return err_set(e, "%s: no host '%.200s'", platform_name(nodes), name);
}

/* Cores of processes. */
struct cores {
  const struct inside *in;
  bool *taken;          /* by host */
  uint32_t *next;       /* by node: all lower cores are taken */
  uint32_t *choice;     /* by process: the number of cores to which it is bound */
  const uint32_t *node; /* by process */
};

static bool is_bound(const struct inside *in, const struct reorder_process *x, uint32_t core)
{
  const uint32_t unit = in->cpu[core];
  return unit / 64 < x->words && (x->unit[unit / 64] >> unit % 64 & 1) != 0;
}

static void count_choices(struct cores *c, const struct reorder_process *process, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < c->in->cores; k++)
      c->choice[i] += is_bound(c->in, &process[i], k);
}

/* Gives the processes that are bound to @p choice cores the first free one of these. */
static void take_bound(uint32_t *host, struct cores *c, const struct reorder_process *process,
                       uint32_t n, uint32_t choice)
{
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t first = c->node[i] * c->in->cores;
    for (uint32_t k = 0; c->choice[i] == choice && k < c->in->cores; k++) {
      if (c->taken[first + k] || !is_bound(c->in, &process[i], k))
        continue;
      host[i] = first + k;
      c->taken[host[i]] = true;
      break;
    }
  }
}

/* Gives processes without a core (host UINT32_MAX) the next free cores of their nodes. */
static void take_free(uint32_t *host, struct cores *c, uint32_t n)
{
  const uint32_t cores = c->in->cores;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t first = c->node[i] * cores;
    uint32_t *core = &c->next[c->node[i]];
    if (host[i] != UINT32_MAX)
      continue;
    while (*core < cores && c->taken[first + *core])
      ++*core;
    host[i] = first + (*core < cores ? *core : i % cores);
    *core += *core < cores;
  }
}

/* The set of cores of a process is usually a core, a package or a node.  If of any two sets that
 * overlap one contains the other, and if the cores suffice, every process gets a core of its set,
 * because smaller sets are served first. */
static enum status take_cores(uint32_t *host, const struct platform *p,
                              const struct reorder_process *process, const uint32_t *node,
                              uint32_t n, struct err *e)
{
  struct cores c = {.in = platform_inside(p), .node = node};
  OWNED bool *taken = c.taken = mem_array(platform_hosts(p), sizeof *taken, e);
  OWNED uint32_t *next = c.next = mem_array(platform_hosts(p) / c.in->cores, sizeof *next, e);
  OWNED uint32_t *choice = c.choice = mem_array(n, sizeof *choice, e);
  if (taken == NULL || next == NULL || choice == NULL)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    host[i] = UINT32_MAX;
  count_choices(&c, process, n);
  for (uint32_t k = 1; k < c.in->cores; k++)
    take_bound(host, &c, process, n, k);
  take_free(host, &c, n);
  return OK;
}

enum status reorder_locate(uint32_t *host, const struct platform *p,
                           const struct reorder_process *process, uint32_t n, struct err *e)
{
  OWNED uint32_t *node = mem_array(n, sizeof *node, e);
  if (node == NULL)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    if (find_machine(platform_nodes(p), process[i].machine, &node[i], e) != OK)
      return FAIL;
  if (platform_inside(p) != NULL)
    return take_cores(host, p, process, node, n, e);
  memcpy(host, node, n * sizeof *host);
  return OK;
}
