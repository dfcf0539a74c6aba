/** @file mapping.h
 *  The host of each rank, and the files that store it: SimGrid's hostfiles, Open MPI's
 *  rankfiles, lists of coordinates, and what the launchers of Fujitsu, Slurm and HPE Cray take
 *  (docs/formats.md).  Each format is one file and one row
 *  of the table in mapping.c.
 */
#ifndef PLATFORMS_MAPPING_MAPPING_H
#define PLATFORMS_MAPPING_MAPPING_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"
#include "platforms/platform.h"

struct mapping {
  uint32_t ranks;
  uint32_t *host; /**< host of each rank; owned */
};

struct mapping_format;

/** Of struct mapping_format: the formats of files. */
extern const struct registry mapping_formats;

/** Makes a mapping of @p ranks ranks, all on host 0.  The caller's: mapping_clear(). */
enum status mapping_new(struct mapping *m, uint32_t ranks, struct err *e);

/** Frees the hosts.  Accepts a zeroed mapping. */
void mapping_clear(struct mapping *m);

/** Reads a mapping of @p ranks ranks; its format is recognised from the first line that is neither
 *  blank nor a comment.  Every line must name a host of @p p, also past the last rank (an error in
 *  a rankfile); a rank without a host is an error.  Holds the whole file in memory.  @p m is
 *  untouched on failure; on success the caller ends it with mapping_clear(). */
enum status mapping_load(struct mapping *m, const char *path, const struct platform *p,
                         uint32_t ranks, struct err *e);

/** The same from @p path, which errors call @p name. */
enum status mapping_load_as(struct mapping *m, const char *path, const char *name,
                            const struct platform *p, uint32_t ranks, struct err *e);

/** Writes one line a rank, in order; all or nothing; "-" is stdout.  Refuses names that the format
 *  cannot hold, and coordinates on an opaque platform.  A rankfile numbers the ranks of each host
 *  as its slots 0, 1, 2, ... in rank order. */
enum status mapping_save(const struct mapping *m, const struct platform *p,
                         const struct mapping_format *format, const char *path, struct err *e);

/** Checks that every host exists and that no host has more than @p ranks_per_host ranks. */
enum status mapping_check(const struct mapping *m, const struct platform *p,
                          uint32_t ranks_per_host, struct err *e);

#endif
