#include "tasks/timing/dates.h"

#include <math.h>
#include <stdlib.h>

#include "tasks/cost.h"
#include "tests/unit/tasks/draw.h"
#include "tests/unit/tasks/machine.h"

enum { SEEDS = 40, MOST = 16 };

static const struct test_group TWO[] = {{2, 1, 10}, {2, 2, 5}, {0, 0, 0}}; /* 1 in between */

/* Two tasks, a then b, on given hosts; each with C = 12, O = 20, L = 4. */
struct pair {
  enum tasknet_pattern from, to;
  uint32_t host_from, host_to;
  double start, end; /* of b */
};

static const struct pair PAIRS[] = {
    {TASKNET_A, TASKNET_A, 0, 0, 12, 24},     /* same host: no communication */
    {TASKNET_A, TASKNET_A, 0, 1, 14, 26},     /* 12 + 20 / 10 */
    {TASKNET_A, TASKNET_A, 2, 3, 10, 16},     /* 12 / 2 + 20 / 5, then 12 / 2 */
    {TASKNET_A, TASKNET_A, 0, 2, 32, 38},     /* 12 + 20 / 1 */
    {TASKNET_C, TASKNET_A, 0, 1, 12.5, 24.5}, /* the last of 4 parts: 12 + 5 / 10 */
    {TASKNET_B, TASKNET_D, 0, 1, 3.5, 15.5},  /* first part: 3 + 5 / 10; last at 12.5, + 3 */
    {TASKNET_C, TASKNET_B, 0, 2, 8, 18.5},    /* 3 + 5; last part at 12 + 5, + 6 / 4: 18.5 */
    {TASKNET_A, TASKNET_D, 0, 1, 14, 26},     /* b could read parts, but a sends none */
    {TASKNET_B, TASKNET_D, 0, 0, 12, 24},     /* a host runs one task at a time */
};

static void hand_computed_pairs(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
    const struct pair *p = &PAIRS[i];
    const struct build_array arrays[] = {
        {"a", 1, p->from, {12, 0, 20, 4}}, {"b", 1, p->to, {12, 20, 0, 4}}, {.name = NULL}};
    static const struct build_stream streams[] = {{"s", 1, "a", "b", 20}, {.name = NULL}};
    const uint32_t host[] = {p->host_from, p->host_to}, place[] = {0, p->host_from == p->host_to};
    const struct dates_plan plan = {host, place};
    struct tasknet n = build(arrays, streams);
    struct test_machine t;
    double start[2], end[2];
    struct err e = {""};
    test_machine(&t, TWO, 1);
    if (dates_compute(&n, &t.m, &plan, start, end, &e) != OK)
      fail_msg("%s", e.text);
    if (start[1] != p->start || end[1] != p->end)
      fail_msg("pair %zu: %g to %g, expected %g to %g", i, start[1], end[1], p->start, p->end);
    farm_clear(&t.m);
    tasknet_clear(&n);
  }
}

/* On equal hosts, with one host per element, an element starts at its dependence cost.
 * Pipelined elements may start later, because dependence costs ignore when their input is
 * complete. */
static void starts_are_dependence_costs(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct tasknet n = draw(seed, seed % 2 == 0);
    struct dependence d;
    struct farm f;
    struct err e = {""};
    assert_int_equal(farm_new(&f, n.elements, 1, &e), OK);
    assert_int_equal(dependence_costs(&d, &n, &e), OK);
    uint32_t *host = malloc(n.elements * sizeof *host), *place = calloc(n.elements, sizeof *place);
    double *start = malloc(n.elements * sizeof *start), *end = malloc(n.elements * sizeof *end);
    f.speed[0] = f.bandwidth[0] = 1;
    for (uint32_t i = 0; i < n.elements; i++) {
      farm_put(&f, i, 0);
      host[i] = i;
    }
    const struct dates_plan plan = {host, place};
    assert_int_equal(dates_compute(&n, &f, &plan, start, end, &e), OK);
    for (uint32_t i = 0; i < n.elements; i++) {
      assert_true(start[i] > d.start[i] - 1e-9);
      assert_true(seed % 2 == 0 || start[i] < d.start[i] + 1e-9);
    }
    free(host);
    free(place);
    free(start);
    free(end);
    dependence_clear(&d);
    farm_clear(&f);
    tasknet_clear(&n);
  }
}

struct refusal {
  uint32_t host[3], place[3];
  const char *text;
};

static const struct refusal REFUSALS[] = {
    {{0, 0, 9}, {0, 1, 0}, "host 9, but there are 4 hosts"},
    {{0, 0, 1},
     {0, 0, 0},
     "task 'b' (element 0 of 2) has place 0 on its host, which is taken or not below the "
     "number of elements there"},
    {{0, 1, 1},
     {0, 0, 2},
     "task 'b' (element 1 of 2) has place 2 on its host, which is taken or not below the "
     "number of elements there"},
    {{0, 0, 1},
     {1, 0, 0},
     "task 'a' (element 0 of 1) can never start: it waits "
     "for elements after it in the order of its host"},
};

static void refusals(void **state)
{
  (void)state;
  static const struct build_array arrays[] = {
      {"a", 1, TASKNET_A, {1, 0, 1, 1}}, {"b", 2, TASKNET_D, {1, 1, 0, 1}}, {.name = NULL}};
  static const struct build_stream streams[] = {{"s", 1, "a", "b", 1}, {.name = NULL}};
  struct tasknet n = build(arrays, streams);
  struct test_machine t;
  test_machine(&t, TWO, 1);
  for (size_t i = 0; i < sizeof REFUSALS / sizeof *REFUSALS; i++) {
    const struct dates_plan plan = {REFUSALS[i].host, REFUSALS[i].place};
    double start[3], end[3];
    struct err e = {""};
    assert_int_equal(dates_compute(&n, &t.m, &plan, start, end, &e), FAIL);
    assert_string_equal(e.text, REFUSALS[i].text);
  }
  farm_clear(&t.m);
  tasknet_clear(&n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hand_computed_pairs),
      cmocka_unit_test(starts_are_dependence_costs),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
