/** @file radical.h
 *  Private to platforms/xml/: the numbers in the names of the hosts of a cluster or cabinet, as
 *  "0-3,7".
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** Takes "0-3", or "5" with *first equal to *last, from the beginning of *text.  Numbers above
 *  2^32 - 1 become 2^32 - 1.  False if a number is missing. */
bool radical_range(const char **text, uint64_t *first, uint64_t *last);
