/* The chronicle of a run whose dates can be calculated by hand: two messages to one host share its
 * link. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "sim/explain/explained.h"
#include "sim/model.h"
#include "tests/unit/scratch.h"
#include "traces/files/spool.h"

/* Three hosts of 1 flop/s, with links of 1 MB/s and 1 ms to the switch. */
static const char PLATFORM[] =
    "<?xml version='1.0'?>\n"
    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
    "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-2\" "
    "speed=\"1f\" bw=\"1MBps\" lat=\"1ms\"/></platform>\n";

/* Messages of 1 MB and 2 MB, envelopes included, begin at 2 s and share the link of host 2 at
 * first: with half of it the first takes 2 s; then the second takes 1 s for its second MB. */
static const char TRACE[] = "0 compute 2\n0 send 2 0 999984\n1 compute 2\n1 send 2 0 1999984\n"
                            "2 irecv 0 0 999984\n2 irecv 1 0 1999984\n2 waitall 2\n";

#define LATENCY 2e-3
#define NEAR    1e-9

struct run {
  struct platform *platform;
  struct trace *trace;
  struct mapping mapping;
  struct explained x;
};

static void make(struct run *r)
{
  static const struct collectives DEFAULTS;
  const struct scratch_file file = scratch_file(TRACE, strlen(TRACE));
  const struct explained_options o = {.chronicle = true};
  struct sim_options options = sim_defaults();
  struct err e;
  scratch_write("p.xml", PLATFORM);
  if (platform_load(&r->platform, "p.xml", &e) != OK ||
      trace_open(&r->trace, file.path, SPOOL_LIMIT, &e) != OK ||
      mapping_new(&r->mapping, 3, &e) != OK)
    fail_msg("%s", e.text);
  for (uint32_t i = 0; i < 3; i++)
    r->mapping.host[i] = i;
  options.model = registry_get(&sim_models, "cm02", &e);
  assert_non_null(options.model);
  const struct sim_job job = {.trace = r->trace, .collectives = &DEFAULTS, .mapping = &r->mapping};
  if (explained_run(&r->x, &options, &job, 1, r->platform, stderr, &o, &e) != OK)
    fail_msg("%s", e.text);
  scratch_close(&file);
}

static void drop(struct run *r)
{
  explained_clear(&r->x);
  mapping_clear(&r->mapping);
  trace_free(r->trace);
  platform_free(r->platform);
}

static const struct chronicle_message *message_from(const struct run *r, uint32_t src)
{
  for (size_t i = 0; i < r->x.chronicle.messages; i++)
    if (r->x.chronicle.message[i].src == src)
      return &r->x.chronicle.message[i];
  fail_msg("no message from rank %u", src);
  return NULL;
}

static void messages_have_their_times_without_contention(void **state)
{
  (void)state;
  struct run r;
  make(&r);
  assert_int_equal(r.x.chronicle.messages, 2);
  for (uint32_t src = 0; src < 2; src++) {
    const struct chronicle_message *m = message_from(&r, src);
    const double alone = 1 + src + LATENCY;
    assert_int_equal(m->dst, 2);
    assert_true(m->bytes == 1e6 * (1 + src));
    assert_float_equal(m->begin, 2, NEAR);
    assert_float_equal(m->end, 4 + src + LATENCY, NEAR);
    assert_float_equal(m->alone_s, alone, NEAR);
    assert_int_equal(m->critical, src == 1);
  }
  assert_float_equal((double)r.x.path.time_s, 5 + LATENCY, NEAR);
  drop(&r);
}

/* What ended last is first; the states of each rank follow each other. */
static void states_fill_the_time_of_each_rank(void **state)
{
  (void)state;
  struct run r;
  double until[3] = {4 + LATENCY, 5 + LATENCY, 5 + LATENCY}, last = INFINITY;
  uint32_t computed = 0;
  make(&r);
  const struct chronicle *c = &r.x.chronicle;
  for (size_t i = 0; i < c->states; i++) {
    const struct chronicle_state *s = &c->state[i];
    assert_true(s->actor < 3 && s->end <= last && s->begin < s->end);
    assert_float_equal(s->end, until[s->actor], NEAR);
    if (s->kind == STEP_EXEC) {
      assert_float_equal(s->end - s->begin, 2, NEAR);
      computed |= 1u << s->actor;
    } else {
      assert_string_equal(causes_action(r.x.causes, s->action), s->actor == 2 ? "waitall" : "send");
    }
    last = s->end;
    until[s->actor] = s->begin;
  }
  for (int i = 0; i < 3; i++)
    assert_float_equal(until[i], 0, NEAR);
  assert_int_equal(computed, 3);
  drop(&r);
}

/* The mean use of a link times its bandwidth and the time is the bytes that it carries. */
static void use_of_links_agrees_with_their_bytes(void **state)
{
  (void)state;
  enum { MOST = 16, INTERVALS = 50 };
  struct run r;
  struct err e;
  uint32_t link[MOST], full = 0, halves = 0;
  float use[MOST * INTERVALS] = {0};
  make(&r);
  struct link_use u = {.link = link, .links = r.x.path.links, .intervals = INTERVALS, .use = use};
  assert_in_range(u.links, 3, MOST);
  for (uint32_t i = 0; i < u.links; i++)
    link[i] = i;
  assert_int_equal(link_use_find(&u, r.x.causes, &e), OK);
  for (uint32_t i = 0; i < u.links; i++) {
    double bytes = 0;
    for (uint32_t k = 0; k < INTERVALS; k++) {
      const double here = use[i * INTERVALS + k];
      assert_true(here >= 0 && here <= 1 + 1e-6);
      bytes += here * (double)r.x.path.time_s / INTERVALS * 1e6;
    }
    full += fabs(bytes - 3e6) < 10;                             /* the link to host 2 */
    halves += fabs(bytes - 1e6) < 10 || fabs(bytes - 2e6) < 10; /* the links of the senders */
  }
  assert_int_equal(full, 1);
  assert_int_equal(halves, 2);
  drop(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(messages_have_their_times_without_contention),
      IN_FOLDER(states_fill_the_time_of_each_rank),
      IN_FOLDER(use_of_links_agrees_with_their_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
