/* Reductions: messages, trees and segments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "tests/unit/count.h"
#include "tests/unit/traces/collectives/named.h"
#include "traces/collectives/call.h"
#include "traces/collectives/nodes.h"
#include "traces/collectives/shapes/halving.h"
#include "traces/collectives/shapes/ompi_tree.h"
#include "traces/collectives/shapes/segments.h"

#define MAX_RANKS 20

static const struct collectives DEFAULTS;

struct sums {
  size_t messages;
  uint64_t sent, received; /* elements of 8 bytes */
};

struct reduction {
  enum action_kind kind;
  const char *name;
  uint32_t ranks, root;
  uint64_t count;
  size_t messages;
  uint64_t elements;
};

/* All ranks know which ranks share hosts. */
static struct sums sums_of(const struct reduction *r, const struct nodes *nodes)
{
  static const int32_t PARTS[MAX_RANKS] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
                                           3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
  static const int32_t EMPTY[MAX_RANKS] = {0};
  const int32_t *parts = r->count == 0 ? EMPTY : PARTS;
  struct sums s = {0, 0, 0};
  for (uint32_t rank = 0; rank < r->ranks; rank++) {
    const struct lowering l = {.rank = rank,
                               .ranks = r->ranks,
                               .root = r->root,
                               .count = r->count,
                               .send_bytes = 8 * r->count,
                               .send_size = 8,
                               .recv_size = 8,
                               .recvcounts = r->kind == ACTION_REDUCESCATTER ? parts : NULL,
                               .algorithm = named(r->kind, r->name),
                               .choice = &DEFAULTS,
                               .nodes = nodes,
                               .member = rank,
                               .prepared = UINT64_MAX};
    struct call c = {.whole = l, .lowering = l};
    struct op op;
    while (call_step(&c, &op)) {
      s.messages += op.kind == OP_SEND;
      s.sent += op.kind == OP_SEND ? op.bytes / 8 : 0;
      s.received += op.kind == OP_RECV ? op.bytes / 8 : 0;
    }
  }
  return s;
}

static void check_sums(const struct reduction *r, const struct nodes *nodes)
{
  const struct sums s = sums_of(r, nodes);
  if (s.messages != r->messages || s.sent != r->elements || s.received != r->elements)
    fail_msg("%s=%s on %u ranks: %zu messages of %zu elements, %zu received", action_name(r->kind),
             r->name, r->ranks, s.messages, (size_t)s.sent, (size_t)s.received);
}

static void messages_and_elements_agree_with_the_algorithm(void **state)
{
  (void)state;
  static const struct reduction CASE[] = {
      {ACTION_REDUCE, "flat_tree", 5, 2, 7, 4, 4 * 7},
      {ACTION_REDUCE, "ompi_basic_linear", 5, 2, 7, 4, 4 * 7},
      /* 2 segments of 1,024 elements over 3 hops; the rest goes directly to the root */
      {ACTION_REDUCE, "NTSL", 4, 1, 3000, 6 + 3, 6 * 1024 + 3 * 952},
      {ACTION_REDUCE, "NTSL", 4, 1, 1000, 3, 3000},
      {ACTION_REDUCE, "ompi_chain", 7, 3, 10000, 6 * 2, 60000},
      {ACTION_REDUCE, "ompi_pipeline", 4, 3, 10000, 3 * 3, 30000},
      {ACTION_REDUCE, "ompi_binary", 7, 3, 5000, 6 * 2, 30000},
      {ACTION_REDUCE, "ompi_binomial", 9, 3, 1000, 8 * 8, 8000},
      {ACTION_REDUCE, "ompi_binomial", 9, 3, 100, 8, 800},
      {ACTION_REDUCE, "ompi_in_order_binary", 5, 2, 7, 4 + 1, 5 * 7},
      {ACTION_REDUCE, "ompi_in_order_binary", 5, 4, 7, 4, 4 * 7},
      {ACTION_REDUCE, "mvapich2_knomial", 17, 3, 7, 16, 16 * 7},
      {ACTION_REDUCE, "scatter_gather", 8, 4, 1000, 24 + 7, 7000 + 1500},
      /* one rank of each of 2 pairs drops out; the root would, so it takes the place of rank 0 */
      {ACTION_REDUCE, "scatter_gather", 6, 3, 1000, 2 + 8 + 1 + 3, 2000 + 3000 + 250 + 1000},
      {ACTION_REDUCE, "scatter_gather", 4, 0, 3, 8 + 3, 12 + 4},
      {ACTION_REDUCE, "rab", 8, 4, 1000, 24 + 12, 7000 + 3500},
      {ACTION_REDUCE, "rab", 6, 3, 1000, 6 + 8 + 1 + 4, 3000 + 3000 + 250 + 1500},
      {ACTION_ALLREDUCE, "rab_rdb", 8, 0, 1000, 48, 14000},
      {ACTION_ALLREDUCE, "rab_rdb", 6, 0, 1000, 2 + 16 + 2, 2000 + 6000 + 2000},
      {ACTION_ALLREDUCE, "mvapich2_rs", 8, 0, 1000, 48, 14000},
      {ACTION_ALLREDUCE, "mvapich2_rs", 8, 0, 5, 24, 24 * 5},
      {ACTION_ALLREDUCE, "rab", 6, 0, 1000, 6 + 16 + 2, 3000 + 6000 + 2000},
      {ACTION_ALLREDUCE, "lr", 4, 0, 1001, 24 + 6, 6000 + 6},
      {ACTION_ALLREDUCE, "lr", 4, 0, 3, 6, 18},
      {ACTION_ALLREDUCE, "redbcast", 8, 0, 7, 14, 14 * 7},
      {ACTION_ALLREDUCE, "rab1", 4, 0, 1001, 8 + 12, 3 * 4 * 251 + 12 * 251},
      {ACTION_ALLREDUCE, "rab1", 6, 0, 1000, 20, 10000},
      {ACTION_ALLREDUCE, "rab2", 4, 0, 1001, 12 + 12, 24 * 251},
      {ACTION_ALLREDUCE, "rab2", 4, 0, 3, 12 + 12, 24 * 4},
      /* one or two phases of segments: with 400,000 elements, more than half a phase remains */
      {ACTION_ALLREDUCE, "ompi_ring_segmented", 2, 0, 300000, 2 + 2, 600000},
      {ACTION_ALLREDUCE, "ompi_ring_segmented", 2, 0, 400000, 4 + 2, 800000},
      {ACTION_ALLREDUCE, "ompi_ring_segmented", 2, 0, 1000, 4, 4 * 500},
      {ACTION_REDUCESCATTER, "ompi_basic_recursivehalving", 8, 0, 24, 24, 8 * 21},
      {ACTION_REDUCESCATTER, "ompi_basic_recursivehalving", 6, 0, 18, 12, 36 + 36 + 18 + 6},
      {ACTION_REDUCESCATTER, "ompi_ring", 5, 0, 15, 20, 60},
      {ACTION_REDUCESCATTER, "ompi_butterfly", 4, 0, 12, 8 + 2, 36 + 6},
      {ACTION_REDUCESCATTER, "mpich_pair", 4, 0, 12, 12, 36},
      {ACTION_REDUCESCATTER, "mpich_pair", 4, 0, 0, 0, 0},
      {ACTION_REDUCESCATTER, "mpich_noncomm", 4, 0, 12, 8, 36},
      {ACTION_REDUCESCATTER, "mpich_noncomm", 2, 0, 6, 2, 6},
  };
  for (size_t i = 0; i < COUNT(CASE); i++)
    check_sums(&CASE[i], NULL);
}

/* 4 nodes of 2 ranks: 4 messages up and 4 down within the nodes. */
static void leaders_reduce_between_nodes(void **state)
{
  (void)state;
  static const uint32_t HOST[] = {4, 4, 7, 7, 1, 1, 9, 9};
  static const struct reduction CASE[] = {
      {ACTION_ALLREDUCE, "smp_binomial", 8, 0, 1000, 8 + 3 + 3, 14000},
      {ACTION_ALLREDUCE, "smp_binomial", 8, 0, 0, 8 + 3 + 3, 0},
      {ACTION_REDUCE, "binomial", 8, 0, 0, 0, 0},
      {ACTION_ALLREDUCE, "smp_rdb", 8, 0, 1000, 8 + 8, 16000},
      {ACTION_ALLREDUCE, "smp_rsag", 8, 0, 1001, 8 + 24, 8008 + 6 * 1001},
      {ACTION_ALLREDUCE, "smp_rsag_lr", 8, 0, 1001, 8 + 24, 8008 + 6 * 1001},
      {ACTION_ALLREDUCE, "smp_rsag_rab", 8, 0, 1000, 8 + 16, 8000 + 6000},
      {ACTION_ALLREDUCE, "smp_binomial_pipeline", 8, 0, 9000, 14 * 3, 14 * 9000},
  };
  const struct collectives on = {.host = HOST};
  struct err e;
  struct nodes *n = nodes_new(NULL, 8, &on, &e);
  assert_non_null(n);
  for (size_t i = 0; i < COUNT(CASE); i++)
    check_sums(&CASE[i], n);
  nodes_free(n);
}

static struct ompi_tree half_chains(const struct lowering *l)
{
  return ompi_tree_chain(l, l->ranks / 2);
}

static struct ompi_tree two_chains(const struct lowering *l)
{
  return ompi_tree_chain(l, 2);
}

static struct ompi_tree three_chains(const struct lowering *l)
{
  return ompi_tree_chain(l, 3);
}

static void trees_agree_with_open_mpi(void **state)
{
  (void)state;
  static const struct {
    struct ompi_tree (*tree)(const struct lowering *l);
    uint32_t ranks, root, rank, parent, children, child[5];
  } CASE[] = {
      {half_chains, 1, 0, 0, 0, 0, {0}},
      {half_chains, 10, 0, 0, 0, 5, {1, 3, 5, 7, 9}}, /* the last chain is shorter */
      {half_chains, 10, 0, 9, 0, 0, {0}},
      {half_chains, 10, 7, 8, 7, 1, {9}},
      {half_chains, 10, 7, 9, 8, 0, {0}},
      {two_chains, 6, 0, 0, 0, 2, {1, 4}},
      {two_chains, 6, 0, 3, 2, 0, {0}},
      {two_chains, 6, 0, 4, 0, 1, {5}},
      {three_chains, 8, 0, 0, 0, 3, {1, 4, 6}},
      {three_chains, 8, 0, 6, 0, 1, {7}},
      {ompi_tree_binary, 7, 0, 0, 0, 2, {1, 2}},
      {ompi_tree_binary, 7, 0, 1, 0, 2, {3, 5}},
      {ompi_tree_binary, 7, 0, 6, 2, 0, {0}},
      {ompi_tree_binary, 6, 4, 5, 4, 2, {1, 3}},
      {ompi_tree_in_order_binary, 9, 2, 8, 8, 2, {7, 3}},
      {ompi_tree_in_order_binary, 9, 2, 7, 8, 2, {6, 5}},
      {ompi_tree_in_order_binary, 9, 2, 5, 7, 1, {4}},
      {ompi_tree_in_order_binary, 9, 2, 3, 8, 2, {2, 1}},
      {ompi_tree_in_order_binary, 9, 2, 0, 1, 0, {0}},
      {ompi_tree_binomial, 8, 0, 0, 0, 3, {1, 2, 4}},
      {ompi_tree_binomial, 8, 1, 5, 1, 2, {6, 7}},
      {ompi_tree_binomial, 6, 0, 4, 0, 1, {5}},
  };
  for (size_t i = 0; i < COUNT(CASE); i++) {
    const struct lowering l = {.ranks = CASE[i].ranks, .root = CASE[i].root, .rank = CASE[i].rank};
    const struct ompi_tree t = CASE[i].tree(&l);
    if (t.parent != CASE[i].parent || t.children != CASE[i].children ||
        memcmp(t.child, CASE[i].child, t.children * sizeof *t.child) != 0)
      fail_msg("case %zu: parent %u, %u children from %u", i, t.parent, t.children, t.child[0]);
  }
}

/* For any number of ranks and after any number of rounds, ranks that differ in the bits of these
 * rounds have different parts, which add up to the whole. */
static void halves_add_up_to_the_whole(void **state)
{
  (void)state;
  for (int split = HALVING_BLOCKS; split <= HALVING_HALVES; split++)
    for (uint32_t ranks = 1; ranks <= MAX_RANKS; ranks++)
      for (uint64_t count = 0; count < 40; count++) {
        const struct lowering l = {.ranks = ranks};
        const struct halving h = {.pow2 = pow2_of(&l, true),
                                  .split = (enum halving_split)split,
                                  .count = count,
                                  .size = 8};
        for (uint32_t level = 0; level <= halving_rounds(&h); level++) {
          uint64_t sum = 0;
          for (uint32_t number = 0; number < UINT32_C(1) << level; number++)
            sum += halving_part(&h, number, level);
          assert_int_equal(sum, 8 * count);
        }
      }
  /* With 11 elements on 4 ranks, the last block has 5. */
  struct halving h = {.pow2 = {.pof2 = 4}, .split = HALVING_BLOCKS, .count = 11, .size = 1};
  assert_int_equal(halving_part(&h, 0, 2), 2);
  assert_int_equal(halving_part(&h, 3, 2), 5);
  assert_int_equal(halving_part(&h, 1, 1), 7);
}

/* The remaining ranks have different numbers, and pow2_rank() converts these back to ranks. */
static void numbers_of_a_power_of_two_are_distinct(void **state)
{
  (void)state;
  for (int odd = 0; odd < 2; odd++)
    for (uint32_t ranks = 1; ranks <= MAX_RANKS; ranks++) {
      uint32_t stay = 0, pof2 = 0;
      for (uint32_t rank = 0; rank < ranks; rank++) {
        const struct lowering l = {.rank = rank, .ranks = ranks};
        const struct pow2 p = pow2_of(&l, odd == 1);
        pof2 = p.pof2;
        if (p.number == POW2_ASIDE)
          continue;
        assert_int_equal(pow2_rank(&p, p.number), rank);
        assert_true(p.number < pof2);
        stay++;
      }
      assert_int_equal(stay, pof2);
    }
}

static void segments_are_rounded_as_in_open_mpi(void **state)
{
  (void)state;
  static const struct {
    uint64_t limit, size, count, elements;
  } CASE[] = {
      {1024, 8, 1000, 128}, {1024, 8, 128, 128}, {1024, 8, 129, 128}, {1024, 24, 1000, 43},
      {1024, 20, 1000, 51}, {1024, 2048, 5, 5},  {0, 8, 1000, 1000},  {1024, 8, 0, 0},
  };
  for (size_t i = 0; i < COUNT(CASE); i++)
    assert_int_equal(segments_elements(CASE[i].limit, CASE[i].size, CASE[i].count),
                     CASE[i].elements);
  assert_int_equal(segments_number(0, 5), 0);
  assert_int_equal(segments_number(11, 5), 3);
  assert_int_equal(segments_at(11, 5, 2), 1);
}

static void algorithms_that_depend_on_arrivals_are_refused(void **state)
{
  (void)state;
  struct collectives c = {.host = NULL};
  struct err e;
  assert_int_equal(collectives_set(&c, "reduce=arrival_pattern_aware", &e), FAIL);
  assert_string_equal(e.text, "collective reduce: algorithm 'arrival_pattern_aware' cannot be "
                              "lowered: rank 0 probes which ranks have arrived");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages_and_elements_agree_with_the_algorithm),
      cmocka_unit_test(leaders_reduce_between_nodes),
      cmocka_unit_test(trees_agree_with_open_mpi),
      cmocka_unit_test(halves_add_up_to_the_whole),
      cmocka_unit_test(numbers_of_a_power_of_two_are_distinct),
      cmocka_unit_test(segments_are_rounded_as_in_open_mpi),
      cmocka_unit_test(algorithms_that_depend_on_arrivals_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
