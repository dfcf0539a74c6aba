#include "traces/graph/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/count.h"
#include "traces/datatype.h"

#define NONE UINT32_MAX

enum { NODES = 6, EDGES = 8 };

/* Edges of a graph of a few nodes.  The record of node i is 10 + i. */
static const struct {
  uint32_t nodes;
  struct graph_edge edge[EDGES]; /* up to an edge from NONE */
  const char *order;             /* old numbers; NULL: a cycle */
  uint64_t record;               /* of the cycle */
} CASES[] = {
    {3, {{NONE, 0, false}}, "012", 0},
    {3, {{0, 1, false}, {1, 2, true}, {NONE, 0, false}}, "012", 0},
    {3, {{2, 0, false}, {NONE, 0, false}}, "120", 0},
    {4, {{3, 2, false}, {2, 1, true}, {1, 0, false}, {NONE, 0, false}}, "3210", 0},
    {5, {{4, 0, false}, {4, 0, true}, {4, 0, false}, {NONE, 0, false}}, "12340", 0},
    {1, {{0, 0, false}, {NONE, 0, false}}, NULL, 10},
    /* 0 only follows the cycle of 2 and 3. */
    {4, {{2, 3, false}, {3, 2, true}, {2, 0, false}, {NONE, 0, false}}, NULL, 13},
};

static void build(struct graph *g, size_t c)
{
  struct err e;
  for (uint32_t i = 0; i < CASES[c].nodes; i++)
    assert_int_equal(
        graph_add(g, &(struct graph_node){.kind = ACTION_COMPUTE, .record = 10 + i}, &e), OK);
  for (size_t i = 0; CASES[c].edge[i].from != NONE; i++)
    assert_int_equal(graph_depend(g, &CASES[c].edge[i], &e), OK);
}

/* All dependences point forward, and each node waits for the stated number of nodes. */
static void check_targets(const struct graph *g)
{
  uint32_t needs[NODES] = {0};
  for (uint32_t i = 0; i < g->nodes; i++) {
    assert_true(g->node[i].first <= g->node[i].middle && g->node[i].middle <= g->node[i + 1].first);
    for (uint32_t k = g->node[i].first; k < g->node[i + 1].first; k++) {
      assert_true(g->target[k] > i);
      needs[g->target[k]]++;
    }
  }
  for (uint32_t i = 0; i < g->nodes; i++)
    assert_int_equal(needs[i], g->node[i].needs);
}

static void nodes_are_sorted(void **state)
{
  (void)state;
  for (size_t c = 0; c < COUNT(CASES); c++) {
    struct graph g = {0};
    struct err e;
    uint64_t record;
    build(&g, c);
    const enum status s = graph_finish(&g, &record, &e);
    assert_int_equal(s == OK, CASES[c].order != NULL);
    if (s == OK) {
      for (uint32_t i = 0; i < g.nodes; i++)
        assert_int_equal(g.node[i].record, 10 + (uint64_t)(CASES[c].order[i] - '0'));
      check_targets(&g);
    } else {
      assert_int_equal(record, CASES[c].record);
      assert_string_equal(e.text, "this operation depends on itself");
    }
    graph_clear(&g);
  }
}

/* A chain of 10^6 nodes in the wrong order, and the same with its ends joined. */
static void deep_graphs_need_no_stack(void **state)
{
  (void)state;
  enum { DEEP = 1000000 };
  for (int cyclic = 0; cyclic < 2; cyclic++) {
    struct graph g = {0};
    struct err e;
    uint64_t record;
    for (uint32_t i = 0; i < DEEP; i++)
      assert_int_equal(graph_add(&g, &(struct graph_node){.kind = ACTION_COMPUTE, .record = i}, &e),
                       OK);
    for (uint32_t i = 0; i + 1 < DEEP + (uint32_t)cyclic; i++)
      assert_int_equal(graph_depend(&g, &(struct graph_edge){(i + 1) % DEEP, i, false}, &e), OK);
    assert_int_equal(graph_finish(&g, &record, &e), cyclic ? FAIL : OK);
    if (!cyclic)
      assert_int_equal(g.node[0].record, DEEP - 1);
    graph_clear(&g);
  }
}

/* Collectives wait for the begin of the previous one. */
static void collectives_are_ordered(void **state)
{
  (void)state;
  struct graph g = {0};
  struct err e;
  uint64_t record;
  const uint8_t kind[] = {ACTION_BARRIER, ACTION_COMPUTE, ACTION_BARRIER, ACTION_BCAST};
  for (size_t i = 0; i < COUNT(kind); i++)
    assert_int_equal(graph_add(&g, &(struct graph_node){.kind = kind[i]}, &e), OK);
  assert_int_equal(graph_finish(&g, &record, &e), OK);
  assert_int_equal(g.node[0].needs + g.node[1].needs, 0);
  assert_int_equal(g.node[2].needs, 1);
  assert_int_equal(g.node[3].needs, 1);
  assert_int_equal(g.target[g.node[0].middle], 2);
  graph_clear(&g);
}

/* Counts of rank 1 in collectives on 4 ranks. */
static void bytes_are_split(void **state)
{
  (void)state;
  static const struct {
    enum action_kind kind, becomes;
    uint64_t bytes;
    int64_t count;
    int32_t sent[4], received[4];
  } ROW[] = {
      {ACTION_ALLREDUCE, ACTION_ALLREDUCE, 10, 10, {0}, {0}},
      {ACTION_ALLTOALL, ACTION_ALLTOALL, 8, 2, {0}, {0}},
      {ACTION_ALLTOALL, ACTION_ALLTOALLV, 9, 2, {3, 2, 2, 2}, {2, 2, 2, 2}},
      {ACTION_SCATTER, ACTION_SCATTER, 8, 2, {0}, {0}},
      {ACTION_SCATTER, ACTION_SCATTERV, 11, 3, {3, 3, 3, 2}, {0}},
      {ACTION_REDUCESCATTER, ACTION_REDUCESCATTER, 6, 2, {0}, {2, 2, 1, 1}},
  };
  struct graph_counts counts = {0};
  for (size_t i = 0; i < COUNT(ROW); i++) {
    const struct graph_node n = {.kind = (uint8_t)ROW[i].kind, .bytes = ROW[i].bytes};
    struct action a;
    struct err e;
    assert_int_equal(graph_action(&n, 1, 4, &counts, &a, &e), OK);
    assert_int_equal(a.kind, ROW[i].becomes);
    assert_int_equal(a.count, ROW[i].count);
    assert_int_equal(a.type, DATATYPE_BYTE);
    if (ROW[i].sent[0] > 0)
      assert_memory_equal(a.sendcounts, ROW[i].sent, sizeof ROW[i].sent);
    if (ROW[i].received[0] > 0)
      assert_memory_equal(a.recvcounts, ROW[i].received, sizeof ROW[i].received);
  }
  free(counts.count);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nodes_are_sorted),
      cmocka_unit_test(deep_graphs_need_no_stack),
      cmocka_unit_test(collectives_are_ordered),
      cmocka_unit_test(bytes_are_split),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
