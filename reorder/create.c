#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reorder/reorder.h"

static int rank_in(const struct creation *c, MPI_Comm comm)
{
  int rank;
  c->mpi->direct->Comm_rank(comm, &rank);
  return rank;
}

/* Creates a communicator of the same processes, with their new ranks. */
static int exchange(const struct creation *c, MPI_Comm comm, const int *new_rank, MPI_Comm *made)
{
  return c->mpi->create->Comm_split(comm, 0, new_rank[rank_in(c, comm)], made);
}

static bool is_inter(const struct creation *c, MPI_Comm comm)
{
  int inter = 1;
  if (comm == MPI_COMM_NULL)
    return true;
  c->mpi->direct->Comm_test_inter(comm, &inter);
  return inter != 0;
}

static int size_of(const struct creation *c, MPI_Comm comm)
{
  int n = 0;
  c->mpi->direct->Comm_size(comm, &n);
  return n;
}

/* A call of MPI that creates a topology. */
typedef int topology_call(const struct creation *c, MPI_Comm comm, const void *arguments,
                          int reorder, MPI_Comm *made);

/* Creates a topology whose arguments do not depend on the rank of the process. */
static int create(const struct creation *c, struct wish *w, topology_call *call,
                  const void *arguments, MPI_Comm *made)
{
  MPI_Comm exchanged;
  int *new_rank;
  const enum outcome o = order_agree(c->mpi, w, &new_rank, c->why);
  free(w->edges.edge);
  if (o != OUTCOME_MOVE)
    return call(c, w->comm, arguments, o == OUTCOME_FAIL, made);
  int result = exchange(c, w->comm, new_rank, &exchanged);
  free(new_rank);
  if (result != MPI_SUCCESS)
    return result;
  result = call(c, exchanged, arguments, 0, made);
  c->mpi->create->Comm_free(&exchanged);
  return result;
}

/* --- grids ------------------------------------------------------------------------------------ */

static int call_cart(const struct creation *c, MPI_Comm comm, const void *arguments, int reorder,
                     MPI_Comm *made)
{
  const struct grid *g = arguments;
  return c->mpi->create->Cart_create(comm, g->axes, g->side, g->periodic, reorder, made);
}

static void describe_grid(char *what, const struct grid *g)
{
  int used = snprintf(what, REORDER_TEXT, "MPI_Cart_create");
  for (int d = 0; d < g->axes && used < REORDER_TEXT - 16; d++)
    used += snprintf(what + used, (size_t)(REORDER_TEXT - used), "%c%d%s", d == 0 ? ' ' : 'x',
                     g->side[d], g->periodic[d] ? "p" : "");
}

/* The arguments are equal on all ranks, so either all ranks pass the call on unchanged or none. */
int create_cart(const struct creation *c, MPI_Comm comm, const struct grid *g, MPI_Comm *made)
{
  struct wish w = {.comm = comm, .settings = c->settings, .valid = true};
  *c->why = '\0';
  if (is_inter(c, comm) || (w.ranks = grid_ranks(g, size_of(c, comm))) < 2)
    return call_cart(c, comm, g, 1, made);
  describe_grid(w.what, g);
  if (rank_in(c, comm) == 0)
    w.valid = grid_edges(&w.edges, g);
  return create(c, &w, call_cart, g, made);
}

#ifndef REORDER_SMPI
/* --- graphs ----------------------------------------------------------------------------------- */

static int call_graph(const struct creation *c, MPI_Comm comm, const void *arguments, int reorder,
                      MPI_Comm *made)
{
  const struct graph *g = arguments;
  return c->mpi->create->Graph_create(comm, g->nodes, g->index, g->edges, reorder, made);
}

/* False for arguments that the MPI library refuses. */
static bool graph_is_valid(const struct graph *g, int n)
{
  if (g->nodes < 2 || g->nodes > n || g->index == NULL || g->index[0] < 0)
    return false;
  for (int i = 1; i < g->nodes; i++)
    if (g->index[i] < g->index[i - 1])
      return false;
  if (g->edges == NULL && g->index[g->nodes - 1] > 0)
    return false;
  for (int k = 0; k < g->index[g->nodes - 1]; k++)
    if (g->edges[k] < 0 || g->edges[k] >= g->nodes)
      return false;
  return true;
}

static bool graph_edges(struct edges *x, const struct graph *g)
{
  for (int i = 0, k = 0; i < g->nodes; i++)
    for (; k < g->index[i]; k++)
      if (!edges_add(x, i, g->edges[k], 1))
        return false;
  return true;
}

int create_graph(const struct creation *c, MPI_Comm comm, const struct graph *g, MPI_Comm *made)
{
  struct wish w = {.comm = comm, .settings = c->settings, .valid = true, .ranks = g->nodes};
  *c->why = '\0';
  if (is_inter(c, comm) || !graph_is_valid(g, size_of(c, comm)))
    return call_graph(c, comm, g, 1, made);
  snprintf(w.what, sizeof w.what, "MPI_Graph_create %d", g->nodes);
  if (rank_in(c, comm) == 0)
    w.valid = graph_edges(&w.edges, g);
  return create(c, &w, call_graph, g, made);
}

/* --- distributed graphs ----------------------------------------------------------------------- */

static int weight_at(const int *weights, int i)
{
  return weights == MPI_UNWEIGHTED || weights == MPI_WEIGHTS_EMPTY ? 1 : weights[i];
}

static int call_dist(const struct creation *c, MPI_Comm comm, const void *arguments, int reorder,
                     MPI_Comm *made)
{
  const struct dist_graph *g = arguments;
  return c->mpi->create->Dist_graph_create(comm, g->n, g->sources, g->degrees, g->destinations,
                                           g->weights, g->info, reorder, made);
}

/* Both arrays have @p n entries. */
static bool are_given(int n, const int *a, const int *b)
{
  return n == 0 || (n > 0 && a != NULL && b != NULL);
}

static bool dist_edges(struct edges *x, const struct dist_graph *g)
{
  if (!are_given(g->n, g->sources, g->degrees))
    return false;
  for (int i = 0, k = 0; i < g->n; i++) {
    if (!are_given(g->degrees[i], g->destinations, g->weights))
      return false;
    for (int end = k + g->degrees[i]; k < end; k++)
      if (!edges_add(x, g->sources[i], g->destinations[k], weight_at(g->weights, k)))
        return false;
  }
  return true;
}

/* A process may pass any edges of the graph, so its arguments hold under its new rank, too. */
int create_dist_graph(const struct creation *c, MPI_Comm comm, const struct dist_graph *g,
                      MPI_Comm *made)
{
  struct wish w = {.comm = comm, .settings = c->settings, .scattered = true};
  *c->why = '\0';
  if (is_inter(c, comm) || (w.ranks = size_of(c, comm)) < 2)
    return call_dist(c, comm, g, 1, made);
  snprintf(w.what, sizeof w.what, "MPI_Dist_graph_create");
  w.valid = dist_edges(&w.edges, g);
  return create(c, &w, call_dist, g, made);
}

static int call_adjacent(const struct creation *c, MPI_Comm comm, const struct adjacent *g,
                         int reorder, MPI_Comm *made)
{
  return c->mpi->create->Dist_graph_create_adjacent(comm, g->in, g->sources, g->in_weights, g->out,
                                                    g->destinations, g->out_weights, g->info,
                                                    reorder, made);
}

/* The arguments of a node, as a message of two parts: size, then data.  Data are the sources, their
 * weights, the destinations and their weights. */
struct lists {
  int size[4]; /* number of sources, of destinations; 1 if sources, if destinations have weights */
  int *data;
};

static size_t lists_length(const struct lists *l)
{
  return 2 * ((size_t)l->size[0] + (size_t)l->size[1]);
}

static bool is_weighted(const int *weights, int n)
{
  return weights != MPI_UNWEIGHTED && (n == 0 || weights != MPI_WEIGHTS_EMPTY);
}

static void put(int **at, const int *from, int n)
{
  if (n > 0 && from != NULL)
    memcpy(*at, from, (size_t)n * sizeof *from);
  *at += n;
}

/* Leaves data NULL if memory is exhausted. */
static void lists_fill(struct lists *l, const struct adjacent *g)
{
  *l = (struct lists){
      {g->in, g->out, is_weighted(g->in_weights, g->in), is_weighted(g->out_weights, g->out)},
      NULL};
  if ((l->data = calloc(lists_length(l) + 1, sizeof *l->data)) == NULL)
    return;
  int *at = l->data;
  put(&at, g->sources, g->in);
  put(&at, l->size[2] ? g->in_weights : NULL, g->in);
  put(&at, g->destinations, g->out);
  put(&at, l->size[3] ? g->out_weights : NULL, g->out);
}

/* The arguments of the node that this process becomes. */
static struct adjacent arguments_of(const struct lists *l, MPI_Info info)
{
  const int in = l->size[0], out = l->size[1];
  const int *at = l->data;
  const int *in_weights = !l->size[2] ? MPI_UNWEIGHTED : in == 0 ? MPI_WEIGHTS_EMPTY : at + in;
  const int *out_weights = !l->size[3] ? MPI_UNWEIGHTED
                           : out == 0  ? MPI_WEIGHTS_EMPTY
                                       : at + 2 * in + out;
  return (struct adjacent){in, out, at, in_weights, at + 2 * in, out_weights, info};
}

/* Sends the lists of the process with old rank r to the process with new rank r.  @p from_to has
 * the new ranks of both partners of this process.  False on all ranks if memory is exhausted on
 * one. */
static bool pass_lists(const struct creation *c, MPI_Comm exchanged, const int *from_to,
                       const struct lists *own, struct lists *got)
{
  const struct direct *d = c->mpi->direct;
  const int from = from_to[0], to = from_to[1];
  int good, all;
  d->Sendrecv(own->size, 4, MPI_INT, to, 1, got->size, 4, MPI_INT, from, 1, exchanged,
              MPI_STATUS_IGNORE);
  got->data = malloc((lists_length(got) + 1) * sizeof *got->data);
  good = got->data != NULL && own->data != NULL;
  d->Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, exchanged);
  if (all)
    d->Sendrecv(own->data, (int)lists_length(own), MPI_INT, to, 2, got->data,
                (int)lists_length(got), MPI_INT, from, 2, exchanged, MPI_STATUS_IGNORE);
  return all != 0;
}

static int create_exchanged(const struct creation *c, MPI_Comm comm, const struct adjacent *g,
                            const int *new_rank, MPI_Comm *made)
{
  struct lists own, got = {.data = NULL};
  MPI_Comm exchanged;
  int result = exchange(c, comm, new_rank, &exchanged);
  if (result != MPI_SUCCESS)
    return result;
  lists_fill(&own, g);
  const int from_to[2] = {new_rank[rank_in(c, exchanged)], rank_in(c, comm)};
  if (pass_lists(c, exchanged, from_to, &own, &got)) {
    const struct adjacent mine = arguments_of(&got, g->info);
    result = call_adjacent(c, exchanged, &mine, 0, made);
  } else {
    snprintf(c->why, REORDER_TEXT, "no memory");
    result = call_adjacent(c, comm, g, 1, made);
  }
  free(own.data);
  free(got.data);
  c->mpi->create->Comm_free(&exchanged);
  return result;
}

int create_adjacent(const struct creation *c, MPI_Comm comm, const struct adjacent *g,
                    MPI_Comm *made)
{
  struct wish w = {.comm = comm, .settings = c->settings, .scattered = true};
  int *new_rank;
  *c->why = '\0';
  if (is_inter(c, comm) || (w.ranks = size_of(c, comm)) < 2)
    return call_adjacent(c, comm, g, 1, made);
  snprintf(w.what, sizeof w.what, "MPI_Dist_graph_create_adjacent");
  const int rank = rank_in(c, comm);
  w.valid = are_given(g->in, g->sources, g->in_weights) &&
            are_given(g->out, g->destinations, g->out_weights);
  for (int i = 0; i < g->out && w.valid; i++)
    w.valid = edges_add(&w.edges, rank, g->destinations[i], weight_at(g->out_weights, i));
  const enum outcome o = order_agree(c->mpi, &w, &new_rank, c->why);
  free(w.edges.edge);
  if (o != OUTCOME_MOVE)
    return call_adjacent(c, comm, g, o == OUTCOME_FAIL, made);
  const int result = create_exchanged(c, comm, g, new_rank, made);
  free(new_rank);
  return result;
}
#endif
