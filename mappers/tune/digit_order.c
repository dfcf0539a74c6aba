#include "mappers/tune/digit_order.h"

#include <math.h>
#include <string.h>

#include "common/arena.h"
#include "mappers/tune/digits.h"

/* An exchange is made if it gains at least this share of the time that mappings change. */
#define GAIN 1e-3

struct ordering {
  const struct mapper_input *in;
  struct estimate *estimate;
  struct digits hosts, ranks;
  uint32_t *host, *to; /* by rank */
  double time_s;       /* of host[] */
  double fixed_s;      /* estimate_fixed() */
  uint64_t tries;      /* estimates that are left */
};

/* Exchanges digits @p a and @p b of all ranks or of all hosts if that is faster. */
static enum status exchange(struct ordering *x, bool of_ranks, uint32_t a, uint32_t b,
                            struct err *e)
{
  const uint32_t ranks = x->in->ranks;
  double time_s;
  if (x->tries == 0)
    return OK;
  for (uint32_t r = 0; r < ranks; r++)
    x->to[r] = of_ranks ? x->host[digits_swapped(&x->ranks, a, b, r)]
                        : digits_swapped(&x->hosts, a, b, x->host[r]);
  if (memcmp(x->to, x->host, ranks * sizeof *x->to) == 0)
    return OK;
  x->tries--;
  if (estimate_time(x->estimate, x->to, &time_s, e) != OK)
    return FAIL;
  if (time_s > x->time_s - GAIN * (x->time_s - x->fixed_s))
    return OK;
  memcpy(x->host, x->to, ranks * sizeof *x->to);
  x->time_s = time_s;
  return OK;
}

/* Tries each pair of digits once. */
static enum status pass(struct ordering *x, bool of_ranks, struct err *e)
{
  const uint32_t n = of_ranks ? x->ranks.n : x->hosts.n;
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = a + 1; b < n; b++)
      if (exchange(x, of_ranks, a, b, e) != OK)
        return FAIL;
  return OK;
}

static enum status improve(struct ordering *x, struct err *e)
{
  if (estimate_time(x->estimate, x->host, &x->time_s, e) != OK)
    return FAIL;
  for (double before = INFINITY; x->time_s < before && x->tries > 0;) {
    before = x->time_s;
    if (pass(x, false, e) != OK || pass(x, true, e) != OK)
      return FAIL;
  }
  return OK;
}

enum status digit_order_improve(uint32_t *host, const struct mapper_input *in, struct estimate *x,
                                uint64_t work, double *value, struct err *e)
{
  ARENA(mem, e);
  struct ordering o = {.in = in,
                       .estimate = x,
                       .hosts = digits_of_hosts(in->platform, true),
                       .host = arena_array(&mem, in->ranks, sizeof *o.host),
                       .to = arena_array(&mem, in->ranks, sizeof *o.to),
                       .fixed_s = estimate_fixed(x, host),
                       .tries = work / estimate_work(x)};
  if (arena_status(&mem) != OK)
    return FAIL;
  digits_factor(&o.ranks, in->ranks);
  memcpy(o.host, host, in->ranks * sizeof *host);
  if (improve(&o, e) != OK)
    return FAIL;
  memcpy(host, o.host, in->ranks * sizeof *host);
  *value = o.time_s;
  return OK;
}
