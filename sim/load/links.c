/* Competing computations slow messages down: the MegaScript paper, 5.1.  Between hosts with n_i and
 * n_j competing computations, a message gets 1 - R of the bandwidth, or takes 1 + R times as long
 * (of=time).  R is normal with mean mu = (n_i + n_j) * p and standard deviation mu / 3.  The
 * message is simulated with 1 / (1 - R), or 1 + R, times its bytes.  R depends only on the rank and
 * the number of its message.  The least R is 0; the largest R of the bandwidth is MOST. */
#include <math.h>

#include "common/numeric/rng.h"
#include "sim/load/kind.h"

#define MOST 0.99

struct links {
  struct load base;
  double p;
  enum { OF_BANDWIDTH, OF_TIME } of;
};

#define AT(FIELD) offsetof(struct links, FIELD)

static const char *const OF[] = {"bandwidth", "time", NULL};

static const struct spec_option OPTIONS[] = {
    {"p", SPEC_DOUBLE, AT(p), "0.1", .help = "mean share for each competing task", .most = 1},
    {"of", SPEC_CHOICE, AT(of), "bandwidth", .help = "bandwidth or time", .names = OF},
    LOAD_SEED,
    {.name = NULL},
};

static double taken(struct load *l, const struct loads *all, uint32_t src, uint32_t dst,
                    uint64_t nth)
{
  const uint32_t *host = l->site->host;
  const struct links *links = (const struct links *)l;
  const double mu =
      (loads_tasks_on(all, host[src]) + (double)loads_tasks_on(all, host[dst])) * links->p;
  if (mu <= 0 || host[src] == host[dst])
    return 0;
  struct rng rng = rng_new(l->seed + l->site->seed, ((uint64_t)src << 40) + nth);
  const double r = fmax(mu + mu / 3 * rng_normal(&rng), 0);
  return links->of == OF_TIME ? r / (1 + r) : fmin(r, MOST);
}

static void add_losses(const struct load *l, struct farm_losses *out)
{
  const struct links *links = (const struct links *)l;
  *(links->of == OF_TIME ? &out->time : &out->bandwidth) += links->p;
}

const struct load_kind load_links = {
    .name = "links",
    .example = "links:p=0.1,seed=1",
    .help = "messages lose a share of about p of their bandwidth for each task on their two hosts; "
            "of=time: they take longer by this share",
    .bytes = sizeof(struct links),
    .options = OPTIONS,
    .taken = taken,
    .add_losses = add_losses,
};
