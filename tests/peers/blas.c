/* Preloaded into an MPI program: writes a line to the file $BLAS_CALLS.RANK for each call of the
 * functions below: the kernel and its sizes m, n and k.  Vectors have n = k = 1.  The triangle of
 * dtrsm has m = k rows; HPL always has it on the right side.  Calls with a size of 0 are left out.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static void note(const char *kernel, int m, int n, int k)
{
  static FILE *file;
  if (file == NULL) {
    const char *name = getenv("BLAS_CALLS"), *rank = getenv("OMPI_COMM_WORLD_RANK");
    char path[4096];
    snprintf(path, sizeof path, "%s.%s", name, rank == NULL ? "0" : rank);
    file = fopen(path, "w");
  }
  if (file != NULL && m > 0 && n > 0 && k > 0)
    fprintf(file, "%s %d %d %d\n", kernel, m, n, k);
}

#define REAL(NAME) ((__typeof__(&(NAME)))dlsym(RTLD_NEXT, #NAME))

void cblas_dgemm(int order, int ta, int tb, int m, int n, int k, double alpha, const double *a,
                 int lda, const double *b, int ldb, double beta, double *c, int ldc)
{
  note("dgemm", m, n, k);
  REAL(cblas_dgemm)(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

void cblas_dtrsm(int order, int side, int part, int t, int unit, int m, int n, double alpha,
                 const double *a, int lda, double *b, int ldb)
{
  note("dtrsm", n, m, n);
  REAL(cblas_dtrsm)(order, side, part, t, unit, m, n, alpha, a, lda, b, ldb);
}

void cblas_dgemv(int order, int t, int m, int n, double alpha, const double *a, int lda,
                 const double *x, int dx, double beta, double *y, int dy)
{
  note("dgemv", m, n, 1);
  REAL(cblas_dgemv)(order, t, m, n, alpha, a, lda, x, dx, beta, y, dy);
}

void cblas_dscal(int n, double alpha, double *x, int dx)
{
  note("dscal", n, 1, 1);
  REAL(cblas_dscal)(n, alpha, x, dx);
}

void cblas_dcopy(int n, const double *x, int dx, double *y, int dy)
{
  note("dcopy", n, 1, 1);
  REAL(cblas_dcopy)(n, x, dx, y, dy);
}

size_t cblas_idamax(int n, const double *x, int dx)
{
  note("idamax", n, 1, 1);
  return REAL(cblas_idamax)(n, x, dx);
}
