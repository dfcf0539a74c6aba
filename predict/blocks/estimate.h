/** @file estimate.h
 *  Predicts the time of a program from the times and counts of its blocks (BLOCK): for each rank,
 *  the sum over its blocks of the mean time times the count.
 *
 *  Methods: "joint" takes the mean over all executions of the timing run.  "separate" takes the
 *  mean of communication from another run, with almost no computation.  "settled" leaves the
 *  unsettled start of each series (settle.h) out of the mean, and adds its measured time once.
 */
#pragma once

#include "common/registry.h"
#include "predict/blocks/tables.h"

struct estimate_method {
  const char *name;
  const char *help;
  bool apart;   /**< needs the files apart.RANK.tsv */
  bool settled; /**< leaves the start out of the mean */
};

/** Registry of struct estimate_method. */
extern const struct registry estimate_methods;

/** One block on one rank. */
struct block_estimate {
  uint64_t count;      /**< executions in the real run */
  uint64_t executions; /**< timed executions */
  uint64_t start;      /**< timed executions left out of the mean */
  bool never;          /**< the series does not settle */
  double mean;         /**< mean time of one execution in s */
  double time;         /**< time of all executions in s */
  double error;        /**< standard error of `time` */
  double degree;       /**< degrees of freedom of `error`; 0: none */
  bool single;         /**< it has one timed value and further executions */
};

struct rank_estimate {
  double computation, communication, total; /**< in seconds */
  double half;     /**< half the width of the 95 % interval of the total; 0 if no block varies */
  double measured; /**< total of the full run; NAN if there is none */
};

struct estimate {
  struct block_table table; /**< owned */
  uint32_t ranks;
  struct block_estimate *block; /**< rank r, block b: [r * table.count + b]; owned */
  struct rank_estimate *rank;   /**< owned */
  uint32_t slowest;             /**< the rank with the largest total */
  uint64_t timed;               /**< executions in the timing run, over all ranks */
  uint64_t counted;             /**< executions in the real run, over all ranks */
  uint32_t unsettled;           /**< series that never settle */
  uint32_t untimed;             /**< blocks that a rank counted but did not time, over all ranks;
                                     their times are taken as 0 */
  uint32_t single; /**< blocks of a rank with one timed value and further executions, over all
                      ranks: their error is not known, and is left out of the interval */
  bool measured;   /**< there is a full run */
};

/** Reads the folder and predicts.  The caller frees *out with estimate_clear(). */
enum status estimate_load(struct estimate *out, const char *folder,
                          const struct estimate_method *method, struct err *e);

/** Accepts a zeroed struct. */
void estimate_clear(struct estimate *x);

/** Largest absolute error of a rank's total, relative to the full run; 0 without a full run. */
double estimate_worst(const struct estimate *x);

/** Error of the time of the program, which is the largest total of a rank, relative to the full
 *  run; positive: predicted too long.  0 without a full run. */
double estimate_error(const struct estimate *x);
