/** @file charge.h
 *  Private to this folder: adds the time of kernels to a block (kernels.h).
 */
#pragma once

#include "traces/generators/hpl/hpl.h"

/** Adds a call of a kernel on sizes m, n and k, with its noise; adds nothing if a size is 0. */
void hpl_charge(struct hpl_at *a, enum kernel which, double m, double n, double k);

/** Mean cost of each call of an update and of each column of a call, and the standard deviation of
 *  the whole update.  An update may be divided into calls of fewer columns.  The unit is seconds;
 *  without a table of kernels, it is flops. */
struct hpl_columns {
  double call, column, sd;
};

/** Adds a kernel to *c.  Its size n is the number of columns of the update. */
void hpl_charge_columns(const struct hpl_at *a, struct hpl_columns *c, enum kernel which, double m,
                        double n, double k);
