/* A library to preload: calls with `reorder` have the fault number $FAULT; 0: none.
 *   1: the sides of a grid are exchanged         2: a periodic axis of a grid is not, or inversely
 *   3: a grid lacks a row of ranks               4: the edges of a graph lead to other nodes
 *   5: an edge of a distributed graph is lost    6: a weight is different
 *   7: ranks are exchanged, but the processes keep their neighbours
 *   8: sources and destinations are exchanged    9: a message comes from another neighbour */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 512 };

static int fault(void)
{
  const char *text = getenv("FAULT");
  return text == NULL ? 0 : (int)strtol(text, NULL, 10);
}

int MPI_Cart_create(MPI_Comm comm, int axes, const int side[], const int periodic[], int reorder,
                    MPI_Comm *made)
{
  const int wrong = reorder ? fault() : 0;
  int sides[MOST], periods[MOST];
  for (int d = 0; d < axes; d++) {
    sides[d] = side[wrong == 1 ? axes - 1 - d : d];
    periods[d] = wrong == 2 && d == 0 ? !periodic[d] : periodic[d];
  }
  sides[0] -= wrong == 3 && sides[0] > 1;
  return PMPI_Cart_create(comm, axes, sides, periods, 0, made);
}

int MPI_Graph_create(MPI_Comm comm, int n, const int index[], const int edges[], int reorder,
                     MPI_Comm *made)
{
  const int wrong = reorder ? fault() : 0;
  int other[MOST];
  for (int i = 0; i < index[n - 1]; i++)
    other[i] = (edges[i] + (wrong == 4)) % n;
  return PMPI_Graph_create(comm, n, index, other, 0, made);
}

int MPI_Dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[],
                          const int destinations[], const int weights[], MPI_Info info, int reorder,
                          MPI_Comm *made)
{
  const int wrong = reorder ? fault() : 0;
  int degree[MOST], weight[MOST], count = 0;
  for (int i = 0; i < n; i++)
    count += degree[i] = degrees[i];
  if (n > 0)
    degree[n - 1] -= wrong == 5 && degree[n - 1] > 0;
  if (count > 0 && weights != MPI_UNWEIGHTED && wrong == 6) {
    memcpy(weight, weights, (size_t)count * sizeof *weight);
    weight[0]++;
    weights = weight;
  }
  return PMPI_Dist_graph_create(comm, n, sources, degree, destinations, weights, info, 0, made);
}

/* The ranks that the processes with these ranks get by fault 7. */
static void shift(int *to, const int *from, int n, int by, int ranks)
{
  for (int i = 0; i < n; i++)
    to[i] = (from[i] + by) % ranks;
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int sources[],
                                   const int in_weights[], int out, const int destinations[],
                                   const int out_weights[], MPI_Info info, int reorder,
                                   MPI_Comm *made)
{
  const int wrong = reorder ? fault() : 0;
  int rank, n, from[MOST], to[MOST];
  MPI_Comm base;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &n);
  PMPI_Comm_split(comm, 0, (rank + (wrong == 7)) % n, &base);
  shift(from, sources, in, wrong == 7, n);
  shift(to, destinations, out, wrong == 7, n);
  const int result = wrong == 8 ? PMPI_Dist_graph_create_adjacent(base, out, to, out_weights, in,
                                                                  from, in_weights, info, 0, made)
                                : PMPI_Dist_graph_create_adjacent(base, in, from, in_weights, out,
                                                                  to, out_weights, info, 0, made);
  PMPI_Comm_free(&base);
  return result;
}

/* The checker exchanges data on two communicators in turn; the fault is on the second. */
int MPI_Neighbor_alltoall(const void *out, int sends, MPI_Datatype sent, void *in, int receives,
                          MPI_Datatype received, MPI_Comm comm)
{
  static int turn = 0;
  const int result = PMPI_Neighbor_alltoall(out, sends, sent, in, receives, received, comm);
  int *got = in;
  if (fault() == 9 && turn++ % 2 == 1)
    got[0] = got[1];
  return result;
}
