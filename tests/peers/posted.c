/* usage: posted SEED ROUNDS, under smpirun.
 * A random program of nonblocking collectives.  All ranks make the same calls.  A round starts up
 * to MOST collectives, computes for a random time that differs between ranks, and completes the
 * collectives by tests and waits.  Each rank prints its end time in seconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST   3         /* pending collectives */
#define ROOM   (1 << 22) /* bytes of a buffer */
#define SPREAD 2000      /* in 1000 flops: the tracer writes six digits */

void smpi_execute_flops(double flops);

struct state {
  unsigned long long all, own; /* random states: common to all ranks, of this rank only */
  int rank, ranks, count, root;
  int *counts, *starts, *from, *from_starts;
  MPI_Datatype *types;
  double *in[MOST], *out[MOST];
};

static unsigned below(unsigned long long *state, unsigned n)
{
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)(*state >> 33) % n;
}

/* Numbers of doubles around 8,192, below which a send completes at once. */
static int size(struct state *s)
{
  static const int SIZES[] = {1, 100, 1000, 8191, 8192, 20000};
  return SIZES[below(&s->all, 6)];
}

/* Elements that rank i sends to rank j in collectives with counts. */
static int part(const struct state *s, int i, int j)
{
  return s->count / (1 + (i * 7 + j * 3) % 4);
}

static void set_counts(struct state *s, int one_list)
{
  for (int i = 0, at = 0, from_at = 0; i < s->ranks; i++) {
    s->counts[i] = one_list ? part(s, i, 0) : part(s, s->rank, i);
    s->from[i] = part(s, i, s->rank);
    s->starts[i] = at;
    s->from_starts[i] = from_at;
    at += s->counts[i];
    from_at += s->from[i];
    s->types[i] = MPI_DOUBLE;
  }
}

static void begin_with_counts(struct state *s, int kind, int k, MPI_Request *q)
{
  const MPI_Datatype t = MPI_DOUBLE;
  const MPI_Comm w = MPI_COMM_WORLD;
  const int mine = part(s, s->rank, 0);
  double *in = s->in[k], *out = s->out[k];
  set_counts(s, kind < 4);
  switch (kind) {
  case 0:
    MPI_Igatherv(in, mine, t, out, s->counts, s->starts, t, s->root, w, q);
    break;
  case 1:
    MPI_Iscatterv(in, s->counts, s->starts, t, out, mine, t, s->root, w, q);
    break;
  case 2:
    MPI_Iallgatherv(in, mine, t, out, s->counts, s->starts, t, w, q);
    break;
  case 3:
    MPI_Ireduce_scatter(in, out, s->counts, t, MPI_SUM, w, q);
    break;
  default:
    MPI_Ialltoallv(in, s->counts, s->starts, t, out, s->from, s->from_starts, t, w, q);
    break;
  }
}

static void begin(struct state *s, int k, MPI_Request *q)
{
  const MPI_Datatype t = MPI_DOUBLE;
  const MPI_Comm w = MPI_COMM_WORLD;
  const unsigned kind = below(&s->all, 15);
  const int n = s->count = size(s), root = s->root = (int)below(&s->all, (unsigned)s->ranks);
  double *in = s->in[k], *out = s->out[k];
  switch (kind) {
  case 0:
    MPI_Ibarrier(w, q);
    break;
  case 1:
    MPI_Ibcast(in, n, t, root, w, q);
    break;
  case 2:
    MPI_Igather(in, n, t, out, n, t, root, w, q);
    break;
  case 3:
    MPI_Iscatter(in, n, t, out, n, t, root, w, q);
    break;
  case 4:
    MPI_Iallgather(in, n, t, out, n, t, w, q);
    break;
  case 5:
    MPI_Ialltoall(in, n, t, out, n, t, w, q);
    break;
  case 6:
    MPI_Ireduce(in, out, n, t, MPI_SUM, root, w, q);
    break;
  case 7:
    MPI_Iallreduce(in, out, n, t, MPI_SUM, w, q);
    break;
  case 8:
    MPI_Iscan(in, out, n, t, MPI_SUM, w, q);
    break;
  case 9:
    MPI_Iexscan(in, out, n, t, MPI_SUM, w, q);
    break;
  default:
    begin_with_counts(s, (int)kind - 10, k, q);
    break;
  }
}

/* Completes @p n requests: by a waitall, by up to two tests and a wait each, or by waitanys.  Each
 * further test takes longer in SMPI.  The waitall of messages in one_round() leaves the others
 * pending. */
static void end(struct state *s, int n, MPI_Request *q)
{
  const unsigned how = below(&s->all, 3);
  const unsigned tests = below(&s->own, 3);
  int done, index;
  if (how == 0)
    MPI_Waitall(n, q, MPI_STATUSES_IGNORE);
  for (int k = 0; how == 1 && k < n; k++) {
    done = 0;
    for (unsigned i = 0; !done && i < tests; i++)
      MPI_Test(&q[k], &done, MPI_STATUS_IGNORE);
    if (!done)
      MPI_Wait(&q[k], MPI_STATUS_IGNORE);
  }
  for (int k = 0; how == 2 && k < n; k++)
    MPI_Waitany(n, q, &index, MPI_STATUS_IGNORE);
}

static void one_round(struct state *s)
{
  MPI_Request q[MOST + 2];
  const int others = (int)below(&s->all, 2), n = 1 + (int)below(&s->all, MOST);
  const int next = (s->rank + 1) % s->ranks, before = (s->rank + s->ranks - 1) % s->ranks;
  for (int k = 0; k < n; k++)
    begin(s, k, &q[k]);
  smpi_execute_flops(1000.0 * below(&s->own, SPREAD));
  if (others) {
    MPI_Irecv(s->out[0], 9000, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &q[n]);
    MPI_Isend(s->in[0], 9000, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &q[n + 1]);
    MPI_Waitall(2, q + n, MPI_STATUSES_IGNORE);
  }
  end(s, n, q);
  smpi_execute_flops(1000.0 * below(&s->own, SPREAD));
}

int main(int argc, char **argv)
{
  struct state s = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &s.ranks);
  s.all = strtoull(argv[1], NULL, 10);
  s.own = s.all * 1000 + (unsigned)s.rank;
  for (int k = 0; k < MOST; k++) {
    s.in[k] = calloc(ROOM, 1);
    s.out[k] = calloc(ROOM, 1);
  }
  const size_t n = (size_t)s.ranks;
  int *counts = calloc(4 * n, sizeof *counts);
  s.counts = counts;
  s.starts = counts + n;
  s.from = counts + 2 * n;
  s.from_starts = counts + 3 * n;
  s.types = calloc(n, sizeof(MPI_Datatype));
  for (int rounds = (int)strtol(argv[2], NULL, 10); rounds > 0; rounds--)
    one_round(&s);
  printf("%.12g\n", MPI_Wtime());
  MPI_Finalize();
  return 0;
}
