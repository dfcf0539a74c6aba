#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "campaign/analysis/summary.h"
#include "campaign/plan/plan.h"
#include "campaign/run/worker.h"
#include "tests/unit/scratch.h"

enum { MOST = 4 };

/* Words of a command, each list terminated by NULL. */
struct words {
  const char *network[MOST], *load[MOST], *scheduler[MOST], *steal[MOST];
};

/* Writes a network of two tasks, one with its program in a separate file. */
static int write_network(void **state)
{
  if (scratch_enter(state) != 0)
    return -1;
  scratch_write("n.xml", "<tasknet version=\"1\"><program id=\"p\" file=\"p.meta\"/>"
                         "<task id=\"a\" compute=\"3\" output=\"1\"/><task id=\"b\" program=\"p\"/>"
                         "<stream id=\"s\" from=\"a\" to=\"b\"/></tasknet>\n");
  scratch_write("p.meta", "compute(2)\n");
  return 0;
}

static struct plan_words list(const char *const *word)
{
  struct plan_words l = {.word = (char **)(uintptr_t)word};
  while (l.count < MOST && word[l.count] != NULL)
    l.count++;
  return l;
}

static enum status make(struct plan *p, const struct words *w, uint32_t repeats, struct err *e)
{
  static const char *const PLATFORM[] = {"torus:4"};
  const struct plan_args a = {.kind = &kind_networks,
                              .machine = {{(char **)(uintptr_t)PLATFORM, 1, 1}},
                              .subject = list(w->network),
                              .load = list(w->load),
                              .method = list(w->scheduler),
                              .steal = list(w->steal),
                              .seed = 5,
                              .repeats = repeats,
                              .settings = settings_defaults(),
                              .tasknets = tasknets_defaults()};
  return plan_make(p, &a, e);
}

/* Returns the output of plan_print_run(), or of plan_print() if there is no such run. */
static char *print(const struct plan *p, size_t run)
{
  char *text;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  assert_non_null(f);
  if (run < p->runs)
    plan_print_run(p, &p->run[run], p->options, f);
  else
    plan_print(p, f);
  assert_int_equal(fclose(f), 0);
  return text;
}

static void all_networks_loads_schedulers_and_policies_are_combined(void **state)
{
  (void)state;
  static const struct words W = {.network = {"n.xml", "random:tasks=9"},
                                 .load = {"none", "tasks:2+links:p=0.1"},
                                 .scheduler = {"heft", "best:tries=2"},
                                 .steal = {"none", "random"}};
  static const char *const LABELS[] = {"heft", "heft:steal=random", "best:tries=2",
                                       "best:tries=2,steal=random"};
  struct plan p;
  struct err e;
  assert_int_equal(make(&p, &W, 3, &e), OK);
  assert_int_equal(p.subjects, 4);
  assert_int_equal(p.methods, 4);
  assert_int_equal(p.runs, 4 * 4 * 3);
  for (size_t i = 0; i < 4; i++) {
    assert_string_equal(p.method[i].label, LABELS[i]);
    assert_string_equal(p.method[i].spec, W.scheduler[i / 2]);
    assert_string_equal(p.subject[i].file.name, W.network[i / 2]);
    assert_string_equal(p.subject[i].load.name, W.load[i % 2]);
  }
  char *text = print(&p, p.runs);
  assert_non_null(strstr(text, "\noptions model=abstract seed=5\nrepeat 3\nnetwork n.xml sha256:"));
  assert_non_null(strstr(text,
                         "\nnetwork random:tasks=9\nload none\nload tasks:2+links:p=0.1\n"
                         "scheduler heft\nscheduler best:tries=2\nsteal none\nsteal random\n"));
  free(text);
  text = print(&p, p.runs - 1);
  assert_non_null(strstr(text, "\nnetwork random:tasks=9\nload tasks:2+links:p=0.1\n"
                               "scheduler best:tries=2\nsteal random\nrepetition 2\n"));
  free(text);
  plan_clear(&p);
}

/* The identity of a run covers the network file and its program file. */
static void the_identity_has_all_files_of_a_network(void **state)
{
  (void)state;
  static const struct words W = {.network = {"n.xml"}, .scheduler = {"heft"}};
  char sum[2][CHECKSUM_SIZE], alone[CHECKSUM_SIZE];
  struct err e;
  for (int i = 0; i < 2; i++) {
    struct plan p;
    assert_int_equal(make(&p, &W, 1, &e), OK);
    memcpy(sum[i], p.subject[0].file.checksum, sizeof sum[i]);
    plan_clear(&p);
    scratch_write("p.meta", "compute(7)\n");
  }
  assert_int_equal(checksum_file("n.xml", alone, &e), OK);
  assert_string_not_equal(sum[0], sum[1]);
  assert_string_not_equal(sum[0], alone);
}

static void an_unreadable_network_fails_its_runs_only(void **state)
{
  (void)state;
  static const struct words W = {
      .network = {"bad.xml"}, .load = {"none", "tasks:1"}, .scheduler = {"heft"}};
  struct plan p;
  struct err e;
  scratch_write("bad.xml", "<tasknet version=\"1\">\n<task/>\n");
  assert_int_equal(make(&p, &W, 1, &e), OK);
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(plan_check(&p, i, &e), FAIL);
    assert_memory_equal(e.text, "bad.xml:", 8);
    assert_int_equal(strlen(p.subject[i].file.checksum), CHECKSUM_SIZE - 1);
  }
  plan_clear(&p);
}

/* Repetitions use later seeds: the third gives the result of a single run with the seeds plus 2. */
static void a_repetition_has_later_seeds(void **state)
{
  (void)state;
  static const struct words W = {
      .network = {"random:tasks=20,seed=7,loops=3"}, .load = {"tasks:5"}, .scheduler = {"heft"}};
  struct run_result r;
  struct tasknets_result alone;
  struct plan p;
  struct err e;
  assert_int_equal(make(&p, &W, 3, &e), OK);
  const struct run_worker w = {.plan = &p, .run = &p.run[2]};
  assert_int_equal(kind_networks.make(&w, (char *[RUN_EXTRAS]){NULL}, &r, &e), OK);
  struct tasknets_options o = tasknets_defaults();
  o.network = "random:tasks=20,seed=9,loops=3";
  o.platform = "torus:4";
  o.scheduler = "heft";
  o.seed = 7;
  assert_int_equal(load_specs_add(&o.loads, "tasks:5", &e), OK);
  assert_int_equal(tasknets_run(&o, &alone, &e), OK);
  assert_true(r.net.makespan_s == alone.makespan_s);
  assert_true(r.net.makespan_s > r.net.expected_s);
  assert_true(run_result_time(&r) == alone.makespan_s);
  plan_clear(&p);
}

/* heft is faster by a tenth in each repetition, but repetitions differ far more.  Paired, the
 * difference is significant; between the means it is not. */
static void schedulers_are_compared_in_pairs(void **state)
{
  (void)state;
  static const struct words W = {
      .network = {"n.xml"}, .load = {"tasks:1"}, .scheduler = {"heft", "cpop"}};
  static const double TIMES[] = {1, 10, 100, 1.11, 11, 109};
  struct run_result result[6];
  struct plan p;
  struct err e;
  char line[256] = "";
  assert_int_equal(make(&p, &W, 3, &e), OK);
  for (int i = 0; i < 6; i++)
    result[i] = (struct run_result){.groups = RUN_BIT(RUN_NETWORK), .net.makespan_s = TIMES[i]};
  assert_int_equal(summary_write(&p, result, ".", &e), OK);
  plan_clear(&p);
  FILE *f = fopen("differences.tsv", "r");
  assert_non_null(f);
  while (fgets(line, sizeof line, f) != NULL)
    ;
  fclose(f);
  assert_memory_equal(line, "n.xml\ttasks:1\theft\tcpop\t", 24);
  assert_non_null(strstr(line, "\tyes\n"));
}

static void refusals(void **state)
{
  (void)state;
  static const struct {
    struct words words;
    const char *says;
  } CASES[] = {
      {{.network = {"n.xml", "n.xml"}, .scheduler = {"heft"}}, "network 'n.xml' is given twice"},
      {{.network = {"n.xml"}, .scheduler = {"heft", "heft"}}, "scheduler 'heft' is given twice"},
      {{.network = {"n.xml"}, .scheduler = {"heft", "heft:steal=random"}, .steal = {"random"}},
       "scheduler 'heft'"},
      {{.network = {"n.xml"}, .load = {"tasks:1", "tasks:1"}, .scheduler = {"heft"}},
       "load 'tasks:1' is given twice"},
      {{.network = {"n.xml"}, .load = {"links:p=0.1"}, .scheduler = {"heft"}},
       "load 'links:p=0.1': load 'links': it depends on competing tasks"},
      {{.network = {"n.xml"}, .load = {"tasks:1+"}, .scheduler = {"heft"}}, "load 'tasks:1+': "},
      {{.network = {"n.xml"}, .load = {"flows:2"}, .scheduler = {"heft"}}, "load 'flows:2': "},
      {{.network = {"n.xml"}, .load = {"a\tb"}, .scheduler = {"heft"}}, "control character"},
      {{.network = {"#n"}, .scheduler = {"heft"}}, "write './#n'"},
      {{.network = {"n.xml"}, .scheduler = {"hefd"}}, "'hefd'"},
      {{.network = {"n.xml"}, .scheduler = {"heft"}, .steal = {"all"}}, "'all'"},
      {{.network = {"random:size=3"}, .scheduler = {"heft"}}, "size"},
      {{.network = {"none.xml"}, .scheduler = {"heft"}}, "none.xml: cannot open"},
      {{.network = {"/dev/null"}, .scheduler = {"heft"}},
       "must be a file or a folder, since every run reads it"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct plan p;
    struct err e = {""};
    assert_int_equal(make(&p, &CASES[i].words, 1, &e), FAIL);
    if (strstr(e.text, CASES[i].says) == NULL)
      fail_msg("case %zu: '%s' lacks '%s'", i, e.text, CASES[i].says);
  }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, write_network, scratch_leave)
  const struct CMUnitTest tests[] = {
      TEST(all_networks_loads_schedulers_and_policies_are_combined),
      TEST(the_identity_has_all_files_of_a_network),
      TEST(an_unreadable_network_fails_its_runs_only),
      TEST(a_repetition_has_later_seeds),
      TEST(schedulers_are_compared_in_pairs),
      TEST(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
