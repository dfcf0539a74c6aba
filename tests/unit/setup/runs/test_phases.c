/* Phases of small programs as derived by hand, and the sums over the phases of generated traces
 * against their traffic. */
#include "setup/runs/phases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"

enum { MOST_RANKS = 4 };

static struct phases read_phases(const char *name, struct input_trace *t, struct reading *r)
{
  struct trace *trace;
  struct phases p = {0};
  struct err e = {{0}};
  *r = reading_defaults();
  *t = (struct input_trace){.name = name, .reading = r};
  if (input_trace_open(t, &trace, &e) != OK || phases_of_trace(&p, t, NULL, &e) != OK)
    fail_msg("%s: %s", name, e.text);
  return p;
}

/* Prints the steps: number of the phase, times, and its messages as SRC-DST:BYTES*MESSAGES. */
static char *print(const struct phases *p)
{
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  assert_non_null(f);
  for (size_t i = 0; i < p->steps; i++) {
    const uint32_t k = p->step[i].phase;
    fprintf(f, "%u x%lu", k, (unsigned long)p->step[i].times);
    for (size_t m = p->first[k]; m < p->first[k + 1]; m++)
      fprintf(f, " %u-%u:%lu*%lu", p->message[m].src, p->message[m].dst,
              (unsigned long)p->message[m].bytes, (unsigned long)p->message[m].messages);
    fputc('\n', f);
  }
  assert_int_equal(fclose(f), 0);
  return text;
}

/* Datatype 6 is a byte. */
static const struct {
  const char *rank[MOST_RANKS];
  const char *want;
} FILES[] = {
    /* a chain */
    {{"0 send 1 0 10 6\n", "1 recv 0 0 10 6\n1 send 2 0 20 6\n", "2 recv 1 0 20 6\n"},
     "0 x1 0-1:10*1\n1 x1 1-2:20*1\n"},
    /* an exchange: both directions at once, twice */
    {{"0 irecv 1 0 10 6\n0 isend 1 0 10 6\n0 waitall 2\n"
      "0 irecv 1 0 10 6\n0 isend 1 0 10 6\n0 waitall 2\n",
      "1 irecv 0 0 10 6\n1 isend 0 0 10 6\n1 waitall 2\n"
      "1 irecv 0 0 10 6\n1 isend 0 0 10 6\n1 waitall 2\n"},
     "0 x1 0-1:10*1 1-0:10*1\n0 x1 0-1:10*1 1-0:10*1\n"},
    /* two equal messages at once */
    {{"0 isend 1 0 10 6\n0 isend 1 1 10 6\n0 waitall 2\n",
      "1 irecv 0 0 10 6\n1 irecv 0 1 10 6\n1 waitall 2\n"},
     "0 x1 0-1:10*2\n"},
    /* a message waits for its receive: rank 3's is posted after a message from rank 2 */
    {{"0 send 3 0 10 6\n", "1 compute 5\n", "2 send 3 0 20 6\n",
      "3 recv 2 0 20 6\n3 recv 0 0 10 6\n"},
     "0 x1 2-3:20*1\n1 x1 0-3:10*1\n"},
    {{"0 compute 5\n", "1 compute 5\n"}, ""},
};

static void small_programs(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(FILES); i++) {
    char index[64] = "";
    struct reading r;
    struct input_trace t;
    for (int k = 0; k < MOST_RANKS && FILES[i].rank[k] != NULL; k++) {
      char name[] = "rank.0\n";
      name[5] = (char)('0' + k);
      memcpy(index + strlen(index), name, sizeof name);
      name[6] = '\0';
      scratch_write(name, FILES[i].rank[k]);
    }
    scratch_write("index", index);
    struct phases p = read_phases("index", &t, &r);
    char *got = print(&p);
    assert_string_equal(got, FILES[i].want);
    free(got);
    phases_clear(&p);
    input_trace_clear(&t);
  }
}

static const char *const GENERATED[] = {"npb:cg.S.16@3",
                                        "npb:mg.S.8@2",
                                        "npb:lu.S.4@4",
                                        "npb:bt.S.16@2",
                                        "npb:sp.S.9@3",
                                        "npb:is.S.8@3",
                                        "npb:ft.S.4@2",
                                        "npb:ep.S.8",
                                        "stencil:4x4:iterations=5",
                                        "collective:12:call=alltoall,size=10"};

/* Messages and bytes of a pair, over all steps. */
static void check_sums(const struct phases *p, const struct matrix *m, const char *what)
{
  uint64_t *bytes = calloc((size_t)p->ranks * p->ranks, sizeof *bytes);
  uint64_t *messages = calloc((size_t)p->ranks * p->ranks, sizeof *messages);
  assert_non_null(bytes);
  assert_non_null(messages);
  for (size_t i = 0; i < p->steps; i++)
    for (size_t k = p->first[p->step[i].phase]; k < p->first[p->step[i].phase + 1]; k++) {
      const struct phase_message *x = &p->message[k];
      const size_t at = (size_t)x->src * p->ranks + x->dst;
      bytes[at] += x->bytes * (uint64_t)x->messages * p->step[i].times;
      messages[at] += (uint64_t)x->messages * p->step[i].times;
    }
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry x = matrix_at(m, i);
    const size_t at = (size_t)x.src * p->ranks + x.dst;
    if (x.src == x.dst)
      continue;
    if (bytes[at] != x.bytes || messages[at] != x.messages)
      fail_msg("%s: %lu messages of %lu bytes from %u to %u, not %lu of %lu", what,
               (unsigned long)messages[at], (unsigned long)bytes[at], x.src, x.dst,
               (unsigned long)x.messages, (unsigned long)x.bytes);
    bytes[at] = messages[at] = 0;
  }
  for (size_t i = 0; i < (size_t)p->ranks * p->ranks; i++)
    assert_int_equal(messages[i], 0);
  free(bytes);
  free(messages);
}

static void phases_have_all_traffic(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(GENERATED); i++) {
    struct reading r;
    struct input_trace t;
    const struct matrix *m;
    struct err e;
    struct phases p = read_phases(GENERATED[i], &t, &r);
    assert_int_equal(input_trace_traffic(&t, &m, &e), OK);
    check_sums(&p, m, GENERATED[i]);
    phases_clear(&p);
    input_trace_clear(&t);
  }
}

/* The iterations of a trace are one set of phases that stands for all of them. */
static void iterations_are_read_once(void **state)
{
  (void)state;
  struct reading r;
  struct input_trace t;
  struct phases few = read_phases("npb:bt.S.16@2", &t, &r);
  input_trace_clear(&t);
  struct phases many = read_phases("npb:bt.S.16@200", &t, &r);
  assert_int_equal(few.steps, many.steps);
  assert_int_equal(few.count, many.count);
  if (!(many.flops[0] > 50 * few.flops[0]))
    fail_msg("%g and %g flops", few.flops[0], many.flops[0]);
  phases_clear(&few);
  phases_clear(&many);
  input_trace_clear(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(small_programs),
      cmocka_unit_test(phases_have_all_traffic),
      cmocka_unit_test(iterations_are_read_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
