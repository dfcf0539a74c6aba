/** @file schedule.h
 *  A schedule of a task network: the host of each element, the order of the elements on each host,
 *  and their expected dates without load in the abstract model.
 *
 *  The file of a schedule has the header line "task host order start_s", tab-separated, then a line
 *  for each element, in the network's order.  Elements of an array of several are named NAME[K], K
 *  from 0.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "tasks/tasknet.h"
#include "tasks/timing/farm.h"

/** Arrays are by element.  The caller calls schedule_clear(). */
struct schedule {
  uint32_t elements;
  uint32_t *host;
  uint32_t *place;     /**< position on its host: 0, 1, 2, .. */
  double *start, *end; /**< expected, in seconds */
};

enum status schedule_new(struct schedule *s, uint32_t elements, struct err *e);

/** Accepts a zeroed schedule. */
void schedule_clear(struct schedule *s);

/** Sets `place` by an order of all elements, and `start` and `end` by dates_compute().  `host` must
 *  be set. */
enum status schedule_date(struct schedule *s, const struct tasknet *n, const struct farm *m,
                          const uint32_t *order, struct err *e);

/** The end of the last element. */
double schedule_makespan(const struct schedule *s);

/** Writes the file completely or not at all; "-" is standard output. */
enum status schedule_save(const struct schedule *s, const struct tasknet *n,
                          const struct platform *p, const char *path, struct err *e);

/** Reads a schedule of all elements of @p n, in any order of lines, and recomputes its dates.
 *  Fails for unknown names, missing or repeated elements, and orders that cannot run.  On success
 *  the caller frees @p s with schedule_clear(). */
enum status schedule_load(struct schedule *s, const struct tasknet *n, const struct farm *m,
                          const struct platform *p, const char *path, struct err *e);
