/* Calls of MPI that are rare in programs.  With an argument it makes a call that the
 * recorder refuses, or ends early. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks, next, last;
static double a[1000], b[1000];

/* Handles of complete requests may be equal: waits in another order, by another address. */
static void small_messages(void)
{
  MPI_Request r[6], copy[6];
  for (int i = 0; i < 3; i++)
    MPI_Isend(a, i + 1, MPI_CHAR, next, 10 + i, MPI_COMM_WORLD, &r[i]);
  MPI_Isend(a, 1, MPI_CHAR, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &r[3]);
  MPI_Irecv(b, 1, MPI_CHAR, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &r[4]);
  MPI_Irecv(b, 8, MPI_CHAR, last, 12, MPI_COMM_WORLD, &r[5]);
  memcpy(copy, r, sizeof r);
  MPI_Wait(&copy[5], MPI_STATUS_IGNORE);
  for (int i = 0; i < 5; i++)
    MPI_Wait(&copy[i], MPI_STATUS_IGNORE);
  for (int i = 0; i < 2; i++)
    MPI_Recv(b, 8, MPI_CHAR, last, 10 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void matched_probes(void)
{
  MPI_Message m;
  MPI_Status s;
  MPI_Request r[2];
  int flag = 0;
  MPI_Issend(a, 5, MPI_INT, next, 20, MPI_COMM_WORLD, &r[0]);
  MPI_Mprobe(last, MPI_ANY_TAG, MPI_COMM_WORLD, &m, &s);
  MPI_Imrecv(b, 5, MPI_INT, &m, &r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Isend(a, 6, MPI_INT, next, 21, MPI_COMM_WORLD, &r[0]);
  while (!flag)
    MPI_Improbe(last, 21, MPI_COMM_WORLD, &flag, &m, MPI_STATUS_IGNORE);
  MPI_Mrecv(b, 6, MPI_INT, &m, MPI_STATUS_IGNORE);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
}

/* Receives that are cancelled, on two communicators, and one that is never awaited. */
static void cancelled(MPI_Comm twin)
{
  MPI_Request r[3];
  MPI_Irecv(b, 1, MPI_INT, last, 30, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(b, 1, MPI_INT, last, 30, twin, &r[1]);
  MPI_Irecv(b, 1, MPI_INT, last, 31, twin, &r[2]);
  MPI_Cancel(&r[0]);
  MPI_Cancel(&r[1]);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  MPI_Send(a, 1, MPI_INT, next, 31, twin);
  MPI_Request_free(&r[2]);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void persistent(void)
{
  MPI_Request r[3];
  int done = 0, n, which[3];
  MPI_Recv_init(b, 100, MPI_DOUBLE, last, 40, MPI_COMM_WORLD, &r[0]);
  MPI_Send_init(a, 100, MPI_DOUBLE, next, 40, MPI_COMM_WORLD, &r[1]);
  MPI_Send_init(a, 100, MPI_DOUBLE, MPI_PROC_NULL, 41, MPI_COMM_WORLD, &r[2]);
  for (int i = 0; i < 3; i++) {
    MPI_Startall(3, r);
    if (i == 0)
      MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    else if (i == 1)
      for (int flag = 0; !flag;)
        MPI_Testall(3, r, &flag, MPI_STATUSES_IGNORE);
    else
      while (done < 3) {
        MPI_Testsome(3, r, &n, which, MPI_STATUSES_IGNORE);
        done += n;
      }
  }
  for (int i = 0; i < 3; i++)
    MPI_Request_free(&r[i]);
}

static void communicators(void)
{
  MPI_Comm later, shared, graph, rows, group, grid;
  MPI_Request r;
  MPI_Group all, pair;
  MPI_Comm_idup(MPI_COMM_WORLD, &later, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Bcast(a, 3, MPI_FLOAT, 1, later);
  MPI_Comm_split_type(later, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
  MPI_Allreduce(MPI_IN_PLACE, a, 2, MPI_LONG, MPI_SUM, shared);
  const int dims[2] = {2, ranks / 2}, periodic[2] = {0, 1}, keep[2] = {0, 1};
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, 0, &grid);
  MPI_Cart_sub(grid, keep, &rows);
  MPI_Exscan(a, b, 4, MPI_INT, MPI_SUM, rows);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &graph);
  MPI_Neighbor_allgather(a, 7, MPI_INT, b, 7, MPI_INT, graph);
  MPI_Ineighbor_alltoall(a, 8, MPI_INT, b, 8, MPI_INT, graph, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 2, (int[]){1, 0}, &pair);
  if (rank < 2) {
    MPI_Comm_create_group(MPI_COMM_WORLD, pair, 5, &group);
    MPI_Sendrecv(a, 3, MPI_INT, rank, 0, b, 3, MPI_INT, MPI_ANY_SOURCE, 0, group,
                 MPI_STATUS_IGNORE);
    MPI_Comm_free(&group);
  }
  MPI_Scan(a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  MPI_Comm_free(&graph);
  MPI_Comm_free(&shared);
}

static void refused(const char *what)
{
  MPI_Comm half, between;
  if (strcmp(what, "inter") == 0) {
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &between);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(what, "killed") == 0 && rank == 1) {
    sleep(1); /* the launcher ends the other ranks, which are in MPI_Recv by then */
    raise(SIGKILL);
  }
  if (strcmp(what, "running") == 0) {
    char name[32];
    snprintf(name, sizeof name, "running.%d~", rank);
    FILE *f = fopen(name, "w");
    fprintf(f, "%ld\n", (long)getpid());
    fclose(f);
    rename(name, rank == 0 ? "running.0" : "running.1");
  }
  if (strcmp(what, "exits") == 0)
    _Exit(3);
  MPI_Recv(a, 1, MPI_INT, next, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
  int level;
  MPI_Comm twin;
  MPI_Win win;
  MPI_Init_thread(&argc, &argv,
                  argc > 1 && strcmp(argv[1], "multiple") == 0 ? MPI_THREAD_MULTIPLE
                                                               : MPI_THREAD_SERIALIZED,
                  &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  next = (rank + 1) % ranks;
  last = (rank + ranks - 1) % ranks;
  if (argc > 1 && strcmp(argv[1], "nothing") != 0)
    refused(argv[1]);
  if (argc == 1) {
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    for (int i = 0; i < 2; i++) {
      MPI_Pcontrol(2);
      small_messages();
      matched_probes();
    }
    MPI_Pcontrol(3);
    MPI_Pcontrol(0);
    MPI_Barrier(twin);
    MPI_Pcontrol(1);
    persistent();
    cancelled(twin);
    communicators();
    MPI_Win_create(a, sizeof a, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(b, 1, MPI_INT, next, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
  }
  MPI_Finalize();
  return 0;
}
