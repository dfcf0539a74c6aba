/** @file axes.h
 *  Independent axes of points in space: components are scaled to variance 1 and turned so that
 *  their fourth moments are least, which aligns them with the sides of a box.
 */
#ifndef MAPPERS_GENERAL_AXES_H
#define MAPPERS_GENERAL_AXES_H

#include <stdint.h>

/** Most components. */
enum { AXES_MOST = 6 };

/** Scales and turns the first @p k columns of x[], of @p n numbers each.  *extent: the standard
 *  deviation that each had along its new direction; may be NULL.  Columns without extent stay 0. */
void axes_turn(double *x, uint32_t n, uint32_t k, double *extent);

/** Mean of the product of the squares of two columns of variance 1. */
double axes_mixed(const double *x, uint32_t n, uint32_t a, uint32_t b);

/** Writes to column @p out the phase of the points in the plane of columns @p a and @p b, in turns,
 *  from the emptiest phase on. */
void axes_phase(double *x, uint32_t n, uint32_t a, uint32_t b, uint32_t out);

#endif
