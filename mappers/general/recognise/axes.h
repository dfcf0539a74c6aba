/** @file axes.h
 *  Independent axes of points in space.  Components are scaled to variance 1 and rotated until the
 *  sum of their fourth moments is least, which aligns them with the sides of a box.
 */
#ifndef MAPPERS_GENERAL_RECOGNISE_AXES_H
#define MAPPERS_GENERAL_RECOGNISE_AXES_H

#include <stdint.h>

/** Limit of the number of components. */
enum { AXES_MOST = 6 };

/** Scales and rotates the first @p k columns of x[], each of @p n numbers.  extent[] receives the
 *  standard deviation of the points along each new direction; it may be NULL.  Columns without
 *  extent become 0. */
void axes_turn(double *x, uint32_t n, uint32_t k, double *extent);

/** The mean of the products of the squares of two columns of variance 1. */
double axes_mixed(const double *x, uint32_t n, uint32_t a, uint32_t b);

/** Writes to column @p out the phases of the points in the plane of columns @p a and @p b, in
 *  turns.  Phase 0 is the phase with the fewest points. */
void axes_phase(double *x, uint32_t n, uint32_t a, uint32_t b, uint32_t out);

#endif
