/** @file ranking.h
 *  Ranks mappers over blocks and tests their differences.  A block is one trace on one machine of
 *  one campaign.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

struct ranking_row {
  uint32_t mapper;
  double relative;  /**< geometric mean over the blocks of time / best time of any ranked mapper */
  double mean_rank; /**< mean over the blocks of the rank, 1 for the best; equal times share the
                       mean of their ranks */
};

struct ranking {
  struct ranking_row *row; /**< the mappers that have a time in every block, best first; owned */
  size_t rows;
  double *p; /**< rows * rows corrected p-values (Holm) of pairs of rows; NAN: not tested; owned */
};

/** Ranks @p mappers mappers; @p time has the time of mapper m in block b at b * mappers + m, > 0,
 *  or NAN.  Two mappers are compared by a paired t-test of the logarithms over the blocks.  On
 *  success, free *r with ranking_clear(). */
enum status ranking_make(struct ranking *r, const double *time, size_t blocks, uint32_t mappers,
                         struct err *e);

/** Accepts a zeroed struct. */
void ranking_clear(struct ranking *r);

/** True if rows @p a and @p b were compared and p >= 0.05. */
bool ranking_is_insignificant(const struct ranking *r, size_t a, size_t b);
