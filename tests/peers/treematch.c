/* usage: treematch MATRIX, under mpirun with HWLOC_SYNTHETIC, linked with -rdynamic.
 * Reorders ranks by MPI_Dist_graph_create() with the bytes of MATRIX, lines SRC DST BYTES.  Rank 0
 * prints the old rank of each new rank in order: its core. */
#include <hwloc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4096 };

struct peers {
  int n, rank[MOST], weight[MOST];
};

/* treematch reads the binding of its processes and binds them.  They run on the cores of this
 * machine, not of the synthetic one: they are not bound, and binding does nothing. */
int hwloc_get_cpubind(hwloc_topology_t t, hwloc_cpuset_t set, int flags)
{
  (void)t;
  (void)flags;
  hwloc_bitmap_fill(set);
  return 0;
}

int hwloc_set_cpubind(hwloc_topology_t t, hwloc_const_cpuset_t set, int flags)
{
  (void)t;
  (void)set;
  (void)flags;
  return 0;
}

/* Weights are ints: the largest becomes 2^20. */
static int weight(double bytes, double most)
{
  const int w = (int)(bytes / most * 1048576);
  return w > 0 ? w : 1;
}

static double largest(FILE *f)
{
  int src, dst;
  double bytes, most = 1;
  while (fscanf(f, "%d %d %lf", &src, &dst, &bytes) == 3)
    most = bytes > most ? bytes : most;
  return most;
}

static FILE *open_matrix(const char *path)
{
  FILE *f = fopen(path, "r");
  if (f == NULL) {
    fprintf(stderr, "treematch: cannot read %s\n", path);
    exit(1);
  }
  return f;
}

/* The destinations of the messages of a rank. */
static void read_matrix(const char *path, int rank, struct peers *to)
{
  int src, dst;
  double bytes;
  FILE *f = open_matrix(path);
  const double most = largest(f);
  fclose(f);
  f = open_matrix(path);
  while (fscanf(f, "%d %d %lf", &src, &dst, &bytes) == 3 && to->n < MOST)
    if (src == rank) {
      to->rank[to->n] = dst;
      to->weight[to->n++] = weight(bytes, most);
    }
  fclose(f);
}

int main(int argc, char **argv)
{
  static struct peers to;
  static int old[MOST];
  int rank, n;
  MPI_Comm graph;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  if (argc != 2 || n > MOST)
    MPI_Abort(MPI_COMM_WORLD, 2);
  read_matrix(argv[1], rank, &to);
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &to.n, to.rank, to.weight, MPI_INFO_NULL, 1,
                        &graph);
  MPI_Gather(&rank, 1, MPI_INT, old, 1, MPI_INT, 0, graph);
  MPI_Comm_rank(graph, &rank);
  for (int i = 0; rank == 0 && i < n; i++)
    printf("%d\n", old[i]);
  MPI_Comm_free(&graph);
  MPI_Finalize();
  return 0;
}
