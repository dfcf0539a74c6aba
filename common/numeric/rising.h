/** @file rising.h
 *  Comparison functions for qsort() in ascending order.
 */
#pragma once

int rising_u32(const void *a, const void *b);

int rising_u64(const void *a, const void *b);

/** The doubles must not be NAN. */
int rising_double(const void *a, const void *b);
