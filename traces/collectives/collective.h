/** @file collective.h
 *  The algorithms that turn a collective into messages, and the choice of one for a simulation.
 *  The table of algorithms is in collective.c; lower.h describes their steps.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"
#include "traces/collectives/tuned.h"

#define COLLECTIVE_KINDS (ACTION_EXSCAN - ACTION_BARRIER + 1)

/** The algorithm of each collective, and the hosts of ranks for two-level algorithms.  If zeroed:
 *  SMPI's defaults, and each rank has its own host. */
struct collectives {
  uint8_t algorithm[COLLECTIVE_KINDS]; /**< see collective_algorithm(); 0: "default" */
  uint32_t named;                      /**< bit mask of the collectives set by collectives_set() */
  /** Host number of each rank of the world; NULL: the ranks fill the hosts in order.  Borrowed. */
  const uint32_t *host;
  uint32_t node_cores;     /**< with `host`: number of successive hosts that form one node, treated
                                as one host by two-level algorithms; 0 means 1 */
  uint32_t ranks_per_host; /**< without `host`: number of ranks that fill a host; 0 means 1 */
  struct tuned tuned;      /**< for collectives without a bit in `named` */
  const char *tuned_file;  /**< file that `tuned` was read from; NULL: none; borrowed */
};

struct collective_algorithm {
  const char *name;   /**< SimGrid's, e.g. "rdb" for allreduce__rdb; "default": SMPI's default */
  const char *help;   /**< one line */
  const char *source; /**< file in src/smpi/colls of SimGrid 3.32; NULL: SMPI has none */
};

/** Finds a collective that has a choice of algorithms by its name, the first @p length bytes of @p
 *  name (see `haichi list collectives`). */
enum status collective_kind(enum action_kind *out, const char *name, size_t length, struct err *e);

/** Applies one "NAME=ALGORITHM", e.g. "allreduce=rdb".  Fails for unknown names. */
enum status collectives_set(struct collectives *c, const char *text, struct err *e);

/** Makes collectives choose algorithms as the MPI library @p name does: default (SMPI's own), ompi,
 *  mpich, mvapich2 or impi.  A collective named in collectives_set(), before or after, keeps that
 *  algorithm.  Collectives without a choice in the library (gatherv, scatterv, scan, exscan) use
 *  the default.  Fails for other names. */
enum status collectives_select(struct collectives *c, const char *name, struct err *e);

/** Makes collectives choose algorithms by the file @p path (tuned.h), except collectives named in
 *  collectives_set().  @p path must outlive @p c. */
enum status collectives_load(struct collectives *c, const char *path, struct err *e);

/** Algorithm number @p i of a collective, 0 for the default; NULL past the last. */
const struct collective_algorithm *collective_algorithm(enum action_kind kind, size_t i);
