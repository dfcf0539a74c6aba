#include "sim/flow/net.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "sim/changes.h"
#include "sim/effects/effects.h"
#include "sim/flow/maxmin.h"
#include "sim/flow/ports.h"
#include "sim/flow/routes.h"

struct flow_net {
  const struct platform *platform;
  struct sim_model model; /* a copy: explanations use the network after the run */
  struct maxmin *maxmin;
  struct flow_routes *routes;
  const struct effects *effects;
  struct ports *ports;    /* NULL: no limits besides the links */
  struct maxmin_use *use; /* links of the flow being started */
  size_t use_room;
  double bytes, latency_factor, bandwidth_factor; /* size of the last message and its factors */
  bool within;                                    /* it was within a host */
};

static bool needs_ports(const struct effects *x)
{
  return x != NULL && (effects_limit_hosts(x) || x->within.bandwidth > 0);
}

enum status flow_net_new(struct flow_net **out, const struct engine_config *c, struct err *e)
{
  struct flow_net *n = mem_array(1, sizeof *n, e);
  if (n == NULL)
    return FAIL;
  n->platform = c->platform;
  n->model = *c->model;
  n->effects = c->effects;
  n->bytes = -1;
  if (maxmin_new(&n->maxmin, e) != OK ||
      flow_routes_new(&n->routes, c->platform, n->maxmin, e) != OK ||
      (needs_ports(c->effects) &&
       ports_new(&n->ports, c->effects, n->maxmin, platform_hosts(c->platform), e) != OK)) {
    flow_net_free(n);
    return FAIL;
  }
  *out = n;
  return OK;
}

void flow_net_free(struct flow_net *n)
{
  if (n == NULL)
    return;
  flow_routes_free(n->routes);
  ports_free(n->ports);
  maxmin_free(n->maxmin);
  free(n->use);
  free(n);
}

/* Recomputes the factors only if the size changes: most messages are as long as the previous
 * one. */
static void find_factors(struct flow_net *n, double bytes, bool within)
{
  const struct sim_model *m = &n->model;
  if (bytes == n->bytes && within == n->within)
    return;
  n->bytes = bytes;
  n->within = within;
  n->latency_factor =
      factors_at(within && m->latency_within != NULL ? m->latency_within : m->latency, bytes);
  n->bandwidth_factor =
      factors_at(within && m->bandwidth_within != NULL ? m->bandwidth_within : m->bandwidth, bytes);
}

static enum status no_route(const struct flow_net *n, const struct flow_message *msg, struct err *e)
{
  char src[PLATFORM_NAME_SIZE], dst[PLATFORM_NAME_SIZE];
  return err_set(e, "%s: no route from host '%s' to host '%s'", platform_name(n->platform),
                 platform_host_name(n->platform, msg->src, src, sizeof src),
                 platform_host_name(n->platform, msg->dst, dst, sizeof dst));
}

static double bound_of(const struct flow_net *n, const struct flow_message *msg)
{
  double most = msg->narrowest * msg->limit;
  if (n->effects != NULL && n->effects->ports.flow > 0 && msg->src != msg->dst)
    most = fmin(most, n->effects->ports.flow / msg->factor);
  return msg->nominal_s > 0 ? fmin(most, SIM_TCP_GAMMA / (2 * msg->nominal_s)) : most;
}

/* True if the effect `within` replaces the loopback. */
static bool within(const struct flow_net *n, uint32_t src, uint32_t dst)
{
  return src == dst && n->effects != NULL && n->effects->within.bandwidth > 0;
}

/* A message within a host, by the effect `within`. */
static void price_within(const struct effect_within *w, struct flow_message *msg)
{
  *msg = (struct flow_message){.src = msg->src,
                               .dst = msg->dst,
                               .factor = 1,
                               .limit = 1,
                               .latency_s = w->latency_s,
                               .nominal_s = 0,
                               .penalty = 1,
                               .sharing = 1,
                               .bound = w->bandwidth,
                               .narrowest = w->bandwidth};
}

enum status flow_net_price(struct flow_net *n, double bytes, struct flow_message *msg,
                           struct err *e)
{
  struct flow_route route;
  if (within(n, msg->src, msg->dst)) {
    price_within(&n->effects->within, msg);
    return OK;
  }
  if (flow_routes_find(n->routes, msg->src, msg->dst, &route, e) != OK)
    return FAIL;
  const double latency = route.latency_s;
  if (route.links == 0 && latency <= 0)
    return no_route(n, msg, e);
  double penalty = latency, bound = INFINITY;
  for (uint32_t i = 0; i < route.links; i++) {
    const double bandwidth = flow_routes_bandwidth(n->routes, route.link[i]);
    penalty += n->model.weight_bytes / bandwidth;
    bound = bandwidth < bound ? bandwidth : bound;
  }
  find_factors(n, bytes, msg->src == msg->dst);
  msg->latency_s = latency * n->latency_factor;
  /* SimGrid starts a flow without latency with its default penalty. */
  msg->penalty = msg->latency_s > 0 ? penalty : 1;
  msg->sharing = penalty;
  msg->narrowest = bound;
  msg->nominal_s = latency;
  msg->factor = n->bandwidth_factor;
  msg->limit = 1;
  if (n->effects != NULL && n->effects->flow_limits) {
    msg->limit = n->bandwidth_factor;
    msg->factor = 1;
  }
  msg->bound = bound_of(n, msg);
  msg->linkless = route.links == 0;
  return OK;
}

/* Appends a route's links to use[], which has *uses so far. */
static enum status add_uses(struct flow_net *n, const struct flow_route *route, double share,
                            uint32_t *uses, struct err *e)
{
  if (MEM_GROW(n->use, n->use_room, (size_t)*uses + route->links, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < route->links; i++)
    n->use[(*uses)++] = (struct maxmin_use){route->link[i], share};
  return OK;
}

/* Appends the limits besides the links to use[]. */
static enum status add_ports(struct flow_net *n, uint32_t src, uint32_t dst, uint32_t *uses,
                             struct err *e)
{
  uint32_t more;
  if (n->ports == NULL)
    return OK;
  if (MEM_GROW(n->use, n->use_room, (size_t)*uses + PORTS_USES, e) != OK ||
      ports_use(n->ports, src, dst, n->use + *uses, &more, e) != OK)
    return FAIL;
  *uses += more;
  return OK;
}

/* Appends the links from @p src to @p dst and, if the model has cross traffic, the links back: a
 * link with share 0 would limit the flow, too. */
static enum status add_links(struct flow_net *n, uint32_t src, uint32_t dst, uint32_t *uses,
                             struct err *e)
{
  struct flow_route route;
  if (flow_routes_find(n->routes, src, dst, &route, e) != OK ||
      add_uses(n, &route, 1, uses, e) != OK)
    return FAIL;
  if (n->model.back_share <= 0)
    return OK;
  return flow_routes_find(n->routes, dst, src, &route, e) == OK
             ? add_uses(n, &route, n->model.back_share, uses, e)
             : FAIL;
}

enum status flow_net_route(struct flow_net *n, uint32_t src, uint32_t dst,
                           const struct maxmin_use **use, uint32_t *uses, struct err *e)
{
  *uses = 0;
  if (!within(n, src, dst) && add_links(n, src, dst, uses, e) != OK)
    return FAIL;
  if (add_ports(n, src, dst, uses, e) != OK)
    return FAIL;
  *use = n->use;
  return OK;
}

enum status flow_net_start(struct flow_net *n, uint32_t flow, const struct flow_message *msg,
                           bool again, struct err *e)
{
  struct maxmin_flow_spec spec = {.penalty = msg->penalty, .bound = msg->bound};
  if (flow_net_route(n, msg->src, msg->dst, &spec.use, &spec.uses, e) != OK)
    return FAIL;
  if (maxmin_add(n->maxmin, flow, &spec, e) != OK)
    return FAIL;
  return n->ports == NULL ? OK : ports_start(n->ports, flow, msg->src, msg->dst, again, e);
}

void flow_net_end(struct flow_net *n, uint32_t flow)
{
  maxmin_remove(n->maxmin, flow);
  if (n->ports != NULL)
    ports_end(n->ports, flow);
}

bool flow_net_compute(struct flow_net *n, uint32_t host, uint32_t running)
{
  return n->ports != NULL && ports_compute(n->ports, host, running);
}

enum status flow_net_uses(struct flow_net *n, const struct flow_message *msg, uint32_t link,
                          bool *uses, struct err *e)
{
  *uses = false;
  if (within(n, msg->src, msg->dst))
    return OK;
  return flow_routes_contains(n->routes, msg->src, msg->dst, n->model.back_share > 0, link, uses,
                              e);
}

enum status flow_net_change(struct flow_net *n, const struct change *c, struct flow_change *out,
                            struct err *e)
{
  const double w = n->model.weight_bytes;
  double before;
  *out = (struct flow_change){0};
  if (c->kind == PROFILE_LATENCY) {
    if (flow_routes_set_latency(n->routes, c->target, c->value, &before, e) != OK)
      return FAIL;
    *out = (struct flow_change){c->value - before, c->value - before, true};
    return OK;
  }
  if (flow_routes_set_bandwidth(n->routes, c->target, c->value, &before, e) != OK)
    return FAIL;
  *out = (struct flow_change){w / c->value - w / before, 0, w > 0};
  return OK;
}

void flow_net_apply(const struct flow_net *n, struct flow_message *msg, const struct flow_change *c)
{
  if (!c->reweighs)
    return;
  msg->sharing += c->sharing;
  msg->nominal_s += c->latency_s;
  if (msg->sharing > 0) /* SimGrid aborts if it is 0 */
    msg->penalty = msg->sharing;
  msg->bound = bound_of(n, msg);
}

enum status flow_net_settle(struct flow_net *n, struct err *e)
{
  return maxmin_settle(n->maxmin, e);
}

double flow_net_bandwidth(const struct flow_net *n, uint32_t link)
{
  return flow_routes_bandwidth(n->routes, link);
}

void flow_net_number(const struct flow_net *n, uint32_t *link)
{
  flow_routes_platform_links(n->routes, link);
}

const struct maxmin *flow_net_maxmin(const struct flow_net *n)
{
  return n->maxmin;
}
