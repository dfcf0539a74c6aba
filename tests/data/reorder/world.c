/* A ring of messages in the world: prints whether neighbours, attributes, name, copies and the
 * error handler of MPI_COMM_WORLD are right, and how many ranks differ from the numbers of
 * the launcher. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number that the launcher gave this process. */
static int launched_as(void)
{
  const char *text = getenv("OMPI_COMM_WORLD_RANK");
  if (text == NULL)
    text = getenv("PMI_RANK");
  return text == NULL ? -1 : (int)strtol(text, NULL, 10);
}

int main(int argc, char **argv)
{
  int rank, ranks, got = -1, found, length, same, own[2], sum[2];
  void *bound;
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Comm copy, split;
  MPI_Group group;
  MPI_Win window;
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, &got, 1, MPI_INT,
               (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  own[0] = got != (rank + ranks - 1) % ranks;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found);
  own[0] |= !found;
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  own[0] |= strcmp(name, "MPI_COMM_WORLD") != 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_compare(MPI_COMM_WORLD, copy, &same);
  own[0] |= same != MPI_CONGRUENT;
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &split);
  MPI_Comm_rank(split, &got);
  own[0] |= got != rank;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  MPI_Group_rank(group, &got);
  own[0] |= got != rank;
  MPI_Group_free(&group);
  got = -1;
  MPI_Win_create(&got, sizeof got, sizeof got, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  own[0] |= got != (rank + ranks - 1) % ranks;
  MPI_Win_free(&window);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  own[0] |= handler != MPI_ERRORS_RETURN;
  MPI_Comm_free(&copy);
  MPI_Comm_free(&split);
  own[1] = launched_as() != rank;
  MPI_Reduce(own, sum, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d wrong, %d moved\n", sum[0], sum[1]);
  MPI_Finalize();
  return 0;
}
