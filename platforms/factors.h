/** @file factors.h
 *  Factors by message size, in the steps that SimGrid's options smpi/lat-factor and smpi/bw-factor
 *  have: "0:2.01467;257:1.95341" is 2.01467 above 0 bytes and 1.95341 above 257.  Which model uses
 *  them is not known here.
 */
#ifndef PLATFORMS_FACTORS_H
#define PLATFORMS_FACTORS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"

/** A factor for messages of more than `above` bytes. */
struct factor_step {
  double above, factor;
};

/** The most steps of one option. */
enum { FACTORS_MOST = 64 };

/** Zeroed: none. */
struct factors {
  uint32_t count;
  struct factor_step step[FACTORS_MOST + 1]; /**< by size, rising; ends with 0, 0 */
};

/** Reads SimGrid's syntax, with one factor a step, each above 0; steps may come in any order, but
 *  no size twice.  @p out is untouched on failure. */
enum status factors_parse(struct factors *out, const char *text, struct err *e);

/** Writes them in that syntax, with digits that read back to the same doubles. */
void factors_print(const struct factors *x, FILE *f);

/** The factor of a table, which ends with 0, 0, for @p bytes; 1 below its first step. */
double factors_at(const struct factor_step *table, double bytes);

#endif
