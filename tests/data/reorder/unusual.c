/* Topologies at the edge of what MPI allows, and wrong arguments.  Argument: reorder, 0 or 1.
 * Prints, on rank 0, the outcome of each call: an error, or the number of ranks that have the new
 * communicator, and sums over these. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, reorder;
static MPI_Comm comm;

static void show(const char *name, int result, MPI_Comm *made)
{
  int class = 0, mine[4] = {0, 0, 0, 0}, all[4];
  MPI_Error_class(result, &class);
  if (class == MPI_SUCCESS && *made != MPI_COMM_NULL) {
    int kind, weighted, nodes;
    MPI_Comm_size(*made, &mine[0]);
    MPI_Topo_test(*made, &kind);
    if (kind == MPI_DIST_GRAPH)
      MPI_Dist_graph_neighbors_count(*made, &mine[1], &mine[2], &weighted);
    if (kind == MPI_GRAPH)
      MPI_Graphdims_get(*made, &nodes, &mine[1]);
    if (kind == MPI_CART)
      MPI_Cartdim_get(*made, &mine[1]);
    mine[3] = 1;
    MPI_Barrier(*made);
    MPI_Comm_free(made);
  }
  MPI_Allreduce(mine, all, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) {
    if (class != MPI_SUCCESS)
      printf("%s: error\n", name);
    else
      printf("%s: %d ranks, sum of sizes %d, of axes or edges in %d, out %d\n", name, all[3],
             all[0], all[1], all[2]);
  }
}

static void grids(void)
{
  MPI_Comm made = MPI_COMM_NULL;
  int side[2] = {2, 2}, no[2] = {0, 0}, big[2] = {100, 100}, zero[2] = {0, 2}, less[2] = {-1, 2};
  show("grid", MPI_Cart_create(comm, 2, side, no, reorder, &made), &made);
  show("grid without axes", MPI_Cart_create(comm, 0, NULL, NULL, reorder, &made), &made);
  show("grid above the ranks", MPI_Cart_create(comm, 2, big, no, reorder, &made), &made);
  show("side 0", MPI_Cart_create(comm, 2, zero, no, reorder, &made), &made);
  show("side -1", MPI_Cart_create(comm, 2, less, no, reorder, &made), &made);
  show("-1 axes", MPI_Cart_create(comm, -1, side, no, reorder, &made), &made);
  show("sides NULL", MPI_Cart_create(comm, 2, NULL, no, reorder, &made), &made);
  show("periods NULL", MPI_Cart_create(comm, 2, side, NULL, reorder, &made), &made);
  show("made NULL", MPI_Cart_create(comm, 2, side, no, reorder, NULL), &made);
  show("no communicator", MPI_Cart_create(MPI_COMM_NULL, 2, side, no, reorder, &made), &made);
  side[1] = 1;
  show("grid of half of the ranks", MPI_Cart_create(comm, 2, side, no, reorder, &made), &made);
  side[0] = 1;
  show("grid of one rank on MPI_COMM_SELF",
       MPI_Cart_create(MPI_COMM_SELF, 2, side, no, reorder, &made), &made);
}

static void graphs(void)
{
  MPI_Comm made = MPI_COMM_NULL;
  int index[4] = {1, 2, 3, 4}, edges[4] = {1, 2, 3, 0}, none[4] = {0, 0, 0, 0},
      far[4] = {1, 2, 3, 9};
  int down[4] = {3, 2, 1, 4}, self[4] = {0, 1, 2, 3}, less[4] = {1, 2, -3, 0};
  show("graph", MPI_Graph_create(comm, 4, index, edges, reorder, &made), &made);
  show("graph of no node", MPI_Graph_create(comm, 0, index, edges, reorder, &made), &made);
  show("graph of 2 nodes", MPI_Graph_create(comm, 2, (int[]){1, 2}, (int[]){1, 0}, reorder, &made),
       &made);
  show("graph without edges", MPI_Graph_create(comm, 4, none, edges, reorder, &made), &made);
  show("graph without edges, edges NULL", MPI_Graph_create(comm, 4, none, NULL, reorder, &made),
       &made);
  show("edge to 9", MPI_Graph_create(comm, 4, index, far, reorder, &made), &made);
  show("edge to -3", MPI_Graph_create(comm, 4, index, less, reorder, &made), &made);
  show("loops", MPI_Graph_create(comm, 4, index, self, reorder, &made), &made);
  show("falling index", MPI_Graph_create(comm, 4, down, edges, reorder, &made), &made);
  show("-1 nodes", MPI_Graph_create(comm, -1, index, edges, reorder, &made), &made);
  show("100 nodes", MPI_Graph_create(comm, 100, index, edges, reorder, &made), &made);
  show("index NULL", MPI_Graph_create(comm, 4, NULL, edges, reorder, &made), &made);
  show("edges NULL", MPI_Graph_create(comm, 4, index, NULL, reorder, &made), &made);
}

static void distributed(void)
{
  MPI_Comm made = MPI_COMM_NULL;
  int next = (rank + 1) % 4, before = (rank + 3) % 4, one = 1, zero = 0, less = -1, far = 9;
  int twice[2] = {next, next}, back[2] = {before, before}, ones[2] = {1, 1};
#define DIST(name, ...)                                                                            \
  show(name, MPI_Dist_graph_create(comm, __VA_ARGS__, MPI_INFO_NULL, reorder, &made), &made)
#define ADJACENT(name, ...)                                                                        \
  show(name, MPI_Dist_graph_create_adjacent(comm, __VA_ARGS__, MPI_INFO_NULL, reorder, &made),     \
       &made)
  DIST("ring", 1, &rank, &one, &next, &one);
  DIST("ring, unweighted", 1, &rank, &one, &next, MPI_UNWEIGHTED);
  DIST("nothing, NULL", 0, NULL, NULL, NULL, MPI_UNWEIGHTED);
  DIST("nothing, MPI_WEIGHTS_EMPTY", 0, NULL, NULL, NULL, MPI_WEIGHTS_EMPTY);
  DIST("degree 0", 1, &rank, &zero, NULL, MPI_UNWEIGHTED);
  DIST("weight 0", 1, &rank, &one, &next, &zero);
  DIST("loops of ranks", 1, &rank, &one, &rank, &one);
  DIST("-1 sources", -1, &rank, &one, &next, &one);
  DIST("degree -1", 1, &rank, &less, &next, &one);
#ifdef OPEN_MPI /* MPICH ends the program */
  DIST("source 9", 1, &far, &one, &next, &one);
#endif
#ifdef OPEN_MPI /* MPICH ends the program */
  DIST("destination 9", 1, &rank, &one, &far, &one);
#endif
  DIST("sources NULL", 1, NULL, &one, &next, &one);
  DIST("degrees NULL", 1, &rank, NULL, &next, &one);
  DIST("destinations NULL", 1, &rank, &one, NULL, &one);
  DIST("weights NULL", 1, &rank, &one, &next, NULL);
  DIST("all from rank 0", rank == 0 ? 4 : 0, (int[]){0, 1, 2, 3}, (int[]){1, 1, 1, 1},
       (int[]){1, 2, 3, 0}, MPI_UNWEIGHTED);
  ADJACENT("adjacent ring", 1, &before, &one, 1, &next, &one);
  ADJACENT("adjacent, unweighted", 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED);
  ADJACENT("adjacent, nothing", 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED);
  ADJACENT("adjacent, nothing, empty", 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY);
  ADJACENT("adjacent twice", 2, back, ones, 2, twice, ones);
  ADJACENT("adjacent loops", 1, &rank, &one, 1, &rank, &one);
  ADJACENT("adjacent, from rank 0 to rank 1", rank == 1, rank == 1 ? &zero : NULL,
           rank == 1 ? &one : MPI_WEIGHTS_EMPTY, rank == 0, rank == 0 ? &one : NULL,
           rank == 0 ? &one : MPI_WEIGHTS_EMPTY);
  ADJACENT("indegree -1", -1, &before, &one, 1, &next, &one);
  ADJACENT("outdegree -1", 1, &before, &one, -1, &next, &one);
#ifdef OPEN_MPI /* MPICH ends the program */
  ADJACENT("source 9 of adjacent", 1, &far, &one, 1, &next, &one);
#endif
#ifdef OPEN_MPI /* MPICH ends the program */
  ADJACENT("destination 9 of adjacent", 1, &before, &one, 1, &far, &one);
#endif
  ADJACENT("sources NULL of adjacent", 1, NULL, &one, 1, &next, &one);
  ADJACENT("destinations NULL of adjacent", 1, &before, &one, 1, NULL, &one);
#ifdef OPEN_MPI /* MPICH ends the program */
  ADJACENT("weights NULL of adjacent", 1, &before, NULL, 1, &next, NULL);
#endif
}

int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  reorder = argc > 1 && strcmp(argv[1], "1") == 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  setvbuf(stdout, NULL, _IOLBF, 0);
  grids();
  graphs();
  distributed();
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
