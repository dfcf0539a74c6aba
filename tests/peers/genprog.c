/* Writes a random MPI program as a trace: genprog SEED DIR [any].
 *
 * Rounds of computation, blocking and nonblocking messages, tests and collectives, which cannot
 * deadlock in any order of events.  With "any", some receives accept any source; their tags are
 * unique.  Without it, the same seed gives the same program with all sources named. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/num.h"
#include "common/numeric/rng.h"
#include "traces/datatype.h"
#include "traces/files/writer.h"

#define MAX_RANKS    16
#define MAX_MESSAGES 40

struct message {
  uint32_t src, dst;
  int32_t tag;
  int64_t bytes;
  bool any;
};

struct gen {
  struct rng rng;
  struct writer *writer;
  struct err err;
  uint32_t ranks;
  bool any; /* some receives accept any source */
  bool failed;
  int32_t next_tag;
  int32_t counts[MAX_RANKS][MAX_RANKS];
};

static uint32_t below(struct gen *g, uint32_t n)
{
  return (uint32_t)rng_below(&g->rng, n);
}

static void put(struct gen *g, uint32_t rank, struct action a)
{
  if (!g->failed && writer_put(g->writer, rank, &a, &g->err) != OK)
    g->failed = true;
}

/* Sizes around the limit of detached sends and around the steps of the factor tables of the model
 * smpi, which sees messages 16 bytes larger. */
static int64_t size(struct gen *g)
{
  static const int64_t STEP[] = {0,          1,          64,    257 - 16,  732 - 16,
                                 1426 - 16,  3484 - 16,  4096,  5776 - 16, 9376 - 16,
                                 15424 - 16, 65472 - 16, 65536, 200000};
  const int64_t s = STEP[below(g, sizeof STEP / sizeof *STEP)] + (int64_t)below(g, 3) - 1;
  return s < 0 ? 0 : s;
}

static void compute_round(struct gen *g)
{
  for (uint32_t r = 0; r < g->ranks; r++) {
    const double amount = (double)below(g, 1000000);
    if (below(g, 3) == 0)
      put(g, r, (struct action){.kind = ACTION_SLEEP, .amount = amount * 1e-9});
    else
      put(g, r, (struct action){.kind = ACTION_COMPUTE, .amount = amount});
  }
}

static struct action p2p(enum action_kind kind, const struct message *m)
{
  const bool send = kind == ACTION_SEND || kind == ACTION_ISEND;
  return (struct action){.kind = kind,
                         .partner = (int32_t)(send ? m->dst : m->src),
                         .tag = m->tag,
                         .count = m->bytes,
                         .type = DATATYPE_BYTE};
}

static struct action receive(struct gen *g, enum action_kind kind, const struct message *m)
{
  struct action a = p2p(kind, m);
  if (g->any && m->any)
    a.partner = ACTION_ANY_SOURCE; /* no other message has this tag */
  return a;
}

static uint32_t draw_messages(struct gen *g, struct message *m)
{
  const uint32_t n = 1 + below(g, MAX_MESSAGES);
  for (uint32_t i = 0; i < n; i++) {
    m[i] = (struct message){below(g, g->ranks), below(g, g->ranks), g->next_tag++, size(g),
                            below(g, 2) == 0};
    if (m[i].src == m[i].dst)
      m[i].dst = (m[i].dst + 1) % g->ranks;
  }
  return n;
}

/* All ranks process the messages in the same order, so no rank waits for a later one. */
static void blocking_round(struct gen *g)
{
  struct message m[MAX_MESSAGES];
  const uint32_t n = draw_messages(g, m);
  for (uint32_t i = 0; i < n; i++) {
    put(g, m[i].src, p2p(ACTION_SEND, &m[i]));
    struct action recv = receive(g, ACTION_RECV, &m[i]);
    if (below(g, 12) == 0)
      recv.count = ACTION_COUNT_OF_MESSAGE;
    put(g, m[i].dst, recv);
  }
}

static struct action on_request(struct gen *g, enum action_kind kind, const struct message *m,
                                bool send)
{
  struct action a = {
      .kind = kind, .source = (int32_t)m->src, .partner = (int32_t)m->dst, .tag = m->tag};
  if (!send && g->any && m->any)
    a.source = ACTION_ANY_SOURCE;
  return a;
}

/* Sometimes tests the request, once: a second test makes SMPI forget that the first succeeded. */
static void end_request(struct gen *g, const struct message *m, bool send)
{
  const uint32_t rank = send ? m->src : m->dst;
  if (below(g, 2) == 0)
    put(g, rank, on_request(g, ACTION_TEST, m, send));
  put(g, rank, on_request(g, ACTION_WAIT, m, send));
}

static void nonblocking_round(struct gen *g)
{
  struct message m[MAX_MESSAGES];
  uint32_t order[2 * MAX_MESSAGES];
  const uint32_t n = draw_messages(g, m);
  for (uint32_t i = 0; i < 2 * n; i++)
    order[i] = i;
  rng_shuffle(&g->rng, order, 2 * n);
  for (uint32_t i = 0; i < 2 * n; i++) {
    const struct message *one = &m[order[i] / 2];
    if (order[i] % 2 == 0)
      put(g, one->src, p2p(ACTION_ISEND, one));
    else
      put(g, one->dst, receive(g, ACTION_IRECV, one));
  }
  const bool waitall = below(g, 2) == 0;
  rng_shuffle(&g->rng, order, 2 * n);
  for (uint32_t i = 0; !waitall && i < 2 * n; i++)
    end_request(g, &m[order[i] / 2], order[i] % 2 == 0);
  for (uint32_t r = 0; waitall && r < g->ranks; r++)
    put(g, r, (struct action){.kind = ACTION_WAITALL, .count = 2 * MAX_MESSAGES});
}

static void exchange_round(struct gen *g)
{
  const uint32_t shift = below(g, g->ranks);
  const int64_t bytes = size(g);
  for (uint32_t r = 0; r < g->ranks; r++)
    put(g, r,
        (struct action){.kind = ACTION_SENDRECV,
                        .partner = (int32_t)((r + shift) % g->ranks),
                        .source = (int32_t)((r + g->ranks - shift) % g->ranks),
                        .count = bytes,
                        .count2 = bytes,
                        .type = DATATYPE_BYTE,
                        .type2 = DATATYPE_BYTE});
}

/* counts[i][j]: count that rank i sends to rank j in a collective with counts. */
static void draw_counts(struct gen *g)
{
  const bool equal = below(g, 2) == 0;
  const int32_t all = (int32_t)size(g);
  for (uint32_t i = 0; i < g->ranks; i++)
    for (uint32_t j = 0; j < g->ranks; j++)
      g->counts[i][j] = equal ? all : (int32_t)size(g);
}

static void set_counts(struct gen *g, struct action *a, uint32_t rank, int32_t *column)
{
  for (uint32_t i = 0; i < g->ranks; i++)
    column[i] = g->counts[i][rank];
  switch (a->kind) {
  case ACTION_ALLTOALLV:
    a->sendcounts = g->counts[rank];
    a->recvcounts = column;
    break;
  case ACTION_GATHERV:
  case ACTION_ALLGATHERV:
    a->count = g->counts[0][rank];
    a->recvcounts = g->counts[0];
    break;
  case ACTION_SCATTERV:
    a->count2 = g->counts[0][rank];
    a->sendcounts = g->counts[0];
    break;
  default:
    a->recvcounts = g->counts[0];
    break;
  }
}

static void collective_round(struct gen *g)
{
  const enum action_kind kind =
      (enum action_kind)(ACTION_BARRIER + below(g, ACTION_EXSCAN - ACTION_BARRIER + 1));
  const bool reduces = kind == ACTION_REDUCE || kind == ACTION_ALLREDUCE || kind == ACTION_SCAN ||
                       kind == ACTION_EXSCAN || kind == ACTION_REDUCESCATTER;
  struct action a = {.kind = kind,
                     .root = action_is_rooted(kind) ? below(g, g->ranks) : 0,
                     .amount = reduces ? (double)below(g, 10000) : 0,
                     .type = DATATYPE_BYTE,
                     .type2 = DATATYPE_BYTE};
  const int64_t bytes = kind == ACTION_BARRIER ? 0 : size(g);
  draw_counts(g);
  for (uint32_t r = 0; r < g->ranks; r++) {
    int32_t column[MAX_RANKS];
    a.count = a.count2 = bytes;
    if (kind == ACTION_ALLTOALLV || kind == ACTION_GATHERV || kind == ACTION_SCATTERV ||
        kind == ACTION_ALLGATHERV || kind == ACTION_REDUCESCATTER) {
      a.count = a.count2 = 0;
      set_counts(g, &a, r, column);
    }
    put(g, r, a);
  }
}

static void all_ranks(struct gen *g, enum action_kind kind)
{
  for (uint32_t r = 0; r < g->ranks; r++)
    put(g, r, (struct action){.kind = kind});
}

static void generate(struct gen *g)
{
  static void (*const ROUND[])(struct gen *) = {compute_round,  blocking_round,   nonblocking_round,
                                                exchange_round, collective_round, collective_round};
  all_ranks(g, ACTION_INIT);
  for (uint32_t rounds = 5 + below(g, 20); rounds > 0; rounds--)
    ROUND[below(g, sizeof ROUND / sizeof *ROUND)](g);
  all_ranks(g, ACTION_FINALIZE);
}

int main(int argc, char **argv)
{
  static struct gen g;
  uint64_t seed;
  if (argc < 3 || num_u64(argv[1], UINT64_MAX, &seed, &g.err) != OK) {
    fprintf(stderr, "usage: genprog SEED DIR [any]\n");
    return 2;
  }
  g.rng = rng_new(seed, 0);
  g.next_tag = 1; /* sendRecv uses tag 0 */
  g.ranks = 2 + below(&g, MAX_RANKS - 1);
  g.any = argc > 3 && strcmp(argv[3], "any") == 0;
  if (writer_new(&g.writer, argv[2], g.ranks, &g.err) == OK) {
    generate(&g);
    if (g.failed)
      writer_abandon(g.writer);
    else
      g.failed = writer_commit(g.writer, &g.err) != OK;
  } else {
    g.failed = true;
  }
  if (g.failed)
    fprintf(stderr, "genprog: %s\n", g.err.text);
  else
    printf("%" PRIu32 "\n", g.ranks);
  return g.failed;
}
