/** @file rising.h
 *  Comparisons for qsort() in ascending order.
 */
#pragma once

/** -1, 0 or 1 if x is below, equal to or above y.  `RISING(p->a, q->a) ?: RISING(q->b, p->b)`
 *  orders by rising a, then by falling b. */
#define RISING(x, y) (((x) > (y)) - ((x) < (y)))

int rising_u32(const void *a, const void *b);

int rising_u64(const void *a, const void *b);

/** The doubles must not be NAN. */
int rising_double(const void *a, const void *b);
