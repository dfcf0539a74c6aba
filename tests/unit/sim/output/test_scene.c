/* Timelines with messages in both formats that show them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "sim/output/scene.h"
#include "sim/output/timeline.h"

extern const struct timeline_format timeline_csv, timeline_paje, timeline_chrome;

static const char *const NAME[] = {"compute", "contention"};

/* Arrays of the test in place of owned ones; texts are not freed. */
static char JOB[] = "job 0", QUOTED[] = "path \"a\\b\"", CABLE[] = "cable";
static char RANK_0[] = "rank 0 on host-0", RANK_1[] = "rank 1 on host-1", PATH[] = "path";
static char *GROUP[] = {JOB, QUOTED}, *LINK[] = {CABLE};
static struct scene_row ROW[] = {{RANK_0, 0}, {RANK_1, 0}, {PATH, 1}};
static struct scene_state STATE[] = {
    {2, 3, 1, 0, NULL, false},         /* given in no order */
    {0, 1, 0, 0, NULL, false},         /* begins with the run */
    {1, 1 + 1e-10, 0, 0, NULL, false}, /* no whole ns */
    {0, 3, 2, 1, "rank 0", true},
};
static struct scene_arrow ARROW[] = {{1, 2, 100, 2.5, 0, 1, true}, {0.5, 2, 7, 1, 0, 1, false}};
static struct scene_value VALUE[] = {{0, 0.25F, 0}, {2, 1, 0}};

static const struct scene SCENE = {.group = GROUP,
                                   .row = ROW,
                                   .name = NAME,
                                   .quantity = LINK,
                                   .state = STATE,
                                   .arrow = ARROW,
                                   .value = VALUE,
                                   .groups = 2,
                                   .rows = 3,
                                   .names = 2,
                                   .quantities = 1,
                                   .states = 4,
                                   .arrows = 2,
                                   .values = 2,
                                   .end = 3};

static void print(char *text, size_t size, const struct scene *s,
                  const struct timeline_format *format)
{
  struct err e;
  FILE *f = fmemopen(text, size, "w");
  assert_non_null(f);
  assert_int_equal(scene_print(s, format, f, &e), OK);
  assert_int_equal(fclose(f), 0);
}

/* At one date states come first, then values, sends and receives. */
static void json_has_the_events_in_order_of_time(void **state)
{
  (void)state;
  char text[4096];
  print(text, sizeof text, &SCENE, &timeline_chrome);
  const char *body = strstr(text, "{\"ph\":\"X\"");
  assert_non_null(body);
  assert_non_null(
      strstr(text, "\"name\":\"process_name\",\"args\":{\"name\":\"path \\\"a\\\\b\\\"\"}"));
  assert_string_equal(
      body,
      "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0.000,\"dur\":1000000.000,\"name\":\"compute\"},\n"
      "{\"ph\":\"X\",\"pid\":2,\"tid\":3,\"ts\":0.000,\"dur\":3000000.000,\"name\":\"contention\","
      "\"cname\":\"terrible\",\"cat\":\"critical\",\"args\":{\"detail\":\"rank 0\"}},\n"
      "{\"ph\":\"C\",\"pid\":3,\"ts\":0.000,\"name\":\"cable\",\"args\":{\"use\":0.25}},\n"
      "{\"ph\":\"s\",\"id\":2,\"pid\":1,\"tid\":1,\"ts\":500000.000,\"cat\":\"message\","
      "\"name\":\"7 B, x1\",\"args\":{\"bytes\":7,\"slowdown\":1}},\n"
      "{\"ph\":\"s\",\"id\":1,\"pid\":1,\"tid\":1,\"ts\":1000000.000,\"cat\":\"critical\","
      "\"name\":\"100 B, x2.5\",\"args\":{\"bytes\":100,\"slowdown\":2.5}},\n"
      "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":2000000.000,\"dur\":1000000.000,"
      "\"name\":\"compute\"},\n"
      "{\"ph\":\"C\",\"pid\":3,\"ts\":2000000.000,\"name\":\"cable\",\"args\":{\"use\":1}},\n"
      "{\"ph\":\"f\",\"bp\":\"e\",\"id\":1,\"pid\":1,\"tid\":2,\"ts\":1999999.999,"
      "\"cat\":\"critical\",\"name\":\"100 B, x2.5\"},\n"
      "{\"ph\":\"f\",\"bp\":\"e\",\"id\":2,\"pid\":1,\"tid\":2,\"ts\":1999999.999,"
      "\"cat\":\"message\",\"name\":\"7 B, x1\"}\n]}\n");
}

static void paje_has_the_links(void **state)
{
  (void)state;
  char text[8192];
  print(text, sizeof text, &SCENE, &timeline_paje);
  const char *starts = strstr(text, "8 0.500000000000000 M 0 r0 \"7 B\" k1 \"x1\"\n");
  const char *critical = strstr(text, "8 1.000000000000000 C 0 r0 \"100 B\" k0 \"x2.5\"\n");
  const char *ends = strstr(text, "9 2.000000000000000 C 0 r1 \"100 B\" k0\n"
                                  "9 2.000000000000000 M 0 r1 \"7 B\" k1\n");
  assert_non_null(starts);
  assert_non_null(critical);
  assert_non_null(ends);
  assert_true(starts < critical && critical < ends);
}

static void other_formats_are_refused(void **state)
{
  (void)state;
  struct err e;
  assert_int_equal(scene_check(&timeline_chrome, &e), OK);
  assert_int_equal(scene_check(&timeline_paje, &e), OK);
  assert_int_equal(scene_check(&timeline_csv, &e), FAIL);
  assert_string_equal(e.text, "format csv shows no critical path; use .json or .paje");
}

static void an_empty_scene_is_a_whole_file(void **state)
{
  (void)state;
  char text[256];
  struct scene s = {0};
  print(text, sizeof text, &s, &timeline_chrome);
  assert_string_equal(text, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n\n]}\n");
  scene_clear(&s);
}

/* Owned arrays and texts, whose leaks the sanitizers report. */
static void clearing_frees_names(void **state)
{
  (void)state;
  struct err e;
  struct scene s = {.groups = 1, .rows = 1, .quantities = 1};
  s.group = mem_array(1, sizeof *s.group, &e);
  s.row = mem_array(1, sizeof *s.row, &e);
  s.quantity = mem_array(1, sizeof *s.quantity, &e);
  assert_true(s.group != NULL && s.row != NULL && s.quantity != NULL);
  s.group[0] = mem_strdup("g", &e);
  s.row[0].name = mem_strdup("r", &e);
  s.quantity[0] = mem_strdup("q", &e);
  scene_clear(&s);
  assert_null(s.group);
  assert_int_equal(s.rows, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(json_has_the_events_in_order_of_time),
      cmocka_unit_test(paje_has_the_links),
      cmocka_unit_test(other_formats_are_refused),
      cmocka_unit_test(an_empty_scene_is_a_whole_file),
      cmocka_unit_test(clearing_frees_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
