#include "campaign/remote/backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void options_become_arguments_of_the_program(void **state)
{
  (void)state;
  static const struct {
    const char *text, *backend, *option[4];
  } CASES[] = {
      {"slurm", "slurm", {NULL}},
      {"slurm:partition=long", "slurm", {"--partition=long"}},
      {"slurm:nodelist=n1,n2,time=1:00:00", "slurm", {"--nodelist=n1,n2", "--time=1:00:00"}},
      {"slurm:gres=gpu:1,sbatch=--exclusive", "slurm", {"--gres=gpu:1", "--exclusive"}},
      {"slurm:sbatch=--constraint=a=b", "slurm", {"--constraint=a=b"}},
      {"slurm:comment=$(x);'\"", "slurm", {"--comment=$(x);'\""}},
      {"slurm:mail-user=", "slurm", {"--mail-user="}},
      {"parallel:sshlogin=a,b,option=--pipe", "parallel", {"--sshlogin=a,b", "--pipe"}},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct backend_spec s;
    struct err e;
    assert_int_equal(backend_spec_parse(&s, CASES[i].text, &e), OK);
    assert_string_equal(s.backend->name, CASES[i].backend);
    size_t n = 0;
    for (; n < 4 && CASES[i].option[n] != NULL; n++) {
      assert_true(n < s.options);
      assert_string_equal(s.option[n], CASES[i].option[n]);
    }
    assert_int_equal(s.options, n);
    backend_spec_clear(&s);
  }
}

static void a_command_is_taken_whole(void **state)
{
  (void)state;
  struct backend_spec s;
  struct err e;
  assert_int_equal(backend_spec_parse(&s, "command:qsub -J 1-$HAICHI_TASKS, a=b: c", &e), OK);
  assert_string_equal(s.command, "qsub -J 1-$HAICHI_TASKS, a=b: c");
  assert_int_equal(s.options, 0);
  backend_spec_clear(&s);
}

static void bad_options_are_refused(void **state)
{
  (void)state;
  static const char *const CASES[][2] = {
      {"slrum", "unknown back end 'slrum', perhaps 'slurm'; expected slurm, parallel or command"},
      {"", "unknown back end ''; expected slurm, parallel or command"},
      {"slurm:", "'' is not KEY=VALUE"},
      {"slurm:long", "'long' is not KEY=VALUE"},
      {"slurm:=long", "'=long' is not KEY=VALUE"},
      {"slurm:--partition=long", "'--partition=long' is not KEY=VALUE"},
      {"slurm:a b=c", "'a b=c' is not KEY=VALUE"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct backend_spec s;
    struct err e;
    assert_int_equal(backend_spec_parse(&s, CASES[i][0], &e), FAIL);
    assert_string_equal(e.text, CASES[i][1]);
  }
}

static void options_that_haichi_sets_are_refused(void **state)
{
  (void)state;
  static const char *const CASES[] = {"slurm:array=1-3", "slurm:wrap=x", "slurm:sbatch=--wait",
                                      "slurm:sbatch=--parsable"};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct backend_spec s;
    struct err e;
    assert_int_equal(backend_spec_parse(&s, CASES[i], &e), OK);
    assert_int_equal(s.backend->check(&s, &e), FAIL);
    assert_non_null(strstr(e.text, "cannot be given: haichi submits an array"));
    backend_spec_clear(&s);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_become_arguments_of_the_program),
      cmocka_unit_test(a_command_is_taken_whole),
      cmocka_unit_test(bad_options_are_refused),
      cmocka_unit_test(options_that_haichi_sets_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
