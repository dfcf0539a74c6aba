/** @file ranking.h
 *  Mappers in one order over blocks: a block is a trace of a campaign, of any platform.  The test
 * is that of summary.h over traces.
 */
#ifndef CAMPAIGN_RANKING_H
#define CAMPAIGN_RANKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

struct ranking_row {
  uint32_t mapper;
  double relative;  /**< geometric mean over the blocks of the time over the block's best one among
                         the mappers in the ranking */
  double mean_rank; /**< over the blocks, 1: the best; equal times share the mean of their ranks */
};

struct ranking {
  struct ranking_row *row; /**< the mappers that have a time in every block, best first; owned */
  size_t rows;
  double *p; /**< rows * rows p-values of each two, corrected (Holm); NAN: not tested; owned */
};

/** Ranks @p mappers mappers; @p time has the time of mapper m in block b at b * mappers + m, > 0,
 * or NAN.  Two mappers are compared by a paired t-test of the logarithms over the blocks.  On
 * success *r is the caller's: ranking_clear(). */
enum status ranking_make(struct ranking *r, const double *time, size_t blocks, uint32_t mappers,
                         struct err *e);

/** Accepts a zeroed one. */
void ranking_clear(struct ranking *r);

/** Were two rows compared, and is their difference not significant (0.05)? */
bool ranking_seem_equal(const struct ranking *r, size_t a, size_t b);

#endif
