/** @file kernel_costs.h
 *  Fits the table of kernels of HPL (traces/generators/hpl/kernels.h) to measured calls: for each
 *  kernel on each processor of each host a polynomial of the sizes, and another one for the
 *  standard deviation of its noise.
 *
 *  The samples are a TSV with the columns kernel, host, cpu, m, n, k, seconds.  Each row is a call,
 *  with n = 1 for vectors, and k = 1 where a kernel has no third size.
 *
 *  The mean is the least-squares fit of relative errors, so that calls of all sizes count alike.
 *  The noise is half-normal, shifted to mean 0; the mean of its absolute value is 0.8006 standard
 *  deviations.  The polynomial of the standard deviation is therefore a fit to the absolute
 *  residuals over 0.8006, with coefficients of at least 0.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "traces/generators/hpl/kernels.h"

/** A measured call. */
struct kernel_sample {
  enum kernel kernel;
  uint32_t host, cpu;
  struct kernel_size size;
  double seconds;
};

struct kernel_samples {
  struct kernel_sample *sample; /**< owned */
  size_t count, room;
};

/** Appends the samples of a table; @p s is unchanged on failure. */
enum status kernel_samples_load(struct kernel_samples *s, const char *path, struct err *e);

void kernel_samples_clear(struct kernel_samples *s);

/** A row of the table of kernels. */
struct kernel_row {
  enum kernel kernel;
  int64_t host, cpu; /**< -1: all, from the samples of all processors */
  struct kernel_cost cost;
  size_t samples;
  double error; /**< mean of the absolute relative errors of the samples */
};

struct kernel_rows {
  struct kernel_row *row; /**< owned */
  size_t count, room;
};

/** Fewest samples of a row. */
enum { KERNEL_FEWEST = 2 * KERNEL_TERMS };

/** Makes the rows: of each kernel first the row of all processors, then one for each processor with
 *  at least KERNEL_FEWEST samples.  Sorts @p s.  Fails without a sample of dgemm, or if a kernel
 *  has fewer than KERNEL_FEWEST samples.  O(samples log samples).  The caller frees @p out with
 *  kernel_rows_clear(). */
enum status kernel_rows_fit(struct kernel_rows *out, struct kernel_samples *s, struct err *e);

void kernel_rows_clear(struct kernel_rows *r);

/** Writes the table that kernels_load() reads. */
void kernel_rows_print(const struct kernel_rows *r, FILE *f);
