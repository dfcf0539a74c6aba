#include "tests/unit/scratch.h"
#include "traces/files/spool.h"
#include "traces/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Opens a trace with this text, written to the current folder. */
static struct trace *open_text(const char *text, size_t size)
{
  struct trace *t = NULL;
  struct err e = {{0}};
  scratch_write_bytes("t", text, size);
  if (trace_open(&t, "t", SPOOL_LIMIT, &e) != OK)
    fail_msg("%s", e.text);
  return t;
}

/* Reads rank after rank to the end or to the first failure; counts the actions. */
static enum status read_all(struct trace *t, size_t *count, struct err *e)
{
  *count = 0;
  for (uint32_t r = 0; r < trace_ranks(t); r++) {
    const struct action *a;
    do {
      if (trace_next(t, r, &a, e) != OK)
        return FAIL;
      *count += a != NULL;
    } while (a != NULL);
  }
  return OK;
}

struct sample {
  const char *text;
  size_t size; /* 0: strlen() */
  size_t actions;
  const char *why;
};

#define TEXT(s) (s), sizeof(s) - 1

static const struct sample SAMPLES[] = {
    {TEXT("0 init\n0 finalize\n"), 2, NULL},
    {TEXT("0 init\n0 finalize"), 2, NULL},
    {TEXT("0 init\r\n\r\n0 finalize\r\n"), 2, NULL},
    {TEXT("# a\n\n  \t\n 0\tinit \n#0 Put\n\t# c\n0 location a.c 3\n0 finalize\n#"), 2, NULL},
    {TEXT("0 init\n1 init\n0 finalize\n1 finalize\n"), 4, NULL},
    {TEXT("0 init\n0 Put 1\n"), 0, "t:2: action 'Put' is not supported"},
    {TEXT("# a\n1 init\n\n0 init\n1 Put 1\n"), 0, "t:5: action 'Put' is not supported"},
    {TEXT("0 init\n0\n"), 0, "t:2: '0' is not followed by an action"},
    {TEXT("0 finalize\n0 barrier\n"), 0, "t:2: action 'barrier' after finalize"},
    {TEXT("0 init\n0 compute 1\0 2\n"), 0, "t:2: the line has a NUL byte"},
    {TEXT("0 init\n0 \0\n"), 0, "t:2: the line has a NUL byte"},
};

static void lines_are_read_as_smpirun_reads_them(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(SAMPLES); i++) {
    struct trace *t = open_text(SAMPLES[i].text, SAMPLES[i].size);
    struct err e = {{0}};
    size_t count;
    const enum status s = read_all(t, &count, &e);
    assert_int_equal(s, SAMPLES[i].why == NULL ? OK : FAIL);
    assert_string_equal(e.text, SAMPLES[i].why == NULL ? "" : SAMPLES[i].why);
    if (s == OK)
      assert_int_equal(count, SAMPLES[i].actions);
    trace_free(t);
  }
}

/* Files of one rank each; the file of rank 0 is correct. */
static const struct sample OTHERS[] = {
    {TEXT("0 init\n"), 0, "r1:1: a line of rank 0 in the file of rank 1"},
    {TEXT("1 init\n2 init\n"), 0, "r1:2: a line of rank 2 in the file of rank 1"},
    {TEXT("1 init\nx init\n"), 0, "r1:2: the rank: 'x' is not a whole number"},
    {TEXT("1 init\n01 init\n"), 0, "r1:2: the rank: '01' begins with a zero"},
    {TEXT("1 init\n4294967296 init\n"), 0,
     "r1:2: the rank: 4294967296 is above the maximum of 4294967295"},
};

static void a_file_holds_its_own_rank_only(void **state)
{
  (void)state;
  scratch_write_bytes("r0", TEXT("0 init\n"));
  for (size_t i = 0; i < COUNT(OTHERS); i++) {
    scratch_write_bytes("r1", OTHERS[i].text, OTHERS[i].size);
    struct trace *t = open_text(TEXT("r0\nr1\n"));
    struct err e;
    size_t count;
    assert_int_equal(read_all(t, &count, &e), FAIL);
    assert_string_equal(e.text, OTHERS[i].why);
    trace_free(t);
  }
  unlink("r0");
  unlink("r1");
}

static void places_refer_to_the_last_action(void **state)
{
  (void)state;
  struct trace *t = open_text(TEXT("1 init\n# x\n0 init\n1 barrier\n0 location a 1\n0 barrier\n"));
  const struct action *a;
  struct err e;
  for (int pass = 0; pass < 2; pass++) {
    static const uint64_t LINES[2][2] = {{3, 6}, {1, 4}};
    assert_int_equal(trace_ranks(t), 2);
    for (uint32_t r = 0; r < 2; r++) {
      for (size_t i = 0; i < 2; i++) {
        assert_int_equal(trace_next(t, r, &a, &e), OK);
        assert_non_null(a);
        assert_int_equal(a->kind, i == 0 ? ACTION_INIT : ACTION_BARRIER);
        assert_int_equal(trace_line(t, r), LINES[r][i]);
        assert_string_equal(trace_file(t, r), "t");
      }
      assert_int_equal(trace_next(t, r, &a, &e), OK);
      assert_null(a);
      assert_int_equal(trace_line(t, r), LINES[r][1]);
    }
    trace_rewind(t);
  }
  assert_string_equal(trace_name(t), "t");
  trace_free(t);
}

/* The effects of init and finalize end with the pass. */
static void a_rewound_trace_has_no_state_of_the_last_pass(void **state)
{
  (void)state;
  struct trace *t = open_text(TEXT("0 send 0 0 1\n0 init 1\n0 finalize\n"));
  for (int pass = 0; pass < 2; pass++) {
    const struct action *a;
    struct err e;
    size_t count;
    assert_int_equal(trace_next(t, 0, &a, &e), OK);
    assert_int_equal(a->type, 6);
    assert_int_equal(read_all(t, &count, &e), OK);
    assert_int_equal(count, 2);
    trace_rewind(t);
  }
  trace_free(t);
}

/* Lines much longer than a buffer are read completely. */
static void long_lines_are_whole(void **state)
{
  (void)state;
  enum { LENGTH = 300000 };
  char *text = malloc(2 * LENGTH);
  assert_non_null(text);
  memset(text, ' ', 2 * LENGTH);
  memcpy(text, "0 compute", 9);
  memcpy(text + LENGTH, "7\n", 2);
  memcpy(text + 2 * LENGTH - 12, "\n0 compute 8", 12);
  struct trace *t = open_text(text, 2 * LENGTH);
  const struct action *a;
  struct err e;
  assert_int_equal(trace_next(t, 0, &a, &e), OK);
  assert_true(a->amount == 7);
  assert_int_equal(trace_next(t, 0, &a, &e), OK);
  assert_true(a->amount == 8);
  trace_free(t);
  free(text);
}

/* A file without a newline must not be read into memory completely. */
static void endless_lines_are_refused(void **state)
{
  (void)state;
  scratch_write_bytes("t", TEXT("r0\nr1\n"));
  scratch_write_bytes("r0", TEXT("0 init\n"));
  scratch_write_bytes("r1", TEXT("1 compute "));
  assert_int_equal(truncate("r1", (off_t)300 << 20), 0);
  struct trace *t;
  struct err e;
  size_t count;
  assert_int_equal(trace_open(&t, "t", SPOOL_LIMIT, &e), OK);
  assert_int_equal(read_all(t, &count, &e), FAIL);
  assert_string_equal(e.text, "r1:1: the line is longer than 67108864 bytes");
  trace_free(t);
  unlink("r0");
  unlink("r1");
}

static void a_vanished_file_is_a_failure(void **state)
{
  (void)state;
  scratch_write_bytes("r0", TEXT("0 init\n"));
  scratch_write_bytes("r1", TEXT("1 init\n"));
  struct trace *t = open_text(TEXT("r0\nr1\n"));
  unlink("r1");
  struct err e;
  size_t count;
  assert_int_equal(read_all(t, &count, &e), FAIL);
  assert_string_equal(e.text, "r1: cannot open: No such file or directory");
  trace_free(t);
  unlink("r0");
}

/* Writes a file of rank 1 with @p size bytes, in which each line is an action; returns their
 * number. */
static size_t write_rank(const char *name, size_t size)
{
  static const char FIRST[] = "1 init\n", NEXT[] = "1 barrier\n";
  char *text = malloc(size);
  size_t used = sizeof FIRST - 1, actions = 1;
  assert_non_null(text);
  memset(text, ' ', size);
  memcpy(text, FIRST, used);
  for (; used + sizeof NEXT - 1 <= size; used += sizeof NEXT - 1, actions++)
    memcpy(text + used, NEXT, sizeof NEXT - 1);
  scratch_write_bytes(name, text, size);
  free(text);
  return actions;
}

/* Short files have buffers of their length.  Sizes below, at and above the limits of buffers are
 * read completely. */
static void files_of_all_lengths_are_read_whole(void **state)
{
  (void)state;
  static const size_t SIZES[] = {7,    1021,  1022,  1023,  1024,  4095,
                                 4096, 65534, 65535, 65536, 199999};
  scratch_write_bytes("index", TEXT("r0\nr1\n"));
  scratch_write_bytes("r0", TEXT("0 init\n"));
  for (size_t i = 0; i < COUNT(SIZES); i++) {
    const size_t want = write_rank("r1", SIZES[i]);
    struct trace *t = NULL;
    struct err e = {{0}};
    size_t count;
    assert_int_equal(trace_open(&t, "index", SPOOL_LIMIT, &e), OK);
    for (int pass = 0; pass < 2; pass++) {
      assert_int_equal(read_all(t, &count, &e), OK);
      assert_int_equal(count, want + 1);
      trace_rewind(t);
    }
    trace_free(t);
  }
}

static void a_file_that_grows_is_read_to_its_end(void **state)
{
  (void)state;
  struct trace *t = NULL;
  struct err e = {{0}};
  size_t count;
  scratch_write_bytes("index", TEXT("r0\nr1\n"));
  scratch_write_bytes("r0", TEXT("0 init\n"));
  write_rank("r1", 2000);
  assert_int_equal(trace_open(&t, "index", SPOOL_LIMIT, &e), OK);
  const size_t want = write_rank("r1", 30000);
  assert_int_equal(read_all(t, &count, &e), OK);
  assert_int_equal(count, want + 1);
  trace_free(t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_are_read_as_smpirun_reads_them),
      cmocka_unit_test(a_file_holds_its_own_rank_only),
      cmocka_unit_test(places_refer_to_the_last_action),
      cmocka_unit_test(a_rewound_trace_has_no_state_of_the_last_pass),
      cmocka_unit_test(long_lines_are_whole),
      cmocka_unit_test(endless_lines_are_refused),
      cmocka_unit_test(a_vanished_file_is_a_failure),
      cmocka_unit_test(files_of_all_lengths_are_read_whole),
      cmocka_unit_test(a_file_that_grows_is_read_to_its_end),
  };
  return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
