/* Programs of the kind that hung or got the data of other ranks when Open MPI reordered their ranks
 * (open-mpi/ompi issues 8939 and 11756): a distributed graph with reordering, then a neighbourhood
 * collective on it.  Prints the number of wrong ranks and of moved ranks of each. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64, LARGEST = 5, ROUNDS = 5 };

struct neighbours {
  int in, out, from[MOST], to[MOST];
};

/* --- graphs, whose edges follow from the numbers of their ends -------------------------------- */

/* Not symmetric: degrees differ, and rank 0 has the most sources. */
static int is_edge(int a, int b, int n)
{
  return a != b && (b == (a + 1) % n || (a % 2 == 0 && b == (a + 3) % n) || (a % 3 == 2 && b == 0));
}

/* Numbers that a sends to b: from 1 to LARGEST. */
static int count_of(int a, int b)
{
  return 1 + (3 * a + 5 * b) % LARGEST;
}

static int number_of(int a, int b, int i)
{
  return (a * MOST + b) * LARGEST + i;
}

/* Lists the neighbours of a rank in the graph. */
static void list(struct neighbours *x, int rank, int n)
{
  x->in = x->out = 0;
  for (int r = 0; r < n; r++) {
    if (is_edge(r, rank, n))
      x->from[x->in++] = r;
    if (is_edge(rank, r, n))
      x->to[x->out++] = r;
  }
}

static int holds(const int *list, int n, int rank)
{
  int found = 0;
  for (int i = 0; i < n; i++)
    found += list[i] == rank;
  return found == 1;
}

/* True if MPI knows the neighbours that the graph gives this rank, in the order of *x, which is
 * MPI's. */
static int knows_neighbours(struct neighbours *x, MPI_Comm comm)
{
  struct neighbours want;
  int rank, n, weighted, in_weight[MOST], out_weight[MOST], right;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &n);
  list(&want, rank, n);
  MPI_Dist_graph_neighbors_count(comm, &x->in, &x->out, &weighted);
  right = x->in == want.in && x->out == want.out;
  MPI_Dist_graph_neighbors(comm, want.in, x->from, in_weight, want.out, x->to, out_weight);
  for (int i = 0; i < want.in; i++)
    right = right && holds(want.from, want.in, x->from[i]);
  for (int i = 0; i < want.out; i++)
    right = right && holds(want.to, want.out, x->to[i]);
  return right;
}

/* --- collectives ------------------------------------------------------------------------------ */

/* Each rank sends its number: it must come from each source. */
static int gather(MPI_Comm comm)
{
  struct neighbours x;
  int rank, got[MOST], right = knows_neighbours(&x, comm);
  MPI_Comm_rank(comm, &rank);
  for (int i = 0; i < MOST; i++)
    got[i] = -1;
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, comm);
  for (int i = 0; i < x.in; i++)
    right = right && got[i] == x.from[i];
  return right;
}

/* Sends different numbers, and differently many, to each destination. */
static int exchange(MPI_Comm comm)
{
  struct neighbours x;
  int rank, sends[MOST], send_at[MOST], receives[MOST], receive_at[MOST], sent = 0, got = 0;
  int out[MOST * LARGEST], in[MOST * LARGEST], right = knows_neighbours(&x, comm);
  MPI_Request request;
  MPI_Comm_rank(comm, &rank);
  for (int i = 0; i < x.out; sent += sends[i++]) {
    send_at[i] = sent;
    sends[i] = count_of(rank, x.to[i]);
    for (int k = 0; k < sends[i]; k++)
      out[sent + k] = number_of(rank, x.to[i], k);
  }
  for (int i = 0; i < x.in; got += receives[i++]) {
    receive_at[i] = got;
    receives[i] = count_of(x.from[i], rank);
    for (int k = 0; k < receives[i]; k++)
      in[got + k] = -1;
  }
  MPI_Ineighbor_alltoallv(out, sends, send_at, MPI_INT, in, receives, receive_at, MPI_INT, comm,
                          &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < x.in; i++)
    for (int k = 0; k < receives[i]; k++)
      right = right && in[receive_at[i] + k] == number_of(x.from[i], rank, k);
  return right;
}

/* --- programs --------------------------------------------------------------------------------- */

static MPI_Comm create(int weighted)
{
  struct neighbours x;
  MPI_Comm made;
  int rank, n, weight[MOST];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  list(&x, rank, n);
  for (int i = 0; i < x.out; i++)
    weight[i] = count_of(rank, x.to[i]);
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &x.out, x.to, weighted ? weight : MPI_UNWEIGHTED,
                        MPI_INFO_NULL, 1, &made);
  return made;
}

static MPI_Comm create_adjacent(int weighted)
{
  struct neighbours x;
  MPI_Comm made;
  int rank, n, in_weight[MOST], out_weight[MOST];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  list(&x, rank, n);
  for (int i = 0; i < x.in; i++)
    in_weight[i] = count_of(x.from[i], rank);
  for (int i = 0; i < x.out; i++)
    out_weight[i] = count_of(rank, x.to[i]);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, x.in, x.from,
                                 weighted ? in_weight : MPI_UNWEIGHTED, x.out, x.to,
                                 weighted ? out_weight : MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &made);
  return made;
}

/* Creates a graph and runs a collective on it, ROUNDS times, with and without weights. */
static void run(const char *name, MPI_Comm (*make)(int), int (*collective)(MPI_Comm))
{
  int rank, made, own[2] = {0, 0}, sum[2];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 2 * ROUNDS; i++) {
    MPI_Comm comm = make(i % 2);
    MPI_Comm_rank(comm, &made);
    own[0] |= !collective(comm);
    own[1] |= made != rank;
    MPI_Comm_free(&comm);
  }
  MPI_Reduce(own, sum, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s: %d wrong, %d moved\n", name, sum[0], sum[1]);
}

int main(int argc, char **argv)
{
  int n;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  if (n > MOST)
    MPI_Abort(MPI_COMM_WORLD, 2);
  run("allgather", create, gather);
  run("allgather, adjacent", create_adjacent, gather);
  run("alltoallv", create, exchange);
  run("alltoallv, adjacent", create_adjacent, exchange);
  MPI_Finalize();
  return 0;
}
