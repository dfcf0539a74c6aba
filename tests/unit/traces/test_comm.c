#include "tests/unit/count.h"
#include "traces/comm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 100, RUNS = 4, MEMBERS = 8 };

/* A list of members as written, in runs; the remaining runs are empty. */
struct sample {
  struct comm_run run[RUNS];
  uint32_t members[MEMBERS], size;
  uint32_t runs; /* number of stored runs */
};

static const struct sample SAMPLE[] = {
    {{{0, 1, 5, 0}}, {0, 1, 2, 3, 4}, 5, 1},
    {{{9, 0, 1, 0}}, {9}, 1, 1},
    {{{7, 7, 1, 0}}, {7}, 1, 1}, /* the stride of a single member is irrelevant */
    {{{99, -33, 4, 0}}, {99, 66, 33, 0}, 4, 1},
    {{{4, 0, 1, 0}, {6, 0, 1, 0}, {8, 0, 1, 0}, {10, 0, 1, 0}}, {4, 6, 8, 10}, 4, 1},
    {{{4, 2, 2, 0}, {8, 2, 5, 0}}, {4, 6, 8, 10, 12, 14, 16}, 7, 1},
    {{{4, 2, 2, 0}, {8, 1, 4, 0}}, {4, 6, 8, 9, 10, 11}, 6, 2},
    {{{3, 0, 1, 0}, {50, 1, 5, 0}}, {3, 50, 51, 52, 53, 54}, 6, 2},
    {{{3, 0, 1, 0}, {1, 0, 1, 0}, {2, 0, 1, 0}, {0, 0, 1, 0}}, {3, 1, 2, 0}, 4, 2},
};

static struct comm_list list_of(const struct comm_run *run)
{
  struct comm_list l = {0};
  struct err e;
  for (int i = 0; i < RUNS && run[i].count > 0; i++)
    assert_int_equal(comm_list_add(&l, RANKS, &run[i], &e), OK);
  return l;
}

static void members_are_as_listed(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(SAMPLE); i++) {
    struct comm_table t = {0};
    struct comm_list l = list_of(SAMPLE[i].run);
    const struct comm *c;
    struct err e;
    uint32_t found = 0;
    assert_int_equal(comm_define(&t, 5, RANKS, &l, &c, &e), OK);
    assert_int_equal(comm_size(c, RANKS), SAMPLE[i].size);
    assert_int_equal(c->members.runs, SAMPLE[i].runs);
    for (uint32_t k = 0; k < SAMPLE[i].size; k++)
      assert_int_equal(comm_world_rank(c, k), SAMPLE[i].members[k]);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
      uint32_t k;
      if (!comm_member(c, rank, &k))
        continue;
      assert_true(k < SAMPLE[i].size);
      assert_int_equal(SAMPLE[i].members[k], rank);
      found++;
    }
    assert_int_equal(found, SAMPLE[i].size);
    comm_table_clear(&t);
  }
}

/* Adding the members one by one gives the same list. */
static void equal_lists_give_equal_runs(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(SAMPLE); i++) {
    struct comm_table t = {0};
    struct comm_list l = list_of(SAMPLE[i].run), single = {0};
    const struct comm *c, *again;
    struct err e;
    for (uint32_t k = 0; k < SAMPLE[i].size; k++)
      assert_int_equal(
          comm_list_add(&single, RANKS, &(struct comm_run){SAMPLE[i].members[k], 0, 1, 0}, &e), OK);
    assert_int_equal(comm_define(&t, 5, RANKS, &l, &c, &e), OK);
    assert_int_equal(comm_define(&t, 5, RANKS, &single, &again, &e), OK);
    assert_ptr_equal(c, again);
    assert_null(single.run);
    comm_table_clear(&t);
  }
}

static void the_world_has_all_ranks(void **state)
{
  (void)state;
  uint32_t i;
  assert_int_equal(comm_size(NULL, RANKS), RANKS);
  assert_int_equal(comm_world_rank(NULL, 7), 7);
  assert_true(comm_member(NULL, 7, &i));
  assert_int_equal(i, 7);
}

static void bad_lists_are_refused(void **state)
{
  (void)state;
  static const struct {
    struct comm_run run[RUNS];
    const char *why;
  } CASES[] = {
      {{{100, 0, 1, 0}}, "member 100 is not one of the 100 ranks"},
      {{{-1, 0, 1, 0}}, "member -1 is not one of the 100 ranks"},
      {{{98, 1, 3, 0}}, "member 100 is not one of the 100 ranks"},
      {{{2, -1, 4, 0}}, "member -1 is not one of the 100 ranks"},
      {{{0, 1, 101, 0}}, "more members than the 100 ranks of the trace"},
      {{{0, 1, 60, 0}, {0, 1, 60, 0}}, "more members than the 100 ranks of the trace"},
      {{{0, 1, 6, 0}, {9, -1, 5, 0}}, "rank 5 is a member twice"},
      {{{4, 0, 3, 0}}, "rank 4 is a member twice"},
      {{{4, 0, 1, 0}, {4, 0, 1, 0}}, "rank 4 is a member twice"},
      {{{0, 0, 0, 0}}, "communicator 1 has no members"},
  };
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct comm_table t = {0};
    struct comm_list l = {0};
    const struct comm *c = NULL;
    struct err e;
    enum status s = OK;
    for (int k = 0; s == OK && k < RUNS && CASES[i].run[k].count > 0; k++)
      s = comm_list_add(&l, RANKS, &CASES[i].run[k], &e);
    if (s == OK)
      s = comm_define(&t, 1, RANKS, &l, &c, &e);
    assert_int_equal(s, FAIL);
    assert_string_equal(e.text, CASES[i].why);
    assert_null(c);
    assert_int_equal(t.count, 0);
    comm_list_clear(&l);
    comm_table_clear(&t);
  }
}

static void one_id_names_one_list(void **state)
{
  (void)state;
  struct comm_table t = {0};
  struct comm_list a = {0}, b = {0};
  const struct comm *c;
  struct err e;
  assert_int_equal(comm_list_add(&a, RANKS, &(struct comm_run){0, 1, 4, 0}, &e), OK);
  assert_int_equal(comm_list_add(&b, RANKS, &(struct comm_run){0, 1, 5, 0}, &e), OK);
  assert_int_equal(comm_define(&t, 3, RANKS, &a, &c, &e), OK);
  assert_int_equal(comm_define(&t, 3, RANKS, &b, &c, &e), FAIL);
  assert_string_equal(e.text, "another rank gives communicator 3 other members");
  assert_int_equal(comm_define(&t, 4, RANKS, &b, &c, &e), OK);
  assert_int_equal(c->index, 2);
  comm_table_clear(&t);
}

static void many_are_found_by_id(void **state)
{
  (void)state;
  enum { MANY = 1000 };
  const uint64_t step = UINT64_C(1) << 50;
  struct comm_table t = {0};
  struct err e;
  for (uint32_t i = 1; i <= MANY; i++) {
    struct comm_list l = {0};
    const struct comm *c;
    assert_int_equal(comm_list_add(&l, RANKS, &(struct comm_run){i % RANKS, 0, 1, 0}, &e), OK);
    assert_int_equal(comm_define(&t, i * step, RANKS, &l, &c, &e), OK);
    assert_int_equal(c->index, i);
  }
  for (uint32_t i = 1; i <= MANY; i++)
    assert_int_equal(comm_by_id(&t, i * step)->index, i);
  assert_null(comm_by_id(&t, step - 1));
  comm_table_clear(&t);
  assert_null(comm_by_id(&t, step));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(members_are_as_listed),   cmocka_unit_test(equal_lists_give_equal_runs),
      cmocka_unit_test(the_world_has_all_ranks), cmocka_unit_test(bad_lists_are_refused),
      cmocka_unit_test(one_id_names_one_list),   cmocka_unit_test(many_are_found_by_id),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
