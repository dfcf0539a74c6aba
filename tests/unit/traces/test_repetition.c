#include "tests/unit/count.h"
#include "traces/repetition.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
  const char *text;
  struct repetition want; /* period 0: none */
} CASES[] = {
    {"", {0, 0, 0}},
    {"a", {0, 0, 0}},
    {"abcdefgh", {0, 0, 0}},
    {"aa", {0, 2, 1}},
    {"xabababy", {1, 6, 2}},
    {"abcabcabcabc", {0, 12, 3}},
    {"ppabcabcabcabcabcq", {2, 15, 3}},
    {"hxabcabcabcabcabt", {2, 14, 3}},
    /* A loop in a loop: the outer one is longer. */
    {"s"
     "aaab"
     "aaab"
     "aaab"
     "aaab"
     "t",
     {1, 16, 4}},
    /* The text before the loop looks like a part of it. */
    {"bcabcabcabcabct", {0, 14, 3}},
    /* A loop that fills the last third. */
    {"abcdefghijklmnopqrst"
     "zyzyzyzyzy",
     {20, 10, 2}},
};

static void the_longest_run_is_found(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(CASES); i++) {
    uint64_t value[64];
    struct repetition r;
    struct err e;
    const size_t n = strlen(CASES[i].text);
    for (size_t k = 0; k < n; k++)
      value[k] = (uint64_t)CASES[i].text[k];
    assert_int_equal(repetition_find(value, n, &r, &e), OK);
    if (r.period != CASES[i].want.period || r.first != CASES[i].want.first ||
        r.length != CASES[i].want.length)
      fail_msg("%s: first %zu length %zu period %zu", CASES[i].text, r.first, r.length, r.period);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_longest_run_is_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
