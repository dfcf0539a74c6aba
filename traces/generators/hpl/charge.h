/** @file charge.h
 *  Private to this folder: adds the time of kernels to a block (kernels.h).
 */
#pragma once

#include "traces/generators/hpl/hpl.h"

/** Adds a call of a kernel on sizes m, n and k, with its noise; nothing if one of them is 0. */
void hpl_charge(struct hpl_at *a, enum kernel which, double m, double n, double k);

/** Cost of an update, which may be cut into calls of fewer columns: of a call, and of each of its
 *  columns; in s, or in flops without a table of kernels. */
struct hpl_columns {
  double call, column;
};
/** Adds a kernel on m x 1 x k for each column. */
void hpl_charge_columns(struct hpl_at *a, struct hpl_columns *c, enum kernel which, double m,
                        double k);
