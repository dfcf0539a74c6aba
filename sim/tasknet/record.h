/** @file record.h
 *  Writes the result of an execution to files: by element, by host, and over time.
 */
#pragma once

#include <stdio.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "sim/output/timeline.h"
#include "sim/tasknet/abstract.h"

/** A run with its elements in order on each host.  The caller frees it with record_clear(). */
struct record {
  const struct tasknet *net;
  const struct platform *platform; /**< with the hosts of the run */
  const struct abstract_run *run;
  const uint32_t *place;
  uint32_t *order; /**< elements by host, then by start */
  uint32_t *first; /**< by host, and one more: index in order[] of its first element */
};

/** @p place is the position of each element in its host's schedule, which orders elements without
 *  duration that start together.  The other arguments must outlive the record, too. */
enum status record_new(struct record *t, const struct tasknet *n, const struct platform *p,
                       const struct abstract_run *run, const uint32_t *place, struct err *e);

void record_clear(struct record *t);

/** A line "task host order start_s end_s wait_s" for each element, tab-separated, in the network's
 *  order; wait_s is the idle time of its host before it. */
enum status record_print_tasks(const struct record *t, FILE *f, struct err *e);

/** A line "host tasks busy_s wait_s end_s use" for each host: the time in which it ran elements,
 *  the time in which it waited for the next, the end of its last element, and busy_s / makespan.
 *  An element of pattern B or D that waits for the rest of its input counts as running. */
void record_print_hosts(const struct record *t, FILE *f);

/** Writes a timeline of the hosts by number: the array of the element that a host runs, or "wait".
 *  Quotes, backslashes and commas in names become '_'. */
enum status record_print_timeline(const struct record *t, const struct timeline_format *format,
                                  FILE *f, struct err *e);
