/* Compares routes and the spanning tree with an independent computation. */
#include "wan/routing.h"

#include <string.h>

#include "tests/unit/count.h"
#include "tests/unit/wan/grid_case.h"
#include "wan/bounding.h"
#include "wan/tree.h"

struct world {
  struct processes p;
  struct bounding b;
  struct routing r;
};

static struct world must_route(struct processes p, uint32_t beta, uint64_t seed)
{
  struct world w = {.p = p};
  struct err e;
  const struct bounding_input in = {.processes = &w.p, .beta = beta, .seed = seed};
  if (bounding_new(&w.b, &in, &e) != OK || routing_new(&w.r, &w.b.graph, &w.p, NULL, &e) != OK)
    fail_msg("%s", e.text);
  return w;
}

static void clear(struct world *w)
{
  routing_clear(&w->r);
  bounding_clear(&w->b);
  processes_clear(&w->p);
}

/* Shortest paths by Floyd and Warshall. */
static uint64_t *shortest(const struct processes *p, const struct adjacency *g)
{
  const size_t n = p->n;
  uint64_t *d = malloc(n * n * sizeof *d);
  assert_non_null(d);
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n; b++)
      d[a * n + b] = a == b                            ? 0
                     : adjacency_find(g, a, b) != NULL ? processes_rtt(p, a, b)
                                                       : UINT64_MAX / 4;
  for (size_t k = 0; k < n; k++)
    for (size_t a = 0; a < n; a++)
      for (size_t b = 0; b < n; b++)
        if (d[a * n + k] + d[k * n + b] < d[a * n + b])
          d[a * n + b] = d[a * n + k] + d[k * n + b];
  return d;
}

/* The tables must lead to the destination with the stated hops and RTT. */
static void check_route(const struct world *w, uint32_t from, uint32_t to)
{
  uint64_t rtt = 0;
  uint32_t hops = 0, at = from;
  while (at != to) {
    const uint32_t next = routing_next(&w->r, at, to);
    assert_true(next < w->p.n);
    assert_non_null(adjacency_find(&w->b.graph, at, next));
    rtt += processes_rtt(&w->p, at, next);
    assert_true(++hops < w->p.n);
    at = next;
  }
  assert_int_equal(hops, routing_hops(&w->r, from, to));
  assert_int_equal(rtt, routing_rtt(&w->r, from, to));
}

static void check_routes(struct world *w)
{
  uint64_t *d = shortest(&w->p, &w->b.graph);
  for (uint32_t a = 0; a < w->p.n; a++)
    for (uint32_t b = 0; b < w->p.n; b++) {
      if (d[(size_t)a * w->p.n + b] >= UINT64_MAX / 4) {
        assert_int_equal(routing_next(&w->r, a, b), ROUTING_NO_ROUTE);
        assert_true(routing_rtt(&w->r, a, b) == UINT64_MAX);
        continue;
      }
      assert_int_equal(d[(size_t)a * w->p.n + b], routing_rtt(&w->r, a, b));
      check_route(w, a, b);
    }
  free(d);
}

static void routes_are_the_shortest(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < 5; seed++) {
    for (uint32_t beta = 1; beta <= 4; beta++) {
      struct world w = must_route(case_grid(32, CASE_3FW), beta, seed);
      check_routes(&w);
      clear(&w);
    }
    struct processes p;
    struct err e;
    assert_int_equal(processes_random(&p, 40, seed, &e), OK);
    struct world w = must_route(p, 1, seed);
    check_routes(&w);
    clear(&w);
  }
}

/* RTTs of 0 cause no loops: the fewest hops win, then the lowest neighbour. */
static void equal_routes_are_chosen_by_hops_then_number(void **state)
{
  (void)state;
  struct processes p = case_grid(8, CASE_OPEN);
  memset(p.rtt_ps, 0, 64 * sizeof *p.rtt_ps);
  const struct adjacency_open open[] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {2, 4},
                                        {4, 5}, {5, 6}, {6, 7}, {7, 2}};
  struct adjacency g;
  struct routing r;
  struct err e;
  assert_int_equal(adjacency_new(&g, 8, open, COUNT(open), &e), OK);
  assert_int_equal(routing_new(&r, &g, &p, NULL, &e), OK);
  assert_int_equal(routing_next(&r, 0, 2), 1);
  assert_int_equal(routing_next(&r, 2, 0), 1);
  assert_int_equal(routing_hops(&r, 0, 5), 4);
  assert_int_equal(routing_next(&r, 2, 6), 7);
  assert_int_equal(routing_hops(&r, 3, 3), 0);
  assert_int_equal(routing_next(&r, 3, 3), ROUTING_NO_ROUTE);
  const struct routing_figures f = routing_figures(&r);
  assert_int_equal(f.pairs, 56);
  assert_int_equal(f.direct, 2 * COUNT(open));
  assert_int_equal(f.most_hops, 4);
  routing_clear(&r);
  adjacency_clear(&g);
  processes_clear(&p);
}

static void figures_sum_up(void **state)
{
  (void)state;
  struct processes p = case_grid(4, CASE_OPEN);
  const struct adjacency_open open[] = {{0, 1}, {2, 1}};
  struct adjacency g;
  struct routing r;
  struct err e;
  assert_int_equal(adjacency_new(&g, 4, open, COUNT(open), &e), OK);
  assert_int_equal(routing_new(&r, &g, &p, NULL, &e), OK);
  const struct routing_figures f = routing_figures(&r); /* 4, 8 and 12 ms, in both directions */
  assert_int_equal(f.pairs, 6);
  assert_int_equal(f.direct, 4);
  assert_true(f.mean_hops == 8 / 6.0 && f.most_hops == 2);
  assert_true(f.mean_rtt_s == 0.008 && f.most_rtt_s == 0.012);
  routing_clear(&r);
  adjacency_clear(&g);
  processes_clear(&p);
}

/* The tree has n - 1 connections of the graph and spans it.  Each one is opened by the same side
 * as in the graph. */
static void trees_span_the_graph(void **state)
{
  (void)state;
  for (uint32_t root = 0; root < 64; root += 9) {
    struct world w = must_route(case_grid(64, CASE_1FW), 2, root);
    struct adjacency tree;
    struct err e;
    uint32_t component[64], components;
    assert_int_equal(tree_new(&tree, &w.b.graph, &w.r, root, &e), OK);
    assert_int_equal(adjacency_count(&tree), 63);
    assert_int_equal(adjacency_components(&tree, component, &components, &e), OK);
    assert_int_equal(components, 1);
    for (uint32_t p = 0; p < 64; p++)
      for (size_t i = tree.first[p]; i < tree.first[p + 1]; i++)
        assert_int_equal(tree.edge[i].opened,
                         adjacency_find(&w.b.graph, p, tree.edge[i].to)->opened);
    struct routing on;
    assert_int_equal(routing_new(&on, &tree, &w.p, NULL, &e), OK);
    for (uint32_t p = 0; p < 64; p++)
      assert_int_equal(routing_rtt(&on, p, root), routing_rtt(&w.r, p, root));
    routing_clear(&on);
    adjacency_clear(&tree);
    clear(&w);
  }
}

static void disconnected_graphs_are_refused(void **state)
{
  (void)state;
  static const struct {
    uint32_t opens, components, root;
    const char *error;
  } cases[] = {{3, 1, 0, NULL},
               {2, 2, 0, "the bounding graph is disconnected: process 3 has no route to process 0"},
               {1, 3, 0,
                "the bounding graph is disconnected: process 2 and others have no route to process "
                "0"},
               {1, 3, 2,
                "the bounding graph is disconnected: process 0 and others have no route to process "
                "2"},
               {2, 2, 3,
                "the bounding graph is disconnected: process 0 and others have no route to process "
                "3"}};
  const struct adjacency_open open[] = {{0, 1}, {2, 1}, {3, 0}};
  struct processes p = case_grid(4, CASE_OPEN);
  for (size_t i = 0; i < COUNT(cases); i++) {
    struct adjacency g, tree = {0};
    struct routing r;
    struct err e;
    uint32_t component[4], components;
    assert_int_equal(adjacency_new(&g, 4, open, cases[i].opens, &e), OK);
    assert_int_equal(adjacency_components(&g, component, &components, &e), OK);
    assert_int_equal(components, cases[i].components);
    assert_int_equal(routing_new(&r, &g, &p, NULL, &e), OK);
    assert_int_equal(tree_new(&tree, &g, &r, cases[i].root, &e),
                     cases[i].error == NULL ? OK : FAIL);
    if (cases[i].error != NULL)
      assert_string_equal(e.text, cases[i].error);
    adjacency_clear(&tree);
    routing_clear(&r);
    adjacency_clear(&g);
  }
  /* Only process 1, the one after the root, is unreachable. */
  const struct adjacency_open around[] = {{0, 2}, {3, 2}};
  struct adjacency g, tree;
  struct routing r;
  struct err e;
  assert_int_equal(adjacency_new(&g, 4, around, COUNT(around), &e), OK);
  assert_int_equal(routing_new(&r, &g, &p, NULL, &e), OK);
  assert_int_equal(tree_new(&tree, &g, &r, 0, &e), FAIL);
  assert_string_equal(e.text,
                      "the bounding graph is disconnected: process 1 has no route to process 0");
  routing_clear(&r);
  adjacency_clear(&g);
  processes_clear(&p);
}

/* A pair that is opened from both sides, or twice, is one connection. */
static void a_pair_opened_twice_is_one_connection(void **state)
{
  (void)state;
  const struct adjacency_open open[] = {{2, 0}, {0, 2}, {1, 2}, {1, 2}};
  struct adjacency g;
  struct err e;
  assert_int_equal(adjacency_new(&g, 3, open, COUNT(open), &e), OK);
  assert_int_equal(adjacency_count(&g), 2);
  assert_true(adjacency_find(&g, 2, 0)->opened && adjacency_find(&g, 0, 2)->opened);
  assert_true(adjacency_find(&g, 1, 2)->opened);
  assert_false(adjacency_find(&g, 2, 1)->opened);
  assert_null(adjacency_find(&g, 0, 1));
  adjacency_clear(&g);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(routes_are_the_shortest),
      cmocka_unit_test(equal_routes_are_chosen_by_hops_then_number),
      cmocka_unit_test(figures_sum_up),
      cmocka_unit_test(trees_span_the_graph),
      cmocka_unit_test(disconnected_graphs_are_refused),
      cmocka_unit_test(a_pair_opened_twice_is_one_connection),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
