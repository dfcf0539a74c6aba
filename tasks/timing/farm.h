/** @file farm.h
 *  Hosts as the abstract model of the paper has them (4.4, 5.1): speeds, and a bandwidth between
 *  each two, in the units of a network's costs.  No links, no contention, no latency.
 *
 *  A *class* is a set of hosts that are alike: equal speed, equal bandwidth to the hosts of any
 *  class, the same number of competing tasks.
 */
#ifndef TASKS_TIMING_FARM_H
#define TASKS_TIMING_FARM_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "tasks/hosts.h"
#include "tasks/tasknet.h"

/** Most classes whose bandwidths are those of routes between them; beyond that they are those
 *  of the hierarchy of hosts (hosts_bandwidth()). */
#define FARM_MOST_ROUTED 1024

/** What each competing task on either side takes from a communication on average (the paper's p).
 */
struct farm_losses {
  double bandwidth; /**< share of it */
  double time;      /**< added, as a share of it */
  uint64_t seed;    /**< of what each communication loses */
};

struct farm {
  uint32_t hosts, classes;
  uint32_t *class_of; /**< by host: farm_put() */
  uint32_t *size;     /**< by class: its hosts */
  double *speed;      /**< by class: work a second */
  double *bandwidth;  /**< data a second from class a to class b: bandwidth[a * classes + b]; within
                           a class between two of its hosts */
  uint32_t *tasks;    /**< by class: competing tasks on each of its hosts */
  const double *table; /**< seconds that element i takes on class c: table[i * classes + c]; NULL:
                          its work / speed.  The caller's */
  struct farm_losses losses;
};

/** A farm of given size, all zeros, and its own: farm_clear(). */
enum status farm_new(struct farm *m, uint32_t hosts, uint32_t classes, struct err *e);

/** The farm of a platform, whose classes are the leaves of its hierarchy, in their order; one
 *  core a host. */
enum status farm_of(struct farm *m, const struct platform *p, const struct hosts *h,
                    const struct tasknet_units *units, struct err *e);

/** The same farm with @p tasks[host] competing tasks on its hosts, n of which leave a host
 *  1 / (n + 1) of its speed. */
enum status farm_load(struct farm *out, const struct farm *m, const uint32_t *tasks,
                      const struct farm_losses *losses, struct err *e);

void farm_clear(struct farm *m);

/** Puts a host, which has none yet, into a class. */
static inline void farm_put(struct farm *m, uint32_t host, uint32_t c)
{
  m->class_of[host] = c;
  m->size[c]++;
}

/** Seconds that an element of @p work takes on a host of class @p c. */
static inline double farm_seconds(const struct farm *m, uint32_t element, double work, uint32_t c)
{
  return m->table == NULL ? work / m->speed[c] : m->table[(size_t)element * m->classes + c];
}

/** May competing tasks slow communication down? */
static inline bool farm_loses(const struct farm *m)
{
  return m->losses.bandwidth > 0 || m->losses.time > 0;
}

/** Seconds that @p data takes between two hosts, of classes @p a and @p b, as one communication
 *  that has a number of its own: what it loses to competing tasks depends on that.  R is
 *  mu * (1 + z / 3), mu = (tasks on both hosts) * what each takes, z normal, one for all that
 *  receive it; the time is multiplied by 1 / (1 - R) or 1 + R, R kept as that of `--background
 *  links` is: above 0, that of the bandwidth below 0.99. */
double farm_transfer(const struct farm *m, double data, uint32_t a, uint32_t b, uint64_t number);

/** The mean bandwidth over all ordered pairs of hosts, as published schedulers take it; INFINITY:
 *  there is one host.  O(classes^2). */
double farm_mean_bandwidth(const struct farm *m);

/** Sum of the speeds of all hosts. */
double farm_total_speed(const struct farm *m);

#endif
