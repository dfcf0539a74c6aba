/* Operations of each rank by part: of handwritten files, of generators compared with reading every
 * iteration, and of loops that prepare communicators. */
#include "setup/runs/operations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"
#include "traces/action.h"

enum { RANKS = 16 };

static void open_trace(struct input_trace *t, struct reading *r, const char *name)
{
  struct trace *trace;
  struct err e = {{0}};
  *r = reading_defaults();
  *t = (struct input_trace){.name = name, .reading = r};
  if (input_trace_open(t, &trace, &e) != OK)
    fail_msg("%s", e.text);
  assert_true(trace_ranks(trace) <= RANKS);
}

static void count(const char *name, struct operations *parts)
{
  struct reading r;
  struct input_trace t;
  struct err e = {{0}};
  open_trace(&t, &r, name);
  if (operations_count(&t, NULL, parts, &e) != OK)
    fail_msg("%s", e.text);
  input_trace_clear(&t);
}

#define WORK    "0 compute 1\n"
#define MARK(n) "# haichi: iteration " n "\n"

static const struct {
  const char *rank[2];
  struct operations want[2];
} FILES[] = {
    {{WORK WORK, "1 compute 1\n"}, {{2, 0, 0}, {1, 0, 0}}},
    {{WORK MARK("1") WORK WORK MARK("2") WORK WORK MARK("end") WORK WORK WORK,
      MARK("1") "1 compute 1\n" MARK("2") "1 compute 1\n" MARK("end")},
     {{1, 4, 3}, {0, 2, 0}}},
};

static void files_are_counted(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(FILES); i++) {
    struct operations parts[RANKS];
    scratch_write("index", "one.0\none.1\n");
    scratch_write("one.0", FILES[i].rank[0]);
    scratch_write("one.1", FILES[i].rank[1]);
    count("index", parts);
    for (uint32_t r = 0; r < 2; r++)
      assert_memory_equal(&parts[r], &FILES[i].want[r], sizeof parts[r]);
  }
}

/* Reads and counts all iterations of a rank. */
static struct operations read_rank(struct program *p, uint32_t rank)
{
  struct operations n = {0};
  uint64_t *part = &n.before;
  for (;;) {
    struct op op;
    struct err e = {{0}};
    bool more;
    if (program_next(p, rank, &op, &more, &e) != OK)
      fail_msg("%s", e.text);
    if (!more)
      return n;
    if (op.kind == OP_MARK)
      part = op.iteration == (uint64_t)ACTION_MARK_END ? &n.after : &n.loop;
    else
      ++*part;
  }
}

static void generators_are_counted_as_if_read_whole(void **state)
{
  (void)state;
  static const char *const NAMES[] = {
      "npb:cg.S.4", "npb:lu.S.4",          "npb:mg.S.8",
      "npb:is.S.4", "npb:ft.S.4",          "npb:bt.S.9",
      "npb:ep.S.4", "ring:3:iterations=5", "stencil:4x2:iterations=7,collective=iallreduce"};
  for (size_t i = 0; i < COUNT(NAMES); i++) {
    struct operations parts[RANKS];
    struct reading reading;
    struct input_trace t;
    struct program *p;
    struct err e = {{0}};
    count(NAMES[i], parts);
    open_trace(&t, &reading, NAMES[i]);
    if (input_trace_program(&t, NULL, &p, &e) != OK)
      fail_msg("%s", e.text);
    program_show_marks(p);
    for (uint32_t r = 0; r < program_ranks(p); r++) {
      const struct operations want = read_rank(p, r);
      if (memcmp(&parts[r], &want, sizeof want) != 0)
        fail_msg("%s, rank %u: %ju + %ju + %ju, not %ju + %ju + %ju", NAMES[i], r,
                 (uintmax_t)parts[r].before, (uintmax_t)parts[r].loop, (uintmax_t)parts[r].after,
                 (uintmax_t)want.before, (uintmax_t)want.loop, (uintmax_t)want.after);
    }
    program_free(p);
    input_trace_clear(&t);
  }
}

/* Operations of each iteration of a rank, read one by one; returns the number of all operations. */
static uint64_t read_iterations(struct program *p, uint32_t rank, uint64_t *iteration)
{
  uint64_t all = 0, at = 0;
  for (;;) {
    struct op op;
    struct err e = {{0}};
    bool more;
    if (program_next(p, rank, &op, &more, &e) != OK)
      fail_msg("%s", e.text);
    if (!more)
      return all;
    if (op.kind == OP_MARK)
      at = op.iteration;
    else if (++all > 0 && at >= 1 && at <= 3)
      iteration[at - 1]++;
  }
}

/* Ranks on hosts in order, and on hosts in turn. */
static const uint32_t PLACES[][8] = {{0, 0, 0, 1, 1, 1, 2, 2}, {0, 1, 2, 0, 1, 2, 0, 1}};

/* The first collective of a communicator asks which ranks share a host: that is counted before the
 * loop, whose iterations then have equal numbers of operations. */
static void preparations_are_before_the_loop(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(PLACES); i++) {
    const struct mapping m = {.ranks = 8, .host = (uint32_t *)PLACES[i]};
    struct operations parts[RANKS];
    struct reading reading;
    struct input_trace t;
    struct program *p = NULL;
    struct err e = {{0}};
    open_trace(&t, &reading, "collective:8:call=allreduce,size=20000,iterations=3");
    if (collectives_select(&reading.collectives, "mpich", &e) != OK ||
        operations_count(&t, &m, parts, &e) != OK || input_trace_program(&t, &m, &p, &e) != OK)
      fail_msg("%s", e.text);
    program_show_marks(p);
    for (uint32_t r = 0; r < m.ranks; r++) {
      uint64_t iteration[3] = {0};
      const uint64_t all = read_iterations(p, r, iteration);
      assert_true(iteration[0] > iteration[1]);
      assert_int_equal(iteration[1], iteration[2]);
      assert_int_equal(parts[r].loop, 3 * iteration[1]);
      assert_int_equal(parts[r].before + parts[r].loop + parts[r].after, all);
    }
    program_free(p);
    input_trace_clear(&t);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(files_are_counted),
      cmocka_unit_test(generators_are_counted_as_if_read_whole),
      cmocka_unit_test(preparations_are_before_the_loop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
