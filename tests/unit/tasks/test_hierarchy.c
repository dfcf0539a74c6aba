#include <stdbool.h>
#include <stdlib.h>

#include "common/numeric/rng.h"
#include "tasks/cost.h"
#include "tasks/hierarchy.h"
#include "tests/unit/tasks/build.h"

static struct hierarchy must_make(const struct tasknet *n)
{
  struct hierarchy h;
  struct err e = {""};
  if (hierarchy_make(&h, n, &e) != OK)
    fail_msg("%s", e.text);
  return h;
}

/* Figure 9 as described in the text, with costs from section 4.4. */
static const struct build_array FIGURE9[] = {{"t1", 1, TASKNET_A, {1, TASKNET_ARRIVING, 0, 1}},
                                             {"t30", 1, TASKNET_A, {30, TASKNET_ARRIVING, 0, 1}},
                                             {"a10", 4, TASKNET_A, {10, TASKNET_ARRIVING, 0, 1}},
                                             {"a5", 4, TASKNET_A, {5, TASKNET_ARRIVING, 0, 1}},
                                             {"t25", 1, TASKNET_A, {25, TASKNET_ARRIVING, 0, 1}},
                                             {"t20", 1, TASKNET_A, {20, TASKNET_ARRIVING, 0, 1}},
                                             {"t15", 1, TASKNET_A, {15, TASKNET_ARRIVING, 0, 1}},
                                             {.name = NULL}};
static const struct build_stream FIGURE9_STREAMS[] = {
    {"s1", 1, "t1", "t30 t25", 8}, {"s2", 1, "t30", "a10", 9},    {"s3", 4, "a10", "a5", 10},
    {"s4", 1, "t25", "t20", 50},   {"s5", 1, "a5 t20", "t15", 1}, {.name = NULL}};

static void figure_9(void **state)
{
  (void)state;
  struct tasknet n = build(FIGURE9, FIGURE9_STREAMS);
  struct hierarchy h = must_make(&n);
  static const char *const order[] = {"s4", "s3", "s2", "s1", "s5"};
  assert_int_equal(h.groups, 5);
  for (uint32_t g = 0; g < h.groups; g++)
    assert_string_equal(tasknet_stream_name(&n, h.group[g].stream), order[g]);
  const double compute[] = {45, 60, 90, 136, 151};
  const double in[] = {8, 4 * 9, 8, 0, 0}, out[] = {1, 4, 4, 5, 0};
  for (uint32_t g = 0; g < h.groups; g++) {
    assert_true(h.sum[h.arrays + g].compute == compute[g]);
    assert_true(h.sum[h.arrays + g].in == in[g]);
    assert_true(h.sum[h.arrays + g].out == out[g]);
  }
  assert_int_equal(h.sum[h.arrays + 1].parts, 4);
  assert_int_equal(h.sum[h.arrays + 2].parts, 1);
  assert_int_equal(h.roots, 1);
  assert_int_equal(h.root[0], h.arrays + 4);
  const struct hierarchy_group *iv = &h.group[3]; /* input t1, outputs (iii) and (i) */
  assert_int_equal(iv->ins, 1);
  assert_int_equal(iv->outs, 2);
  assert_int_equal(h.member[iv->member + 1], h.arrays + 2);
  assert_int_equal(h.member[iv->member + 2], h.arrays + 0);
  hierarchy_clear(&h);
  tasknet_clear(&n);
}

/* No rule applies: x and y, which feed p, read different streams.  The same is true of q. */
static void units_without_a_rule_remain_roots(void **state)
{
  (void)state;
#define T(NAME)                                                                                    \
  {                                                                                                \
    NAME, 1, TASKNET_A,                                                                            \
    {                                                                                              \
      1, 0, 0, 1                                                                                   \
    }                                                                                              \
  }
  static const struct build_array arrays[] = {T("a"), T("b"), T("w"), T("x"),        T("y"),
                                              T("z"), T("p"), T("q"), {.name = NULL}};
#undef T
  static const struct build_stream streams[] = {{"sa", 1, "a", "x z", 3},
                                                {"sb", 1, "b", "y w", 5},
                                                {"s", 1, "x y", "p", 1},
                                                {"t", 1, "z w", "q", 1},
                                                {.name = NULL}};
  struct tasknet n = build(arrays, streams);
  struct hierarchy h = must_make(&n);
  assert_int_equal(h.groups, 0);
  assert_int_equal(h.roots, 8);
  for (uint32_t r = 0; r < h.roots; r++)
    assert_int_equal(h.root[r], r);
  hierarchy_clear(&h);
  tasknet_clear(&n);
}

/* --- a naive implementation of the rules --- */

enum { MOST = 40, IN = 0, OUT = 1 };

struct naive {
  const struct tasknet *n;
  uint32_t unit[MOST];        /* by array */
  uint32_t parts[MOST * 2];   /* by unit */
  bool at[2][MOST][MOST * 2]; /* by side, stream and unit */
  uint32_t units[2][MOST];
};

/* Finds the units at each stream.  A unit on both sides counts on the input side. */
static void place(struct naive *x)
{
  memset(x->at, 0, sizeof x->at);
  memset(x->units, 0, sizeof x->units);
  for (uint32_t i = 0; i < x->n->producers; i++)
    x->at[IN][x->n->producer[i].stream][x->unit[x->n->producer[i].array]] = true;
  for (uint32_t i = 0; i < x->n->consumers; i++)
    x->at[OUT][x->n->consumer[i].stream][x->unit[x->n->consumer[i].array]] = true;
  for (uint32_t s = 0; s < x->n->streams; s++)
    for (uint32_t u = 0; u < MOST * 2; u++) {
      if (x->at[IN][s][u])
        x->at[OUT][s][u] = false;
      x->units[IN][s] += x->at[IN][s][u];
      x->units[OUT][s] += x->at[OUT][s][u];
    }
}

static bool naive_gone(const struct naive *x, uint32_t s)
{
  return x->units[IN][s] == 1 && x->units[OUT][s] == 0;
}

static uint32_t only(const struct naive *x, int side, uint32_t s)
{
  uint32_t u = 0;
  while (!x->at[side][s][u])
    u++;
  return u;
}

static bool naive_one(const struct naive *x, uint32_t s)
{
  if (x->units[IN][s] != 1 || x->units[OUT][s] != 1)
    return false;
  const uint32_t a = x->parts[only(x, IN, s)], b = x->parts[only(x, OUT, s)];
  const uint32_t width = x->n->stream[s].width;
  /* A unit on both sides does not make the stream one to one. */
  bool both = false;
  for (uint32_t i = 0; i < x->n->consumers; i++)
    both =
        both || (x->n->consumer[i].stream == s && x->at[IN][s][x->unit[x->n->consumer[i].array]]);
  return !both && ((a == 1 && b == 1) || (width > 1 && a % width == 0 && b % width == 0));
}

/* True if all units on @p side of @p s have stream @p t on their other side. */
static bool naive_share(const struct naive *x, uint32_t s, int side, uint32_t t)
{
  for (uint32_t u = 0; u < MOST * 2; u++)
    if (x->at[side][s][u] && !x->at[!side][t][u])
      return false;
  return true;
}

static bool naive_side(const struct naive *x, uint32_t s, int side)
{
  bool none = true;
  for (uint32_t t = 0; t < x->n->streams; t++) {
    if (naive_gone(x, t))
      continue;
    if (naive_share(x, s, side, t))
      return true;
    for (uint32_t u = 0; u < MOST * 2; u++)
      none = none && !(x->at[side][s][u] && x->at[!side][t][u]);
  }
  return none;
}

/* The next stream to group; n->streams if none is left. */
static uint32_t naive_next(const struct naive *x)
{
  uint32_t best = x->n->streams, best_rule = 2;
  for (uint32_t s = 0; s < x->n->streams; s++) {
    if (naive_gone(x, s))
      continue;
    uint32_t rule = 2;
    if (naive_one(x, s))
      rule = 0;
    else if (naive_side(x, s, IN) && naive_side(x, s, OUT))
      rule = 1;
    if (rule < best_rule || (rule == best_rule && rule < 2 &&
                             tasknet_stream_volume(x->n, s) > tasknet_stream_volume(x->n, best))) {
      best = s;
      best_rule = rule;
    }
  }
  return best;
}

static void naive_group(struct naive *x, uint32_t s, uint32_t unit)
{
  const uint32_t width = x->n->stream[s].width;
  x->parts[unit] = width;
  for (uint32_t u = 0; u < MOST * 2; u++)
    if ((x->at[IN][s][u] || x->at[OUT][s][u]) && (width == 1 || x->parts[u] % width != 0))
      x->parts[unit] = 1;
  for (uint32_t a = 0; a < x->n->arrays; a++)
    if (x->at[IN][s][x->unit[a]] || x->at[OUT][s][x->unit[a]])
      x->unit[a] = unit;
}

/* Data that the arrays of a unit read from other units and write to other units. */
static void naive_border(const struct naive *x, uint32_t unit, double *in, double *out)
{
  const struct tasknet *n = x->n;
  *in = *out = 0;
  for (uint32_t s = 0; s < n->streams; s++) {
    double read = 0, mine = 0, others = 0;
    bool read_outside = false;
    for (uint32_t i = 0; i < n->consumers; i++) {
      const uint32_t a = n->consumer[i].array;
      if (n->consumer[i].stream != s)
        continue;
      read += x->unit[a] == unit ? n->array[a].count / n->stream[s].width : 0;
      read_outside = read_outside || x->unit[a] != unit;
    }
    for (uint32_t i = 0; i < n->producers; i++) {
      const uint32_t a = n->producer[i].array;
      if (n->producer[i].stream == s)
        *(x->unit[a] == unit ? &mine : &others) += n->producer[i].volume * n->array[a].count;
    }
    *in += read * others;
    *out += read_outside ? mine : 0;
  }
}

static void add_random_stream(struct tasknet *n, struct rng *r, uint32_t s)
{
  struct err e = {""};
  char name[16];
  const uint32_t split = 1 + (uint32_t)rng_below(r, n->arrays - 1);
  const uint32_t width = rng_below(r, 3) == 0 ? 2 : 1;
  uint32_t ends[2] = {0, 0};
  snprintf(name, sizeof name, "s%u", s);
  assert_int_equal(tasknet_add_stream(n, name, width, 0, &e), OK);
  for (uint32_t a = 0; a < n->arrays; a++) {
    const int side = a < split ? IN : OUT;
    if (n->array[a].count % width != 0 || rng_below(r, 3) != 0)
      continue;
    ends[side]++;
    assert_int_equal(side == IN ? tasknet_add_producer(n, a, (double)rng_below(r, 9), &e)
                                : tasknet_add_consumer(n, a, &e),
                     OK);
  }
  if (ends[IN] == 0)
    assert_int_equal(tasknet_add_producer(n, 0, 1, &e), OK);
  if (ends[OUT] == 0)
    assert_int_equal(tasknet_add_consumer(n, n->arrays - 1, &e), OK);
}

/* The first and the last array have even counts, so that any stream can use them. */
static struct tasknet random_network(uint64_t seed)
{
  struct rng r = rng_new(seed, 0);
  struct tasknet n = {0};
  struct err e = {""};
  const uint32_t arrays = 2 + (uint32_t)rng_below(&r, 11),
                 streams = 1 + (uint32_t)rng_below(&r, 12);
  for (uint32_t a = 0; a < arrays; a++) {
    char name[16];
    snprintf(name, sizeof name, "a%u", a);
    const uint32_t odd = a > 0 && a + 1 < arrays && rng_below(&r, 2) == 0;
    const struct tasknet_new_array array = {.name = name,
                                            .count = odd ? 1 : 2 * (1 + (uint32_t)rng_below(&r, 2)),
                                            .cost = {(double)rng_below(&r, 5), 0, 0, 1}};
    assert_int_equal(tasknet_add_array(&n, &array, &e), OK);
  }
  for (uint32_t s = 0; s < streams; s++)
    add_random_stream(&n, &r, s);
  if (tasknet_seal(&n, &e) != OK)
    fail_msg("%s", e.text);
  return n;
}

static void check_groups(const struct tasknet *n, uint64_t seed)
{
  struct naive x = {.n = n};
  struct hierarchy h = must_make(n);
  for (uint32_t a = 0; a < n->arrays; a++) {
    x.unit[a] = a;
    x.parts[a] = n->array[a].count;
  }
  for (uint32_t g = 0;; g++) {
    place(&x);
    const uint32_t s = naive_next(&x);
    if (s == n->streams ? g != h.groups : g == h.groups || h.group[g].stream != s)
      fail_msg("seed %lu: group %u is not of stream %u of %u", (unsigned long)seed, g, s,
               n->streams);
    if (s == n->streams)
      break;
    assert_int_equal(h.group[g].ins, x.units[IN][s]);
    assert_int_equal(h.group[g].outs, x.units[OUT][s]);
    naive_group(&x, s, n->arrays + g);
    double in, out;
    naive_border(&x, n->arrays + g, &in, &out);
    assert_true(h.sum[n->arrays + g].in == in && h.sum[n->arrays + g].out == out);
    assert_int_equal(h.sum[n->arrays + g].parts, x.parts[n->arrays + g]);
  }
  hierarchy_clear(&h);
}

static void random_networks_group_by_the_rules(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < 4000; seed++) {
    struct tasknet n = random_network(seed);
    check_groups(&n, seed);
    tasknet_clear(&n);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_9),
      cmocka_unit_test(units_without_a_rule_remain_roots),
      cmocka_unit_test(random_networks_group_by_the_rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
