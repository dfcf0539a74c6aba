/** @file axes.h
 *  Axes of points in space, for points that fill a box or lie on rings.
 */
#pragma once

#include <stdint.h>

/** Limit of the number of components. */
enum { AXES_MOST = 6 };

/** Scales the first @p k columns of x[], each of @p n numbers, to variance 1, and rotates them
 *  until the sum of their fourth moments is least: they are then parallel to the sides of the box.
 *  extent[] receives the standard deviation of the points along each new direction.  Columns
 *  without extent become 0. */
void axes_turn(double *x, uint32_t n, uint32_t k, double *extent);

/** The mean of the products of the squares of two columns of variance 1: least for the two
 *  coordinates of points on a ring. */
double axes_mixed(const double *x, uint32_t n, uint32_t a, uint32_t b);

/** Writes to column @p out the phases of the points in the plane of columns @p a and @p b, in
 *  turns.  Phase 0 is the phase with the fewest points. */
void axes_phase(double *x, uint32_t n, uint32_t a, uint32_t b, uint32_t out);
