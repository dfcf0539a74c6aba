#include "traces/files/spool.h"
#include "traces/matrix/load.h"
#include "traces/matrix/matrix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"

#define TOY "tests/data/toy/index.txt"

/* The ring of 400-byte messages in the toy trace, a message of rank 3 to itself, and a binomial
 * broadcast. */
static const struct matrix_entry RING[] = {
    {0, 1, 1, 400}, {1, 2, 1, 400}, {2, 3, 1, 400}, {3, 0, 1, 400}, {3, 3, 1, 0}};
static const struct matrix_entry LOWERED[] = {{0, 1, 2, 480}, {0, 2, 1, 80},  {1, 2, 1, 400},
                                              {2, 3, 2, 480}, {3, 0, 1, 400}, {3, 3, 1, 0}};

static void assert_entries(const struct matrix *m, const struct matrix_entry *want, size_t count)
{
  assert_int_equal(m->count, count);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(m->entry[i].src, want[i].src);
    assert_int_equal(m->entry[i].dst, want[i].dst);
    assert_int_equal(m->entry[i].messages, want[i].messages);
    assert_int_equal(m->entry[i].bytes, want[i].bytes);
  }
}

static enum status count_trace(struct matrix *m, const char *path, bool p2p_only, struct err *e)
{
  const struct collectives defaults = {0};
  struct trace *t;
  struct program *p;
  if (trace_open(&t, path, SPOOL_LIMIT, e) != OK)
    return FAIL;
  assert_int_equal(program_new(&p, t, &defaults, e), OK);
  const enum status s = matrix_from_program(m, p, p2p_only, e);
  program_free(p);
  trace_free(t);
  return s;
}

static void sends_are_counted_with_and_without_collectives(void **state)
{
  (void)state;
  struct matrix m;
  struct err e;
  assert_int_equal(count_trace(&m, TOY, true, &e), OK);
  assert_int_equal(m.ranks, 4);
  assert_entries(&m, RING, COUNT(RING));
  matrix_clear(&m);
  assert_int_equal(count_trace(&m, TOY, false, &e), OK);
  assert_int_equal(m.ranks, 4);
  assert_entries(&m, LOWERED, COUNT(LOWERED));
  matrix_clear(&m);
}

/* More pairs than the initial table holds, out of order; rank r sends r bytes to each other
 * rank. */
static void many_pairs_are_sorted(void **state)
{
  (void)state;
  enum { RANKS = 128 };
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  for (int r = 0; r < RANKS; r++) {
    fprintf(out, "%d init\n", r);
    for (int d = RANKS - 1; d >= 0; d--)
      if (d != r)
        fprintf(out, "%d isend %d 7 %d 6\n%d irecv %d 7 %d 6\n", r, d, r, r, d, d);
    fprintf(out, "%d waitall %d\n%d finalize\n", r, 2 * RANKS - 2, r);
  }
  fclose(out);
  const struct scratch_file f = scratch_file(text, size);
  struct matrix m;
  struct err e;
  const enum status s = count_trace(&m, f.path, false, &e);
  scratch_close(&f);
  free(text);
  if (s != OK)
    fail_msg("%s", e.text);
  assert_int_equal(m.count, RANKS * (RANKS - 1));
  for (size_t i = 0; i < m.count; i++) {
    const uint32_t src = (uint32_t)(i / (RANKS - 1)), k = (uint32_t)(i % (RANKS - 1));
    assert_int_equal(m.entry[i].src, src);
    assert_int_equal(m.entry[i].dst, k + (k >= src));
    assert_int_equal(m.entry[i].bytes, src);
  }
  matrix_clear(&m);
}

/* Without time, a test succeeds at once, and waitAny takes the first request. */
static void tests_and_waitany_complete_requests(void **state)
{
  (void)state;
  static const char text[] = "0 init\n0 isend 1 0 8 6\n0 isend 1 1 8 6\n0 test 0 1 0\n"
                             "0 waitAny 1\n0 finalize\n"
                             "1 init\n1 irecv 0 0 8 6\n1 irecv 0 1 8 6\n1 waitall 2\n1 finalize\n";
  const struct scratch_file f = scratch_file(text, sizeof text - 1);
  struct matrix m;
  struct err e;
  const enum status s = count_trace(&m, f.path, false, &e);
  scratch_close(&f);
  if (s != OK)
    fail_msg("%s", e.text);
  assert_entries(&m, &(struct matrix_entry){0, 1, 2, 16}, 1);
  matrix_clear(&m);
}

/* The largest count of the largest type, 2^53 of 32 bytes, 32 times. */
static void sums_beyond_63_bits_are_refused(void **state)
{
  (void)state;
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  fputs("0 init\n", out);
  for (int i = 0; i < 32; i++)
    fputs("0 isend 1 0 9007199254740992 27\n", out);
  fputs("0 waitall 32\n0 finalize\n1 init\n1 finalize\n", out);
  fclose(out);
  const struct scratch_file f = scratch_file(text, size);
  free(text);
  struct matrix m = {.ranks = 99};
  struct err e;
  assert_int_equal(count_trace(&m, f.path, true, &e), FAIL);
  scratch_close(&f);
  assert_int_equal(m.ranks, 99);
  assert_non_null(strstr(e.text, ":33: isend: the messages' bytes exceed 9223372036854775807"));
}

static void a_collective_that_some_ranks_miss_is_refused(void **state)
{
  (void)state;
  static const char text[] = "0 init\n0 barrier\n0 finalize\n1 init\n1 finalize\n";
  const struct scratch_file f = scratch_file(text, sizeof text - 1);
  struct matrix m = {.ranks = 99};
  struct err e;
  assert_int_equal(count_trace(&m, f.path, true, &e), FAIL);
  scratch_close(&f);
  assert_int_equal(m.ranks, 99);
  assert_non_null(strstr(e.text, "barrier"));
}

static void saved_matrices_are_loaded(void **state)
{
  (void)state;
  int ends[2];
  char to[32], from[32];
  struct matrix m, again;
  struct err e;
  assert_int_equal(count_trace(&m, TOY, false, &e), OK);
  assert_int_equal(pipe(ends), 0);
  snprintf(to, sizeof to, "/proc/self/fd/%d", ends[1]);
  snprintf(from, sizeof from, "/proc/self/fd/%d", ends[0]);
  assert_int_equal(matrix_save(&m, to, &e), OK);
  close(ends[1]);
  assert_int_equal(matrix_load(&again, from, NULL, &e), OK);
  close(ends[0]);
  assert_int_equal(again.ranks, 4);
  assert_entries(&again, m.entry, m.count);
  matrix_clear(&m);
  matrix_clear(&again);
  assert_int_equal(matrix_save(&m, "/dev/full", &e), FAIL);
}

/* The ring remains a ring, in a new order that depends on the seed. */
static void a_shuffle_gives_new_numbers(void **state)
{
  (void)state;
  enum { RANKS = 200 };
  struct matrix_entry ring[RANKS], others[RANKS];
  struct err e;
  for (uint32_t seed = 1; seed <= 3; seed++) {
    uint32_t next[RANKS], at = 0, length = 0, straight = 0;
    for (uint32_t r = 0; r < RANKS; r++)
      ring[r] = (struct matrix_entry){r, (r + 1) % RANKS, 1, 5};
    struct matrix m = {.ranks = RANKS, .count = RANKS, .entry = ring};
    assert_int_equal(matrix_shuffle(&m, seed == 3 ? 1 : seed, &e), OK);
    for (uint32_t r = 0; r < RANKS; r++) {
      assert_int_equal(ring[r].src, r);
      next[r] = ring[r].dst;
      straight += next[r] == (r + 1) % RANKS;
    }
    do
      at = next[at];
    while (++length < RANKS && at != 0);
    assert_int_equal(length, RANKS);
    assert_true(straight < 10);
    if (seed == 2)
      assert_memory_not_equal(ring, others, sizeof ring);
    if (seed == 3)
      assert_memory_equal(ring, others, sizeof ring);
    if (seed == 1)
      memcpy(others, ring, sizeof ring);
  }
}

static void groups_have_the_sums_of_their_ranks(void **state)
{
  (void)state;
  struct matrix_entry entry[] = {
      {0, 1, 1, 5}, {0, 2, 2, 10}, {1, 2, 1, 20}, {2, 1, 1, 40}, {3, 0, 1, 80}};
  const struct matrix m = {.ranks = 4, .count = 5, .entry = entry};
  const uint32_t group[] = {1, 1, 0, 0};
  struct matrix c;
  struct err e;
  assert_int_equal(matrix_contract(&c, &m, group, 2, &e), OK);
  assert_int_equal(c.ranks, 2);
  assert_int_equal(c.count, 2);
  const struct matrix_entry down = matrix_at(&c, 0), up = matrix_at(&c, 1);
  assert_true(down.src == 0 && down.dst == 1 && down.messages == 2 && down.bytes == 120);
  assert_true(up.src == 1 && up.dst == 0 && up.messages == 3 && up.bytes == 30);
  matrix_clear(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sends_are_counted_with_and_without_collectives),
      cmocka_unit_test(many_pairs_are_sorted),
      cmocka_unit_test(tests_and_waitany_complete_requests),
      cmocka_unit_test(sums_beyond_63_bits_are_refused),
      cmocka_unit_test(a_collective_that_some_ranks_miss_is_refused),
      cmocka_unit_test(saved_matrices_are_loaded),
      cmocka_unit_test(a_shuffle_gives_new_numbers),
      cmocka_unit_test(groups_have_the_sums_of_their_ranks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
