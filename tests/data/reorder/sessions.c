/* A program of a session (MPI 4), without MPI_Init and MPI_COMM_WORLD: a ring as a grid and as a
 * distributed graph, with reordering.  Ranks are bound to two packages in turn, as in packages.c.
 * Prints the number of wrong ranks and of ranks that moved. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>

static int rank, ranks;

/* The library asks this function, because the program is linked with -rdynamic. */
int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
  (void)pid;
  CPU_ZERO_S(size, set);
  for (size_t i = 0; i < 4; i++)
    CPU_SET_S(4 * (size_t)(rank % 2) + i, size, set);
  return 0;
}

/* Each rank sends its number to the next one. */
static void check(MPI_Comm ring, int own[2])
{
  int number, got[2] = {-1, -1};
  MPI_Comm_rank(ring, &number);
  MPI_Neighbor_allgather(&number, 1, MPI_INT, got, 1, MPI_INT, ring);
  own[0] |= got[0] != (number + ranks - 1) % ranks;
  own[1] |= number != rank;
  MPI_Comm_free(&ring);
}

int main(void)
{
  int next, before, own[2] = {0, 0}, sum[2];
  const int periodic = 1;
  MPI_Session session;
  MPI_Group group;
  MPI_Comm all, ring;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "org.example.ring", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &all);
  MPI_Group_free(&group);
  MPI_Comm_rank(all, &rank);
  MPI_Comm_size(all, &ranks);
  next = (rank + 1) % ranks;
  before = (rank + ranks - 1) % ranks;
  MPI_Cart_create(all, 1, &ranks, &periodic, 1, &ring);
  check(ring, own);
  MPI_Dist_graph_create_adjacent(all, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 1, &ring);
  check(ring, own);
  MPI_Reduce(own, sum, 2, MPI_INT, MPI_SUM, 0, all);
  if (rank == 0)
    printf("%d wrong, %d moved\n", sum[0], sum[1]);
  MPI_Comm_free(&all);
  MPI_Session_finalize(&session);
  return 0;
}
