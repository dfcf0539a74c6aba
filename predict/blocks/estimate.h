/** @file estimate.h
 *  Predicts the time of a program from the times and counts of its blocks (BLOCK): for each PU the
 *  sum, over its blocks, of the mean time times the count.
 *
 *  Methods: "joint" takes the mean over all executions of the timing run; "separate", the earlier
 *  method, takes that of communication from a run in which there is next to no computation;
 *  "settled" leaves out of the mean the start of each series that has not settled (settle.h), and
 *  counts it once, as it was.
 */
#ifndef PREDICT_BLOCKS_ESTIMATE_H
#define PREDICT_BLOCKS_ESTIMATE_H

#include "common/registry.h"
#include "predict/blocks/tables.h"

struct estimate_method {
  const char *name;
  const char *help;
  bool apart;   /**< needs the files apart.RANK.tsv */
  bool settled; /**< leaves out the start */
};

/** Of struct estimate_method. */
extern const struct registry estimate_methods;

/** One block on one rank. */
struct block_estimate {
  uint64_t count;      /**< executions in the real run */
  uint64_t executions; /**< timed */
  uint64_t start;      /**< of these, left out of the mean */
  bool never;          /**< the series does not settle */
  double mean;         /**< of one execution, in seconds */
  double time;         /**< of all, in seconds */
  double error;        /**< standard error of the time */
  double degree;       /**< its degrees of freedom; 0: none */
};

struct rank_estimate {
  double computation, communication, total; /**< in seconds */
  double half;     /**< of the width of the 95 % interval of the total; 0 if no block varies */
  double measured; /**< total of the full run, if there is one; else NAN */
};

struct estimate {
  struct block_table table; /**< owned */
  uint32_t ranks;
  struct block_estimate *block; /**< rank r, block b: [r * table.count + b]; owned */
  struct rank_estimate *rank;   /**< owned */
  uint32_t slowest;             /**< the rank with the largest total */
  uint64_t timed;               /**< executions in the timing run, of all ranks */
  uint64_t counted;             /**< in the real one */
  uint32_t unsettled;           /**< series that never settle */
  uint32_t untimed;             /**< blocks of ranks that have a count, but no time: taken as 0 */
  bool measured;                /**< there is a full run */
};

/** Reads the folder and predicts.  On success *out is the caller's: estimate_clear(). */
enum status estimate_load(struct estimate *out, const char *folder,
                          const struct estimate_method *method, struct err *e);

/** Accepts a zeroed one. */
void estimate_clear(struct estimate *x);

/** Largest error against the full run, as a share: of the PUs, and of the program. */
double estimate_worst(const struct estimate *x);
double estimate_error(const struct estimate *x);

#endif
