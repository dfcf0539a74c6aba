/* Counts with array parameters, macros and comments between operands; loops whose headers are
 * macros; comments after pragmas. */
#include <mpi.h>
#include <stdio.h>

#define STEP(p)     (++(p))
#define APPLY(m, x) m(x)
#define LESS(x)     /* the                                                                         \
                    rounds */                                                                      \
  ((x)--)
#define EACH(i, n)                                                                                 \
  i = 0;                                                                                           \
  i < (n);                                                                                         \
  i++
#define WHEN  (rounds > 2)
#define FIRST limit[0]

static void limits(int w[2])
{
  w[0] = 3;
  w[1] = 5;
}

static int one(int x)
{
  return x + 1;
}

static int two(int x)
{
  return x + 2;
}

int main(int argc, char **argv)
{
  int limit[2], i, rounds, turns, total = 0;
  const int *p = limit;
  MPI_Init(&argc, &argv);
  limits(limit);
  FIRST++;
  STEP(p);
  rounds = // as many as the limit, and one
      one(*p);
  turns =
#ifdef TWICE
      2 * two(1)
#else
      two(1)
#endif
      ;
  APPLY(LESS, rounds);
  for (EACH(i, rounds)) {
    MPI_Barrier(MPI_COMM_WORLD);
    total += i;
  }
  if WHEN
    MPI_Barrier(MPI_COMM_WORLD);
#pragma GCC unroll 1
  // with communication
  for (i = 0; i < turns; i++)
#pragma GCC unroll 1
    for (total = 0; total < 2; total++)
      MPI_Barrier(MPI_COMM_WORLD);
  for (i = 0; i < turns + FIRST; i++)
    MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel for reduction(+ : total)
  /* the sum */
  for (i = 0; i < turns; i++)
    total += i;
  MPI_Comm_rank(MPI_COMM_WORLD, &i);
  if (i == 0)
    printf("macros %d %d %d\n", rounds, turns, total);
  MPI_Finalize();
  return 0;
}
