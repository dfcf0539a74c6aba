/** @file rising.h
 *  Comparisons of numbers for qsort(), the lowest first.
 */
#ifndef COMMON_RISING_H
#define COMMON_RISING_H

/** Of uint32_t. */
int rising_u32(const void *a, const void *b);

/** Of uint64_t. */
int rising_u64(const void *a, const void *b);

/** Of double, no NAN among them. */
int rising_double(const void *a, const void *b);

#endif
