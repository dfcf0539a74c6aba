/* The mappers hostname-best and hostname-worst: ranks fill the hosts cluster by cluster, and within
 * a cluster in the order of the host names.  Of all orders of the clusters, the mappers choose the
 * one with the least or the greatest simulated time (after Saito and Taura, who measured times). */
#include "mappers/tune/cluster_order.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "mappers/estimate.h"
#include "mappers/tune/trials.h"
#include "platforms/clusters/clusters.h"

/* At most 7! = 5040 orders are simulated, and at most 5! = 120 estimated. */
enum { MOST_CLUSTERS = 7, MOST_ESTIMATED = 5 };

struct orders {
  const struct mapper_input *in;
  struct platform_clusters clusters;
  uint32_t *by_name;             /* hosts in the order of their names */
  uint32_t first[MOST_CLUSTERS]; /* clusters in the order in which mapper hostname reaches them */
  uint32_t *host;                /* by rank, in the current order */
  bool worst;                    /* search for the greatest time */
  uint32_t found;                /* number of the best order so far */
  double time_s;                 /* its time */
};

static void clear_orders(struct orders *o)
{
  platform_clusters_clear(&o->clusters);
  free(o->by_name);
  free(o->host);
}

/* Sorts the hosts in the order in which mapper hostname fills them. */
static enum status sort_hosts(struct orders *o, struct err *e)
{
  struct mapper_input all = *o->in;
  struct mapping m;
  all.ranks = platform_hosts(all.platform);
  all.ranks_per_host = 1;
  all.capacity = NULL;
  all.inside = NULL; /* cores are chosen for the ranks of o->in */
  all.core = all.moved = NULL;
  if (mapper_run("hostname", &all, &m, e) != OK)
    return FAIL;
  o->by_name = m.host; /* owned from here on */
  return OK;
}

static enum status check_clusters(const struct orders *o, struct err *e)
{
  if (o->clusters.count <= MOST_CLUSTERS)
    return OK;
  return err_set(e, "mapper '%s' tries all orders of at most %d clusters; %s has %" PRIu32,
                 o->in->mapper->name, MOST_CLUSTERS, platform_name(o->in->platform),
                 o->clusters.count);
}

/* Fills o->first. */
static void order_by_name(struct orders *o)
{
  bool known[MOST_CLUSTERS] = {false};
  uint32_t n = 0;
  for (uint32_t i = 0; n < o->clusters.count; i++) {
    const uint32_t c = o->clusters.of_host[o->by_name[i]];
    if (!known[c])
      o->first[n++] = c;
    known[c] = true;
  }
}

/* Prepares the orders of at most MOST_CLUSTERS clusters. */
static enum status begin(struct orders *o, struct err *e)
{
  if (sort_hosts(o, e) != OK || (o->host = mem_array(o->in->ranks, sizeof *o->host, e)) == NULL)
    return FAIL;
  order_by_name(o);
  return OK;
}

static uint32_t count_orders(const struct orders *o)
{
  uint32_t n = 1;
  for (uint32_t i = 2; i <= o->clusters.count; i++)
    n *= i;
  return n;
}

/* Sets @p order to permutation @p number of the clusters, from 0, in lexicographic order. */
static void find_order(const struct orders *o, uint32_t number, uint32_t *order)
{
  uint32_t left[MOST_CLUSTERS], n = o->clusters.count, ways = count_orders(o);
  memcpy(left, o->first, sizeof left);
  for (uint32_t i = 0; n > 0; i++) {
    ways /= n--;
    const uint32_t k = number / ways;
    number %= ways;
    order[i] = left[k];
    memmove(&left[k], &left[k + 1], (n - k) * sizeof *left);
  }
}

/* Fills the hosts of @p cluster with ranks from @p r on.  Returns the next rank. */
static uint32_t fill_cluster(const struct orders *o, uint32_t cluster, uint32_t r)
{
  const uint32_t hosts = platform_hosts(o->in->platform), each = o->in->ranks_per_host;
  for (uint32_t i = 0; i < hosts; i++) {
    const uint32_t host = o->by_name[i];
    for (uint32_t k = 0; k < each && r < o->in->ranks && o->clusters.of_host[host] == cluster; k++)
      o->host[r++] = host;
  }
  return r;
}

/* Fills the hosts in order @p number of the clusters. */
static void fill(const struct orders *o, uint32_t number)
{
  uint32_t order[MOST_CLUSTERS], r = 0;
  find_order(o, number, order);
  for (uint32_t k = 0; k < o->clusters.count; k++)
    r = fill_cluster(o, order[k], r);
}

/* Keeps the best order of a batch.  Of orders with equal times, keeps the first. */
static void take_times(struct orders *o, const struct trials *t, uint32_t first, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const double time_s = trials_time(t, i);
    if (o->worst ? time_s <= o->time_s : time_s >= o->time_s)
      continue;
    o->time_s = time_s;
    o->found = first + i;
  }
}

static enum status try_orders(struct orders *o, struct trials *t, struct err *e)
{
  const uint32_t all = count_orders(o);
  o->time_s = o->worst ? -1 : INFINITY;
  for (uint32_t i = 0; i < all;) {
    const uint32_t first = i;
    for (; i < all && i < first + TRIALS_BATCH; i++) {
      fill(o, i);
      struct mapper_trial *x = trials_add_hosts(t, o->host, MAPPER_END);
      for (uint32_t k = 0; k < MAPPER_POINTS && !o->worst; k++)
        x->limit_s[k] = o->time_s;
    }
    if (trials_run(t, e) != OK)
      return FAIL;
    take_times(o, t, first, i - first);
  }
  return OK;
}

static enum status write_best(const struct orders *o, struct mapping *out, struct err *e)
{
  if (mapping_new(out, o->in->ranks, e) != OK)
    return FAIL;
  fill(o, o->found);
  memcpy(out->host, o->host, o->in->ranks * sizeof *out->host);
  return OK;
}

enum { BEST, WORST };

static enum status map(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  struct orders o = {.in = in, .worst = in->mapper->variant == WORST};
  struct trials t;
  if (trials_new(&t, in, e) != OK)
    return FAIL;
  enum status s = platform_clusters_find(&o.clusters, in->platform, e);
  if (s == OK)
    s = check_clusters(&o, e);
  if (s == OK)
    s = begin(&o, e);
  if (s == OK)
    s = try_orders(&o, &t, e);
  if (s == OK)
    s = write_best(&o, out, e);
  clear_orders(&o);
  trials_clear(&t);
  return s;
}

/* --- by estimates ----------------------------------------------------------------------------- */

static enum status estimate_orders(struct orders *o, struct estimate *x, struct err *e)
{
  o->time_s = INFINITY;
  for (uint32_t i = 0; i < count_orders(o); i++) {
    double time_s;
    fill(o, i);
    if (estimate_time(x, o->host, &time_s, e) != OK)
      return FAIL;
    if (time_s >= o->time_s)
      continue;
    o->time_s = time_s;
    o->found = i;
  }
  return OK;
}

enum status cluster_order_map(struct mapping *out, bool *found, const struct mapper_input *in,
                              struct err *e)
{
  struct orders o = {.in = in};
  struct estimate *x = NULL;
  enum status s = platform_clusters_find(&o.clusters, in->platform, e);
  *found = s == OK && o.clusters.count > 1 && o.clusters.count <= MOST_ESTIMATED;
  if (*found && (s = begin(&o, e)) == OK && (s = estimate_new(&x, in, e)) == OK &&
      (s = estimate_orders(&o, x, e)) == OK)
    s = write_best(&o, out, e);
  estimate_free(x);
  clear_orders(&o);
  return s;
}

const struct mapper map_hostname_best = {
    .name = "hostname-best",
    .help =
        "as hostname, cluster by cluster, in the order of clusters with the least simulated time",
    .variant = BEST,
    .needs = MAPPER_ROUTES,
    .simulates = MAPPER_SIMULATES,
    .map = map,
};

const struct mapper map_hostname_worst = {
    .name = "hostname-worst",
    .help = "as hostname, cluster by cluster, in the order of clusters with the greatest simulated "
            "time",
    .needs = MAPPER_ROUTES,
    .simulates = MAPPER_SIMULATES,
    .variant = WORST,
    .map = map,
};
