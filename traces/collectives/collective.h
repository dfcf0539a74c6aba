/** @file collective.h
 *  The algorithms that turn a collective into messages: which exist, and which one a simulation
 *  uses.  The table is in collective.c; the steps of each algorithm are described in lower.h.
 */
#ifndef TRACES_COLLECTIVES_COLLECTIVE_H
#define TRACES_COLLECTIVES_COLLECTIVE_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"
#include "traces/collectives/tuned.h"

#define COLLECTIVE_KINDS (ACTION_EXSCAN - ACTION_BARRIER + 1)

/** The algorithm that each collective uses, and who shares a host, for algorithms in two levels;
 *  zeroed: SMPI's defaults, and nobody does. */
struct collectives {
  uint8_t algorithm[COLLECTIVE_KINDS]; /**< see collective_algorithm(); 0: "default" */
  uint32_t named;                      /**< a bit for each that collectives_set() has set */
  /** A number for the host of each rank of the world; NULL: the ranks fill hosts in order.
   *  Borrowed. */
  const uint32_t *host;
  uint32_t ranks_per_host; /**< how many they fill one with; 0: not given, as 1 */
  struct tuned tuned;      /**< for collectives that are not named */
  const char *tuned_file;  /**< that it was read from; NULL: there is none; borrowed */
};

struct collective_algorithm {
  const char *name;   /**< SimGrid's, e.g. "rdb" for allreduce__rdb; "default" is the selector's */
  const char *help;   /**< one line */
  const char *source; /**< file in src/smpi/colls of SimGrid 3.32; NULL: SMPI has none */
};

/** The collective that the first @p length bytes of @p name name: one that has algorithms to choose
 *  from, as haichi list collectives names it. */
enum status collective_kind(enum action_kind *out, const char *name, size_t length, struct err *e);

/** Applies one "NAME=ALGORITHM", e.g. "allreduce=rdb"; refuses unknown names. */
enum status collectives_set(struct collectives *c, const char *text, struct err *e);

/** Has all collectives, but those that collectives_set() names before or after, choose as the MPI
 *  library @p name does: default (SMPI's own), ompi, mpich, mvapich2 or impi.  Those that it has no
 *  choice for (gatherv, scatterv, scan, exscan) keep the default.  Refuses other names. */
enum status collectives_select(struct collectives *c, const char *name, struct err *e);

/** Likewise, but by the file @p path of tuned algorithms, which must outlive @p c. */
enum status collectives_load(struct collectives *c, const char *path, struct err *e);

/** Row @p i (from 0, the default) of the algorithms of a collective; NULL past the last. */
const struct collective_algorithm *collective_algorithm(enum action_kind kind, size_t i);

#endif
