/** @file record.h
 *  What became of an execution, as files: by element, by host, and over time.
 */
#ifndef SIM_TASKNET_RECORD_H
#define SIM_TASKNET_RECORD_H

#include <stdio.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "sim/output/timeline.h"
#include "sim/tasknet/abstract.h"

/** A run whose elements are in order on each host.  Owned: record_clear(). */
struct record {
  const struct tasknet *net;
  const struct platform *platform; /**< its hosts are those of the run */
  const struct abstract_run *run;
  uint32_t *order; /**< elements by host, then by start */
  uint32_t *first; /**< by host, and one more: its elements are order[first] .. */
};

/** What is pointed to outlives it. */
enum status record_new(struct record *t, const struct tasknet *n, const struct platform *p,
                       const struct abstract_run *run, struct err *e);

void record_clear(struct record *t);

/** A line "task host order start_s end_s wait_s" for each element, tab-separated, in the network's
 *  order; wait_s is how long its host waited for it, running nothing. */
enum status record_print_tasks(const struct record *t, FILE *f, struct err *e);

/** A line "host tasks busy_s wait_s end_s use" for each host: how long it ran elements, how
 *  long it waited for the next, when it was done, and busy_s / makespan.  An element of pattern
 *  B or D that waits for the rest of its input runs. */
void record_print_hosts(const struct record *t, FILE *f);

/** Which array each host runs when, or that it waits, as a timeline of hosts by number.  Quotes,
 *  backslashes and commas in names become '_'. */
enum status record_print_timeline(const struct record *t, const struct timeline_format *format,
                                  FILE *f, struct err *e);

#endif
