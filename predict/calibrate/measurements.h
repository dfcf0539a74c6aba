/** @file measurements.h
 *  Measured times: samples in seconds by test and size, read from tab-separated files
 *  (docs/tables.md) and combined by size.  Fits nothing.
 */
#pragma once

#include <stddef.h>

#include "common/err.h"
#include "common/registry.h"

/** A test: its name and the unit of its size. */
struct measurements_test {
  const char *name; /**< "pingpong" */
  const char *help; /**< one line */
  double most;      /**< largest size */
  double least;     /**< smallest size: 0 for bytes, 1 for flops */
};

extern const struct measurements_test test_pingpong, test_arithmetic, test_triad;

/** Tests of a loaded network, see their help. */
extern const struct measurements_test test_stream, test_exchange, test_first_exchange, test_ring,
    test_pairs, test_pingpong_within, test_all_within, test_stream_busy;

/** Registries of struct measurements_test: all tests; tests that count flops. */
extern const struct registry measurements_tests, measurements_kernels;

/** Fewest sizes that measurements_pool() joins. */
enum { MEASUREMENTS_POOL = 5 };

/** The samples of one size. */
struct measured {
  double size; /**< bytes or flops */
  size_t samples;
  double seconds;   /**< requested quantile of the samples */
  double low, high; /**< quantiles of 5 % and 95 %; on a busy machine `high` is many times `low` */
  double lower_quartile, upper_quartile;
};

/** Relative standard error of the quantile, computed as for the median of normal samples: their
 *  quartiles are 1.349 standard deviations apart, and the error of the median of n is
 *  sqrt(pi / 2 / n) standard deviations. */
double measurements_error(const struct measured *m);

/** One line of a file. */
struct measurements_sample {
  const struct measurements_test *test;
  double size, seconds;
};

/** Zeroed: no samples. */
struct measurements {
  struct measurements_sample *sample; /**< owned */
  size_t samples, room;
};

/** Adds the samples of the file @p path. */
enum status measurements_load(struct measurements *m, const char *path, struct err *e);

/** Frees the samples and leaves none. */
void measurements_clear(struct measurements *m);

/** Combines the samples of one test by rising size.  @p quantile, in [0, 1], selects the value of a
 *  size: 0.5 is the median.  *count may be 0.  Sorts the samples.  The caller frees *out with
 *  free(). */
enum status measurements_by_size(struct measurements *m, const struct measurements_test *test,
                                 double quantile, struct measured **out, size_t *count,
                                 struct err *e);

/** Joins neighbouring sizes, at least MEASUREMENTS_POOL and all that differ from the smallest one
 *  by at most the share @p within: their samples get one size, the geometric mean.  Sorts the
 *  samples. */
void measurements_pool(struct measurements *m, const struct measurements_test *test, double within);

/** The quantile @p q of @p n > 0 rising numbers, interpolated between them. */
double measurements_quantile(const double *rising, size_t n, double q);
