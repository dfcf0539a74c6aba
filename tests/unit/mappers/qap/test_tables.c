#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mappers/qap/tables.h"
#include "tests/unit/count.h"
#include "tests/unit/mappers/qap_case.h"

/* Objective of the original instance for an assignment of the form. */
static int64_t value_of(const struct qap *q, const struct form *f, const uint32_t *at)
{
  uint32_t *instance = malloc(q->n * sizeof *instance);
  assert_non_null(instance);
  form_assignment(f, at, instance);
  const int64_t value = qap_value(q, instance);
  free(instance);
  return value;
}

static int64_t change_by_values(const struct qap *q, const struct form *f, uint32_t *at, uint32_t u,
                                uint32_t v)
{
  const int64_t before = value_of(q, f, at);
  uint32_t kept = at[u];
  at[u] = at[v];
  at[v] = kept;
  const int64_t after = value_of(q, f, at);
  kept = at[u];
  at[u] = at[v];
  at[v] = kept;
  return after - before;
}

/* Compares each entry of the table and each price with recomputed objectives. */
static void check_all(const struct qap *q, const struct form *f, const struct tables *t,
                      const char *name)
{
  for (uint32_t u = 0; u < f->n; u++)
    for (uint32_t v = u + 1; v < f->n; v++) {
      const int64_t change = change_by_values(q, f, t->at, u, v);
      const int64_t price = tables_price(f, t->at, u, v) * f->scale;
      if (price != change)
        fail_msg("%s: the price of (%u, %u) is %" PRId64 ", not %" PRId64, name, u, v, price,
                 change);
      if (v < f->skip[u]) {
        assert_int_equal(change, 0);
        continue;
      }
      const int64_t entry = tables_change(t, u, v) * f->scale;
      if (entry != change)
        fail_msg("%s: the change of (%u, %u) is %" PRId64 ", not %" PRId64, name, u, v, entry,
                 change);
      assert_int_equal(tables_change(t, v, u), tables_change(t, u, v));
    }
}

static void walk(const struct qap *q, const struct form *f, struct rng *rng, const char *name)
{
  struct tables t;
  struct err e;
  ARENA(mem, &e);
  uint32_t *at = malloc(f->n * sizeof *at);
  assert_non_null(at);
  assert_int_equal(tables_new(&t, f, &mem), OK);
  for (uint32_t u = 0; u < f->n; u++)
    at[u] = u;
  rng_shuffle(rng, at, f->n);
  tables_start(&t, at, tables_value(f, at));
  const int64_t begin = value_of(q, f, at), first = t.value;
  check_all(q, f, &t, name);
  for (int i = 0; i < 30; i++) {
    const uint32_t u = (uint32_t)rng_below(rng, f->n), v = (uint32_t)rng_below(rng, f->n);
    if (u < v ? v < f->skip[u] : u < f->skip[v])
      continue;
    tables_swap(&t, u, v);
    check_all(q, f, &t, name);
    assert_int_equal(value_of(q, f, t.at) - begin, (t.value - first) * f->scale);
    assert_int_equal(tables_value(f, t.at), t.value);
  }
  free(at);
}

static void changes_agree_with_recomputed_values(void **state)
{
  (void)state;
  static const uint32_t sizes[] = {6, 16, 17, 33};
  for (size_t s = 0; s < COUNT(sizes); s++) {
    const struct qap_case cases[] = QAP_CASES(sizes[s]);
    for (size_t i = 0; i < COUNT(cases); i++) {
      struct qap q = qap_case_make(&cases[i], i);
      struct form *f;
      struct err e;
      ARENA(mem, &e);
      struct rng rng = rng_new(i, 1);
      assert_int_equal(form_new(&f, &q, &mem), OK);
      walk(&q, f, &rng, cases[i].name);
      qap_clear(&q);
    }
  }
}

/* The least allowed change, by looking at all swaps. */
static int64_t least_by_looking(const struct tables *t, const struct scan *s)
{
  int64_t least = INT64_MAX;
  for (uint32_t u = 0; u < t->form->n; u++)
    for (uint32_t v = t->form->skip[u]; v < t->form->n; v++) {
      const int64_t change = tables_change(t, u, v);
      const int32_t until = s->until[u * t->stride + v];
      const bool allowed = until <= s->now || (change < s->wanted && until != INT32_MAX);
      least = allowed && change < least ? change : least;
    }
  return least;
}

static void check_best(const struct tables *t, const struct scan *s, struct rng *rng)
{
  const int64_t least = least_by_looking(t, s);
  const struct swap best = tables_best(t, s, (uint32_t)rng_below(rng, t->form->n));
  if (least == INT64_MAX) {
    assert_int_equal(best.u, best.v);
    return;
  }
  assert_true(best.u < best.v && best.v >= t->form->skip[best.u]);
  assert_int_equal(best.change, least);
  assert_int_equal(tables_change(t, best.u, best.v), least);
  const int32_t until = s->until[best.u * t->stride + best.v];
  assert_true(until <= s->now || (least < s->wanted && until != INT32_MAX));
}

static void draw_until(int32_t *until, const struct tables *t, struct rng *rng, uint64_t tabu)
{
  for (size_t i = 0; i < (size_t)t->form->n * t->stride; i++)
    until[i] = INT32_MAX;
  for (uint32_t u = 0; u < t->form->n; u++)
    for (uint32_t v = t->form->skip[u]; v < t->form->n; v++) {
      const uint64_t draw = rng_below(rng, 100);
      until[u * t->stride + v] = draw < tabu ? (draw % 3 == 0 ? INT32_MAX : 11) : 10;
    }
}

static void the_best_swap_is_the_least_allowed(void **state)
{
  (void)state;
  const struct qap_case cases[] = QAP_CASES(21);
  static const int64_t wanted[] = {INT64_MIN / 2, -1000, 0, 1000};
  for (size_t i = 0; i < COUNT(cases); i++) {
    struct qap q = qap_case_make(&cases[i], i);
    struct form *f;
    struct tables t;
    struct err e;
    ARENA(mem, &e);
    struct rng rng = rng_new(i, 2);
    assert_int_equal(form_new(&f, &q, &mem), OK);
    assert_int_equal(tables_new(&t, f, &mem), OK);
    int32_t *until = malloc((size_t)f->n * t.stride * sizeof *until);
    uint32_t at[21];
    assert_non_null(until);
    for (uint32_t u = 0; u < f->n; u++)
      at[u] = f->n - 1 - u;
    tables_start(&t, at, 0);
    for (uint64_t round = 0; round < 40; round++) {
      draw_until(until, &t, &rng, round * 100 / 39);
      const struct scan s = {.until = until, .now = 10, .wanted = wanted[round % COUNT(wanted)]};
      check_best(&t, &s, &rng);
    }
    free(until);
    qap_clear(&q);
  }
}

static void forms_are_as_small_as_possible(void **state)
{
  (void)state;
  static const struct {
    size_t at; /* index into QAP_CASES */
    bool two, wide;
    uint64_t swaps;
  } expected[] = {{0, false, false, 66}, {1, false, false, 66},  {3, true, false, 66},
                  {8, false, false, 51}, {10, false, false, 60}, {12, false, true, 66},
                  {13, true, true, 66},  {14, false, false, 0}};
  const struct qap_case cases[] = QAP_CASES(12);
  for (size_t i = 0; i < COUNT(expected); i++) {
    struct qap q = qap_case_make(&cases[expected[i].at], 5);
    struct form *f;
    struct err e;
    ARENA(mem, &e);
    assert_int_equal(form_new(&f, &q, &mem), OK);
    if (f->two != expected[i].two || f->wide != expected[i].wide || f->swaps != expected[i].swaps)
      fail_msg("%s: two %d, wide %d, %" PRIu64 " swaps", cases[expected[i].at].name, f->two,
               f->wide, f->swaps);
    qap_clear(&q);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(changes_agree_with_recomputed_values),
      cmocka_unit_test(the_best_swap_is_the_least_allowed),
      cmocka_unit_test(forms_are_as_small_as_possible),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
