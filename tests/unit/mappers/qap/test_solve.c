#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mappers/qap/solve.h"
#include "tests/unit/count.h"
#include "tests/unit/mappers/qap_case.h"

enum { MOST = 40 };

/* Least value of all permutations of at[from..n-1]. */
static int64_t least_of_all(const struct qap *q, uint32_t *at, uint32_t from)
{
  if (from + 1 >= q->n)
    return qap_value(q, at);
  int64_t least = INT64_MAX;
  for (uint32_t i = from; i < q->n; i++) {
    const uint32_t kept = at[from];
    at[from] = at[i];
    at[i] = kept;
    const int64_t value = least_of_all(q, at, from + 1);
    least = value < least ? value : least;
    at[i] = at[from];
    at[from] = kept;
  }
  return least;
}

static void check_permutation(const uint32_t *at, uint32_t n)
{
  bool seen[MOST] = {false};
  for (uint32_t i = 0; i < n; i++) {
    assert_true(at[i] < n && !seen[at[i]]);
    seen[at[i]] = true;
  }
}

static void all_methods_reach(const struct qap *q, int64_t optimum, const char *name)
{
  const struct method *m;
  for (size_t i = 0; (m = registry_at(&methods, i)) != NULL; i++) {
    struct solve_options o = {.method = m, .seed = 3, .work = 800000, .threads = 1};
    uint32_t at[MOST];
    struct err e;
    assert_int_equal(solve(q, &o, at, &e), OK);
    check_permutation(at, q->n);
    if (qap_value(q, at) != optimum)
      fail_msg("%s, %s: %" PRId64 ", the optimum is %" PRId64, name, m->name, qap_value(q, at),
               optimum);
  }
}

static void small_problems_are_solved(void **state)
{
  (void)state;
  static const uint32_t sizes[] = {6, 7};
  for (size_t s = 0; s < COUNT(sizes); s++) {
    const struct qap_case cases[] = QAP_CASES(sizes[s]);
    for (size_t i = 0; i < COUNT(cases); i++) {
      struct qap q = qap_case_make(&cases[i], i);
      uint32_t at[] = {0, 1, 2, 3, 4, 5, 6};
      all_methods_reach(&q, least_of_all(&q, at, 0), cases[i].name);
      qap_clear(&q);
    }
  }
}

static void tiny_and_larger_problems_are_solved(void **state)
{
  (void)state;
  static const struct qap_case cases[] = {
      {"one", 1, 0, 9, 100, true, true, true, 0, 0},
      {"two", 2, 0, 9, 100, false, false, true, 0, 0},
      {"three", 3, 0, 9, 100, true, true, false, 0, 0},
      {"eight", 8, 0, 99, 100, true, true, false, 0, 0},
      {"eight, asymmetric", 8, 0, 99, 60, false, false, true, 0, 0},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    struct qap q = qap_case_make(&cases[i], i);
    uint32_t at[] = {0, 1, 2, 3, 4, 5, 6, 7};
    all_methods_reach(&q, least_of_all(&q, at, 0), cases[i].name);
    qap_clear(&q);
  }
}

static void threads_change_nothing(void **state)
{
  (void)state;
  const struct method *m;
  const struct qap_case cases[] = QAP_CASES(MOST);
  for (size_t i = 0; (m = registry_at(&methods, i)) != NULL; i++)
    for (size_t k = 0; k < COUNT(cases); k += 3) {
      struct qap q = qap_case_make(&cases[k], k);
      uint32_t one[MOST], two[MOST];
      struct err e;
      struct solve_options o = {.method = m, .seed = i, .work = 1500000, .threads = 1, .starts = 3};
      assert_int_equal(solve(&q, &o, one, &e), OK);
      check_permutation(one, MOST);
      o.threads = 2;
      assert_int_equal(solve(&q, &o, two, &e), OK);
      assert_memory_equal(one, two, sizeof one);
      qap_clear(&q);
    }
}

/* With a limit of time, each method ends and finds an improvement. */
static void time_is_a_budget(void **state)
{
  (void)state;
  const struct method *m;
  const struct qap_case c = {"symmetric", MOST, 0, 99, 100, true, true, false, 0, 0};
  struct qap q = qap_case_make(&c, 1);
  uint32_t at[MOST];
  for (uint32_t i = 0; i < MOST; i++)
    at[i] = i;
  const int64_t identity = qap_value(&q, at);
  for (size_t i = 0; (m = registry_at(&methods, i)) != NULL; i++) {
    struct solve_options o = {.method = m, .seconds = 0.05, .threads = 2};
    struct err e;
    assert_int_equal(solve(&q, &o, at, &e), OK);
    check_permutation(at, MOST);
    assert_true(qap_value(&q, at) < identity);
  }
  qap_clear(&q);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_problems_are_solved),
      cmocka_unit_test(tiny_and_larger_problems_are_solved),
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(time_is_a_budget),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
