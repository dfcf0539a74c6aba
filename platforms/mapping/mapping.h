/** @file mapping.h
 *  The mapping of ranks to hosts, and its file formats: SimGrid's hostfiles, Open MPI's rankfiles,
 *  lists of coordinates, and files for the launchers of Fujitsu, Slurm and HPE Cray
 *  (docs/formats.md).  Each format is one file and one row of the table in mapping.c.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"
#include "platforms/platform.h"

struct mapping {
  uint32_t ranks;
  uint32_t *host; /**< by rank; owned */
  uint32_t cores; /**< if the hosts are cores of nodes (platform_inside()): cores of a node; 0 if
                     not */
};

struct mapping_format;

/** The file formats.  Rows are struct mapping_format. */
extern const struct registry mapping_formats;

/** Creates a mapping with all @p ranks ranks on host 0.  The caller calls mapping_clear(). */
enum status mapping_new(struct mapping *m, uint32_t ranks, struct err *e);

/** Frees the hosts.  Accepts a zeroed mapping. */
void mapping_clear(struct mapping *m);

/** Reads a mapping of @p ranks ranks.  The first line that is neither blank nor a comment
 *  determines the format.  Every line must name a host of @p p, including lines after the last rank
 *  (in a rankfile these are errors).  A rank without a host is an error.  Holds the whole file in
 *  memory.  @p m is unchanged on failure; on success the caller calls mapping_clear(). */
enum status mapping_load(struct mapping *m, const char *path, const struct platform *p,
                         uint32_t ranks, struct err *e);

/** Like mapping_load(), but errors call the file @p name. */
enum status mapping_load_as(struct mapping *m, const char *path, const char *name,
                            const struct platform *p, uint32_t ranks, struct err *e);

/** Writes one line per rank in rank order, and leaves no partial file on failure.  "-" is standard
 *  output.  Refuses host names that the format cannot hold, and coordinates on an opaque platform.
 *  A rankfile numbers the slots of each host 0, 1, 2, ... in rank order. */
enum status mapping_save(const struct mapping *m, const struct platform *p,
                         const struct mapping_format *format, const char *path, struct err *e);

/** Checks that every host exists, and that no host, or with an inside no node, has more than @p
 *  ranks_per_host ranks. */
enum status mapping_check(const struct mapping *m, const struct platform *p,
                          uint32_t ranks_per_host, struct err *e);
