#include "campaign/plan/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/simgrid/api.h"
#include "tests/unit/scratch.h"

static void write_files(void)
{
  scratch_write("t.txt", "0 init\n1 init\n0 finalize\n1 finalize\n");
  scratch_write("hosts", "node-1\nnode-0\n");
  scratch_write("p.clusters", "cluster a hosts=4x1Gf bandwidth=1GBps latency=2us\n");
}

/* Writes a trace of two ranks, a mapping for them and a platform to a new folder. */
static int write_inputs(void **state)
{
  if (scratch_enter(state) != 0)
    return -1;
  write_files();
  return 0;
}

static enum status make_on(struct plan *p, const char *platform, char *mapper, char *more,
                           struct err *e)
{
  char *traces[] = {(char[]){"t.txt"}}, *platforms[] = {(char *)(uintptr_t)platform};
  char *mappers[] = {mapper, more};
  const struct plan_args a = {.kind = &kind_traces,
                              .machine = {{platforms, 1, 1}},
                              .subject = {traces, 1, 1},
                              .method = {mappers, more == NULL ? 1 : 2, 2},
                              .seed = 9,
                              .settings = settings_defaults()};
  return plan_make(p, &a, e);
}

static enum status make(struct plan *p, char *mapper, char *more, struct err *e)
{
  return make_on(p, "torus:4", mapper, more, e);
}

static void seeds_become_runs_in_order(void **state)
{
  (void)state;
  struct plan p;
  struct err e;
  assert_int_equal(make(&p, (char[]){"random:seeds=3..5"}, (char[]){"xyz"}, &e), OK);
  assert_int_equal(p.runs, 4);
  assert_string_equal(p.method[0].label, "random");
  for (uint64_t i = 0; i < 3; i++) {
    char spec[32];
    snprintf(spec, sizeof spec, "random:seed=%d", 3 + (int)i);
    assert_string_equal(p.run[i].spec, spec);
    assert_int_equal(p.run[i].seed, 3 + i);
    assert_int_equal(p.run[i].first, i == 0);
  }
  assert_string_equal(p.run[3].spec, "xyz");
  assert_false(p.run[3].seeded);
  assert_int_equal(plan_find_method(&p, "xyz"), 1);
  assert_int_equal(plan_find_method(&p, "abc"), 2);
  plan_clear(&p);
}

/* A result belongs to the files whose checksums its key contains. */
static void changed_inputs_are_noticed(void **state)
{
  (void)state;
  static const struct {
    const char *file, *text;
  } ROWS[] = {{"t.txt", "0 init\n1 init\n0 compute 1\n0 finalize\n1 finalize\n"},
              {"hosts", "node-0\nnode-1\n"},
              {"p.clusters", "cluster a hosts=2x1Gf bandwidth=1GBps latency=2us\n"}};
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct plan p;
    struct err e;
    char expected[80];
    write_files();
    assert_int_equal(make_on(&p, "clusters:p.clusters", (char[]){"hosts"}, NULL, &e), OK);
    assert_int_equal(plan_check_inputs(&p, &p.run[0], &e), OK);
    scratch_write(ROWS[i].file, ROWS[i].text);
    assert_int_equal(plan_check_inputs(&p, &p.run[0], &e), FAIL);
    snprintf(expected, sizeof expected, "%s%s: has changed since the command began",
             i == 2 ? "clusters:" : "", ROWS[i].file);
    assert_string_equal(e.text, expected);
    plan_clear(&p);
  }
  write_files();
}

static void a_mapper_without_a_seed_gets_the_standard_one(void **state)
{
  (void)state;
  struct plan p;
  struct err e;
  assert_int_equal(make(&p, (char[]){"random"}, NULL, &e), OK);
  assert_string_equal(p.run[0].spec, "random:seed=9");
  plan_clear(&p);
  assert_int_equal(make(&p, (char[]){"random:seed=4"}, NULL, &e), OK);
  assert_string_equal(p.method[0].label, "random");
  assert_string_equal(p.run[0].spec, "random:seed=4");
  plan_clear(&p);
  /* start= takes the rest of the spec: the seed precedes it. */
  assert_int_equal(make(&p, (char[]){"tune:seed=4,start=random:seed=2"}, NULL, &e), OK);
  assert_string_equal(p.method[0].label, "tune:start=random:seed=2");
  assert_string_equal(p.run[0].spec, "tune:seed=4,start=random:seed=2");
  plan_clear(&p);
}

static char *identity(const struct plan *p, size_t run)
{
  char *text;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  assert_non_null(f);
  plan_print_run(p, &p->run[run], p->options, f);
  fclose(f);
  return text;
}

/* The identity contains the checksums of both files, as `sha256sum` prints them. */
static void the_identity_names_inputs_with_checksums(void **state)
{
  (void)state;
  struct plan p;
  struct err e;
  assert_int_equal(make(&p, (char[]){"hosts"}, NULL, &e), OK);
  char *text = identity(&p, 0);
  static const char BEGIN[] = "haichi " HAICHI_VERSION "\nplatform torus:4\n";
  assert_memory_equal(text, BEGIN, sizeof BEGIN - 1);
  assert_non_null(strstr(text, "options model=smpi engine="));
  assert_non_null(
      strstr(text, "trace t.txt "
                   "sha256:cd342cbe3825e9b16679a2e7055508cb851f48330ff02ac968d07c2e0ad355ef\n"));
  assert_non_null(
      strstr(text, "mapper hosts "
                   "sha256:c16c9403d55b18b8920d26d5f376a59217911cf832ed22e38411eb1bd50ddb61\n"));
  free(text);
  plan_clear(&p);
}

/* Another version of SimGrid may give other results; haichi's own engine does not use SimGrid for
 * topologies. */
static void the_identity_names_simgrid_if_results_depend_on_it(void **state)
{
  (void)state;
  static const char ZONE[] =
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">"
      "<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>"
      "<link id=\"l\" bandwidth=\"54Mbps\" latency=\"0\" sharing_policy=\"WIFI\"/>"
      "</zone></platform>";
  struct plan p;
  struct err e;
  assert_int_equal(make(&p, (char[]){"xyz"}, NULL, &e), OK);
  char *text = identity(&p, 0);
  assert_null(strstr(text, "imgrid"));
  assert_null(strstr(text, "SimGrid"));
  free(text);
  struct settings simgrid = settings_defaults();
  simgrid.options.engine = registry_get(&engines, "simgrid", &e);
  assert_non_null(simgrid.options.engine);
  char *options = settings_text(&simgrid, &cli_option_key, &e);
  assert_non_null(options);
  char version[16], want[64];
  assert_int_equal(simgrid_api_version(version, sizeof version, &e), OK);
  snprintf(want, sizeof want, "engine=simgrid simgrid=%s ", version);
  assert_non_null(strstr(options, want));
  free(options);
  plan_clear(&p);
  scratch_write("zone.xml", ZONE);
  assert_int_equal(make_on(&p, "zone.xml", (char[]){"xyz"}, NULL, &e), OK);
  text = identity(&p, 0);
  snprintf(want, sizeof want, "\nroutes of SimGrid %s\n", version);
  assert_non_null(strstr(text, want));
  free(text);
  plan_clear(&p);
}

static void refusals(void **state)
{
  (void)state;
  static const struct {
    const char *mapper, *says;
  } CASES[] = {
      {"random:seeds=5..3", "5..3 is empty"},
      {"random:seeds=1..20000", "more than 10000 seeds"},
      {"random:seeds=a..3", "seeds: 'a'"},
      {"random:seeds=1..", "seeds: ''"},
      {"random:seed=1,seeds=1..2", "both seed= and seeds="},
      {"random:seed=1,seed=2", "option 'seed' is given twice"},
      {"random:seeds=1..2,seeds=3", "option 'seeds' is given twice"},
      {"file:path=a\tb", "'file:path=a\\tb': a table cannot hold the control character"},
      {"random:refine=soon", "mapper 'random': refine: 'soon' is not a number"},
      {"tune:runs=many", "mapper 'tune': runs: 'many' is not a whole number"},
      {"random:sede=3", "no option 'sede'"},
      {"xyz:seeds=1..2", "no option 'seeds'"},
      {"nothere", "unknown mapper 'nothere'"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct plan p;
    struct err e = {""};
    char mapper[64];
    snprintf(mapper, sizeof mapper, "%s", CASES[i].mapper);
    assert_int_equal(make(&p, mapper, NULL, &e), FAIL);
    if (strstr(e.text, CASES[i].says) == NULL)
      fail_msg("%s: '%s' lacks '%s'", mapper, e.text, CASES[i].says);
  }
  struct plan p;
  struct err e;
  assert_int_equal(make(&p, (char[]){"random:seed=1"}, (char[]){"random:seed=2"}, &e), FAIL);
  assert_non_null(strstr(e.text, "mapper 'random' is given twice"));
}

/* Names that would break the rows of results.tsv. */
static void names_that_a_table_cannot_hold_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *platform, *trace, *says;
  } CASES[] = {
      {"torus:4", "a\tb", "'a\\tb': a table cannot hold the control character"},
      {"torus:4", "a\nb", "'a?b': a table cannot hold the control character"},
      {"torus:4", "#a", "write './#a'"},
      {"a\x7f", "t.txt", "'a?': a table cannot hold the control character"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct plan p;
    struct err e = {""};
    char trace[16], *traces[] = {trace}, *mappers[] = {(char[]){"xyz"}};
    char *platforms[] = {(char *)(uintptr_t)CASES[i].platform};
    const struct plan_args a = {.kind = &kind_traces,
                                .machine = {{platforms, 1, 1}},
                                .subject = {traces, 1, 1},
                                .method = {mappers, 1, 1},
                                .settings = settings_defaults()};
    snprintf(trace, sizeof trace, "%s", CASES[i].trace);
    assert_int_equal(plan_make(&p, &a, &e), FAIL);
    if (strstr(e.text, CASES[i].says) == NULL)
      fail_msg("case %zu: '%s' lacks '%s'", i, e.text, CASES[i].says);
  }
}

/* --- several machines ------------------------------------------------------------------------- */

/* Two platforms with two bandwidths, for two traces.  The plan refers to the words, which last
 * until the next call. */
static enum status make_machines(struct plan *p, const bool *needed, struct err *e)
{
  static const char *const WORDS[] = {"t.txt", "npb:is.S.2", "torus:4", "star:4",
                                      "1GBps", "10GBps",     "xyz"};
  static char copy[7][16];
  char *word[7];
  for (size_t i = 0; i < 7; i++)
    word[i] = memcpy(copy[i], WORDS[i], strlen(WORDS[i]) + 1);
  char *traces[] = {word[0], word[1]}, *platforms[] = {word[2], word[3]};
  char *bandwidths[] = {word[4], word[5]}, *mappers[] = {word[6]};
  const struct plan_args a = {
      .kind = &kind_traces,
      .machine = {[MACHINE_PLATFORM] = {platforms, 2, 2}, [MACHINE_BANDWIDTH] = {bandwidths, 2, 2}},
      .subject = {traces, 2, 2},
      .method = {mappers, 1, 1},
      .needed = needed,
      .settings = settings_defaults()};
  return plan_make(p, &a, e);
}

static char *row_name(const struct plan *p, size_t subject)
{
  char *text;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  assert_non_null(f);
  plan_print_subject(p, subject, f);
  fclose(f);
  return text;
}

static void machines_are_a_dimension_of_the_plan(void **state)
{
  (void)state;
  static const char *const ROWS[] = {"torus:4\t1GBps\tt.txt\t",
                                     "torus:4\t1GBps\tnpb:is.S.2\t",
                                     "torus:4\t10GBps\tt.txt\t",
                                     "torus:4\t10GBps\tnpb:is.S.2\t",
                                     "star:4\t1GBps\tt.txt\t",
                                     "star:4\t1GBps\tnpb:is.S.2\t",
                                     "star:4\t10GBps\tt.txt\t",
                                     "star:4\t10GBps\tnpb:is.S.2\t",
                                     "torus:4\t1GBps\t*\t",
                                     "torus:4\t10GBps\t*\t",
                                     "star:4\t1GBps\t*\t",
                                     "star:4\t10GBps\t*\t",
                                     "*\t*\t*\t"};
  struct plan p;
  struct err e;
  assert_int_equal(make_machines(&p, NULL, &e), OK);
  assert_int_equal(p.machines, 4);
  assert_int_equal(p.subjects, 8);
  assert_int_equal(p.runs, 8);
  assert_int_equal(plan_groups(&p), 5);
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    char *name = row_name(&p, i);
    assert_string_equal(name, ROWS[i]);
    free(name);
  }
  for (size_t i = 0; i < p.subjects; i++)
    assert_string_equal(p.subject[i].file.checksum, p.subject[i % 2].file.checksum);
  plan_clear(&p);
}

/* A run has the values of its own machine only. */
static void the_identity_names_the_machine(void **state)
{
  (void)state;
  struct plan p;
  struct err e;
  assert_int_equal(make_machines(&p, NULL, &e), OK);
  char *text = identity(&p, 6), *name = plan_subject_label(&p, 6, &e);
  static const char BEGIN[] =
      "haichi " HAICHI_VERSION "\nplatform star:4\nbandwidth 10GBps\noptions ";
  assert_memory_equal(text, BEGIN, sizeof BEGIN - 1);
  assert_null(strstr(text, "1GBps"));
  assert_string_equal(name, "t.txt on star:4, 10GBps");
  free(text);
  free(name);
  plan_clear(&p);
}

/* A task opens the platforms and traces of its runs only. */
static void unneeded_machines_are_not_opened(void **state)
{
  (void)state;
  static const bool NEEDED[8] = {[5] = true};
  struct plan p, all;
  struct err e;
  assert_int_equal(make_machines(&p, NEEDED, &e), OK);
  assert_int_equal(make_machines(&all, NULL, &e), OK);
  for (size_t i = 0; i < p.machines; i++)
    assert_int_equal(p.machine[i].on != NULL, i == 2);
  char *one = identity(&p, 5), *same = identity(&all, 5);
  assert_string_equal(one, same);
  free(one);
  free(same);
  plan_clear(&p);
  plan_clear(&all);
}

static void machines_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *platform[2], *bandwidth, *cores, *says;
  } CASES[] = {
      {{"torus:4", "torus:4"}, NULL, NULL, "platform 'torus:4' is given twice"},
      {{"torus:4", "#a"}, NULL, NULL, "write './#a'"},
      {{"torus:4", "torus:1"}, NULL, NULL, "do not fit on the 1 host of torus:1"},
      {{"torus:4", "p.clusters"}, "1GBps", NULL, "--bandwidth: the links of 'p.clusters'"},
      {{"torus:4", "star:4"}, NULL, "0", "'0' is not in [1, 1048576]"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct plan p;
    struct err e = {""};
    char *traces[] = {(char[]){"t.txt"}}, *mappers[] = {(char[]){"xyz"}};
    char *platforms[] = {(char *)(uintptr_t)CASES[i].platform[0],
                         (char *)(uintptr_t)CASES[i].platform[1]};
    char *bandwidth[] = {(char *)(uintptr_t)CASES[i].bandwidth},
         *cores[] = {(char *)(uintptr_t)CASES[i].cores};
    const struct plan_args a = {
        .kind = &kind_traces,
        .machine = {[MACHINE_PLATFORM] = {platforms, 2, 2},
                    [MACHINE_BANDWIDTH] = {bandwidth, CASES[i].bandwidth != NULL, 1},
                    [MACHINE_CORES] = {cores, CASES[i].cores != NULL, 1}},
        .subject = {traces, 1, 1},
        .method = {mappers, 1, 1},
        .settings = settings_defaults()};
    assert_int_equal(plan_make(&p, &a, &e), FAIL);
    if (strstr(e.text, CASES[i].says) == NULL)
      fail_msg("case %zu: '%s' lacks '%s'", i, e.text, CASES[i].says);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(seeds_become_runs_in_order),
      cmocka_unit_test(changed_inputs_are_noticed),
      cmocka_unit_test(a_mapper_without_a_seed_gets_the_standard_one),
      cmocka_unit_test(the_identity_names_inputs_with_checksums),
      cmocka_unit_test(the_identity_names_simgrid_if_results_depend_on_it),
      cmocka_unit_test(refusals),
      cmocka_unit_test(names_that_a_table_cannot_hold_are_refused),
      cmocka_unit_test(machines_are_a_dimension_of_the_plan),
      cmocka_unit_test(the_identity_names_the_machine),
      cmocka_unit_test(unneeded_machines_are_not_opened),
      cmocka_unit_test(machines_are_refused),
  };
  return cmocka_run_group_tests(tests, write_inputs, scratch_leave);
}
