#include "sim/flow/ports.h"

#include <math.h>
#include <stdlib.h>

#include "common/containers/pairs.h"
#include "common/mem.h"

/* Kinds of links of a host. */
enum port { PORT_IN, PORT_OUT, PORT_BOTH, PORT_WITHIN, PORT_KINDS };

/* A host.  Its links are added to the maxmin when a message first uses them. */
struct host {
  uint32_t link[PORT_KINDS]; /* number in the maxmin + 1; 0: none */
  uint32_t flows;            /* incoming */
  uint32_t running;          /* ranks that compute */
  uint32_t partner;          /* of the last message, plus 1; 0: none */
};

/* Two hosts. */
struct pair {
  uint32_t link, flows; /* flows: in progress, both directions */
  bool fresh;           /* the first exchange since one of the hosts had another partner */
};

/* A message in progress between two hosts. */
struct between {
  uint32_t dst, pair; /* plus 1; 0: none */
};

struct ports {
  const struct effects *effects;
  struct maxmin *maxmin;
  struct host *host;
  struct pairs pairs; /* of hosts, the lower first */
  struct pair *pair;  /* by pair */
  size_t pair_room;
  struct between *flow; /* by flow */
  size_t flow_room, flows;
};

enum status ports_new(struct ports **out, const struct effects *x, struct maxmin *m, uint32_t hosts,
                      struct err *e)
{
  struct ports *p = mem_array(1, sizeof *p, e);
  if (p == NULL)
    return FAIL;
  p->effects = x;
  p->maxmin = m;
  if ((p->host = mem_array(hosts, sizeof *p->host, e)) == NULL) {
    ports_free(p);
    return FAIL;
  }
  *out = p;
  return OK;
}

void ports_free(struct ports *p)
{
  if (p == NULL)
    return;
  pairs_clear(&p->pairs);
  free(p->pair);
  free(p->host);
  free(p->flow);
  free(p);
}

/* Capacity of a link of a host now, in byte/s; INFINITY: no limit. */
static double capacity_of(const struct ports *p, const struct host *h, enum port port)
{
  const struct effects *x = p->effects;
  double most = INFINITY;
  if (port == PORT_WITHIN)
    return x->within.total > 0 ? x->within.total : x->within.bandwidth;
  if (port == PORT_BOTH)
    return x->ports.both > 0 ? x->ports.both : INFINITY;
  if (port == PORT_OUT && x->ports.out > 0)
    most = x->ports.out;
  if (port == PORT_IN && x->ports.in > 0)
    most = x->ports.in;
  if (x->beside.count > 0)
    most = fmin(most, curve_at(&x->beside, h->running));
  if (port == PORT_IN && x->incast.count > 0)
    most = fmin(most, curve_at(&x->incast, fmax(h->flows, 1)));
  return most;
}

/* Adds a link of a host.  Messages within a host share its bandwidth if effects.within.total is
 * given. */
static enum status add_link(struct ports *p, struct host *h, enum port port, double capacity,
                            struct err *e)
{
  uint32_t link;
  const bool fat = port == PORT_WITHIN && p->effects->within.total <= 0;
  const enum status s = fat ? maxmin_add_link(p->maxmin, capacity, true, &link, e)
                            : maxmin_add_varying(p->maxmin, capacity, &link, e);
  if (s == OK)
    h->link[port] = link + 1;
  return s;
}

static enum status use_host(struct ports *p, uint32_t host, enum port port, struct maxmin_use *use,
                            uint32_t *uses, struct err *e)
{
  struct host *h = &p->host[host];
  const double capacity = capacity_of(p, h, port);
  if (capacity == INFINITY)
    return OK;
  if (h->link[port] == 0 && add_link(p, h, port, capacity, e) != OK)
    return FAIL;
  use[(*uses)++] = (struct maxmin_use){h->link[port] - 1, 1};
  return OK;
}

/* Finds or makes the pair; *pair is its number. */
static enum status find_pair(struct ports *p, uint32_t a, uint32_t b, uint32_t *pair, struct err *e)
{
  const uint32_t before = p->pairs.count;
  if (pairs_add(&p->pairs, a < b ? a : b, a < b ? b : a, pair, e) != OK)
    return FAIL;
  if (*pair < before)
    return OK;
  if (MEM_GROW(p->pair, p->pair_room, (size_t)*pair + 1, e) != OK)
    return FAIL;
  p->pair[*pair] = (struct pair){.flows = 0};
  return maxmin_add_varying(p->maxmin, p->effects->ports.pair, &p->pair[*pair].link, e);
}

static enum status use_pair(struct ports *p, uint32_t a, uint32_t b, struct maxmin_use *use,
                            uint32_t *uses, struct err *e)
{
  uint32_t pair;
  if (p->effects->ports.pair <= 0)
    return OK;
  if (find_pair(p, a, b, &pair, e) != OK)
    return FAIL;
  use[(*uses)++] = (struct maxmin_use){p->pair[pair].link, 1};
  return OK;
}

enum status ports_use(struct ports *p, uint32_t src, uint32_t dst, struct maxmin_use *use,
                      uint32_t *uses, struct err *e)
{
  *uses = 0;
  if (src == dst)
    return p->effects->within.bandwidth > 0 ? use_host(p, src, PORT_WITHIN, use, uses, e) : OK;
  if (use_host(p, src, PORT_OUT, use, uses, e) != OK ||
      use_host(p, src, PORT_BOTH, use, uses, e) != OK ||
      use_host(p, dst, PORT_IN, use, uses, e) != OK ||
      use_host(p, dst, PORT_BOTH, use, uses, e) != OK)
    return FAIL;
  return use_pair(p, src, dst, use, uses, e);
}

/* Applies the current capacity of a link.  True if it differs. */
static bool renew(struct ports *p, struct host *h, enum port port, double before)
{
  const double capacity = capacity_of(p, h, port);
  if (h->link[port] == 0 || capacity == before)
    return false;
  maxmin_vary(p->maxmin, h->link[port] - 1, capacity);
  return true;
}

static void count(struct ports *p, uint32_t host, int more)
{
  struct host *h = &p->host[host];
  const double before = capacity_of(p, h, PORT_IN);
  h->flows = (uint32_t)((int64_t)h->flows + more);
  renew(p, h, PORT_IN, before);
}

/* Counts a flow of the pair.  The exchange is fresh if the last message of one of the hosts was
 * with another host. */
static void start_pair(struct ports *p, struct pair *pair, uint32_t src, uint32_t dst, bool again)
{
  struct host *a = &p->host[src], *b = &p->host[dst];
  const double fresh = p->effects->ports.fresh;
  const bool other = a->partner != dst + 1 || b->partner != src + 1, before = pair->fresh;
  if (again) {
    pair->flows++;
    return;
  }
  a->partner = dst + 1;
  b->partner = src + 1;
  if (pair->flows++ == 0 || other)
    pair->fresh = other;
  if (fresh > 0 && pair->fresh != before)
    maxmin_vary(p->maxmin, pair->link, pair->fresh ? fresh : p->effects->ports.pair);
}

enum status ports_start(struct ports *p, uint32_t flow, uint32_t src, uint32_t dst, bool again,
                        struct err *e)
{
  struct between b = {.dst = dst + 1};
  if (src == dst || (p->effects->incast.count == 0 && p->effects->ports.pair <= 0))
    return OK;
  if (MEM_GROW(p->flow, p->flow_room, (size_t)flow + 1, e) != OK)
    return FAIL;
  for (; p->flows <= flow; p->flows++)
    p->flow[p->flows] = (struct between){0};
  if (p->effects->ports.pair > 0) {
    if (find_pair(p, src, dst, &b.pair, e) != OK)
      return FAIL;
    start_pair(p, &p->pair[b.pair++], src, dst, again);
  }
  if (p->effects->incast.count > 0)
    count(p, dst, 1);
  p->flow[flow] = b;
  return OK;
}

void ports_end(struct ports *p, uint32_t flow)
{
  if (flow >= p->flows || p->flow[flow].dst == 0)
    return;
  const struct between b = p->flow[flow];
  p->flow[flow] = (struct between){0};
  if (b.pair > 0)
    p->pair[b.pair - 1].flows--;
  if (p->effects->incast.count > 0)
    count(p, b.dst - 1, -1);
}

bool ports_compute(struct ports *p, uint32_t host, uint32_t running)
{
  struct host *h = &p->host[host];
  if (p->effects->beside.count == 0 || h->running == running)
    return false;
  const double in = capacity_of(p, h, PORT_IN), out = capacity_of(p, h, PORT_OUT);
  h->running = running;
  const bool changed = renew(p, h, PORT_IN, in);
  return renew(p, h, PORT_OUT, out) || changed;
}
