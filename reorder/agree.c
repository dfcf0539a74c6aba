#define _GNU_SOURCE
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reorder/reorder.h"

/* Message of each rank to the first rank. */
struct card {
  struct location location;
  int32_t valid;
  int32_t edges; /* number of the rank's edges, if scattered; -1: too many */
};

/* Message of the first rank to all ranks.  The new ranks follow in a message of their own. */
struct verdict {
  int32_t outcome;
  char why[REORDER_TEXT];
};

/* One agreement, on one rank. */
struct agreement {
  const struct mpi *m;
  struct wish *w;
  int n, rank;
  int *new_rank;       /* by rank */
  struct card *card;   /* on the first rank */
  int *count, *offset; /* on the first rank, for scattered edges */
  struct job job;      /* on the first rank */
  struct verdict verdict;
};

/* Reads the processing units to which the process is bound.  They remain unknown if the system has
 * more of them than a cpu_set_t. */
static void read_binding(struct location *l)
{
  cpu_set_t set;
  CPU_ZERO(&set);
  l->words = sched_getaffinity(0, sizeof set, &set) == 0 ? REORDER_WORDS : 0;
  for (size_t i = 0; i < CPU_SETSIZE && i < (size_t)l->words * 64; i++)
    if (CPU_ISSET(i, &set))
      l->unit[i / 64] |= (uint64_t)1 << i % 64;
}

/* Programs that use sessions have no world, unless they also call MPI_Init. */
static bool has_world(const struct direct *d)
{
  int initialized = 0;
  d->Initialized(&initialized);
  return initialized != 0;
}

/* The rank of this process in MPI_COMM_WORLD; -1 if it was spawned by another world, or has none.
 */
static int world_rank(const struct agreement *a)
{
  const struct direct *d = a->m->direct;
  MPI_Group all, own;
  int rank = -1;
  if (!has_world(d))
    return -1;
  d->Comm_group(MPI_COMM_WORLD, &all);
  d->Comm_group(a->w->comm, &own);
  d->Group_translate_ranks(own, 1, &a->rank, all, &rank);
  d->Group_free(&own);
  d->Group_free(&all);
  return rank < 0 ? -1 : rank;
}

static struct card own_card(const struct agreement *a)
{
  const struct wish *w = a->w;
  struct card c = {.valid = w->valid && a->new_rank != NULL};
  char machine[MPI_MAX_PROCESSOR_NAME + 1] = "";
  int length = 0;
  a->m->direct->Get_processor_name(machine, &length);
  snprintf(c.location.machine, sizeof c.location.machine, "%.*s", REORDER_MACHINE - 1, machine);
  read_binding(&c.location);
  c.location.world = world_rank(a);
  c.edges = w->edges.count > INT_MAX / 3 ? -1 : (int32_t)w->edges.count;
  return c;
}

static void refuse(struct agreement *a, const char *why)
{
  a->verdict.outcome = OUTCOME_FAIL;
  snprintf(a->verdict.why, sizeof a->verdict.why, "%s", why);
}

/* --- on the first rank ------------------------------------------------------------------------ */

/* Checks the cards, and moves their locations to the job. */
static void read_cards(struct agreement *a)
{
  struct job *j = &a->job;
  *j = (struct job){.settings = *a->w->settings, .n = a->n, .ranks = a->w->ranks};
  snprintf(j->what, sizeof j->what, "%s", a->w->what);
  if (has_world(a->m->direct))
    a->m->direct->Comm_size(MPI_COMM_WORLD, &j->world);
  if ((j->location = malloc((size_t)a->n * sizeof *j->location)) == NULL) {
    refuse(a, "no memory");
    return;
  }
  for (int i = 0; i < a->n; i++) {
    j->location[i] = a->card[i].location;
    if (!a->card[i].valid)
      refuse(a, "wrong arguments, or no memory on a rank");
    if (j->settings.hosts != NULL && j->location[i].world < 0)
      refuse(a, "HAICHI_HOSTS names no hosts of processes outside of MPI_COMM_WORLD");
  }
}

/* Makes room for the edges of all ranks. */
static void count_edges(struct agreement *a)
{
  int64_t all = 0;
  if (a->verdict.outcome == OUTCOME_FAIL)
    return;
  a->count = calloc((size_t)a->n, sizeof *a->count);
  a->offset = calloc((size_t)a->n, sizeof *a->offset);
  for (int i = 0; i < a->n && a->count != NULL && a->offset != NULL; i++) {
    a->count[i] = 3 * a->card[i].edges;
    a->offset[i] = (int)all;
    all += a->count[i];
    if (a->card[i].edges < 0 || all > INT_MAX) {
      refuse(a, "more than 2^31 / 3 edges");
      return;
    }
  }
  a->job.edges.count = (size_t)all / 3;
  a->job.edges.edge = malloc(((size_t)all + 1) * sizeof(int));
  if (a->count == NULL || a->offset == NULL || a->job.edges.edge == NULL)
    refuse(a, "no memory");
}

/* False if an edge has a rank outside of the communicator or a negative weight.  The MPI library
 * refuses such edges itself. */
static bool edges_fit(const struct job *j)
{
  for (size_t i = 0; i < j->edges.count; i++) {
    const int *e = &j->edges.edge[3 * i];
    if (e[0] < 0 || e[0] >= j->n || e[1] < 0 || e[1] >= j->n || e[2] < 0)
      return false;
  }
  return true;
}

static void find_order(struct agreement *a)
{
  struct order order = {.moved = false};
  if (!edges_fit(&a->job)) {
    refuse(a, "wrong ranks or weights of edges");
    return;
  }
  if (!job_run(&a->job, &order, a->verdict.why))
    a->verdict.outcome = OUTCOME_FAIL;
  else
    a->verdict.outcome = order.moved ? OUTCOME_MOVE : OUTCOME_STAY;
  for (int r = 0; r < a->n && order.moved; r++)
    a->new_rank[order.process[r]] = r;
  free(order.process);
  a->job.location = NULL;
  a->job.edges = (struct edges){0};
}

/* --- on all ranks ----------------------------------------------------------------------------- */

static void gather_edges(struct agreement *a)
{
  const struct edges *x = &a->w->edges;
  a->m->direct->Gatherv(x->edge, 3 * (int)x->count, MPI_INT, a->job.edges.edge, a->count, a->offset,
                        MPI_INT, 0, a->w->comm);
}

static void send_verdict(struct agreement *a)
{
  a->m->direct->Bcast(&a->verdict, (int)sizeof a->verdict, MPI_BYTE, 0, a->w->comm);
}

/* Gathers the edges, unless the card of a rank has stopped the agreement. */
static void agree_on_edges(struct agreement *a)
{
  if (a->rank == 0)
    count_edges(a);
  send_verdict(a);
  if (a->verdict.outcome != OUTCOME_FAIL)
    gather_edges(a);
}

static void agree(struct agreement *a)
{
  const struct card own = own_card(a);
  a->m->direct->Gather(&own, (int)sizeof own, MPI_BYTE, a->card, (int)sizeof own, MPI_BYTE, 0,
                       a->w->comm);
  if (a->rank == 0)
    read_cards(a);
  if (a->w->scattered)
    agree_on_edges(a);
  else if (a->rank == 0) {
    a->job.edges = a->w->edges;
    a->w->edges = (struct edges){0};
  }
  if (a->rank == 0 && a->verdict.outcome != OUTCOME_FAIL)
    find_order(a);
  send_verdict(a);
  if (a->verdict.outcome == OUTCOME_MOVE)
    a->m->direct->Bcast(a->new_rank, a->n, MPI_INT, 0, a->w->comm);
}

/* True on all ranks if the first one can receive cards. */
static bool first_is_ready(struct agreement *a)
{
  if (a->rank == 0 && (a->card = malloc((size_t)a->n * sizeof *a->card)) == NULL)
    refuse(a, "no memory");
  send_verdict(a);
  return a->verdict.outcome != OUTCOME_FAIL;
}

enum outcome order_agree(const struct mpi *m, struct wish *w, int **rank, char *why)
{
  struct agreement a = {.m = m, .w = w};
  m->direct->Comm_size(w->comm, &a.n);
  m->direct->Comm_rank(w->comm, &a.rank);
  a.new_rank = malloc((size_t)a.n * sizeof *a.new_rank);
  if (first_is_ready(&a))
    agree(&a);
  snprintf(why, REORDER_TEXT, "%s", a.verdict.outcome == OUTCOME_FAIL ? a.verdict.why : "");
  free(a.card);
  free(a.count);
  free(a.offset);
  free(a.job.location);
  free(a.job.edges.edge);
  *rank = a.verdict.outcome == OUTCOME_MOVE ? a.new_rank : NULL;
  if (*rank == NULL)
    free(a.new_rank);
  return (enum outcome)a.verdict.outcome;
}
