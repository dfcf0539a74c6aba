/** @file scotch_map.h
 *  A mapping by Scotch's library.  scotch_map.c is compiled only if scotch.h is installed.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "mappers/mapper.h"

struct scotch_options {
  uint32_t strategy; /**< default, quality, balance, both, speed */
  uint64_t seed;
  double imbalance; /**< of the hosts' loads, as a share of the mean load */
};

/** Fills *out with Scotch's mapping, which may put more ranks on a host than it has slots.  Uses
 *  one thread; the same options give the same mapping.  On success the caller frees *out with
 *  mapping_clear(). */
enum status scotch_map(const struct mapper_input *in, const struct scotch_options *o,
                       struct mapping *out, struct err *e);
