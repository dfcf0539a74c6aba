/* HAICHI_REORDER=world: a communicator with exchanged ranks takes the place of MPI_COMM_WORLD in
 * all calls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reorder/preload.h"

static struct {
  bool exchanged;
  MPI_Comm comm;
} world;

MPI_Comm world_for(MPI_Comm comm)
{
  return world.exchanged && comm == MPI_COMM_WORLD ? world.comm : comm;
}

/* The settings.  If HAICHI_REORDER is not set, `trace` is NULL, and MPI_COMM_WORLD is not replaced.
 */
static struct settings read_settings(void)
{
  struct settings s = settings_of_environment();
  const char *mode = getenv("HAICHI_REORDER"), *trace = getenv("HAICHI_TRACE");
  s.trace = NULL;
  if (mode == NULL || *mode == '\0')
    return s;
  s.trace = trace == NULL ? "" : trace;
  if (strcmp(mode, "world") != 0)
    s.invalid = "HAICHI_REORDER has one value, world";
  else if (*s.trace == '\0')
    s.invalid = "HAICHI_REORDER=world needs a trace or matrix of the program in HAICHI_TRACE";
  return s;
}

static void exchange(const struct mpi *m, const int *new_rank)
{
  int rank;
  MPI_Comm made;
  m->direct->Comm_rank(MPI_COMM_WORLD, &rank);
  if (m->create->Comm_split(MPI_COMM_WORLD, 0, new_rank[rank], &made) != MPI_SUCCESS)
    return;
  m->direct->Comm_set_name(made, "MPI_COMM_WORLD");
  world.comm = made;
  world.exchanged = true;
}

void world_begin(const struct mpi *m)
{
  const struct settings settings = read_settings();
  struct wish w = {.comm = MPI_COMM_WORLD, .settings = &settings, .valid = true};
  char why[REORDER_TEXT];
  int *new_rank;
  if (settings.trace == NULL || world.exchanged)
    return;
  m->direct->Comm_size(MPI_COMM_WORLD, &w.ranks);
  snprintf(w.what, sizeof w.what, "MPI_Init %.400s", settings.trace);
  if (order_agree(m, &w, &new_rank, why) == OUTCOME_MOVE)
    exchange(m, new_rank);
  free(new_rank);
  preload_report(MPI_COMM_WORLD, "MPI_Init", why);
}

void world_end(const struct mpi *m)
{
  if (!world.exchanged)
    return;
  world.exchanged = false;
  m->create->Comm_free(&world.comm);
}
