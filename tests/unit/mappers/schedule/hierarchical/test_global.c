/* Figure 10 of the paper: the network of figure 9 on the hosts of figure 4. */
#include "mappers/schedule/hierarchical/global.h"

#include "tests/unit/mappers/schedule/run.h"

enum { T1, T30, A10, A5, T25, T20, T15, ARRAYS };

#define COST(C)                                                                                    \
  {                                                                                                \
    C, 0, 0, 1                                                                                     \
  }

/* HG3: 4 hosts of speed 0.8.  HG4: a group of 4 hosts of 1.0 and 2 hosts of 1.2. */
static const struct hosts_group GROUP[] = {
    {.parent = HOSTS_NONE, .child = 1, .children = 2, .hosts = 10, .speed = 9.6},
    {.parent = 0, .first = 0, .hosts = 4, .depth = 1, .speed = 3.2},
    {.parent = 0, .child = 3, .children = 2, .first = 4, .hosts = 6, .depth = 1, .speed = 6.4},
    {.parent = 2, .first = 4, .hosts = 4, .depth = 2, .speed = 4},
    {.parent = 2, .first = 8, .hosts = 2, .depth = 2, .speed = 2.4},
};
enum { HG3 = 1, GROUPS = 5 };

static const bool ALL[GROUPS] = {true, true, true, true, true};

static const struct hosts FIGURE_4 = {
    .group = (struct hosts_group *)GROUP, .groups = GROUPS, .count = 10};

static void place(const struct tasknet *n, const struct hosts *h, const struct global_rules *rules,
                  const bool *open, uint32_t *leaf)
{
  struct global *g;
  struct err e = {""};
  ARENA(mem, &e);
  if (global_new(&g, n, h, rules, &mem) != OK)
    fail_msg("%s", e.text);
  for (int again = 0; again < 2; again++) /* earlier placements must not matter */
    if (global_place(g, open, leaf, &e) != OK)
      fail_msg("%s", e.text);
  global_clear(g);
}

static struct tasknet figure_9(uint32_t count)
{
  const struct build_array arrays[] = {
      {"t1", 1, TASKNET_A, COST(1)},       {"t30", 1, TASKNET_A, COST(30)},
      {"a10", count, TASKNET_A, COST(10)}, {"a5", count, TASKNET_A, COST(5)},
      {"t25", 1, TASKNET_A, COST(25)},     {"t20", 1, TASKNET_A, COST(20)},
      {"t15", 1, TASKNET_A, COST(15)},     {.name = NULL}};
  const struct build_stream streams[] = {
      {"s1", 1, "t1", "t30 t25", 8}, {"s2", 1, "t30", "a10", 9},    {"s3", count, "a10", "a5", 10},
      {"s4", 1, "t25", "t20", 50},   {"s5", 1, "a5 t20", "t15", 1}, {.name = NULL}};
  return build(arrays, streams);
}

/* Number of elements of each array that go to HG3. */
struct example {
  uint32_t count, hg3[ARRAYS];
  bool every;
};

static const struct example EXAMPLES[] = {
    {4, {0, 0, 0, 0, 1, 1, 0}, false}, /* (a): (i) to HG3, all others to HG4 */
    {4, {0, 0, 0, 0, 1, 1, 0}, true},
    /* (b): the work of (i) is 45.  The work of (iii), which consists of t30 and (ii), is 30 + 15 *
     * 8. HG4 gets 130 of these 195: t30, and 100 / 120 of (ii), which is 6.67 of 8 pairs.  If every
     * divided group gives its share, HG4 gets t30 and 2 / 3 of (ii), which is 5.33 of 8 pairs. */
    {8, {0, 0, 1, 1, 1, 1, 0}, false},
    {8, {0, 0, 3, 3, 1, 1, 0}, true},
    /* The work of (i) and (iii) is 45 + 30 + 15 * 20 = 375.  HG4 gets 250: t30, and 220 / 300 of 20
     * pairs. */
    {20, {0, 0, 5, 5, 1, 1, 0}, false},
};

static void figure_10(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++) {
    const struct example *x = &EXAMPLES[i];
    const struct global_rules rules = {1e-9, x->every};
    struct tasknet n = figure_9(x->count);
    uint32_t leaf[64];
    place(&n, &FIGURE_4, &rules, ALL, leaf);
    for (uint32_t a = 0; a < ARRAYS; a++) {
      uint32_t moved = 0;
      for (uint32_t k = 0; k < n.array[a].count; k++)
        moved += leaf[n.array[a].first + k] == HG3;
      if (moved != x->hg3[a])
        fail_msg("%u pairs: %u of %s to HG3, expected %u", x->count, moved, tasknet_name(&n, a),
                 x->hg3[a]);
    }
    tasknet_clear(&n);
  }
}

/* Hosts of speed 3, 2 and 1 and tasks of 60 and 4 x 10.  The first host should get 50 and gets the
 * indivisible 60.  The second should get 1 / 3 of all work, 33.3, and gets 40.  With 2 / 3 of what
 * is left, 26.7, it would get 30. */
static void shares_refer_to_all_work(void **state)
{
  (void)state;
  static const struct hosts_group group[] = {
      {.parent = HOSTS_NONE, .child = 1, .children = 3, .hosts = 3, .speed = 6},
      {.parent = 0, .first = 0, .hosts = 1, .depth = 1, .speed = 3},
      {.parent = 0, .first = 1, .hosts = 1, .depth = 1, .speed = 2},
      {.parent = 0, .first = 2, .hosts = 1, .depth = 1, .speed = 1},
  };
  static const struct build_array arrays[] = {
      {"a", 1, TASKNET_A, COST(60)}, {"b", 1, TASKNET_A, COST(10)}, {"c", 1, TASKNET_A, COST(10)},
      {"d", 1, TASKNET_A, COST(10)}, {"e", 1, TASKNET_A, COST(10)}, {.name = NULL}};
  static const uint32_t expected[] = {1, 2, 2, 2, 2};
  const struct hosts h = {.group = (struct hosts_group *)group, .groups = 4, .count = 3};
  const struct global_rules rules = {0};
  struct tasknet n = build(arrays, NULL);
  uint32_t leaf[5];
  place(&n, &h, &rules, ALL, leaf);
  assert_memory_equal(leaf, expected, sizeof expected);
  tasknet_clear(&n);
}

/* An array is divided by the speeds of the open groups; the last group gets the rest. */
static void work_follows_speed(void **state)
{
  (void)state;
  static const struct build_array arrays[] = {{"a", 1000, TASKNET_A, COST(3)}, {.name = NULL}};
  static const struct {
    bool open[GROUPS];
    uint32_t expected[GROUPS];
  } cases[] = {
      {{false, true, false, true, true}, {0, 333, 0, 417, 250}}, /* of 9.6: 3.2, 4.0, 2.4 */
      {{false, true, false, true, false}, {0, 444, 0, 556, 0}},  /* of 7.2: 3.2, 4.0 */
      {{false, false, false, true, true}, {0, 0, 0, 625, 375}},  /* of 6.4: 4.0, 2.4 */
      {{false, true, false, false, false}, {0, 1000, 0, 0, 0}},
  };
  const struct global_rules rules = {0};
  struct tasknet n = build(arrays, NULL);
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    uint32_t leaf[1000], count[GROUPS] = {0};
    place(&n, &FIGURE_4, &rules, cases[c].open, leaf);
    for (uint32_t i = 0; i < n.elements; i++)
      count[leaf[i]]++;
    assert_memory_equal(count, cases[c].expected, sizeof count);
  }
  tasknet_clear(&n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_10),
      cmocka_unit_test(shares_refer_to_all_work),
      cmocka_unit_test(work_follows_speed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
