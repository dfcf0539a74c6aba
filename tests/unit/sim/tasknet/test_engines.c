/* Networks on engines: as in the abstract model where they have nothing more, and alike on both. */
#define _GNU_SOURCE
#include "tests/unit/sim/tasknet/executed.h"

static const struct executed_links FREE = {"FATPIPE", "0us"}, SHARED = {"SHARED", "50ms"};

static void without_latency_and_contention_as_in_the_abstract_model(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 80; seed++) {
    struct executed x;
    struct executed_run abstract;
    static const struct executed_way flow = {"flow", "cm02", "none", {NULL}};
    executed_new(&x, seed, &FREE);
    executed_abstract(&x, "none", &abstract);
    struct executed_run *run = executed_apart(&x, &flow);
    executed_compare(&x, &abstract, run, 1e-6);
    munmap(run, sizeof *run);
    executed_clear(&x);
  }
}

/* With latency and contention, and with load. */
static void both_engines_agree(void **state)
{
  (void)state;
  static const char *const loads[][2] = {
      {NULL, NULL}, {"tasks:4", NULL}, {"tasks:4", "links:p=0.1"}, {"flows:3,size=2GB", NULL}};
  static const char *const steal[] = {"none", "random", "group", "cluster"};
  for (uint64_t seed = 1; seed <= 16; seed++) {
    struct executed x;
    struct executed_way flow = {"flow", "cm02", steal[(seed - 1) / 4], {NULL}};
    memcpy(flow.load, loads[seed % 4], sizeof flow.load);
    struct executed_way simgrid = flow;
    simgrid.engine = "simgrid";
    executed_new(&x, seed, &SHARED);
    struct executed_run *a = executed_apart(&x, &flow), *b = executed_apart(&x, &simgrid);
    executed_compare(&x, a, b, 1e-6);
    munmap(a, sizeof *a);
    munmap(b, sizeof *b);
    executed_clear(&x);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_latency_and_contention_as_in_the_abstract_model),
      cmocka_unit_test(both_engines_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
