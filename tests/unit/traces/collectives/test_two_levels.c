/* Nodes of ranks, and algorithms with parts that run on a node or among the leaders of nodes.
 * The messages of bcast, barrier and all-to-all algorithms are counted by hand. */
#include "traces/collectives/call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/traces/collectives/named.h"
#include "tests/unit/traces/lowered_text.h"
#include "traces/collectives/nodes.h"
#include "traces/program/program.h"

#define MAX_RANKS 13

/* --- shared hosts ----------------------------------------------------------------------------- */

static void nodes_are_numbered_by_their_first_members(void **state)
{
  (void)state;
  static const struct {
    uint32_t ranks, host[6], ranks_per_host; /* ranks_per_host > 0: no hosts */
    uint32_t count, node[6], place[6];
    bool uniform, blocked;
  } CASE[] = {
      {4, {7, 7, 2, 2}, 0, 2, {0, 0, 1, 1}, {0, 1, 0, 1}, true, true},
      {4, {9, 3, 9, 3}, 0, 2, {0, 1, 0, 1}, {0, 0, 1, 1}, true, false},
      {5, {1, 1, 1, 0, 0}, 0, 2, {0, 0, 0, 1, 1}, {0, 1, 2, 0, 1}, false, true},
      {6, {5, 4, 4, 5, 6, 4}, 0, 3, {0, 1, 1, 0, 2, 1}, {0, 0, 1, 1, 0, 2}, false, false},
      {3, {8, 8, 8}, 0, 1, {0, 0, 0}, {0, 1, 2}, true, true},
      {5, {0}, 2, 3, {0, 0, 1, 1, 2}, {0, 1, 0, 1, 0}, false, true},
  };
  for (size_t c = 0; c < COUNT(CASE); c++) {
    const struct collectives on = {.host = CASE[c].ranks_per_host == 0 ? CASE[c].host : NULL,
                                   .ranks_per_host = CASE[c].ranks_per_host};
    struct err e;
    struct nodes *n = nodes_new(NULL, CASE[c].ranks, &on, &e);
    assert_non_null(n);
    assert_int_equal(n->count, CASE[c].count);
    assert_int_equal(n->uniform, CASE[c].uniform);
    assert_int_equal(n->blocked, CASE[c].blocked);
    for (uint32_t m = 0; m < CASE[c].ranks; m++) {
      assert_int_equal(n->node[m], CASE[c].node[m]);
      assert_int_equal(n->place[m], CASE[c].place[m]);
      assert_int_equal(n->member[n->first[n->node[m]] + n->place[m]], m);
    }
    nodes_free(n);
  }
}

/* --- messages --------------------------------------------------------------------------------- */

/* Sums over the messages from one rank to another. */
struct pair {
  uint64_t messages, bytes;
};

struct traffic {
  struct pair sent[MAX_RANKS][MAX_RANKS];
  uint64_t once; /* sends that a communicator makes only once */
};

static const struct collectives DEFAULTS;
static int32_t counts[MAX_RANKS], all_counts[MAX_RANKS];

static struct lowering lowering_of(enum action_kind kind, uint64_t count, uint32_t ranks)
{
  struct lowering l = {.ranks = ranks,
                       .count = count,
                       .send_bytes = count * 8,
                       .recv_bytes = count * 8,
                       .send_size = 8,
                       .recv_size = 8,
                       .choice = &DEFAULTS};
  for (uint32_t i = 0; i < ranks; i++)
    all_counts[i] = counts[i] = (int32_t)count;
  if (kind == ACTION_ALLTOALLV || kind == ACTION_SCATTERV)
    l.sendcounts = all_counts;
  if (kind == ACTION_ALLTOALLV || kind == ACTION_GATHERV || kind == ACTION_ALLGATHERV ||
      kind == ACTION_REDUCESCATTER)
    l.recvcounts = counts;
  return l;
}

/* Sums up the sends of all ranks in *t, which is zeroed first. */
static void collect(const struct lowering *l, const struct lower_algorithm *a, struct traffic *t)
{
  memset(t, 0, sizeof *t);
  for (uint32_t r = 0; r < l->ranks; r++) {
    struct call c = {.whole = *l};
    struct op op;
    c.whole.algorithm = a;
    c.whole.rank = c.whole.member = r;
    c.lowering = c.whole;
    while (call_step(&c, &op)) {
      if (op.kind != OP_SEND)
        continue;
      assert_true(op.peer < l->ranks);
      t->once += c.preparing;
      t->sent[r][op.peer].messages++;
      t->sent[r][op.peer].bytes += op.bytes;
    }
  }
}

static struct pair total(const struct traffic *t)
{
  struct pair sum = {0};
  for (uint32_t i = 0; i < MAX_RANKS; i++)
    for (uint32_t j = 0; j < MAX_RANKS; j++) {
      sum.messages += t->sent[i][j].messages;
      sum.bytes += t->sent[i][j].bytes;
    }
  return sum;
}

#define ALONE 0
#define DONE  UINT64_MAX

static void messages_and_bytes_agree_with_the_algorithm(void **state)
{
  struct traffic *t = *state;
  static const struct {
    enum action_kind kind;
    const char *name;
    uint32_t ranks, root, cores;
    uint64_t prepared, count; /* elements of 8 bytes */
    uint64_t messages, bytes;
  } CASE[] = {
      {ACTION_BARRIER, "ompi_two_procs", 2, 0, ALONE, DONE, 0, 2, 0},
      {ACTION_BARRIER, "ompi_tree", 6, 0, ALONE, DONE, 0, 10, 0},
      {ACTION_BARRIER, "ompi_doublering", 5, 0, ALONE, DONE, 0, 10, 0},
      {ACTION_BARRIER, "mvapich2_pair", 6, 0, ALONE, DONE, 0, 8 + 2 + 2, 0},
      {ACTION_BARRIER, "mpich_smp", 6, 0, 2, DONE, 0, 6 + 6 + 3, 3},
      {ACTION_BARRIER, "mpich_smp", 6, 0, 2, 0, 0, 15 + 30 + 6 + 9 + 10, 3 + 46 * 4 + 18},
      {ACTION_BCAST, "scatter_LR_allgather", 4, 1, ALONE, DONE, 3, 3 + 12, 24 + 72},
      {ACTION_BCAST, "scatter_LR_allgather", 5, 0, ALONE, DONE, 0, 20, 0},
      {ACTION_BCAST, "scatter_rdb_allgather", 4, 1, ALONE, DONE, 3, 3 + 8, 24 + 72},
      {ACTION_BCAST, "scatter_rdb_allgather", 4, 1, ALONE, DONE, 0, 0, 0},
      {ACTION_BCAST, "NTSL", 5, 2, ALONE, DONE, 3, 5, 5 * 24},
      {ACTION_BCAST, "NTSB", 5, 0, ALONE, DONE, 2500, 4 * 2 + 4, 4 * 20000},
      {ACTION_BCAST, "NTSB", 5, 0, ALONE, DONE, 2048, 4 * 2, 4 * 16384},
      {ACTION_BCAST, "flattree_pipeline", 5, 3, ALONE, DONE, 2500, 4 * 3, 4 * 20000},
      {ACTION_BCAST, "ompi_pipeline", 3, 1, ALONE, DONE, 2500, 2 * 2, 2 * 20000},
      {ACTION_BCAST, "ompi_split_bintree", 5, 1, ALONE, DONE, 2500, 4 * 10 + 4, 4 * 20000},
      {ACTION_BCAST, "ompi_split_bintree", 4, 1, ALONE, DONE, 2500, 3 * 10 + 3, 3 * 20000},
      {ACTION_BCAST, "mvapich2_knomial_intra_node", 5, 2, ALONE, DONE, 3, 4, 4 * 24},
      {ACTION_BCAST, "mvapich2_knomial_intra_node", 5, 2, ALONE, 0, 3, 4 + 48, 4 * 24 + 192},
      {ACTION_BCAST, "mvapich2_inter_node", 6, 3, 2, DONE, 3, 1 + 2 + 3, 6 * 24},
      {ACTION_BCAST, "mvapich2_intra_node", 6, 3, 2, DONE, 3, 5, 5 * 24},
      {ACTION_BCAST, "mvapich2_intra_node", 6, 3, 2, DONE, 2500, 1 + 2 + 3, 6 * 20000},
      {ACTION_BCAST, "SMP_binary", 6, 0, 2, DONE, 2500, 5 * 3, 5 * 20000},
      {ACTION_BCAST, "SMP_binomial", 6, 5, 3, DONE, 2500, 6, 6 * 20000},
      {ACTION_BCAST, "SMP_binomial", 5, 4, 3, DONE, 3, 4, 4 * 24},
      {ACTION_BCAST, "SMP_linear", 6, 0, 2, DONE, 3, 5, 5 * 24},
      {ACTION_ALLTOALL, "2dmesh", 6, 0, ALONE, DONE, 3, 18, 6 * (2 * 144 + 72)},
      {ACTION_ALLTOALL, "3dmesh", 8, 0, ALONE, DONE, 3, 24, 8 * (192 + 384 + 96)},
      {ACTION_ALLTOALL, "rdb", 4, 0, ALONE, DONE, 3, 8, 4 * (96 + 192)},
      {ACTION_ALLTOALL, "mvapich2_scatter_dest", 5, 0, ALONE, DONE, 3, 25, 25 * 24},
      {ACTION_ALLTOALL, "pair_light_barrier", 4, 0, ALONE, DONE, 3, 12 + 8, 12 * 24 + 8},
      {ACTION_ALLTOALL, "ring_mpi_barrier", 4, 0, ALONE, DONE, 3, 4 * 6 + 12, 12 * 24},
      {ACTION_ALLTOALL, "pair_one_barrier", 4, 0, ALONE, DONE, 3, 6 + 12, 12 * 24},
      {ACTION_ALLTOALLV, "bruck", 5, 0, ALONE, DONE, 3, 20, 20 * 24},
      {ACTION_ALLTOALLV, "ring_light_barrier", 4, 0, ALONE, DONE, 3, 12 + 8, 12 * 24 + 8},
  };
  for (size_t c = 0; c < COUNT(CASE); c++) {
    struct lowering l = lowering_of(CASE[c].kind, CASE[c].count, CASE[c].ranks);
    const struct collectives on = {.ranks_per_host = CASE[c].cores};
    struct err e;
    struct nodes *n = CASE[c].cores == ALONE ? NULL : nodes_new(NULL, CASE[c].ranks, &on, &e);
    l.root = CASE[c].root;
    l.nodes = n;
    l.prepared = CASE[c].prepared;
    collect(&l, named(CASE[c].kind, CASE[c].name), t);
    nodes_free(n);
    const struct pair sum = total(t);
    if (sum.messages != CASE[c].messages || sum.bytes != CASE[c].bytes)
      fail_msg("case %zu, %s=%s on %u ranks: %zu messages, %zu bytes", c, action_name(CASE[c].kind),
               CASE[c].name, CASE[c].ranks, (size_t)sum.messages, (size_t)sum.bytes);
  }
}

/* --- a program -------------------------------------------------------------------------------- */

static size_t count_sends(const char *text, const struct collectives *c, bool *asked)
{
  struct lowered_text f;
  struct op op;
  struct err e;
  size_t sends = 0;
  lowered_text_open(&f, text, c);
  for (uint32_t r = 0; r < 4; r++) {
    bool more = true;
    while (program_next(f.program, r, &op, &more, &e) == OK && more)
      sends += op.kind == OP_SEND;
    assert_false(more);
  }
  *asked = program_asks_hosts(f.program);
  lowered_text_close(&f);
  return sends;
}

/* Ranks find out once which ranks share hosts, and only if an algorithm needs it. */
static void a_program_prepares_once(void **state)
{
  (void)state;
#define ALL(LINE) "0 " LINE "\n1 " LINE "\n2 " LINE "\n3 " LINE "\n"
  static const uint32_t HOST[] = {0, 1, 0, 1};
  struct collectives alone = {.host = NULL}, shared = {.host = HOST};
  struct err e;
  bool asked;
  assert_int_equal(count_sends(ALL("init") ALL("barrier"), &shared, &asked), 6);
  assert_false(asked);
  assert_int_equal(collectives_set(&alone, "barrier=mpich_smp", &e), OK);
  assert_int_equal(collectives_set(&shared, "barrier=mpich_smp", &e), OK);
  /* The preparation takes 12 + 12 + 6 messages if no hosts are shared, 12 + 2 + 6 + 6 on shared
   * hosts. */
  assert_int_equal(count_sends(ALL("init") ALL("barrier"), &alone, &asked), 30 + 8);
  assert_true(asked);
  assert_int_equal(count_sends(ALL("init") ALL("barrier"), &shared, &asked), 26 + 4 + 2 + 2);
  assert_int_equal(count_sends(ALL("init") ALL("barrier") ALL("barrier"), &shared, &asked),
                   26 + 2 * 8);
}

/* A folded trace counts an iteration with its weight, but one-time operations only once. */
static void operations_done_once_are_marked(void **state)
{
  struct traffic *t = *state;
  const struct collectives on = {.ranks_per_host = 2};
  struct lowering l = lowering_of(ACTION_BARRIER, 0, 6);
  struct err e;
  struct nodes *n = nodes_new(NULL, 6, &on, &e);
  l.nodes = n;
  collect(&l, named(ACTION_BARRIER, "mpich_smp"), t);
  assert_int_equal(t->once, 30 + 6 + 9 + 10);
  assert_int_equal(total(t).messages, 55 + 15);
  l.prepared = DONE;
  collect(&l, named(ACTION_BARRIER, "mpich_smp"), t);
  assert_int_equal(t->once, 0);
  nodes_free(n);
}

static void algorithms_that_cannot_be_lowered_are_refused_by_name(void **state)
{
  (void)state;
  struct collectives c = {.host = NULL};
  struct err e;
  assert_int_equal(collectives_set(&c, "bcast=arrival_scatter", &e), FAIL);
  assert_string_equal(e.text, "collective bcast: algorithm 'arrival_scatter' cannot be lowered: "
                              "rank 0 probes which ranks have arrived");
  assert_int_equal(collectives_set(&c, "alltoall=pair_rma", &e), FAIL);
  assert_string_equal(e.text, "collective alltoall: algorithm 'pair_rma' cannot be lowered: its "
                              "transfers are one-sided");
  assert_int_equal(collectives_set(&c, "bcast=pair_rma", &e), FAIL);
  assert_non_null(strstr(e.text, "collective bcast has no algorithm 'pair_rma'; it has: default"));
}

static int set_up(void **state)
{
  *state = malloc(sizeof(struct traffic));
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
      cmocka_unit_test(nodes_are_numbered_by_their_first_members),
      cmocka_unit_test(messages_and_bytes_agree_with_the_algorithm),
      cmocka_unit_test(a_program_prepares_once),
      cmocka_unit_test(operations_done_once_are_marked),
      cmocka_unit_test(algorithms_that_cannot_be_lowered_are_refused_by_name),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
