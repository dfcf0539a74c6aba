#include "setup/runs/batch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ITEMS 20u

struct answer {
  uint32_t square;
  pid_t by;
};

static void run(const void *arg, uint32_t i, void *answer)
{
  struct answer *a = answer;
  a->square = i * i;
  a->by = getpid();
  if (arg != NULL && i == *(const uint32_t *)arg)
    _exit(0);
}

static void all_items_are_answered(void **state)
{
  (void)state;
  static const struct {
    uint32_t at_once;
    bool again;
  } CASES[] = {{1, true}, {1, false}, {2, true}, {3, false}, {100, true}};
  for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
    struct answer answer[ITEMS];
    struct err e;
    const struct batch b = {run, NULL, ITEMS, sizeof *answer, CASES[c].again};
    assert_int_equal(batch_run(&b, CASES[c].at_once, answer, &e), OK);
    for (uint32_t i = 0; i < ITEMS; i++) {
      assert_int_equal(answer[i].square, i * i);
      assert_int_equal(answer[i].by == getpid(), CASES[c].again && CASES[c].at_once == 1);
      if (i > 0 && !CASES[c].again)
        assert_int_not_equal(answer[i].by, answer[i - 1].by);
    }
  }
}

static void an_empty_batch_succeeds(void **state)
{
  (void)state;
  struct err e;
  const struct batch b = {run, NULL, 0, sizeof(struct answer), true};
  assert_int_equal(batch_run(&b, 2, NULL, &e), OK);
}

static void an_early_end_of_a_process_is_an_error(void **state)
{
  (void)state;
  struct answer answer[ITEMS];
  struct err e;
  const uint32_t at = 7;
  const struct batch b = {run, &at, ITEMS, sizeof *answer, true};
  assert_int_equal(batch_run(&b, 2, answer, &e), FAIL);
  assert_string_equal(e.text, "a simulation ended without a result");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_items_are_answered),
      cmocka_unit_test(an_empty_batch_succeeds),
      cmocka_unit_test(an_early_end_of_a_process_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
