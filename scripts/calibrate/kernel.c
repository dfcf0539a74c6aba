/* Measures the speed of computation on all ranks at once.  For each sample of a rank prints a line
 * "KERNEL FLOPS SECONDS" for `haichi calibrate'.  Compile it without fused multiply-add, which does
 * two flops in one instruction.
 *
 * usage: kernel [-r SAMPLES]
 *
 * arithmetic  x = x * a + b on 16 numbers that stay in registers: 2 flops per number
 * triad       a[i] = b[i] + s * c[i] on arrays larger than the caches: 2 flops per number
 *
 * Under SMPI the flops are simulated, so the result is the speed of the simulated host. */
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 16, STEPS = 1 << 20, NUMBERS = 1 << 22, MOST_SAMPLES = 10000 };

struct arrays {
  double *a, *b, *c;
};

#ifdef SMPI_H

static double compute(const struct arrays *x, double flops)
{
  (void)x;
  smpi_execute_flops(flops);
  return 0;
}

static double do_arithmetic(const struct arrays *x)
{
  return compute(x, 2.0 * LANES * STEPS);
}

static double do_triad(const struct arrays *x)
{
  return compute(x, 2.0 * NUMBERS);
}

#else

/* The factors are read from volatile variables, so that the compiler cannot omit steps. */
static double do_arithmetic(const struct arrays *unused)
{
  volatile double given_a = 0.999999, given_b = 1e-6;
  const double a = given_a, b = given_b;
  double x[LANES], sum = 0;
  (void)unused;
  for (int i = 0; i < LANES; i++)
    x[i] = i;
  for (int k = 0; k < STEPS; k++)
    for (int i = 0; i < LANES; i++)
      x[i] = x[i] * a + b;
  for (int i = 0; i < LANES; i++)
    sum += x[i];
  return sum;
}

static double do_triad(const struct arrays *x)
{
  volatile double given = 3;
  const double s = given;
  for (int i = 0; i < NUMBERS; i++)
    x->a[i] = x->b[i] + s * x->c[i];
  return x->a[NUMBERS / 2];
}

#endif

static int fill(struct arrays *x)
{
  const size_t bytes = NUMBERS * sizeof(double);
  *x = (struct arrays){malloc(bytes), malloc(bytes), malloc(bytes)};
  if (x->a == NULL || x->b == NULL || x->c == NULL)
    return 0;
  for (int i = 0; i < NUMBERS; i++) {
    x->a[i] = 0;
    x->b[i] = i;
    x->c[i] = -i;
  }
  return 1;
}

/* Times @p samples runs, after a first run that warms up the caches and is not timed. */
static void measure(double (*run)(const struct arrays *), const struct arrays *x, int samples,
                    double *seconds)
{
  volatile double kept = run(x);
  for (int i = 0; i < samples; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    kept = run(x);
    seconds[i] = MPI_Wtime() - start;
  }
  (void)kept;
}

static void report(const char *name, double flops, const double *seconds, int samples)
{
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double *all = rank == 0 ? malloc((size_t)ranks * (size_t)samples * sizeof *all) : NULL;
  if (rank == 0 && all == NULL)
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Gather(seconds, samples, MPI_DOUBLE, all, samples, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (long i = 0; rank == 0 && i < (long)ranks * samples; i++)
    printf("%s\t%.0f\t%.12g\n", name, flops, all[i]);
  free(all);
}

static int take_samples(int argc, char **argv, int *samples)
{
  char *end;
  if (argc == 1)
    return 1;
  if (argc != 3 || strcmp(argv[1], "-r") != 0)
    return 0;
  errno = 0;
  const long n = strtol(argv[2], &end, 10);
  *samples = (int)n;
  return errno == 0 && end != argv[2] && *end == '\0' && n >= 1 && n <= MOST_SAMPLES;
}

int main(int argc, char **argv)
{
  static double seconds[MOST_SAMPLES];
  struct arrays x;
  int rank, samples = 20;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!take_samples(argc, argv, &samples) || !fill(&x)) {
    fprintf(stderr, "usage: kernel [-r SAMPLES]; with 100 MB of memory for each rank\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (rank == 0)
    printf("test\tsize\tseconds\n");
  measure(do_arithmetic, &x, samples, seconds);
  report("arithmetic", 2.0 * LANES * STEPS, seconds, samples);
  measure(do_triad, &x, samples, seconds);
  report("triad", 2.0 * NUMBERS, seconds, samples);
  free(x.a);
  free(x.b);
  free(x.c);
  MPI_Finalize();
  return 0;
}
