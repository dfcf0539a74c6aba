/** @file farm.h
 *  Hosts in the abstract model of the paper (4.4, 5.1): speeds, and a bandwidth between each pair
 *  of hosts, in the units of the costs of a network.  There are no links, no contention, and no
 *  latency.
 *
 *  A *class* is a set of equal hosts: equal speed, equal bandwidths to the hosts of each class,
 *  equal number of competing tasks.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "tasks/hosts.h"
#include "tasks/tasknet.h"

/** Maximum number of classes whose bandwidths are measured on routes.  With more classes, the
 *  bandwidths come from the hierarchy of hosts (hosts_bandwidth()). */
#define FARM_MOST_ROUTED 1024

/** Mean loss of a communication per competing task on either side (the paper's p). */
struct farm_losses {
  double bandwidth; /**< lost fraction of the bandwidth */
  double time;      /**< added fraction of the time */
  uint64_t seed;    /**< seed of the random losses */
};

struct farm {
  uint32_t hosts, classes;
  uint32_t *class_of; /**< by host: set by farm_put() */
  uint32_t *size;     /**< by class: number of hosts */
  double *speed;      /**< by class: work per second */
  double *bandwidth; /**< data per second from class a to class b: bandwidth[a * classes + b]; for a
                        = b, between two of its hosts */
  uint32_t *tasks;   /**< by class: competing tasks on each host */
  const double *table; /**< seconds of element i on class c: table[i * classes + c]; NULL: work /
                          speed.  Borrowed from the caller */
  struct farm_losses losses;
};

/** Creates a farm with all values 0.  The caller calls farm_clear(). */
enum status farm_new(struct farm *m, uint32_t hosts, uint32_t classes, struct err *e);

/** Creates the farm of a platform.  Its classes are the leaves of the host hierarchy @p h, in the
 *  order of their groups.  Uses one core per host.  The caller calls farm_clear(). */
enum status farm_of(struct farm *m, const struct platform *p, const struct hosts *h,
                    const struct tasknet_units *units, struct err *e);

/** Copies a farm with @p tasks[host] competing tasks on each host.  A host with n competing tasks
 *  has 1 / (n + 1) of its speed. */
enum status farm_load(struct farm *out, const struct farm *m, const uint32_t *tasks,
                      const struct farm_losses *losses, struct err *e);

void farm_clear(struct farm *m);

/** Puts a host that has no class yet into class @p c. */
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

/** True if competing tasks can slow down communication. */
static inline bool farm_loses(const struct farm *m)
{
  return m->losses.bandwidth > 0 || m->losses.time > 0;
}

/** Seconds to transfer @p data between two hosts of classes @p a and @p b.  Competing tasks slow it
 *  down by a random loss R = mu * (1 + z / 3), where mu = (tasks on both hosts) * (loss per task).
 *  z is normal and depends only on the seed and on @p number, the number of the
 *  communication.  The time is multiplied by 1 / (1 - R) for the loss of bandwidth
 *  and by 1 + R for the added time.  As in `--background links`, R is at least 0, and R of the
 *  bandwidth at most 0.99. */
double farm_transfer(const struct farm *m, double data, uint32_t a, uint32_t b, uint64_t number);

/** Lower bound of farm_transfer(): the time without competing tasks. */
static inline double farm_transfer_least(const struct farm *m, double data, uint32_t a, uint32_t b)
{
  return data / m->bandwidth[(size_t)a * m->classes + b];
}

/** The mean bandwidth over all ordered pairs of hosts, as in published schedulers.  INFINITY with a
 *  single host.  O(classes^2). */
double farm_mean_bandwidth(const struct farm *m);

/** Sum of the speeds of all hosts. */
double farm_total_speed(const struct farm *m);
