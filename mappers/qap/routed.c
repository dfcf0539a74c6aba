#include "mappers/qap/routed.h"

#include <inttypes.h>
#include <string.h>

#include "wan/bounding.h"
#include "wan/routing.h"

bool routed_is_cost(const char *what)
{
  return strcmp(what, "overlay") == 0;
}

/* Two slots that @p direct (NULL: none) connects cost their own round trip, other slots the round
 * trips along their route. */
static enum status read_routes(double *cost, const struct routing *r, const struct processes *p,
                               const struct adjacency *direct, struct err *e)
{
  for (uint32_t k = 0; k < r->n; k++)
    for (uint32_t l = 0; l < r->n; l++) {
      const bool connected = direct != NULL && adjacency_find(direct, k, l) != NULL;
      const uint64_t ps = connected ? processes_rtt(p, k, l) : routing_rtt(r, k, l);
      if (ps == UINT64_MAX)
        return err_set(e,
                       "mapper 'qap': cost=overlay: no connections lead from process %" PRIu32
                       " to process %" PRIu32,
                       k, l);
      cost[(size_t)k * r->n + l] = (double)ps / PROCESSES_PS_PER_S;
    }
  return OK;
}

/* Draws the connections.  NULL, uniform traffic, stands for a dense matrix: it has one message for
 * each pair. */
static enum status draw(struct bounding *out, const struct routed_input *in,
                        const struct processes *p, struct err *e)
{
  struct matrix traffic = *in->traffic;
  traffic.ranks = p->n;
  const struct bounding_input choice = {.processes = p,
                                        .traffic = traffic.dense == NULL ? &traffic : NULL,
                                        .method = in->overlay.method,
                                        .beta = in->overlay.density,
                                        .seed = in->overlay.seed};
  return bounding_new(out, &choice, e);
}

enum status routed_costs(double *cost, const struct routed_input *in, struct err *e)
{
  struct processes p = {.n = 0};
  struct bounding b = {.selected = 0};
  struct routing r = {.n = 0};
  enum status s = processes_on_platform(&p, in->platform, in->slots, e);
  if (s == OK && (s = draw(&b, in, &p, e)) == OK &&
      (s = routing_new(&r, &b.graph, &p, NULL, e)) == OK)
    s = read_routes(cost, &r, &p, in->overlay.direct ? &b.graph : NULL, e);
  routing_clear(&r);
  bounding_clear(&b);
  processes_clear(&p);
  return s;
}
