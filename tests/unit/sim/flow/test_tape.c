/* Records are read back in reverse order, also from blocks that are in the temporary file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "sim/flow/tape.h"

/* The i-th record: its size, kind and bytes follow from i. */
static size_t make(uint64_t seed, uint64_t i, uint8_t record[TAPE_RECORD])
{
  struct rng rng = rng_new(seed, i);
  const size_t size = rng_below(&rng, TAPE_RECORD + 1);
  for (size_t k = 0; k < size; k++)
    record[k] = (uint8_t)rng_below(&rng, 256);
  return size;
}

static void read_back(const struct tape *t, uint64_t seed, uint64_t count)
{
  struct err e;
  struct tape_reader r;
  uint8_t expected[TAPE_RECORD];
  struct tape_record record;
  bool more = true;
  assert_int_equal(tape_reader_start(&r, t, &e), OK);
  for (uint64_t i = count; i > 0; i--) {
    const size_t size = make(seed, i - 1, expected);
    assert_int_equal(tape_back(&r, &record, &more, &e), OK);
    assert_true(more);
    assert_int_equal(record.kind, (i - 1) % 11);
    assert_int_equal(record.size, size);
    assert_memory_equal(record.data, expected, size);
  }
  assert_int_equal(tape_back(&r, &record, &more, &e), OK);
  assert_false(more);
  tape_reader_clear(&r);
}

static void check(uint64_t count, bool spills)
{
  struct err e;
  struct tape t = {0};
  uint8_t record[TAPE_RECORD];
  for (uint64_t i = 0; i < count; i++) {
    const size_t size = make(count, i, record);
    assert_int_equal(tape_push(&t, (uint8_t)(i % 11), record, size, &e), OK);
  }
  assert_int_equal(t.file > 0, spills);
  read_back(&t, count, count);
  read_back(&t, count, count);
  tape_clear(&t);
}

static void lengths(void **state)
{
  (void)state;
  check(0, false);
  check(1, false);
  check(5000, false);
  check(150000, true);
}

/* A full disk is an error, not a short tape. */
static void no_folder(void **state)
{
  (void)state;
  struct err e;
  struct tape t = {0};
  const uint8_t record[TAPE_RECORD] = {0};
  enum status s = OK;
  setenv("TMPDIR", "/nowhere", 1);
  for (int i = 0; i < 100000 && s == OK; i++)
    s = tape_push(&t, 1, record, sizeof record, &e);
  assert_int_equal(s, FAIL);
  unsetenv("TMPDIR");
  tape_clear(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(lengths), cmocka_unit_test(no_folder)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
