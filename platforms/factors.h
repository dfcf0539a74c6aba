/** @file factors.h
 *  Factors by message size, in the format of SimGrid's options smpi/lat-factor and smpi/bw-factor:
 *  "0:2.01467;257:1.95341" is 2.01467 above 0 bytes and 1.95341 above 257 bytes.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "common/err.h"

/** The factor of messages larger than `above` bytes. */
struct factor_step {
  double above, factor;
};

/** Maximum number of steps of an option. */
enum { FACTORS_MOST = 64 };

/** Stands for a factor of 0 in a table, which ends with 0. */
#define FACTORS_ZERO 1e-300

/** Zeroed: no factors. */
struct factors {
  uint32_t count;
  struct factor_step step[FACTORS_MOST + 1]; /**< sorted by size; the last entry is 0, 0 */
};

/** Parses SimGrid's syntax with one factor >= 0 per step.  Steps may come in any order, and a
 *  final ';' is ignored; a repeated size is an error.  @p out is unchanged on failure. */
enum status factors_parse(struct factors *out, const char *text, struct err *e);

/** Writes the factors in SimGrid's syntax, with enough digits to read back the same doubles. */
void factors_print(const struct factors *x, FILE *f);

/** The factor for @p bytes in a table that ends with 0, 0.  1 below the first step, and if @p table
 *  is NULL; 0 for FACTORS_ZERO. */
double factors_at(const struct factor_step *table, double bytes);
