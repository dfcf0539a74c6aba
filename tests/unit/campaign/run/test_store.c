#include "campaign/run/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"

static char folder[] = "/tmp/haichi-store-XXXXXX";

static int make_folder(void **state)
{
  (void)state;
  return mkdtemp(folder) == NULL ? -1 : 0;
}

static int remove_folder(void **state)
{
  (void)state;
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

static struct run_store store_of(const char *identity)
{
  struct run_store s = {.folder = folder, .identity = identity};
  run_store_key(&s);
  return s;
}

static char *row(const struct run_result *r)
{
  char *text;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  assert_non_null(f);
  run_result_print_values(
      r, RUN_BIT(RUN_SIM) | RUN_BIT(RUN_METRICS) | (r->groups & RUN_BIT(RUN_LOAD)), f);
  fputc('\t', f);
  run_result_print_reason(r, f);
  fputc('|', f);
  run_result_print_values(r, RUN_BIT(RUN_TIMING), f);
  fclose(f);
  return text;
}

static void assert_comes_back(const struct run_result *r, const char *identity)
{
  const struct run_store s = store_of(identity);
  struct run_result back;
  struct err e;
  bool found;
  assert_int_equal(run_store_load(&s, &back, &found, &e), OK);
  assert_false(found);
  assert_int_equal(run_store_save(&s, r, &e), OK);
  assert_int_equal(run_store_load(&s, &back, &found, &e), OK);
  assert_true(found);
  char *before = row(r), *after = row(&back);
  assert_string_equal(before, after);
  assert_true(back.timeout_s == r->timeout_s);
  for (size_t i = 0; i < RUN_EXTRAS; i++)
    assert_string_equal(back.extra[i], r->extra[i]);
  free(before);
  free(after);
}

static void results_are_read_back_to_the_last_digit(void **state)
{
  (void)state;
  struct run_result r = {.status = RUN_OK,
                         .sim = {.simulated_time_s = 0.1 + 0.2,
                                 .communication_time_max_s = 1.0 / 3,
                                 .messages = UINT64_MAX},
                         .groups = RUN_BIT(RUN_SIM) | RUN_BIT(RUN_METRICS),
                         .metrics = {.dilation_max = UINT32_MAX, .hop_bytes = 7},
                         .extra = {[RUN_MATRIX] = "0a1b"},
                         .cpu_s = 0.25,
                         .max_rss_bytes = 4096};
  assert_comes_back(&r, "an ok run\n");
  r.groups = RUN_BIT(RUN_SIM);
  assert_comes_back(&r, "on an opaque platform\n");
  run_result_fail(&r, "t.txt:3: no good", 1000);
  assert_comes_back(&r, "a failed run\nof two lines\n");
  r.status = RUN_TIMEOUT;
  r.timeout_s = 2.5;
  assert_comes_back(&r, "a timeout\n");
}

static void unknown_values_are_dashes(void **state)
{
  (void)state;
  struct run_result r;
  run_result_fail(&r, "two\tlines\nand a tab", 1000);
  char *text = row(&r);
  assert_string_equal(text, "failed\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\ttwo lines and a tab|"
                            "failed\t0.000000\t0.000000\t0");
  free(text);
}

/* Writes @p text to the file of the run with this identity. */
static void plant(const char *identity, const char *text)
{
  const struct run_store s = store_of(identity);
  struct err e;
  char *path = run_store_path(&s, ".tsv", &e);
  assert_non_null(path);
  scratch_write(path, text);
  free(path);
}

static void files_of_another_kind_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *text, *says;
  } CASES[] = {
      {"# another\nstatus\tok\n", ":1: the file belongs to another run: expected '# me'"},
      {"", ":1: the file ends before its identity is complete"},
      {"# me\n", ":2: the file ends without a checksum"},
      {"# me\nbytes\t1\n", ":3: the file ends without a checksum"},
      {"# me\nstatus\tok\nchecksum\tabc\n", ":3: the file was changed: its checksum is "},
      {"# me\nstatus\tfine\n", ":2: unknown status 'fine'"},
      {"# me\nstatus\n", ":2: expected NAME, a tab and VALUE, not 'status'"},
      {"# me\nbytes\t-1\n", ":2: '-1'"},
      {"# me\nstatus\tok\nsize\t3\n", ":3: unknown value 'size'"},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const struct run_store s = store_of("me\n");
    struct run_result r;
    struct err e = {""};
    bool found;
    plant("me\n", CASES[i].text);
    assert_int_equal(run_store_load(&s, &r, &found, &e), FAIL);
    if (strstr(e.text, CASES[i].says) == NULL)
      fail_msg("case %zu: '%s' lacks '%s'", i, e.text, CASES[i].says);
  }
}

/* Changes a digit of a result, changes the checksum, appends a line after it. */
static void edited_files_are_refused(void **state)
{
  (void)state;
  static const char *const EDITS[] = {"s/bytes.7/bytes\\t8/", "s/checksum..../checksum\\taaa/",
                                      "$a bytes\\t8"};
  const struct run_result result = {
      .status = RUN_OK, .groups = RUN_BIT(RUN_SIM), .sim = {.bytes = 7}};
  const struct run_store s = store_of("edited\n");
  struct run_result r;
  struct err e;
  bool found;
  for (size_t i = 0; i < sizeof EDITS / sizeof *EDITS; i++) {
    char command[256];
    assert_int_equal(run_store_save(&s, &result, &e), OK);
    assert_int_equal(run_store_load(&s, &r, &found, &e), OK);
    snprintf(command, sizeof command, "sed -i '%s' %s/%s.tsv", EDITS[i], folder, s.key);
    assert_int_equal(system(command), 0);
    if (run_store_load(&s, &r, &found, &e) == OK)
      fail_msg("edit %zu is not detected", i);
  }
  assert_non_null(strstr(e.text, ": a line after the checksum"));
}

/* Entries on which a read would block or never end are not runs, and can be cleared for a new
 * result. */
static void entries_that_are_no_files_are_moved_away(void **state)
{
  (void)state;
  static const char *const MAKE[] = {"mkfifo", "mkdir", "ln -s /dev/zero", "ln -s nowhere"};
  const struct run_result result = {.status = RUN_OK};
  const struct run_store s = store_of("obstacle\n");
  struct run_result r;
  struct err e;
  bool found;
  char *path = run_store_path(&s, ".tsv", &e);
  for (size_t i = 0; i < sizeof MAKE / sizeof *MAKE; i++) {
    char command[256];
    snprintf(command, sizeof command, "%s %s", MAKE[i], path);
    assert_int_equal(system(command), 0);
    assert_int_equal(run_store_load(&s, &r, &found, &e), FAIL);
    assert_int_equal(run_store_make_room(path, &e), OK);
    assert_int_equal(run_store_save(&s, &result, &e), OK);
    assert_int_equal(run_store_load(&s, &r, &found, &e), OK);
    assert_true(found);
    assert_int_equal(run_store_make_room(path, &e), OK);
  }
  free(path);
}

static bool there(const char *name)
{
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return access(path, F_OK) == 0;
}

static void put(const char *name)
{
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  scratch_write(path, "");
}

static void cleaning_removes_incomplete_files(void **state)
{
  (void)state;
  struct err e;
  put("0123.tsv.a1B2c3");
  put("0123.links.tsv.a1B2c3");
  put("0123.tsv");
  put("0123.links.tsv");
  put("notes.backup");
  assert_int_equal(run_store_remove_partial(folder, &e), OK);
  assert_false(there("0123.tsv.a1B2c3"));
  assert_false(there("0123.links.tsv.a1B2c3"));
  assert_true(there("0123.tsv"));
  assert_true(there("0123.links.tsv"));
  assert_true(there("notes.backup"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(results_are_read_back_to_the_last_digit),
      cmocka_unit_test(unknown_values_are_dashes),
      cmocka_unit_test(files_of_another_kind_are_refused),
      cmocka_unit_test(edited_files_are_refused),
      cmocka_unit_test(entries_that_are_no_files_are_moved_away),
      cmocka_unit_test(cleaning_removes_incomplete_files),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
