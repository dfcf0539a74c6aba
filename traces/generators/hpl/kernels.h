/** @file kernels.h
 *  The time of kernels of linear algebra as polynomials with noise, for each processor of each
 *  host.  A kernel on sizes m, n and k takes
 *
 *      mnk c1 + mn c2 + mk c3 + nk c4 + c5 seconds,
 *
 *  plus noise of mean 0 whose standard deviation is a polynomial of the same form.  The noise is
 *  half-normal, shifted to the mean 0: |Z| sigma - sigma sqrt(2/pi), as measured for dgemm (T.
 *  Cornebize, A. Legrand, "Simulation-based optimization and sensibility analysis of MPI
 *  applications: variability matters", JPDC 166, 2022).
 *
 *  The table is TSV with the columns kernel, host, cpu, mnk, mn, mk, nk, intercept and, optionally,
 *  sd_mnk, sd_mn, sd_mk, sd_nk, sd_intercept.  `host` and `cpu` are numbers from 0, or * for all.
 *  Core c of a host has the kernels of cpu c modulo the number of cpus.  A row with a number takes
 *  precedence over a row with *.  A kernel without a row takes no time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"

enum kernel {
  KERNEL_DGEMM,  /**< m x n x k */
  KERNEL_DTRSM,  /**< m x n triangular of size k = m */
  KERNEL_DTRSV,  /**< m x n, n = m */
  KERNEL_DGEMV,  /**< m x n */
  KERNEL_DGER,   /**< m x n */
  KERNEL_DAXPY,  /**< of m */
  KERNEL_DCOPY,  /**< of m */
  KERNEL_DSCAL,  /**< of m */
  KERNEL_IDAMAX, /**< of m */
  KERNEL_DLACPY, /**< m x n; this and all below: HPL's copies and exchanges of rows */
  KERNEL_DLATCPY,
  KERNEL_DLASWP00N,
  KERNEL_DLASWP01T,
  KERNEL_DLASWP02N,
  KERNEL_DLASWP03T,
  KERNEL_DLASWP04T,
  KERNEL_DLASWP05T,
  KERNEL_DLASWP06T,
  KERNEL_DLASWP10N,
  KERNELS
};

enum { KERNEL_TERMS = 5 /* mnk, mn, mk, nk, 1 */ };

struct kernel_cost {
  double mean[KERNEL_TERMS], sd[KERNEL_TERMS];
};

/** Sizes of a call.  A vector of m has n = 1; matrices without a third size have k = 1. */
struct kernel_size {
  double m, n, k;
};

struct kernels;

/** Upper limits of the hosts, of the processors of a host, and of the processors of a table. */
enum { KERNELS_MOST_HOSTS = 1 << 20, KERNELS_MOST_CPUS = 64, KERNELS_MOST = 1 << 16 };

/** The name of a kernel in tables. */
const char *kernel_name(enum kernel which);

/** Sets *out to the kernel called @p name; false if there is none. */
bool kernel_find(const char *name, enum kernel *out);

/** Reads a table.  Refuses a table with more than KERNELS_MOST processors: hosts times the
 *  processors of a host. */
enum status kernels_load(struct kernels **out, const char *path, struct err *e);

/** Accepts NULL. */
void kernels_free(struct kernels *k);

/** Number of hosts that the table names; 0 if it names none. */
uint32_t kernels_hosts(const struct kernels *k);

/** The costs of the kernels, KERNELS entries, of core @p core of host @p host. */
const struct kernel_cost *kernels_of(const struct kernels *k, uint32_t host, uint32_t core);

/** Time in s of a call, at least 0; @p deviate from rng_half_normal(), 0 for the mean. */
double kernel_time(const struct kernel_cost *c, const struct kernel_size *s, double deviate);

/** Standard deviation in s of the time of a call, at least 0. */
double kernel_sd(const struct kernel_cost *c, const struct kernel_size *s);

/** Flops that a call of @p which counts; 0 for copies and exchanges. */
double kernel_flops(enum kernel which, const struct kernel_size *s);
