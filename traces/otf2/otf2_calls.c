/* The functions of MPI 3.1 and 4.0 that send, receive or complete messages.  Each may also have its
 * name with _c, which takes counts of type MPI_Count. */
#include <string.h>

#include "traces/otf2/otf2_defs.h"
#include "traces/recorded/recording.h"

static const struct otf2_call CALLS[] = {
    {.name = "MPI_Send", .use = OTF2_USE_MESSAGE},
    {.name = "MPI_Bsend", .use = OTF2_USE_MESSAGE, .mode = ACTION_BUFFERED},
    {.name = "MPI_Ssend", .use = OTF2_USE_MESSAGE, .mode = ACTION_SYNCHRONOUS},
    {.name = "MPI_Rsend", .use = OTF2_USE_MESSAGE},
    {.name = "MPI_Isend", .use = OTF2_USE_MESSAGE, .posts = true},
    {.name = "MPI_Ibsend", .use = OTF2_USE_MESSAGE, .mode = ACTION_BUFFERED, .posts = true},
    {.name = "MPI_Issend", .use = OTF2_USE_MESSAGE, .mode = ACTION_SYNCHRONOUS, .posts = true},
    {.name = "MPI_Irsend", .use = OTF2_USE_MESSAGE, .posts = true},
    {.name = "MPI_Recv", .use = OTF2_USE_MESSAGE},
    {.name = "MPI_Irecv", .use = OTF2_USE_MESSAGE, .awaits = true},
    {.name = "MPI_Mrecv", .use = OTF2_USE_MESSAGE},
    {.name = "MPI_Imrecv", .use = OTF2_USE_MESSAGE, .awaits = true},
    {.name = "MPI_Sendrecv", .use = OTF2_USE_MESSAGE, .exchanges = true},
    {.name = "MPI_Sendrecv_replace", .use = OTF2_USE_MESSAGE, .exchanges = true},
    {.name = "MPI_Isendrecv", .use = OTF2_USE_MESSAGE, .exchanges = true, .posts = true},
    {.name = "MPI_Isendrecv_replace", .use = OTF2_USE_MESSAGE, .exchanges = true, .posts = true},
    {.name = "MPI_Start", .use = OTF2_USE_OTHER, .posts = true},
    {.name = "MPI_Startall", .use = OTF2_USE_OTHER, .posts = true},
    {.name = "MPI_Barrier", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Bcast", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Gather", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Gatherv", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Scatter", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Scatterv", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Allgather", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Allgatherv", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Alltoall", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Alltoallv", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Alltoallw", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Allreduce", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Reduce", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Reduce_scatter", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Reduce_scatter_block", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Scan", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Exscan", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Neighbor_allgather", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Neighbor_allgatherv", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Neighbor_alltoall", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Neighbor_alltoallv", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Neighbor_alltoallw", .use = OTF2_USE_COLLECTIVE},
    {.name = "MPI_Ibarrier", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Ibcast", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Igather", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Igatherv", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Iscatter", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Iscatterv", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Iallgather", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Iallgatherv", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Ialltoall", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Ialltoallv", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Ialltoallw", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Iallreduce", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Ireduce", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Ireduce_scatter", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Ireduce_scatter_block", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Iscan", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Iexscan", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Ineighbor_allgather", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Ineighbor_allgatherv", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Ineighbor_alltoall", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Ineighbor_alltoallv", .use = OTF2_USE_NONBLOCKING},
    {.name = "MPI_Ineighbor_alltoallw", .use = OTF2_USE_NONBLOCKING},
};

/* The row of the name without @p ending; NULL if the name has another ending, or has no row. */
static const struct otf2_call *find(const char *name, const char *ending)
{
  const size_t n = strlen(name), tail = strlen(ending);
  if (n < tail || strcmp(name + n - tail, ending) != 0)
    return NULL;
  for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++)
    if (strncmp(CALLS[i].name, name, n - tail) == 0 && CALLS[i].name[n - tail] == '\0')
      return &CALLS[i];
  return NULL;
}

/* MPI_X_init of a collective makes a persistent request, whose starts no event tells. */
static bool is_persistent(const char *name)
{
  const struct otf2_call *c = find(name, "_init");
  c = c == NULL ? find(name, "_init_c") : c;
  return c != NULL && c->use == OTF2_USE_COLLECTIVE;
}

const struct otf2_call *otf2_call_named(const char *name)
{
  static const struct otf2_call FOREIGN = {.use = OTF2_USE_FOREIGN};
  const struct otf2_call *c = find(name, "");
  c = c == NULL ? find(name, "_c") : c;
  if (c != NULL)
    return c;
  return is_persistent(name) || recording_is_foreign(name) ? &FOREIGN : NULL;
}
