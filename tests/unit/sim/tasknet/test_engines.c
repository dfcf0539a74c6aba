/* Networks on engines: equal to the abstract model where engines model nothing more, and equal
 * on both engines. */
#include "sim/tasknet/pieces.h"
#include "tasks/timing/producers.h"
#include "tests/unit/scratch.h"
#include "tests/unit/sim/tasknet/executed.h"

static const struct executed_links FREE = {"FATPIPE", "0us"}, SHARED = {"SHARED", "50ms"};

static void engines_without_latency_and_contention_equal_the_abstract_model(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 80; seed++) {
    struct executed x;
    struct executed_run abstract;
    static const struct executed_way flow = {"flow", "cm02", "none", {NULL}};
    executed_new(&x, seed, &FREE);
    executed_abstract(&x, "none", &abstract);
    struct executed_run *run = executed_apart(&x, &flow);
    executed_compare(&x, &abstract, run, 1e-6);
    munmap(run, sizeof *run);
    executed_clear(&x);
  }
}

/* With latency and contention, and with load. */
static void both_engines_agree(void **state)
{
  (void)state;
  static const char *const loads[][2] = {{NULL, NULL},
                                         {"tasks:4", NULL},
                                         {"tasks:4", "links:p=0.1"},
                                         {"flows:3,size=2GB", NULL},
                                         {"tasks:6,work=5s,pause=3s", NULL}};
  static const char *const steal[] = {"none", "random", "group", "cluster"};
  for (uint64_t seed = 1; seed <= 20; seed++) {
    struct executed x;
    struct executed_way flow = {"flow", "cm02", steal[(seed - 1) / 5], {NULL}};
    memcpy(flow.load, loads[seed % 5], sizeof flow.load);
    struct executed_way simgrid = flow;
    simgrid.engine = "simgrid";
    executed_new(&x, seed, &SHARED);
    struct executed_run *a = executed_apart(&x, &flow), *b = executed_apart(&x, &simgrid);
    executed_compare(&x, a, b, 1e-6);
    munmap(a, sizeof *a);
    munmap(b, sizeof *b);
    executed_clear(&x);
  }
}

/* The consumers of an end wait for all producers of lane @p l: before they begin, or before they
 * end. */
static void check_lane(const struct executed *x, const struct executed_run *run,
                       const struct tasknet_end *end, uint32_t l)
{
  const struct tasknet *n = &x->net;
  const bool late = tasknet_reads_late(n->array[end->array].pattern);
  struct producers p = producers_of(n, end->stream, n->stream[end->stream].first_lane + l);
  uint32_t producer, consumer;
  const uint32_t each = tasknet_lane_elements(n, end, l, &consumer);
  while (producers_next(&p, &producer) != NULL)
    for (uint32_t k = consumer; k < consumer + each; k++)
      assert_true((late ? run->end[k] : run->start[k]) >= run->end[producer]);
}

/* Each element runs once, alone on its host, and after its producers. */
static void check_run(const struct executed *x, const struct executed_run *run)
{
  const struct tasknet *n = &x->net;
  for (uint32_t i = 0; i < n->elements; i++) {
    assert_true(run->start[i] >= 0 && run->end[i] >= run->start[i]);
    assert_true(run->end[i] <= run->makespan_s && run->host[i] < x->farm.hosts);
    for (uint32_t k = 0; k < i; k++)
      assert_true(run->host[i] != run->host[k] || run->end[k] <= run->start[i] ||
                  run->end[i] <= run->start[k]);
  }
  for (uint32_t s = 0; s < n->streams; s++)
    for (uint32_t l = 0; l < n->stream[s].width; l++)
      for (uint32_t c = 0; c < n->stream[s].consumers; c++)
        check_lane(x, run, &n->consumer[n->stream[s].to + c], l);
}

static void stealing_runs_each_element_once(void **state)
{
  (void)state;
  uint64_t steals = 0;
  static const char *const policy[] = {"random", "cluster", "group"};
  for (uint64_t seed = 1; seed <= 60; seed++) {
    struct executed x;
    const struct executed_way way = {
        "flow", "lv08", policy[seed % 3], {seed % 2 ? "tasks:9" : NULL, "links:p=0.05"}};
    executed_new(&x, seed, &SHARED);
    struct executed_run *run = executed_apart(&x, &way), *again = executed_apart(&x, &way);
    check_run(&x, run);
    assert_true(run->stolen >= run->steals);
    assert_memory_equal(run, again, sizeof *run);
    steals += run->steals;
    munmap(run, sizeof *run);
    munmap(again, sizeof *again);
    executed_clear(&x);
  }
  assert_true(steals > 60);
}

/* Puts a network on three hosts of 1 Gf, which share one link of 1 GB/s with 1 ms of latency.
 * Each flow takes 5 % more of the link for its way back. */
static void on_three_hosts(struct executed *x, struct scratch_file *f)
{
  static const char xml[] =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">\n"
      "<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>"
      "<host id=\"c\" speed=\"1Gf\"/><link id=\"l\" bandwidth=\"1GBps\" latency=\"1ms\"/>\n"
      "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>\n"
      "<route src=\"a\" dst=\"c\"><link_ctn id=\"l\"/></route>\n"
      "<route src=\"b\" dst=\"c\"><link_ctn id=\"l\"/></route></zone></platform>\n";
  struct err e = {""};
  *f = scratch_file(xml, sizeof xml - 1);
  if (platform_load(&x->platform, f->path, &e) != OK ||
      hosts_make(&x->hosts, x->platform, &e) != OK ||
      farm_of(&x->farm, x->platform, &x->hosts, &EXECUTED_UNITS, &e) != OK)
    fail_msg("%s", e.text);
  x->plan = (struct dates_plan){x->host, x->place};
}

static void check_starts(const struct executed *x, const char *steal, const uint32_t *host,
                         const double *start)
{
  const struct executed_way way = {"flow", "cm02", steal, {NULL}};
  struct executed_run *run = executed_apart(x, &way);
  for (uint32_t i = 0; i < x->net.elements; i++) {
    assert_int_equal(run->host[i], host[i]);
    assert_float_equal(run->start[i], start[i], 1e-6);
  }
  munmap(run, sizeof *run);
}

static const struct build_stream FROM_P_TO_C[] = {{"s", 1, "p", "c", TASKNET_OUTPUT},
                                                  {.name = NULL}};

/* The producer ends at 2 and sends 4 GB to each of hosts 1 and 2.  Host 1 gets them once,
 * although it has two consumers.  Both hosts have them at 2 + 0.001 + 8.4. */
static void a_host_gets_a_stream_once(void **state)
{
  (void)state;
  static const struct build_array arrays[] = {
      {"p", 1, TASKNET_A, {2, 0, 4, 1}}, {"c", 4, TASKNET_A, {1, 0, 0, 1}}, {.name = NULL}};
  static const double start[] = {0, 2, 10.401, 11.401, 10.401};
  struct executed x = {.net = build(arrays, FROM_P_TO_C),
                       .host = {0, 0, 1, 1, 2},
                       .place = {0, 1, 0, 1, 0},
                       .seed = 1};
  struct scratch_file f;
  on_three_hosts(&x, &f);
  check_starts(&x, "none", x.host, start);
  executed_clear(&x);
  scratch_close(&f);
}

/* The four consumers are on host 1.  At 2 the producer's host, 0, steals the last two and has
 * their input.  At 3 host 2 steals the second and is sent 4 GB again.  From 3.001 both flows
 * share the link.  The first flow, of which 1 / 1.05 GB have arrived, ends at 9.401, the other
 * one second later. */
static void a_thief_receives_earlier_output_again(void **state)
{
  (void)state;
  static const struct build_array arrays[] = {{"p", 1, TASKNET_A, {2, 0, 4, 1}},
                                              {"c", 4, TASKNET_A, {1, 0, 0, 1}},
                                              {"d", 1, TASKNET_A, {3, 0, 0, 1}},
                                              {.name = NULL}};
  static const double start[] = {0, 9.401, 10.401, 2, 3, 0};
  static const uint32_t host[] = {0, 1, 2, 0, 0, 2};
  struct executed x = {.net = build(arrays, FROM_P_TO_C),
                       .host = {0, 1, 1, 1, 1, 2},
                       .place = {0, 0, 1, 2, 3, 0},
                       .seed = 1};
  struct scratch_file f;
  on_three_hosts(&x, &f);
  check_starts(&x, "random", host, start);
  executed_clear(&x);
  scratch_close(&f);
}

/* Two elements of a host in the wrong order wait for each other. */
static void impossible_orders_are_refused(void **state)
{
  (void)state;
  static const struct build_array arrays[] = {
      {"p", 1, TASKNET_A, {2, 0, 4, 1}}, {"c", 1, TASKNET_A, {1, 0, 0, 1}}, {.name = NULL}};
  static const struct build_stream streams[] = {{"s", 1, "p", "c", TASKNET_OUTPUT}, {.name = NULL}};
  struct executed x;
  executed_new(&x, 1, &SHARED);
  tasknet_clear(&x.net);
  x.net = build(arrays, streams);
  x.host[0] = x.host[1] = 0;
  x.place[0] = 1;
  x.place[1] = 0;
  struct executed_run *run =
      mmap(NULL, sizeof *run, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  static const struct executed_way way = {"flow", "cm02", "none", {NULL}};
  executed_here(&x, &way, run);
  assert_false(run->ok);
  assert_string_equal(run->error, "2 of 2 elements never start: hosts wait for each other");
  x.net.producer[0].volume = 2e9;
  executed_here(&x, &way, run);
  assert_string_equal(run->error, "task 'p' writes 2e+18 bytes to stream 's': above the maximum "
                                  "of 2^60");
  munmap(run, sizeof *run);
  executed_clear(&x);
}

static void pieces_follow_iterations(void **state)
{
  (void)state;
  static const struct {
    enum tasknet_pattern pattern;
    double loops;
    uint32_t count;
    bool waits;
    double first, last; /* share of the first piece, and of all but the last */
  } CASES[] = {{TASKNET_A, 10, 1, false, 1, 0},
               {TASKNET_B, 10, 10, true, 0.1, 0.9},
               {TASKNET_C, 4, 4, false, 0.25, 0.75},
               {TASKNET_D, 4, 2, true, 0.75, 0.75},
               {TASKNET_B, 1, 1, true, 1, 0},
               {TASKNET_D, 1, 1, true, 1, 0},
               {TASKNET_B, 2, 2, true, 0.5, 0.5},
               {TASKNET_C, 2.5, 3, false, 0.4, 0.6},
               {TASKNET_C, 1000, 64, false, 1e-3, 0.999}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const struct pieces p = pieces_of(CASES[i].pattern, CASES[i].loops);
    assert_int_equal(p.count, CASES[i].count);
    assert_int_equal(p.waits, CASES[i].waits);
    assert_true(pieces_share(&p, 0) == 0 && pieces_share(&p, p.count) == 1);
    assert_float_equal(pieces_share(&p, 1), CASES[i].first, 1e-12);
    assert_float_equal(pieces_share(&p, p.count - 1), CASES[i].last, 1e-12);
    for (uint32_t k = 1; k <= p.count; k++)
      assert_true(pieces_share(&p, k) > pieces_share(&p, k - 1));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(engines_without_latency_and_contention_equal_the_abstract_model),
      cmocka_unit_test(both_engines_agree),
      cmocka_unit_test(stealing_runs_each_element_once),
      cmocka_unit_test(a_host_gets_a_stream_once),
      cmocka_unit_test(a_thief_receives_earlier_output_again),
      cmocka_unit_test(impossible_orders_are_refused),
      cmocka_unit_test(pieces_follow_iterations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
