#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "traces/program/relay.h"

enum { TEXT = 256 };

/* Appends the operations of an action: "P" (probe), "R" (receive), "S" (send) or flops.  The probe
 * number @p found, from 1, finds the message; *probes counts the probes. */
static void run(struct relay *r, const struct action *a, int found, int *probes, char *text)
{
  struct op op;
  assert_true(relay_begin(r, a));
  while (relay_next(r, &op)) {
    const size_t used = strlen(text);
    char *end = text + used;
    switch (op.kind) {
    case OP_PROBE:
      snprintf(end, TEXT - used, "P ");
      if (++*probes == found)
        assert_true(relay_found(r));
      break;
    case OP_EXEC:
      snprintf(end, TEXT - used, "%g ", op.amount);
      break;
    default:
      snprintf(end, TEXT - used, "%s%d:%d:%d ", op.kind == OP_SEND ? "S" : "R", (int)op.peer,
               (int)op.tag, (int)op.bytes);
    }
  }
}

static void check(int dst, int found, const char *want)
{
  struct relay r = {0};
  char text[TEXT] = "";
  int probes = 0;
  const struct action open = {
      .kind = ACTION_RELAY, .partner = 3, .source = dst, .tag = 7, .count = 2, .type = 0};
  const struct action probe = {.kind = ACTION_RELAY_PROBE};
  const struct action compute = {
      .kind = ACTION_RELAY_COMPUTE, .count = 10, .count2 = 4, .amount = 1, .amount2 = 100};
  run(&r, &open, found, &probes, text);
  run(&r, &probe, found, &probes, text);
  run(&r, &probe, found, &probes, text);
  run(&r, &compute, found, &probes, text);
  run(&r, &probe, found, &probes, text);
  assert_string_equal(text, want);
  assert_false(r.open);
}

static void work_is_divided_by_probes_until_the_message_arrives(void **state)
{
  (void)state;
  check(5, 1, "P R3:7:16 S5:7:16 1001 ");
  check(5, 2, "P P R3:7:16 S5:7:16 1001 ");
  check(5, 3, "P P 401 P R3:7:16 S5:7:16 601 ");
  check(5, 4, "P P 401 P 401 P R3:7:16 S5:7:16 201 ");
  check(5, 0, "P P 401 P 401 P 201 R3:7:16 S5:7:16 ");
  check(ACTION_NOBODY, 3, "P P 401 P R3:7:16 601 ");
}

static void one_message_at_a_time(void **state)
{
  (void)state;
  struct relay r = {0};
  const struct action open = {.kind = ACTION_RELAY, .partner = 1, .source = ACTION_NOBODY};
  assert_true(relay_begin(&r, &open));
  assert_false(relay_begin(&r, &open));
}

static void without_a_message_nothing_is_probed(void **state)
{
  (void)state;
  struct relay r = {0};
  char text[TEXT] = "";
  int probes = 0;
  run(&r, &(struct action){.kind = ACTION_RELAY_PROBE}, 0, &probes, text);
  run(&r,
      &(struct action){
          .kind = ACTION_RELAY_COMPUTE, .count = 10, .count2 = 4, .amount = 1, .amount2 = 100},
      0, &probes, text);
  assert_string_equal(text, "1001 ");
  assert_false(relay_found(&r));
}

/* Seven calls of one column: each has noise of its own, the same in each run. */
static void calls_have_noise(void **state)
{
  (void)state;
  const struct action open = {
      .kind = ACTION_RELAY, .partner = 3, .source = -1, .tag = 7, .count = 2, .type = 0};
  const struct action compute = {.kind = ACTION_RELAY_COMPUTE,
                                 .count = 7,
                                 .count2 = 1,
                                 .amount = 10,
                                 .amount2 = 1000,
                                 .noise = 0.2,
                                 .seed = 5};
  double took[2][7];
  for (int i = 0; i < 2; i++) {
    struct relay r = {0};
    struct op op;
    int n = 0;
    assert_true(relay_begin(&r, &open));
    assert_false(relay_next(&r, &op));
    assert_true(relay_begin(&r, &compute));
    while (relay_next(&r, &op))
      if (op.kind == OP_EXEC && n < 7)
        took[i][n++] = op.amount;
    assert_int_equal(n, 7);
  }
  assert_memory_equal(took[0], took[1], sizeof took[0]);
  for (int k = 0; k < 7; k++) {
    assert_true(took[0][k] > 1010 * (1 - 1.324 * 0.2) && took[0][k] < 1010 * (1 + 5 * 0.2));
    assert_true(k == 0 || took[0][k] != took[0][k - 1]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(work_is_divided_by_probes_until_the_message_arrives),
      cmocka_unit_test(one_message_at_a_time),
      cmocka_unit_test(without_a_message_nothing_is_probed),
      cmocka_unit_test(calls_have_noise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
