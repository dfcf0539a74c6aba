#include "tasks/timing/farm.h"

#include <math.h>
#include <stdlib.h>

#include "common/containers/pairs.h"
#include "common/mem.h"
#include "common/numeric/rng.h"
#include "platforms/distances.h"

#define MOST_LOSS 0.99

void farm_clear(struct farm *m)
{
  free(m->class_of);
  free(m->size);
  free(m->speed);
  free(m->bandwidth);
  free(m->tasks);
  *m = (struct farm){0};
}

enum status farm_new(struct farm *m, uint32_t hosts, uint32_t classes, struct err *e)
{
  struct farm made = {.hosts = hosts, .classes = classes};
  if ((made.class_of = mem_array(hosts, sizeof *made.class_of, e)) == NULL ||
      (made.size = mem_array(classes, sizeof *made.size, e)) == NULL ||
      (made.speed = mem_array(classes, sizeof *made.speed, e)) == NULL ||
      (made.tasks = mem_array(classes, sizeof *made.tasks, e)) == NULL ||
      (made.bandwidth = mem_array((size_t)classes * classes, sizeof *made.bandwidth, e)) == NULL) {
    farm_clear(&made);
    return FAIL;
  }
  *m = made;
  return OK;
}

/* --- building from a platform ----------------------------------------------------------------- */

/* The hosts of each class in the platform. */
struct origin {
  const struct platform *platform;
  const struct hosts *hosts;
  uint32_t *leaf; /* by class: its group */
  double data;    /* bytes per unit of data */
};

/* The bandwidth within a class: between two hosts of its leaf.  Unused for a leaf of one host. */
static double within(const struct origin *o, uint32_t c)
{
  return o->hosts->group[o->leaf[c]].bandwidth / o->data;
}

static uint32_t first_host(const struct origin *o, uint32_t c)
{
  return o->hosts->host[o->hosts->group[o->leaf[c]].first];
}

static enum status measure_routes(struct farm *m, const struct origin *o, struct err *e)
{
  struct distances *d;
  enum status s = distances_new(&d, o->platform, DISTANCE_BANDWIDTH, e);
  if (s != OK)
    return FAIL;
  for (uint32_t a = 0; a < m->classes && s == OK; a++)
    for (uint32_t b = 0; b < m->classes && s == OK; b++) {
      double *at = &m->bandwidth[(size_t)a * m->classes + b];
      if (a == b)
        *at = within(o, a);
      else if ((s = distances_one_way(d, first_host(o, a), first_host(o, b), at, e)) == OK)
        *at /= o->data;
    }
  distances_free(d);
  return s;
}

static void take_hierarchy(struct farm *m, const struct origin *o)
{
  for (uint32_t a = 0; a < m->classes; a++)
    for (uint32_t b = 0; b < m->classes; b++)
      m->bandwidth[(size_t)a * m->classes + b] =
          a == b ? within(o, a)
                 : hosts_bandwidth(o->hosts, first_host(o, a), first_host(o, b)) / o->data;
}

static enum status fill(struct farm *m, const struct origin *o, double work, struct err *e)
{
  for (uint32_t c = 0; c < m->classes; c++) {
    const struct hosts_group *g = &o->hosts->group[o->leaf[c]];
    m->speed[c] = g->speed / g->hosts / work;
    for (uint32_t i = 0; i < g->hosts; i++)
      farm_put(m, o->hosts->host[g->first + i], c);
  }
  if (m->classes <= FARM_MOST_ROUTED)
    return measure_routes(m, o, e);
  take_hierarchy(m, o);
  return OK;
}

enum status farm_of(struct farm *m, const struct platform *p, const struct hosts *h,
                    const struct tasknet_units *units, struct err *e)
{
  struct origin o = {.platform = p, .hosts = h, .data = units->data};
  struct farm made = {0};
  uint32_t leaves = 0;
  if ((o.leaf = mem_array(h->groups, sizeof *o.leaf, e)) == NULL)
    return FAIL;
  for (uint32_t g = 0; g < h->groups; g++)
    if (h->group[g].children == 0)
      o.leaf[leaves++] = g;
  const enum status s =
      farm_new(&made, h->count, leaves, e) == OK ? fill(&made, &o, units->work, e) : FAIL;
  free(o.leaf);
  if (s == OK)
    *m = made;
  else
    farm_clear(&made);
  return s;
}

/* --- competing tasks -------------------------------------------------------------------------- */

/* Numbers the classes of a loaded farm: one for each class of the farm and number of competing
 * tasks. */
static enum status refine(struct pairs *classes, uint32_t *class_of, const struct farm *m,
                          const uint32_t *tasks, struct err *e)
{
  for (uint32_t h = 0; h < m->hosts; h++)
    if (pairs_add(classes, m->class_of[h], tasks[h], &class_of[h], e) != OK)
      return FAIL;
  return OK;
}

static void copy_classes(struct farm *out, const struct farm *m, const struct pairs *classes)
{
  for (uint32_t c = 0; c < out->classes; c++) {
    const uint32_t of = (uint32_t)(classes->key[c] >> 32);
    out->tasks[c] = (uint32_t)classes->key[c];
    out->speed[c] = m->speed[of] / (1.0 + out->tasks[c]);
    for (uint32_t d = 0; d < out->classes; d++)
      out->bandwidth[(size_t)c * out->classes + d] =
          m->bandwidth[(size_t)of * m->classes + (classes->key[d] >> 32)];
  }
}

enum status farm_load(struct farm *out, const struct farm *m, const uint32_t *tasks,
                      const struct farm_losses *losses, struct err *e)
{
  struct pairs classes = {0};
  struct farm made = {0};
  OWNED uint32_t *class_of = mem_array(m->hosts, sizeof *class_of, e);
  enum status s = class_of == NULL ? FAIL : refine(&classes, class_of, m, tasks, e);
  if (s == OK)
    s = farm_new(&made, m->hosts, classes.count, e);
  if (s == OK) {
    for (uint32_t h = 0; h < m->hosts; h++)
      farm_put(&made, h, class_of[h]);
    copy_classes(&made, m, &classes);
    made.losses = *losses;
    *out = made;
  }
  pairs_clear(&classes);
  return s;
}

/* --- transfers, means and sums ---------------------------------------------------------------- */

static double normal(uint64_t seed, uint64_t number)
{
  struct rng r = rng_new(seed, number);
  return rng_normal(&r);
}

static double drawn(double mu, double z)
{
  return fmax(mu + mu / 3 * z, 0);
}

double farm_transfer(const struct farm *m, double data, uint32_t a, uint32_t b, uint64_t number)
{
  const double seconds = farm_transfer_least(m, data, a, b);
  const double tasks = (double)m->tasks[a] + m->tasks[b];
  if (tasks <= 0 || seconds <= 0 || !farm_loses(m))
    return seconds;
  const double z = normal(m->losses.seed, number);
  return seconds * (1 + drawn(tasks * m->losses.time, z)) /
         (1 - fmin(drawn(tasks * m->losses.bandwidth, z), MOST_LOSS));
}

double farm_mean_bandwidth(const struct farm *m)
{
  const double pairs = (double)m->hosts * (m->hosts - 1.0);
  double sum = 0;
  for (uint32_t a = 0; a < m->classes; a++)
    for (uint32_t b = 0; b < m->classes; b++) {
      const double n = (double)m->size[a] * (m->size[b] - (a == b ? 1.0 : 0.0));
      if (n > 0)
        sum += n * m->bandwidth[(size_t)a * m->classes + b];
    }
  return m->hosts < 2 ? INFINITY : sum / pairs;
}

double farm_total_speed(const struct farm *m)
{
  double sum = 0;
  for (uint32_t c = 0; c < m->classes; c++)
    sum += m->size[c] * m->speed[c];
  return sum;
}
