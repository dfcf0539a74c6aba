/** @file rng.h
 *  Seeded random streams with the same numbers on every machine: xoshiro256** (Blackman, Vigna),
 *  whose state splitmix64 fills from (seed, stream).  Not for cryptography.
 */
#pragma once

#include <stdint.h>

struct rng {
  uint64_t s[4];
};

/** Creates stream @p stream of seed @p seed.  Streams can be treated as independent. */
struct rng rng_new(uint64_t seed, uint64_t stream);

/** Uniform in 0..2^64-1. */
uint64_t rng_next(struct rng *r);

/** Uniform in 0..n-1, without bias; n > 0. */
uint64_t rng_below(struct rng *r, uint64_t n);

/** Uniform in [0, 1). */
double rng_double(struct rng *r);

/** Normally distributed with mean 0 and standard deviation 1 (Box and Muller, Annals of
 * Mathematical Statistics 29, 1958). */
double rng_normal(struct rng *r);

/** Half-normally distributed: |Z|, where Z is normal, shifted and scaled to mean 0 and standard
 *  deviation 1. */
double rng_half_normal(struct rng *r);

/** Shuffles @p n elements in place (Fisher-Yates). */
void rng_shuffle(struct rng *r, uint32_t *v, uint32_t n);
