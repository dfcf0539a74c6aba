/* Several files, static functions of one name, a header whose functions communicate, variadic ones.
 */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

#include "library/ring.h"

int ring_turns;
void files_other(int *value);

static int add(int n, ...)
{
  va_list args;
  int sum = 0;
  va_start(args, n);
  while (n-- > 0)
    sum += va_arg(args, int);
  va_end(args);
  return sum;
}

static void step(int *value)
{
  *value = add(3, *value, ring_rank(), 1);
  ring_shift(value);
}

int main(int argc, char **argv)
{
  int value = 1;
  MPI_Init(&argc, &argv);
  ring_turns = 3;
  for (int i = 0; i < ring_turns; i++)
    step(&value);
  files_other(&value);
  if (ring_rank() == 0)
    printf("files %d %d\n", value, ring_turns);
  MPI_Finalize();
  return 0;
}
