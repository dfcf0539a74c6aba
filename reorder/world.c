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

bool world_is_exchanged(void)
{
  return world.exchanged;
}

MPI_Comm world_named(MPI_Comm comm)
{
  return world.exchanged && comm == world.comm ? MPI_COMM_WORLD : comm;
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
    s.invalid = "the only value of HAICHI_REORDER is world";
  else if (*s.trace == '\0')
    s.invalid = "HAICHI_REORDER=world needs a trace or matrix of the program in HAICHI_TRACE";
  return s;
}

/* Frees the exchanged world.  world.exchanged stays true until then, since functions of the program
 * that delete attributes of MPI_COMM_WORLD still use the exchanged ranks. */
static int end(MPI_Comm self, int keyval, void *value, void *direct)
{
  MPI_Comm comm = world.comm;
  (void)self;
  (void)keyval;
  (void)value;
  const int result = ((const struct direct *)direct)->Comm_free(&comm);
  world.exchanged = false;
  return result;
}

/* Lets MPI_Finalize call end(), by an attribute of MPI_COMM_SELF.  MPI_Finalize begins by deleting
 * the attributes of MPI_COMM_SELF, the last one first.  It therefore calls end() after the
 * functions of the program's own attributes, which may still use the world.  Tools may have ended
 * by then, so end() calls the MPI library past them. */
static void end_in_finalize(const struct direct *d)
{
  int keyval;
  if (d->Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &keyval, (void *)d) != MPI_SUCCESS)
    return;
  d->Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
  d->Comm_free_keyval(&keyval);
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
  end_in_finalize(m->direct);
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

void world_of_session(MPI_Comm comm)
{
  static bool told;
  int initialized = 1;
  preload_mpi(true).direct->Initialized(&initialized);
  if (initialized || told || read_settings().trace == NULL)
    return;
  told = true;
  preload_report(comm, "MPI_Session_init", "HAICHI_REORDER exchanges ranks in MPI_Init only");
}
