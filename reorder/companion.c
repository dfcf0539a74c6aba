/* libhaichi-MPI.so (MPI is the name of the MPI library): the functions of haichi/mpi.h.  They call
 * MPI as a program does, so tools and the preloaded library see their calls. */
#include <haichi/mpi.h>
#include <stdio.h>

#include "reorder/reorder.h"

int haichi_mpi_cart_create(MPI_Comm comm, int axes, const int side[], const int periodic[],
                           MPI_Comm *grid, struct haichi_error *e)
{
#define TAKE(X) .X = MPI_##X,
  static const struct direct direct = {REORDER_DIRECT(TAKE)};
  static const struct creators create = {REORDER_CREATORS(TAKE)};
  const struct mpi m = {&direct, &create};
  const struct settings settings = settings_of_environment();
  char why[REORDER_TEXT] = "";
  const int result = create_cart(&(struct creation){&m, &settings, why}, comm,
                                 &(struct grid){axes, side, periodic}, grid);
  if (e != NULL)
    snprintf(e->text, sizeof e->text, "%s", why);
  return result;
}
