/* Times the kernels of HPL on all ranks at once.  For each call prints a line
 * "KERNEL HOST CPU M N K SECONDS" for `haichi calibrate --hpl-kernels'.
 *
 * usage: blas [-r CALLS] [-m MOST] [-k PANEL] [-c CPUS] [-s SEED]
 *
 * Sizes are drawn at random, uniform in their logarithm: m and n up to MOST, k up to PANEL, vectors
 * up to MOST times PANEL.  Hosts are numbered in the order of their first ranks; rank i of a host
 * is assumed on its processor i modulo CPUS.  The copies and the exchanges of rows in HPL are
 * replaced by loops over the same number of elements. */
#include <errno.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The Fortran interface of BLAS. */
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *,
            const double *, const int *, const double *, const int *, const double *, double *,
            const int *);
void dtrsm_(const char *, const char *, const char *, const char *, const int *, const int *,
            const double *, const double *, const int *, double *, const int *);
void dtrsv_(const char *, const char *, const char *, const int *, const double *, const int *,
            double *, const int *);
void dgemv_(const char *, const int *, const int *, const double *, const double *, const int *,
            const double *, const int *, const double *, double *, const int *);
void dger_(const int *, const int *, const double *, const double *, const int *, const double *,
           const int *, double *, const int *);
void daxpy_(const int *, const double *, const double *, const int *, double *, const int *);
void dcopy_(const int *, const double *, const int *, double *, const int *);
void dscal_(const int *, const double *, double *, const int *);
int idamax_(const int *, const double *, const int *);

struct options {
  long calls, most, panel, cpus, seed;
};

struct call {
  int m, n, k;
  double *a, *b, *c; /* of most * most, most * panel and most * most numbers */
};

static const int ONE = 1;
static const double UNIT = 1, SHRINK = 1e-3;

static int chosen; /* keeps the result of idamax */

static void do_dgemm(const struct call *x)
{
  dgemm_("N", "N", &x->m, &x->n, &x->k, &SHRINK, x->a, &x->m, x->b, &x->k, &UNIT, x->c, &x->m);
}

static void do_dtrsm(const struct call *x)
{
  dtrsm_("L", "L", "N", "U", &x->m, &x->n, &UNIT, x->b, &x->m, x->c, &x->m);
}

static void do_dtrsv(const struct call *x)
{
  dtrsv_("L", "N", "U", &x->m, x->b, &x->m, x->c, &ONE);
}

static void do_dgemv(const struct call *x)
{
  dgemv_("N", &x->m, &x->n, &SHRINK, x->a, &x->m, x->b, &ONE, &UNIT, x->c, &ONE);
}

static void do_dger(const struct call *x)
{
  dger_(&x->m, &x->n, &SHRINK, x->b, &ONE, x->c, &ONE, x->a, &x->m);
}

static void do_daxpy(const struct call *x)
{
  daxpy_(&x->m, &SHRINK, x->b, &ONE, x->c, &ONE);
}

static void do_dcopy(const struct call *x)
{
  dcopy_(&x->m, x->b, &ONE, x->c, &ONE);
}

static void do_dscal(const struct call *x)
{
  dscal_(&x->m, &UNIT, x->c, &ONE);
}

static void do_idamax(const struct call *x)
{
  chosen += idamax_(&x->m, x->c, &ONE);
}

/* Copies columns, like HPL_dlacpy and HPL_dlaswp10N. */
static void do_columns(const struct call *x)
{
  for (int j = 0; j < x->n; j++)
    memcpy(&x->c[(size_t)j * x->m], &x->a[(size_t)j * x->m], (size_t)x->m * sizeof(double));
}

/* Copies rows to columns, like HPL_dlatcpy and HPL_dlaswp00N, 01T, 02N, 03T and 05T.  The rows that
 * HPL exchanges are not consecutive; these are. */
static void do_gather(const struct call *x)
{
  for (int j = 0; j < x->n; j++)
    for (int i = 0; i < x->m; i++)
      x->c[(size_t)i * x->n + j] = x->a[(size_t)j * x->m + i];
}

/* Copies columns to rows, like HPL_dlaswp04T and 06T. */
static void do_scatter(const struct call *x)
{
  for (int j = 0; j < x->n; j++)
    for (int i = 0; i < x->m; i++)
      x->a[(size_t)j * x->m + i] = x->c[(size_t)i * x->n + j];
}

enum shape { PRODUCT, TRIANGLE_OF_ROWS, SQUARE, MATRIX, VECTOR };

static const struct {
  const char *name;
  enum shape shape;
  void (*run)(const struct call *);
} KERNEL[] = {
    {"dgemm", PRODUCT, do_dgemm},
    {"dtrsm", TRIANGLE_OF_ROWS, do_dtrsm},
    {"dtrsv", SQUARE, do_dtrsv},
    {"dgemv", MATRIX, do_dgemv},
    {"dger", MATRIX, do_dger},
    {"daxpy", VECTOR, do_daxpy},
    {"dcopy", VECTOR, do_dcopy},
    {"dscal", VECTOR, do_dscal},
    {"idamax", VECTOR, do_idamax},
    {"HPL_dlacpy", MATRIX, do_columns},
    {"HPL_dlatcpy", MATRIX, do_gather},
    {"HPL_dlaswp00N", MATRIX, do_gather},
    {"HPL_dlaswp01T", MATRIX, do_gather},
    {"HPL_dlaswp02N", MATRIX, do_gather},
    {"HPL_dlaswp03T", MATRIX, do_gather},
    {"HPL_dlaswp04T", MATRIX, do_scatter},
    {"HPL_dlaswp05T", MATRIX, do_gather},
    {"HPL_dlaswp06T", MATRIX, do_scatter},
    {"HPL_dlaswp10N", MATRIX, do_columns},
};

enum { KERNELS = sizeof KERNEL / sizeof *KERNEL, FIELDS = 6 };

/* The next number of Vigna's generator splitmix64. */
static uint64_t next(uint64_t *state)
{
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static int draw(uint64_t *state, double most)
{
  return (int)exp((double)(next(state) >> 11) / 9007199254740992.0 * log(most + 1));
}

static void draw_sizes(struct call *x, enum shape shape, const struct options *o, uint64_t *state)
{
  x->m = draw(state, (double)(shape == VECTOR ? o->most * o->panel : o->most));
  x->n = draw(state, (double)o->most);
  x->k = draw(state, (double)o->panel);
  if (shape == TRIANGLE_OF_ROWS || shape == SQUARE)
    x->m = x->k;
  if (shape == SQUARE)
    x->n = x->m;
  if (shape == VECTOR)
    x->n = 1;
  if (shape != PRODUCT)
    x->k = shape == TRIANGLE_OF_ROWS ? x->m : 1;
}

/* Calls a kernel often enough for 20 us or more, and returns the seconds of a call. */
static double time_call(void (*run)(const struct call *), const struct call *x)
{
  int times = 1;
  for (;;) {
    const double start = MPI_Wtime();
    for (int i = 0; i < times; i++)
      run(x);
    const double seconds = MPI_Wtime() - start;
    if (seconds >= 2e-5 || times >= 1 << 20)
      return seconds / times;
    times *= 4;
  }
}

static int take_options(int argc, char **argv, struct options *o)
{
  const struct {
    const char *name;
    long *value, most;
  } table[] = {{"-r", &o->calls, 100000},
               {"-m", &o->most, 20000},
               {"-k", &o->panel, 1024},
               {"-c", &o->cpus, 64},
               {"-s", &o->seed, 1L << 30}};
  for (int i = 1; i < argc; i += 2) {
    size_t k = 0;
    char *end;
    while (k < 5 && strcmp(argv[i], table[k].name) != 0)
      k++;
    if (k == 5 || i + 1 == argc)
      return 0;
    errno = 0;
    *table[k].value = strtol(argv[i + 1], &end, 10);
    if (errno != 0 || end == argv[i + 1] || *end != '\0' || *table[k].value < 1 ||
        *table[k].value > table[k].most)
      return 0;
  }
  return 1;
}

static double *numbers(size_t n)
{
  double *x = malloc(n * sizeof *x);
  for (size_t i = 0; x != NULL && i < n; i++)
    x[i] = 1.0 / (double)(i % 1000 + 1);
  return x;
}

/* Sets the number of the host, and the number of this rank among the ranks of the host. */
static void find_place(int *host, int *local)
{
  MPI_Comm node;
  int rank, first;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, local);
  first = *local == 0;
  MPI_Scan(&first, host, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  *host -= 1;
  MPI_Bcast(host, 1, MPI_INT, 0, node);
  MPI_Comm_free(&node);
}

/* Measures one kernel on all ranks; rank 0 prints the calls of all ranks. */
static void measure(int kernel, struct call *x, const struct options *o, uint64_t *state)
{
  int host, local, rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  find_place(&host, &local);
  const int count = FIELDS * (int)o->calls;
  double *own = malloc((size_t)count * sizeof *own);
  double *all = rank == 0 ? malloc((size_t)ranks * (size_t)count * sizeof *all) : own;
  if (own == NULL || all == NULL)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  for (long i = 0; i < o->calls; i++) {
    draw_sizes(x, KERNEL[kernel].shape, o, state);
    const double call[FIELDS] = {host, (double)(local % o->cpus),       x->m, x->n,
                                 x->k, time_call(KERNEL[kernel].run, x)};
    memcpy(&own[i * FIELDS], call, sizeof call);
  }
  MPI_Gather(own, count, MPI_DOUBLE, all, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (const double *c = all; rank == 0 && c < all + (size_t)ranks * (size_t)count; c += FIELDS)
    printf("%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.9g\n", KERNEL[kernel].name, c[0], c[1], c[2], c[3],
           c[4], c[5]);
  if (all != own)
    free(all);
  free(own);
}

int main(int argc, char **argv)
{
  struct options o = {100, 2000, 256, 1, 1};
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!take_options(argc, argv, &o)) {
    fprintf(stderr, "usage: blas [-r CALLS] [-m MOST] [-k PANEL] [-c CPUS] [-s SEED]\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  const size_t large = (size_t)o.most * (size_t)(o.most > o.panel ? o.most : o.panel);
  const size_t square = (size_t)o.panel * (size_t)o.panel;
  const size_t wide = (size_t)o.most * (size_t)o.panel;
  struct call x = {.a = numbers(large),
                   .b = numbers(wide > square ? wide : square),
                   .c = numbers(large > square ? large : square)};
  if (x.a == NULL || x.b == NULL || x.c == NULL) {
    fprintf(stderr, "blas: no memory for matrices of %ld rows\n", o.most);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  uint64_t state = (uint64_t)o.seed * 1000003 + (uint64_t)rank;
  if (rank == 0)
    printf("kernel\thost\tcpu\tm\tn\tk\tseconds\n");
  for (int k = 0; k < KERNELS; k++)
    measure(k, &x, &o, &state);
  free(x.a);
  free(x.b);
  free(x.c);
  MPI_Finalize();
  return 0;
}
