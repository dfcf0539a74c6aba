#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/traces/collectives/named.h"
#include "traces/collectives/call.h"
#include "traces/collectives/nodes.h"

#define MAX_RANKS 20
#define MAX_OPS   200000

struct message {
  uint32_t src, dst;
  int32_t tag;
  uint64_t bytes;
};

struct traffic {
  struct message sent[MAX_OPS], received[MAX_OPS];
  size_t sends, receives;
  struct nodes *nodes; /* ranks that share hosts; NULL: none do */
  uint64_t prepared;   /* bit mask of groups that know their hosts */
};

/* A call with blocks of @p count elements of 8 bytes. */
struct calling {
  enum action_kind kind;
  uint32_t ranks, root;
  int32_t count;
};

/* Fewer elements than ranks, and enough elements for algorithms with segments. */
enum { FEW = 3, MANY = 2500 };

static int compare(const void *a, const void *b)
{
  const struct message *x = a, *y = b;
  if (x->src != y->src)
    return x->src < y->src ? -1 : 1;
  if (x->dst != y->dst)
    return x->dst < y->dst ? -1 : 1;
  if (x->tag != y->tag)
    return x->tag < y->tag ? -1 : 1;
  return x->bytes == y->bytes ? 0 : x->bytes < y->bytes ? -1 : 1;
}

/* Counts that differ between ranks and are valid in every collective with counts. */
static int32_t counts[MAX_RANKS][MAX_RANKS], columns[MAX_RANKS][MAX_RANKS];

static void fill_counts(bool equal, int32_t count)
{
  for (int32_t i = 0; i < MAX_RANKS; i++)
    for (int32_t j = 0; j < MAX_RANKS; j++)
      columns[j][i] = counts[i][j] = equal ? count : (i * 7 + j * 5) % 11 * (count / FEW);
}

static struct lowering lowering_of(const struct calling *g, uint32_t rank)
{
  const uint64_t block = (uint64_t)g->count * 8;
  struct lowering l = {.rank = rank,
                       .ranks = g->ranks,
                       .root = g->root,
                       .count = (uint64_t)g->count,
                       .send_bytes = block,
                       .recv_bytes = block,
                       .send_size = 8,
                       .recv_size = 8};
  if (g->kind == ACTION_ALLTOALLV) {
    l.sendcounts = counts[rank];
    l.recvcounts = columns[rank];
  } else if (g->kind == ACTION_GATHERV || g->kind == ACTION_ALLGATHERV ||
             g->kind == ACTION_REDUCESCATTER) {
    l.recvcounts = counts[0];
    l.send_bytes = (uint64_t)counts[0][rank] * 8;
  } else if (g->kind == ACTION_SCATTERV) {
    l.sendcounts = counts[0];
    l.recv_bytes = (uint64_t)counts[0][rank] * 8;
  }
  return l;
}

static const struct collectives DEFAULTS;

static void note(const struct lowering *l, const struct op *op, struct traffic *t)
{
  const bool send = op->kind == OP_SEND;
  const struct message m = {send ? l->rank : op->peer, send ? op->peer : l->rank, op->tag,
                            op->bytes};
  assert_true(op->peer < l->ranks);
  assert_true(op->tag < 0);
  if (send)
    t->sent[t->sends++] = m;
  else
    t->received[t->receives++] = m;
}

static void collect(const struct lowering *l, const struct lower_algorithm *a, struct traffic *t)
{
  struct lowering placed = *l;
  struct op op;
  placed.algorithm = a;
  placed.choice = &DEFAULTS;
  placed.nodes = t->nodes;
  placed.prepared = t->prepared;
  placed.member = l->rank;
  struct call c = {.whole = placed, .lowering = placed};
  while (call_step(&c, &op))
    if (op.kind == OP_SEND || op.kind == OP_RECV)
      note(l, &op, t);
}

/* Collects the messages of all ranks. */
static void collect_ranks(const struct calling *g, const struct lower_algorithm *a,
                          struct traffic *t)
{
  t->sends = t->receives = 0;
  for (uint32_t r = 0; r < g->ranks; r++) {
    const struct lowering l = lowering_of(g, r);
    collect(&l, a, t);
  }
  qsort(t->sent, t->sends, sizeof *t->sent, compare);
  qsort(t->received, t->receives, sizeof *t->received, compare);
}

/* collect_ranks() with FEW elements and a root in the middle. */
static void collect_all(enum action_kind kind, const struct lower_algorithm *a, uint32_t ranks,
                        struct traffic *t)
{
  const struct calling g = {kind, ranks, ranks / 2, FEW};
  collect_ranks(&g, a, t);
}

static bool same_messages(const struct traffic *t)
{
  if (t->sends != t->receives)
    return false;
  for (size_t i = 0; i < t->sends; i++)
    if (compare(&t->sent[i], &t->received[i]) != 0)
      return false;
  return true;
}

/* Checks all algorithms of all collectives. */
static void check_pairs(struct calling g, struct traffic *t)
{
  for (g.kind = ACTION_BARRIER; g.kind <= ACTION_EXSCAN; g.kind++)
    for (size_t i = 0; lower_algorithm(g.kind, i) != NULL; i++) {
      collect_ranks(&g, lower_algorithm(g.kind, i), t);
      if (!same_messages(t))
        fail_msg("%s=%s on %u ranks, root %u, %d elements: %zu sends, %zu receives",
                 action_name(g.kind), lower_algorithm(g.kind, i)->row.name, g.ranks, g.root,
                 g.count, t->sends, t->receives);
    }
}

static void every_send_has_its_receive(void **state)
{
  for (int equal = 0; equal < 2; equal++) {
    fill_counts(equal, FEW);
    for (uint32_t ranks = 1; ranks <= MAX_RANKS; ranks++)
      check_pairs((struct calling){.ranks = ranks, .root = ranks / 2, .count = FEW}, *state);
  }
}

/* Shared hosts: 2 and 3 ranks per host, round robin on 3 hosts, one host for all ranks, and two
 * placements of ranks that are not consecutive. */
static void every_send_has_its_receive_on_shared_hosts(void **state)
{
  static const uint32_t HOST[][MAX_RANKS] = {
      {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9},
      {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6},
      {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1},
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
      {7, 2, 2, 9, 7, 3, 2, 2, 9, 9, 9, 1, 2, 3, 3, 5, 5, 1, 6, 6},
      {0, 1, 4, 4, 1, 0, 1, 4, 4, 1, 0, 1, 4, 4, 1, 0, 1, 4, 4, 1},
  };
  struct traffic *t = *state;
  for (size_t h = 0; h < sizeof HOST / sizeof *HOST; h++)
    for (uint32_t ranks = 1; ranks <= MAX_RANKS; ranks++) {
      struct err e;
      const struct collectives on = {.host = HOST[h]};
      t->nodes = nodes_new(NULL, ranks, &on, &e);
      assert_non_null(t->nodes);
      fill_counts(false, FEW);
      check_pairs((struct calling){.ranks = ranks, .root = ranks / 2, .count = FEW}, t);
      fill_counts(true, MANY);
      for (uint32_t root = 0; root<ranks; root += ranks> 6 ? 3 : 1)
        check_pairs((struct calling){.ranks = ranks, .root = root, .count = MANY}, t);
      nodes_free(t->nodes);
      t->nodes = NULL;
    }
}

static uint64_t bytes_of(const struct traffic *t)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < t->sends; i++)
    sum += t->sent[i].bytes;
  return sum;
}

static void messages_and_bytes_agree_with_the_algorithm(void **state)
{
  struct traffic *t = *state;
  static const struct {
    enum action_kind kind;
    const char *name;
    uint32_t ranks;
    size_t messages;
    uint64_t bytes; /* blocks of 24 */
  } CASE[] = {
      {ACTION_BARRIER, "default", 7, 12, 0},
      {ACTION_BARRIER, "ompi_bruck", 8, 24, 0},
      {ACTION_BARRIER, "ompi_recursivedoubling", 6, 8 + 2 + 2, 0},
      {ACTION_BCAST, "default", 13, 12, 12 * 24},
      {ACTION_BCAST, "flattree", 13, 12, 12 * 24},
      {ACTION_REDUCE, "default", 13, 12, 12 * 24},
      {ACTION_REDUCE, "binomial", 13, 12, 12 * 24},
      {ACTION_ALLREDUCE, "default", 8, 14, 14 * 24},
      {ACTION_ALLREDUCE, "rdb", 8, 24, 24 * 24},
      {ACTION_ALLREDUCE, "rdb", 6, 8 + 2 + 2, 12 * 24},
      {ACTION_ALLTOALL, "basic_linear", 6, 30, 30 * 24},
      {ACTION_ALLTOALL, "pair", 8, 56, 56 * 24},
      {ACTION_ALLTOALL, "ring", 7, 42, 42 * 24},
      {ACTION_ALLTOALL, "bruck", 8, 24, 8 * 12 * 24},
      {ACTION_ALLTOALL, "bruck", 5, 15, 5 * (2 + 2 + 1) * 24},
      {ACTION_ALLGATHER, "default", 5, 20, 20 * 24},
      {ACTION_ALLGATHER, "ring", 5, 20, 20 * 24},
      {ACTION_GATHER, "default", 5, 4, 4 * 24},
      {ACTION_SCATTER, "default", 5, 4, 4 * 24},
      {ACTION_SCAN, "default", 5, 10, 10 * 24},
      {ACTION_REDUCESCATTER, "mpich_pair", 5, 20, 20 * 24},
      {ACTION_REDUCESCATTER, "reduce_scatterv", 5, 8, (4 * 5 + 4) * 24},
  };
  fill_counts(true, FEW);
  for (size_t c = 0; c < sizeof CASE / sizeof *CASE; c++) {
    collect_all(CASE[c].kind, named(CASE[c].kind, CASE[c].name), CASE[c].ranks, t);
    if (t->sends != CASE[c].messages || bytes_of(t) != CASE[c].bytes)
      fail_msg("%s=%s on %u ranks: %zu messages, %zu bytes", action_name(CASE[c].kind),
               CASE[c].name, CASE[c].ranks, t->sends, (size_t)bytes_of(t));
  }
}

/* Collectives that gather and scatter, with blocks of 24 bytes.  With rdb on 6 ranks, 3 pairs
 * exchange a block, 2 pairs exchange 2 blocks, and then 2 ranks send 4 blocks, receive 2 and
 * forward them to 2 other ranks.  With rhv, 4 of 8 ranks have numbers that are palindromes in
 * binary.  With ompi_binomial, relative ranks 1, 2, .. pass on the listed numbers of blocks. */
static const struct {
  enum action_kind kind;
  const char *name;
  uint32_t ranks;
  size_t messages, blocks;
} GATHERING[] = {
    {ACTION_ALLGATHER, "pair", 8, 56, 56},
    {ACTION_ALLGATHER, "spreading_simple", 5, 20, 20},
    {ACTION_ALLGATHER, "NTSLR", 5, 20, 20},
    {ACTION_ALLGATHER, "NTSLR_NB", 5, 20, 20},
    {ACTION_ALLGATHER, "GB", 5, 4 + 4, 4 + 4 * 5},
    {ACTION_ALLGATHER, "bruck", 8, 24, 8 * (1 + 2 + 4)},
    {ACTION_ALLGATHER, "bruck", 5, 15, 5 * (1 + 2 + 1)},
    {ACTION_ALLGATHER, "rdb", 8, 24, 8 * (1 + 2 + 4)},
    {ACTION_ALLGATHER, "rdb", 6, 6 + 4 + 4 + 2, 6 * 1 + 4 * 2 + 2 * (4 + 2) + 2 * 2},
    {ACTION_ALLGATHER, "rhv", 8, 24 + 4, 8 * (1 + 2 + 4) + 4},
    {ACTION_ALLGATHER, "ompi_neighborexchange", 6, 18, 6 * (1 + 2 + 2)},
    {ACTION_ALLGATHER, "2dmesh", 12, 12 * (3 + 2), 12 * (3 + 2 * 4)},
    {ACTION_ALLGATHER, "2dmesh", 7, 7 * 6, 7 * 6},
    {ACTION_ALLGATHER, "3dmesh", 12, 12 * (1 + 1 + 2), 12 * (1 + 2 + 2 * 4)},
    {ACTION_ALLGATHER, "3dmesh", 10, 10 * 9, 10 * 9},
    {ACTION_ALLGATHERV, "GB", 5, 4 + 4, 4 + 4 * 5},
    {ACTION_ALLGATHERV, "pair", 8, 56, 56},
    {ACTION_ALLGATHERV, "ring", 5, 20, 20},
    {ACTION_ALLGATHERV, "ompi_neighborexchange", 6, 18, 6 * (1 + 2 + 2)},
    {ACTION_ALLGATHERV, "ompi_bruck", 5, 15, 5 * (1 + 2 + 1)},
    {ACTION_ALLGATHERV, "mpich_rdb", 6, 6 + 4 + 4 + 2, 6 * 1 + 4 * 2 + 2 * (4 + 2) + 2 * 2},
    {ACTION_ALLGATHERV, "mpich_ring", 5, 20, 20},
    {ACTION_GATHER, "ompi_basic_linear", 5, 4, 4},
    {ACTION_GATHER, "ompi_linear_sync", 5, 3 * 4, 4},
    {ACTION_GATHER, "ompi_binomial", 13, 12, 1 + 2 + 1 + 4 + 1 + 2 + 1 + 5 + 1 + 2 + 1 + 1},
    {ACTION_SCATTER, "ompi_basic_linear", 5, 4, 4},
    {ACTION_SCATTER, "ompi_linear_nb", 5, 4, 4},
    {ACTION_SCATTER, "ompi_binomial", 13, 12, 1 + 2 + 1 + 4 + 1 + 2 + 1 + 5 + 1 + 2 + 1 + 1},
};

static void gathering_and_scattering_move_the_right_blocks(void **state)
{
  struct traffic *t = *state;
  fill_counts(true, FEW);
  for (size_t c = 0; c < sizeof GATHERING / sizeof *GATHERING; c++) {
    collect_all(GATHERING[c].kind, named(GATHERING[c].kind, GATHERING[c].name), GATHERING[c].ranks,
                t);
    if (t->sends != GATHERING[c].messages || bytes_of(t) != 24 * GATHERING[c].blocks)
      fail_msg("%s=%s on %u ranks: %zu messages, %zu bytes", action_name(GATHERING[c].kind),
               GATHERING[c].name, GATHERING[c].ranks, t->sends, (size_t)bytes_of(t));
  }
}

/* Two levels, after the ranks have found their hosts: 12 ranks with 3 per host (the root, 6, is the
 * leader of its host), 14 ranks with 2 per host (the root, 7, is not), and 13 ranks with 2 per host
 * (the last rank is alone).  The sums are the messages within hosts, between hosts, and within
 * hosts again. A single message between the root and its leader is a separate summand. */
static void two_levels_move_the_right_blocks(void **state)
{
  static const struct {
    enum action_kind kind;
    const char *name;
    uint32_t ranks, cores;
    size_t messages, blocks;
  } CASE[] = {
      {ACTION_GATHER, "mvapich2_two_level", 12, 3, 8 + 3, 8 + 3 * 3},
      {ACTION_GATHER, "mvapich2_two_level", 14, 2, 7 + 6 + 1, 7 + 6 * 2 + 14},
      {ACTION_GATHER, "mvapich2_two_level", 13, 2, 6 + 6, 6 + 11},
      {ACTION_SCATTER, "mvapich2_two_level_binomial", 12, 3, 3 + 8, (1 + 2 + 1) * 3 + 8},
      {ACTION_SCATTER, "mvapich2_two_level_direct", 12, 3, 3 + 8, 3 * 3 + 8},
      {ACTION_SCATTER, "mvapich2_two_level_direct", 14, 2, 1 + 6 + 7, 14 + 6 * 2 + 7},
      {ACTION_SCATTER, "mvapich2_two_level_direct", 13, 2, 6 + 6, 11 + 6},
      {ACTION_SCATTER, "mvapich2_two_level_binomial", 12, 12, 11, 11},
      {ACTION_ALLGATHER, "smp_simple", 12, 3, 24 + 12 + 8, 24 + 12 * 3 + 8 * 12},
      {ACTION_ALLGATHER, "SMP_NTS", 12, 3, 24 + 12 + 24, 24 + 12 * 3 + 24 * 3},
      {ACTION_ALLGATHER, "loosely_lr", 12, 3, 96 + 36, 96 + 36},
      {ACTION_ALLGATHER, "mvapich2_smp", 12, 3, 8 + 8 + 8, 8 + 4 * (1 + 2) * 3 + 8 * 12},
      {ACTION_ALLGATHER, "mvapich2_smp", 13, 2, 6 + 42 + 6, 6 + 13 * 6 + 6 * 13},
  };
  struct traffic *t = *state;
  struct err e;
  t->prepared = UINT64_MAX;
  for (size_t c = 0; c < sizeof CASE / sizeof *CASE; c++) {
    const struct collectives on = {.ranks_per_host = CASE[c].cores};
    t->nodes = nodes_new(NULL, CASE[c].ranks, &on, &e);
    assert_non_null(t->nodes);
    collect_all(CASE[c].kind, named(CASE[c].kind, CASE[c].name), CASE[c].ranks, t);
    if (t->sends != CASE[c].messages || bytes_of(t) != 24 * CASE[c].blocks)
      fail_msg("%s=%s on %u ranks: %zu messages, %zu bytes", action_name(CASE[c].kind),
               CASE[c].name, CASE[c].ranks, t->sends, (size_t)bytes_of(t));
    nodes_free(t->nodes);
  }
  t->nodes = NULL;
  t->prepared = 0;
}

/* 14 ranks in twos, root 7: pairs of blocks go to rank 6, the leader of the root's host, and all
 * 14 from there to the root.  A scatter is the reverse. */
static void blocks_pass_the_leader_of_the_roots_host(void **state)
{
  struct traffic *t = *state;
  const struct collectives on = {.ranks_per_host = 2};
  struct err e;
  t->prepared = UINT64_MAX;
  t->nodes = nodes_new(NULL, 14, &on, &e);
  assert_non_null(t->nodes);
  for (int scatter = 0; scatter < 2; scatter++) {
    size_t pairs = 0;
    collect_all(scatter ? ACTION_SCATTER : ACTION_GATHER,
                scatter ? named(ACTION_SCATTER, "mvapich2_two_level_direct")
                        : named(ACTION_GATHER, "mvapich2_two_level"),
                14, t);
    for (size_t i = 0; i < t->sends; i++) {
      const struct message *m = &t->sent[i];
      if (m->bytes == 2 * 24)
        pairs += (scatter ? m->src : m->dst) == 6;
      if (m->bytes == 14 * 24)
        assert_int_equal(scatter ? m->src : m->dst, 7);
    }
    assert_int_equal(pairs, 6);
  }
  nodes_free(t->nodes);
  t->nodes = NULL;
  t->prepared = 0;
}

/* MPICH's ring uses segments of 256 KiB, because the smallest block is empty.  The blocks of
 * 300,000 and 1,000,000 bytes have 2 and 4 segments.  A rank sends all blocks except the block
 * of the next rank. */
static void a_ring_sends_long_blocks_in_segments(void **state)
{
  struct traffic *t = *state;
  static const int32_t bytes[] = {300000, 0, 1000000};
  t->sends = t->receives = 0;
  for (uint32_t r = 0; r < 3; r++) {
    const struct lowering l = {.rank = r,
                               .ranks = 3,
                               .recvcounts = bytes,
                               .send_bytes = (uint64_t)bytes[r],
                               .send_size = 1,
                               .recv_size = 1};
    collect(&l, named(ACTION_ALLGATHERV, "mpich_ring"), t);
  }
  assert_int_equal(t->sends, (2 + 4) + 2 + 4);
  assert_int_equal(bytes_of(t), 1300000 + 300000 + 1000000);
  assert_int_equal(t->sent[0].bytes, 262144);
  assert_int_equal(t->sent[1].bytes, 300000 - 262144);
  assert_int_equal(t->sent[5].bytes, 1000000 - 3 * 262144);
}

/* The first segment of a block above 92,160 bytes has 32 KiB; of a smaller block, 1 KiB.  It is
 * rounded to elements, and a longer element is sent complete. */
static void linear_sync_cuts_at_an_element(void **state)
{
  struct traffic *t = *state;
  static const struct {
    uint64_t bytes, size, first;
  } CASE[] = {
      {1000, 8, 1000},    {1024, 8, 1024},   {2000, 8, 1024},      {92160, 10, 1020},
      {92180, 20, 32760}, {92190, 7, 32767}, {30000, 3000, 30000}, {2400, 24, 1032},
  };
  for (size_t c = 0; c < sizeof CASE / sizeof *CASE; c++) {
    t->sends = t->receives = 0;
    const struct lowering l = {
        .rank = 1, .ranks = 2, .send_bytes = CASE[c].bytes, .send_size = CASE[c].size};
    collect(&l, named(ACTION_GATHER, "ompi_linear_sync"), t);
    assert_int_equal(t->sent[0].bytes, CASE[c].first);
    assert_int_equal(t->sent[1].bytes, CASE[c].bytes - CASE[c].first);
  }
}

/* Spot checks of Open MPI's table, each at a threshold. */
static void alltoall_is_chosen_by_ranks_and_size(void **state)
{
  (void)state;
  static const struct {
    uint32_t ranks;
    uint64_t bytes;
    const char *name;
  } CASE[] = {
      {2, 1, "pair"},
      {2, 2, "basic_linear"},
      {2, 1048576, "pair"},
      {7, 524287, "basic_linear"},
      {7, 524288, "pair"},
      {7, 1048576, "basic_linear"},
      {15, 4, "basic_linear"},
      {16, 3, "basic_linear"},
      {16, 4, "bruck"},
      {16, 512, "basic_linear"},
      {32, 511, "bruck"},
      {64, 1023, "bruck"},
      {64, 1024, "basic_linear"},
      {64, 262144, "pair"},
      {256, 32768, "pair"},
      {512, 512, "basic_linear"},
      {1024, 262144, "basic_linear"},
      {2048, 1023, "bruck"},
      {4096, 2047, "bruck"},
      {4096, 2048, "basic_linear"},
  };
  for (size_t c = 0; c < sizeof CASE / sizeof *CASE; c++) {
    struct lowering l = {.ranks = CASE[c].ranks, .send_bytes = CASE[c].bytes};
    const struct lower_algorithm *a = lower_picked(lower_algorithm(ACTION_ALLTOALL, 0), &l);
    if (strcmp(a->row.name, CASE[c].name) != 0)
      fail_msg("alltoall of %zu bytes on %u ranks is %s", (size_t)CASE[c].bytes, CASE[c].ranks,
               a->row.name);
  }
}

static void settings_are_checked(void **state)
{
  (void)state;
  struct collectives c = {.host = NULL};
  struct err e;
  assert_int_equal(collectives_set(&c, "allreduce=rdb", &e), OK);
  assert_int_equal(c.algorithm[ACTION_ALLREDUCE - ACTION_BARRIER], 1);
  assert_int_equal(collectives_set(&c, "allreduce", &e), FAIL);
  assert_string_equal(e.text,
                      "collective 'allreduce': expected NAME=ALGORITHM, as in allreduce=rdb");
  assert_int_equal(collectives_set(&c, "scan=nosuch", &e), FAIL);
  assert_string_equal(e.text, "collective scan has no algorithm 'nosuch'; it has: default");
  assert_int_equal(collectives_set(&c, "reducible=rdb", &e), FAIL);
  assert_string_equal(e.text, "'reducible' is not a collective; see 'haichi list collectives'");
}

static int set_up(void **state)
{
  *state = calloc(1, sizeof(struct traffic));
  return *state == NULL;
}

static int tear_down(void **state)
{
  free(*state);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_send_has_its_receive),
      cmocka_unit_test(every_send_has_its_receive_on_shared_hosts),
      cmocka_unit_test(messages_and_bytes_agree_with_the_algorithm),
      cmocka_unit_test(gathering_and_scattering_move_the_right_blocks),
      cmocka_unit_test(two_levels_move_the_right_blocks),
      cmocka_unit_test(blocks_pass_the_leader_of_the_roots_host),
      cmocka_unit_test(a_ring_sends_long_blocks_in_segments),
      cmocka_unit_test(linear_sync_cuts_at_an_element),
      cmocka_unit_test(alltoall_is_chosen_by_ranks_and_size),
      cmocka_unit_test(settings_are_checked),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
