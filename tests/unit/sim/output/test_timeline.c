#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "sim/output/timeline.h"
#include "tests/unit/sim/fake.h"

extern const struct timeline_format timeline_csv, timeline_paje, timeline_chrome;

struct note {
  uint32_t rank;
  const char *state;
  double at;
};

/* Writes notes in a format. */
static void write_notes(char *text, size_t size, const struct timeline_format *format,
                        const struct note *note, size_t n)
{
  struct timeline *t;
  struct err e;
  FILE *f = fmemopen(text, size, "w");
  assert_non_null(f);
  assert_int_equal(timeline_new(&t, &(struct timeline_target){format, f, NULL}, 3, &e), OK);
  for (size_t i = 0; i < n; i++)
    timeline_note(t, note[i].rank, note[i].state, note[i].at);
  assert_int_equal(timeline_finish(t, &e), OK);
  timeline_free(t);
  assert_int_equal(fclose(f), 0);
}

/* Rank 2 ends at once; ranks 0 and 1 change at the same instant, 1 first. */
static const struct note NOTES[] = {
    {1, "compute", 0},   {0, "recv", 0}, {2, NULL, 0},      {1, "send", 0.5},
    {0, "compute", 0.5}, {0, "recv", 2}, {0, "compute", 2}, {0, "wait", 3},
    {0, NULL, 3},        {1, "recv", 3}, {1, NULL, 4},
};

static void csv_has_the_intervals(void **state)
{
  (void)state;
  char text[1024];
  write_notes(text, sizeof text, &timeline_csv, NOTES, COUNT(NOTES));
  assert_string_equal(text, "rank,start_s,end_s,state\n"
                            "0,0,0.5,recv\n"
                            "1,0,0.5,compute\n"
                            "0,0.5,3,compute\n"
                            "1,0.5,3,send\n"
                            "1,3,4,recv\n");
}

static void paje_has_the_changes(void **state)
{
  (void)state;
  char text[4096];
  write_notes(text, sizeof text, &timeline_paje, NOTES, COUNT(NOTES));
  const char *body = strstr(text, "\n0 R 0 ");
  assert_memory_equal(text, "%EventDef PajeDefineContainerType 0\n% Alias string\n", 51);
  assert_non_null(body);
  assert_string_equal(body + 1, "0 R 0 \"rank\"\n"
                                "1 S R \"state\"\n"
                                "3 0 r0 R 0 \"rank 0\"\n"
                                "3 0 r1 R 0 \"rank 1\"\n"
                                "3 0 r2 R 0 \"rank 2\"\n"
                                "2 s0 S \"recv\" \"0.60 0.60 0.60\"\n"
                                "4 0.000000000000000 S r0 s0\n"
                                "2 s1 S \"compute\" \"0.90 0.62 0.00\"\n"
                                "4 0.000000000000000 S r1 s1\n"
                                "4 0.500000000000000 S r0 s1\n"
                                "2 s2 S \"send\" \"0.34 0.71 0.91\"\n"
                                "4 0.500000000000000 S r1 s2\n"
                                "5 3.000000000000000 R r0\n"
                                "4 3.000000000000000 S r1 s0\n"
                                "5 4.000000000000000 R r1\n");
}

/* Times are in microseconds, so the third decimal is a nanosecond; shorter intervals are
 * omitted. */
static void chrome_has_the_intervals(void **state)
{
  (void)state;
  static const struct note SHORT[] = {
      {0, "recv", 0},       {0, "wait", 1.6e-9},       {0, "compute", 2.2e-9}, {0, "send", 2.6e-9},
      {0, "compute", 1e-3}, {0, "recv", 1.0000002e-3}, {0, NULL, 2e-3},
  };
  char text[2048];
  write_notes(text, sizeof text, &timeline_chrome, SHORT, COUNT(SHORT));
  const char *body = strstr(text, "\n{\"ph\":\"X\"");
  assert_memory_equal(text, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{\"ph\":\"M\",", 50);
  assert_non_null(strstr(text, "{\"ph\":\"M\",\"pid\":1,\"tid\":3,\"name\":\"thread_name\","
                               "\"args\":{\"name\":\"rank 2\"}},\n"));
  assert_non_null(body);
  assert_string_equal(
      body,
      "\n{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0.000,\"dur\":0.002,\"name\":\"recv\"},"
      "\n{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0.002,\"dur\":0.001,\"name\":\"compute\"},"
      "\n{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0.003,\"dur\":999.997,\"name\":\"send\"},"
      "\n{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1000.000,\"dur\":1000.000,\"name\":\"recv\"}"
      "\n]}\n");
}

static void formats_by_name_and_ending(void **state)
{
  (void)state;
  static const struct {
    const char *path, *name; /* NULL: refused */
  } ROWS[] = {
      {"a.csv", "csv"},     {"x/a.paje", "paje"},   {"a.trace", "paje"},
      {"a.json", "chrome"}, {"a.b.json", "chrome"}, {"a.txt", NULL},
      {"csv", NULL},        {".csv", NULL},         {"-", NULL},
      {"", NULL},
  };
  const struct timeline_format *f;
  struct err e;
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    f = NULL;
    assert_int_equal(timeline_format_of(ROWS[i].path, &f, &e), ROWS[i].name == NULL ? FAIL : OK);
    if (ROWS[i].name != NULL)
      assert_string_equal(f->name, ROWS[i].name);
    else
      assert_null(f);
  }
  assert_ptr_equal(registry_get(&timeline_formats, "csv", &e), registry_at(&timeline_formats, 0));
  assert_null(registry_get(&timeline_formats, "xml", &e));
  assert_string_equal(e.text, "unknown format 'xml'; expected csv, paje, chrome or otf2");
}

/* A replay notes the state of each rank, including states within a collective and the final
 * wait. */
static void a_replay_notes_its_states(void **state)
{
  (void)state;
  static const struct {
    const char *trace, *csv;
  } ROWS[] = {
      {"0 compute 2\n0 send 1 0 90000\n0 sleep 1\n1 recv 0 0 90000\n1 compute 1\n",
       "1,0,3.09,recv\n0,0,2,compute\n0,2,3.09,send\n0,3.09,4.09,sleep\n1,3.09,4.09,compute\n"},
      {"0 irecv 1 0 8\n1 compute 3\n1 send 0 0 8\n", "1,0,3,compute\n0,0,4.000008,end of trace\n"},
      {"0 compute 1\n0 reduce 1 2\n1 reduce 1 4\n",
       "0,0,1,compute\n1,0,4,compute\n0,1,2.000001,reduce\n0,2.000001,4.000001,compute\n"},
      {"0 compute 1\n0 compute 2\n1 compute 0\n", "0,0,3,compute\n"},
  };
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    char text[1024], line[128];
    struct timeline *t;
    struct err e;
    struct fake f = {0};
    FILE *to = fmemopen(text, sizeof text, "w");
    assert_non_null(to);
    assert_int_equal(timeline_new(&t, &(struct timeline_target){&timeline_csv, to, NULL}, 2, &e),
                     OK);
    const struct replay_options o = {.compute_scale = 1, .timeline = t};
    fake_run(&f, ROWS[i].trace, &o);
    assert_int_equal(f.status, OK);
    assert_int_equal(timeline_finish(t, &e), OK);
    timeline_free(t);
    assert_int_equal(fclose(to), 0);
    /* The engine determines the order of ends, so lines may be in any order. */
    for (const char *want = ROWS[i].csv; *want != '\0'; want += strlen(line)) {
      snprintf(line, sizeof line, "%.*s", (int)strcspn(want, "\n") + 1, want);
      if (strstr(text, line) == NULL)
        fail_msg("no %s in %s", line, text);
    }
    assert_int_equal(strlen(text), strlen("rank,start_s,end_s,state\n") + strlen(ROWS[i].csv));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(csv_has_the_intervals),     cmocka_unit_test(paje_has_the_changes),
      cmocka_unit_test(chrome_has_the_intervals),  cmocka_unit_test(formats_by_name_and_ending),
      cmocka_unit_test(a_replay_notes_its_states),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
