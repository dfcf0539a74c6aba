/** @file scotch_map.h
 *  A mapping by Scotch's library.  scotch_map.c is compiled only if scotch.h is installed.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "mappers/mapper.h"

struct scotch_options {
  uint32_t strategy; /**< index of a name of the option strategy= (scotch.c) */
  uint64_t seed;
  double imbalance; /**< allowed excess of a host's load, as a share of the mean load */
};

/** Fills *out with Scotch's mapping, which may put more ranks on a host than it has slots.  Uses
 *  one thread; the same options give the same mapping.  On success the caller frees *out with
 *  mapping_clear(). */
enum status scotch_map(const struct mapper_input *in, const struct scotch_options *o,
                       struct mapping *out, struct err *e);
