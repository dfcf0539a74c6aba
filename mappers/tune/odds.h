/** @file odds.h
 *  Random choices, in which a choice that succeeded more often is more likely.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/numeric/rng.h"

/** How often a choice was tried, and how often it gained time.  Zeroed: never. */
struct odds {
  uint64_t tried, gained;
};

/** Draws one of @p n choices.  The probability of a choice is at least 1/11 of the probability of a
 *  choice that was never tried. */
uint32_t odds_draw(const struct odds *odds, uint32_t n, struct rng *r);

static inline void odds_note(struct odds *odds, bool gained)
{
  odds->tried++;
  odds->gained += gained;
}
