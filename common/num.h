/** @file num.h
 *  The only place that parses numbers.  The whole string must be a number in range; errors quote
 *  the value.  Units are SimGrid's (src/xbt/xbt_parse_units.cpp of 3.32).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"

/** True if @p text is one to nine decimal digits; *out is then their value.  Inline for speed: most
 *  numbers in traces are short.  If false, *out is undefined. */
static inline bool num_short(const char *text, uint32_t *out)
{
  uint32_t value = 0, digit;
  int n = 0;
  for (; (digit = (uint32_t)text[n] - '0') <= 9 && n < 9; n++)
    value = value * 10 + digit;
  *out = value;
  return n > 0 && text[n] == '\0';
}

/** Decimal digits only, value at most @p max. */
enum status num_u64(const char *text, uint64_t max, uint64_t *out, struct err *e);

/** Digits with an optional minus sign, in [min, max].  Also accepts a double with an integer value
 *  of at most 2^53 ("1e+06"), since SMPI writes large counts in this form. */
enum status num_i64(const char *text, int64_t min, int64_t max, int64_t *out, struct err *e);

/** A finite decimal number in [min, max]; no hexadecimal, no "nan". */
enum status num_double(const char *text, double min, double max, double *out, struct err *e);

/** A fraction written as "1%" or "0.01", in [0, @p max]. */
enum status num_share(const char *text, double max, double *out, struct err *e);

enum num_unit {
  NUM_SPEED,     /**< in flop/s: "1Gf", "500Mf", "2.5gigaflops" */
  NUM_BANDWIDTH, /**< in byte/s: "1.25GBps", "10Gbps" (bits), "1GiBps" */
  NUM_SIZE,      /**< in byte: "4GiB", "500MB" */
  NUM_TIME       /**< in s: "100ns", "1.5us", "2ms", "1s", "1m", "1h", "1d", "1w" */
};

/** A number with a unit, > 0, or >= 0 for a time.  A time of 0 needs no unit.  At most 1e300, so
 *  that sums over a platform stay finite.  Errors list the valid units and suggest a correction for
 *  spellings such as "10GB/s" or "10Gflops". */
enum status num_quantity(const char *text, enum num_unit unit, double *out, struct err *e);

/** Like num_quantity(), but a number without a unit is in flop/s, byte/s, bytes or seconds.  For
 *  SimGrid's XML, which has this rule, for limits of real time and for message sizes. */
enum status num_quantity_bare(const char *text, enum num_unit unit, double *out, struct err *e);
