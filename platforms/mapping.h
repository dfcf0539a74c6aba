/** @file mapping.h
 *  Which host each rank runs on.  On disk a SimGrid hostfile: line r names the host of rank r;
 *  "host:slots" takes that many ranks in a row, as smpirun reads it.
 */
#ifndef PLATFORMS_MAPPING_H
#define PLATFORMS_MAPPING_H

#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

struct mapping {
  uint32_t ranks;
  uint32_t *host; /**< host of each rank; owned */
};

/** Room for @p ranks, all on host 0.  The caller's: mapping_clear(). */
enum status mapping_new(struct mapping *m, uint32_t ranks, struct err *e);

/** Accepts a zeroed mapping. */
void mapping_clear(struct mapping *m);

/** Reads a hostfile for @p ranks ranks.  Every line's host must exist on @p p, also beyond the
 *  last rank, as smpirun demands; fewer slots than ranks is an error.  @p m is untouched on
 *  failure. */
enum status mapping_load(struct mapping *m, const char *path, const struct platform *p,
                         uint32_t ranks, struct err *e);

/** Writes a hostfile, one line a rank; all or nothing; "-" is stdout. */
enum status mapping_save(const struct mapping *m, const struct platform *p, const char *path,
                         struct err *e);

/** Checks that every host exists and that no host has more than @p ranks_per_host ranks. */
enum status mapping_check(const struct mapping *m, const struct platform *p,
                          uint32_t ranks_per_host, struct err *e);

#endif
