/* usage: checker FIRST LAST
 * Checks the argument `reorder` of MPI's calls that create topologies, without any knowledge of the
 * library that reorders.  Case k, for k from FIRST to LAST, draws a communicator and a topology
 * from the random stream k.  It creates the topology twice, without reordering and, in three of
 * four cases, with it.  Rank r must get the same facts from MPI about both topologies, and the same
 * data from its neighbours in both.  Prints the number of cases and the number where a rank has
 * moved. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_AXES = 4, MOST_RANKS = 64, MOST_FACTS = 2048 };

/* --- random numbers, equal on all ranks ------------------------------------------------------- */

static uint64_t state;

static int below(int n)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)n);
}

/* --- facts about a topology ------------------------------------------------------------------- */

struct facts {
  int rank; /* -1: no member */
  int count;
  int fact[MOST_FACTS];
};

static void say(struct facts *f, int fact)
{
  if (f->count == MOST_FACTS) {
    fprintf(stderr, "checker: too many facts\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  f->fact[f->count++] = fact;
}

static int ascending(const void *a, const void *b)
{
  return *(const int *)a - *(const int *)b;
}

/* Records n numbers as facts; sorted if MPI does not fix their order. */
static void say_all(struct facts *f, const int *x, int n, int sorted)
{
  int copy[MOST_FACTS];
  memcpy(copy, x, (size_t)n * sizeof *x);
  if (sorted)
    qsort(copy, (size_t)n, sizeof *copy, ascending);
  for (int i = 0; i < n; i++)
    say(f, copy[i]);
}

/* What neighbours send in an alltoall, alltoallv, nonblocking alltoallv and allgather.  If
 * `sorted`, a message depends on its source and destination alone, because the order of the
 * neighbours is not fixed. */
static void exchange(struct facts *f, MPI_Comm comm, const int *to, int out, int in, int sorted)
{
  int sent[4 * MOST_RANKS], got[12 * MOST_RANKS], counts[4 * MOST_RANKS], places[4 * MOST_RANKS];
  int from_counts[4 * MOST_RANKS], from_places[4 * MOST_RANKS], three[12 * MOST_RANKS];
  for (int i = 0; i < out; i++)
    sent[i] = sorted ? f->rank * 1000 + to[i] : f->rank * 1000 + i;
  memset(got, 0xff, sizeof got);
  MPI_Neighbor_alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, comm);
  say_all(f, got, in, sorted);
  for (int i = 0; i < 4 * MOST_RANKS; i++) {
    counts[i] = from_counts[i] = 2;
    places[i] = from_places[i] = 3 * i;
  }
  for (int i = 0; i < 3 * out; i++)
    three[i] = sent[i / 3] + 100000;
  memset(got, 0xff, sizeof got);
  MPI_Neighbor_alltoallv(three, counts, places, MPI_INT, got, from_counts, from_places, MPI_INT,
                         comm);
  say_all(f, got, 3 * in, sorted);
  MPI_Request request;
  memset(got, 0xff, sizeof got);
  MPI_Ineighbor_alltoallv(three, counts, places, MPI_INT, got, from_counts, from_places, MPI_INT,
                          comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  say_all(f, got, 3 * in, sorted);
  MPI_Neighbor_allgather(&f->rank, 1, MPI_INT, got, 1, MPI_INT, comm);
  say_all(f, got, in, sorted);
}

/* The members of a part of the grid, by their ranks in the grid. */
static void say_part(struct facts *f, MPI_Comm comm, const int *remain)
{
  MPI_Comm part;
  int n, own, members[MOST_RANKS];
  MPI_Cart_sub(comm, remain, &part);
  if (part == MPI_COMM_NULL) { /* of no axis */
    say(f, -1);
    return;
  }
  MPI_Comm_size(part, &n);
  MPI_Comm_rank(part, &own);
  MPI_Allgather(&f->rank, 1, MPI_INT, members, 1, MPI_INT, part);
  say(f, own);
  say_all(f, members, n, 0);
  MPI_Comm_free(&part);
}

static void learn_grid(struct facts *f, MPI_Comm comm, int ranks)
{
  int axes, side[MOST_AXES], periodic[MOST_AXES], at[MOST_AXES], back;
  MPI_Cartdim_get(comm, &axes);
  MPI_Cart_get(comm, axes, side, periodic, at);
  say_all(f, side, axes, 0);
  say_all(f, periodic, axes, 0);
  say_all(f, at, axes, 0);
  for (int r = 0; r < ranks; r++) {
    MPI_Cart_coords(comm, r, axes, at);
    MPI_Cart_rank(comm, at, &back);
    say_all(f, at, axes, 0);
    say(f, back);
  }
  for (int d = 0; d < axes; d++)
    for (int step = -2; step <= 3; step++) {
      int source, destination;
      MPI_Cart_shift(comm, d, step, &source, &destination);
      say(f, source == MPI_PROC_NULL ? -1 : source);
      say(f, destination == MPI_PROC_NULL ? -1 : destination);
    }
  for (int mask = 0; mask < 1 << axes; mask++) {
    int remain[MOST_AXES];
    for (int d = 0; d < axes; d++)
      remain[d] = mask >> d & 1;
    say_part(f, comm, remain);
  }
  exchange(f, comm, NULL, 2 * axes, 2 * axes, 0);
}

static void learn_graph(struct facts *f, MPI_Comm comm, int ranks)
{
  int nodes, edges, n, index[MOST_RANKS], all[MOST_RANKS * 8], to[4 * MOST_RANKS];
  MPI_Graphdims_get(comm, &nodes, &edges);
  MPI_Graph_get(comm, nodes, edges, index, all);
  say_all(f, index, nodes, 0);
  say_all(f, all, edges, 0);
  for (int r = 0; r < ranks; r++) {
    MPI_Graph_neighbors_count(comm, r, &n);
    MPI_Graph_neighbors(comm, r, n, to);
    say_all(f, to, n, 0);
  }
  MPI_Graph_neighbors_count(comm, f->rank, &n);
  MPI_Graph_neighbors(comm, f->rank, n, to);
  exchange(f, comm, to, n, n, 0);
}

/* Neighbour and weight as one number. */
static void join(int *neighbour, const int *weight, int n, int weighted)
{
  for (int i = 0; i < n; i++)
    neighbour[i] += weighted ? 1000 * weight[i] : 0;
}

static void learn_dist_graph(struct facts *f, MPI_Comm comm, int sorted)
{
  int in, out, weighted, from[4 * MOST_RANKS], to[4 * MOST_RANKS];
  int in_weight[4 * MOST_RANKS], out_weight[4 * MOST_RANKS];
  MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  say(f, in);
  say(f, out);
  say(f, weighted != 0);
  MPI_Dist_graph_neighbors(comm, in, from, in_weight, out, to, out_weight);
  exchange(f, comm, to, out, in, sorted);
  join(from, in_weight, in, weighted);
  join(to, out_weight, out, weighted);
  say_all(f, from, in, sorted);
  say_all(f, to, out, sorted);
}

static void learn(struct facts *f, MPI_Comm comm, int sorted)
{
  int kind, ranks, sum;
  f->rank = -1;
  f->count = 0;
  if (comm == MPI_COMM_NULL)
    return;
  MPI_Comm_rank(comm, &f->rank);
  MPI_Comm_size(comm, &ranks);
  MPI_Topo_test(comm, &kind);
  MPI_Allreduce(&f->rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  say(f, ranks);
  say(f, kind);
  say(f, sum);
  if (kind == MPI_CART)
    learn_grid(f, comm, ranks);
  else if (kind == MPI_GRAPH)
    learn_graph(f, comm, ranks);
  else
    learn_dist_graph(f, comm, sorted);
}

/* Number of ranks whose facts differ.  *moved: ranks with another number than in the first
 * topology. */
static int compare(MPI_Comm base, const struct facts *plain, const struct facts *made, int *moved)
{
  int n, rank, bad = 0, of_plain[MOST_RANKS];
  MPI_Comm_size(base, &n);
  MPI_Comm_rank(base, &rank);
  struct facts *all = malloc((size_t)n * sizeof *all);
  if (all == NULL)
    MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Allgather(plain, sizeof *plain, MPI_BYTE, all, sizeof *plain, MPI_BYTE, base);
  for (int i = 0; i < n; i++)
    of_plain[i] = -1;
  for (int i = 0; i < n; i++)
    if (all[i].rank >= 0)
      of_plain[all[i].rank] = i;
  if (made->rank >= 0) {
    const int twin = made->rank < n ? of_plain[made->rank] : -1;
    bad = twin < 0 || all[twin].count != made->count ||
          memcmp(all[twin].fact, made->fact, (size_t)made->count * sizeof *made->fact) != 0;
  }
  const int own[4] = {bad, made->rank >= 0, plain->rank >= 0, made->rank != plain->rank};
  int sum[4];
  free(all);
  MPI_Allreduce(own, sum, 4, MPI_INT, MPI_SUM, base);
  *moved = sum[3];
  return sum[0] + (sum[1] != sum[2]);
}

/* --- topologies ------------------------------------------------------------------------------- */

static void make_grid(MPI_Comm base, int reorder, MPI_Comm made[2])
{
  int n, side[MOST_AXES], periodic[MOST_AXES];
  MPI_Comm_size(base, &n);
  const int axes = 1 + below(MOST_AXES);
  for (int d = 0, left = n; d < axes; left /= side[d++]) {
    side[d] = 1 + below(left < 8 ? left : 8);
    side[d] = d == axes - 1 && below(2) ? left : side[d];
    periodic[d] = below(2);
  }
  for (int i = 0; i < 2; i++)
    MPI_Cart_create(base, axes, side, periodic, i ? reorder : 0, &made[i]);
}

static void make_graph(MPI_Comm base, int reorder, MPI_Comm made[2])
{
  int n, index[MOST_RANKS], edge[MOST_RANKS * 4], edges = 0;
  int near[MOST_RANKS][MOST_RANKS] = {{0}};
  MPI_Comm_size(base, &n);
  const int nodes = 1 + below(n);
  for (int k = 0; k < 2 * nodes && nodes > 1; k++) {
    const int a = below(nodes), b = below(nodes);
    near[a][b] = near[b][a] = a != b;
  }
  for (int a = 0; a < nodes; index[a++] = edges)
    for (int b = 0; b < nodes; b++)
      if (near[a][b])
        edge[edges++] = b;
  for (int i = 0; i < 2; i++)
    MPI_Graph_create(base, nodes, index, edge, i ? reorder : 0, &made[i]);
}

/* Edges of a random graph with weights: each edge is passed by a random rank. */
static void make_dist_graph(MPI_Comm base, int reorder, MPI_Comm made[2])
{
  int n, rank, count = 0, source[4 * MOST_RANKS], degree[4 * MOST_RANKS], to[4 * MOST_RANKS];
  int weight[4 * MOST_RANKS];
  MPI_Comm_size(base, &n);
  MPI_Comm_rank(base, &rank);
  const int weighted = below(2), edges = below(3 * n + 1);
  for (int k = 0; k < edges; k++) {
    const int a = below(n), b = below(n), w = 1 + below(100), owner = below(n);
    if (owner != rank)
      continue;
    source[count] = a;
    degree[count] = 1;
    to[count] = b;
    weight[count++] = w;
  }
  const int *weights = !weighted ? MPI_UNWEIGHTED : count == 0 ? MPI_WEIGHTS_EMPTY : weight;
  for (int i = 0; i < 2; i++)
    MPI_Dist_graph_create(base, count, source, degree, to, weights, MPI_INFO_NULL, i ? reorder : 0,
                          &made[i]);
}

static void make_adjacent(MPI_Comm base, int reorder, MPI_Comm made[2])
{
  int n, rank, in = 0, out = 0, from[4 * MOST_RANKS], to[4 * MOST_RANKS];
  int in_weight[4 * MOST_RANKS], out_weight[4 * MOST_RANKS];
  MPI_Comm_size(base, &n);
  MPI_Comm_rank(base, &rank);
  const int weighted = below(2), edges = below(3 * n + 1);
  for (int k = 0; k < edges; k++) {
    const int a = below(n), b = below(n), w = 1 + below(100);
    if (a == rank) {
      out_weight[out] = w;
      to[out++] = b;
    }
    if (b == rank) {
      in_weight[in] = w;
      from[in++] = a;
    }
  }
  const int *iw = !weighted ? MPI_UNWEIGHTED : in == 0 ? MPI_WEIGHTS_EMPTY : in_weight;
  const int *ow = !weighted ? MPI_UNWEIGHTED : out == 0 ? MPI_WEIGHTS_EMPTY : out_weight;
  for (int i = 0; i < 2; i++)
    MPI_Dist_graph_create_adjacent(base, in, from, iw, out, to, ow, MPI_INFO_NULL, i ? reorder : 0,
                                   &made[i]);
}

/* --- cases ------------------------------------------------------------------------------------ */

/* The world, a copy of it in another order, or a part of it; MPI_COMM_NULL: not in the part. */
static MPI_Comm draw_base(void)
{
  int rank, n;
  MPI_Comm base;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  const int kind = below(3), color = 1 + below(3), key = below(n);
  if (kind == 0)
    MPI_Comm_dup(MPI_COMM_WORLD, &base);
  else
    MPI_Comm_split(MPI_COMM_WORLD, kind == 1 ? 0 : rank % color, (rank * 7 + key) % n, &base);
  return base;
}

/* Returns the number of wrong ranks in the part of this rank. */
static int run_case(uint64_t number, int *moved)
{
  static const char *const NAMES[] = {"grid", "graph", "distributed graph", "adjacent graph"};
  static void (*const MAKE[])(MPI_Comm, int, MPI_Comm *) = {make_grid, make_graph, make_dist_graph,
                                                            make_adjacent};
  static struct facts plain, made;
  MPI_Comm comm[2];
  int rank;
  state = number * 2654435761u + 12345;
  for (int i = 0; i < 8; i++)
    below(2);
  MPI_Comm base = draw_base();
  const int kind = below(4), reorder = below(4) > 0;
  MAKE[kind](base, reorder, comm);
  learn(&plain, comm[0], kind == 2);
  learn(&made, comm[1], kind == 2);
  const int bad = compare(base, &plain, &made, moved);
  MPI_Comm_rank(base, &rank);
  if (bad > 0 && rank == 0)
    printf("case %llu: %s, reorder %d: %d wrong\n", (unsigned long long)number, NAMES[kind],
           reorder, bad);
  for (int i = 0; i < 2; i++)
    if (comm[i] != MPI_COMM_NULL)
      MPI_Comm_free(&comm[i]);
  MPI_Comm_free(&base);
  return bad;
}

int main(int argc, char **argv)
{
  int rank, cases = 0, sum[2] = {0, 0}, most[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const long first = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
  const long last = argc > 2 ? strtol(argv[2], NULL, 10) : 20;
  for (long k = first; k <= last; k++, cases++) {
    int moved = 0, own[2];
    own[0] = run_case((uint64_t)k, &moved) > 0;
    own[1] = moved > 0;
    MPI_Allreduce(own, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    sum[0] += most[0];
    sum[1] += most[1];
  }
  if (rank == 0)
    printf("%d cases, %d wrong, ranks moved in %d\n", cases, sum[0], sum[1]);
  MPI_Finalize();
  return sum[0] > 0;
}
