/** @file calibrated.h
 *  The messages that a calibrated platform covers, as the property haichi.calibrated of its
 *  outermost zone states them: "1-1048576", "1-4000000,within,several".
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"

/** Zeroed: the platform states no range. */
struct calibrated {
  uint64_t smallest, largest; /**< measured messages in bytes; largest 0: no range */
  bool within;                /**< "within": messages between ranks of a host were measured */
  bool several;               /**< "several": messages of several hosts at once were measured */
};

/** Parses SMALLEST-LARGEST[,within][,several] with SMALLEST <= LARGEST and LARGEST > 0.  @p out is
 *  unchanged on failure. */
enum status calibrated_parse(struct calibrated *out, const char *text, struct err *e);

/** Writes the text that calibrated_parse() reads. */
void calibrated_print(const struct calibrated *r, FILE *f);
