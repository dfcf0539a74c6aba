#include "traces/files/spool.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

/* The bytes of a stream depend on its number and their position. */
static char byte_of(uint32_t stream, size_t at)
{
  return (char)(stream * 31 + at * 7 + at / 251);
}

static void append(struct spool *s, uint32_t stream, size_t from, size_t size)
{
  char data[5000];
  struct err e;
  for (size_t i = 0; i < size; i++)
    data[i] = byte_of(stream, from + i);
  assert_int_equal(spool_append(s, stream, data, size, &e), OK);
}

static void assert_stream(const struct spool *s, uint32_t stream, size_t size)
{
  struct spool_cursor c = spool_start(s, stream);
  char data[3001];
  size_t at = 0, got;
  struct err e;
  do {
    assert_int_equal(spool_read(s, &c, data, sizeof data, &got, &e), OK);
    for (size_t i = 0; i < got; i++)
      assert_int_equal(data[i], byte_of(stream, at + i));
    at += got;
  } while (got > 0);
  assert_int_equal(at, size);
}

/* Streams of zero to several chunks, written in turns. */
static void streams_are_kept_apart(void **state)
{
  (void)state;
  enum { STREAMS = 40 };
  struct spool *s;
  struct err e;
  size_t size[STREAMS] = {0};
  assert_int_equal(spool_new(&s, "t", SPOOL_LIMIT, &e), OK);
  for (uint32_t i = 0; i < STREAMS; i++) {
    uint32_t stream;
    assert_int_equal(spool_add(s, &stream, &e), OK);
    assert_int_equal(stream, i);
  }
  for (size_t round = 0; round < 60; round++)
    for (uint32_t i = 0; i < STREAMS; i++) {
      append(s, i, size[i], i * 113);
      size[i] += i * 113;
    }
  for (uint32_t i = 0; i < STREAMS; i++)
    assert_int_equal(spool_flush(s, i, &e), OK);
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < STREAMS; i++)
      assert_stream(s, i, size[i]);
  spool_free(s);
  spool_free(NULL);
}

static void a_flushed_stream_may_grow(void **state)
{
  (void)state;
  struct spool *s;
  struct err e;
  uint32_t stream;
  assert_int_equal(spool_new(&s, "t", SPOOL_LIMIT, &e), OK);
  assert_int_equal(spool_add(s, &stream, &e), OK);
  for (size_t i = 0; i < 3; i++) {
    append(s, stream, i * 4000, 4000);
    assert_int_equal(spool_flush(s, stream, &e), OK);
  }
  assert_stream(s, stream, 12000);
  spool_free(s);
}

/* Simulates a full disk: the write fails with one message. */
static void a_full_disk_is_a_failure(void **state)
{
  (void)state;
  struct rlimit before, small;
  struct spool *s;
  struct err e = {{0}};
  uint32_t stream;
  assert_int_equal(spool_new(&s, "t", SPOOL_LIMIT, &e), OK);
  assert_int_equal(spool_add(s, &stream, &e), OK);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  small = before;
  small.rlim_cur = 100000;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  char data[4096] = {0};
  enum status status = OK;
  for (int i = 0; status == OK && i < 100; i++)
    status = spool_append(s, stream, data, sizeof data, &e);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(status, FAIL);
  assert_non_null(strstr(e.text, ": cannot write the unpacked trace: File too large"));
  spool_free(s);
}

static void texts_above_the_limit_are_refused(void **state)
{
  (void)state;
  struct spool *s;
  struct err e;
  uint32_t a, b;
  assert_int_equal(spool_new(&s, "bomb.gz", 10, &e), OK);
  assert_int_equal(spool_add(s, &a, &e), OK);
  assert_int_equal(spool_add(s, &b, &e), OK);
  assert_int_equal(spool_append(s, a, "12345", 5, &e), OK);
  assert_int_equal(spool_append(s, b, "12345", 5, &e), OK);
  assert_int_equal(spool_append(s, a, "", 0, &e), OK);
  assert_int_equal(spool_append(s, a, "1", 1, &e), FAIL);
  assert_string_equal(e.text, "bomb.gz: unpacks to more than 10 bytes; --unpack-limit allows more");
  spool_free(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_above_the_limit_are_refused),
      cmocka_unit_test(streams_are_kept_apart),
      cmocka_unit_test(a_flushed_stream_may_grow),
      cmocka_unit_test(a_full_disk_is_a_failure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
