/* The critical path of the estimate: its messages follow one another, and their durations add up to
 * the estimate of a program without computations.  Changes of the ranks on it shorten the program,
 * and a seed repeats them.  No link carries more bytes than it can in the estimated time. */
#include <math.h>

#include "mappers/estimate.h"
#include "mappers/tune/exchanges.h"
#include "tests/unit/mappers/merge.h"

enum { RANKS = 12, TRANSFERS = 200 };

struct program {
  struct phases phases;
  struct mapper_phases get;
};

static enum status get_phases(void *data, const struct phases **out, struct err *e)
{
  (void)e;
  *out = data;
  return OK;
}

static uint32_t later(uint32_t a, uint32_t b)
{
  return a > b ? a : b;
}

/* Random messages in a random order.  Both ranks of a message wait for its end. */
static void make_program(struct program *p, struct rng *r)
{
  struct phase_list list = {0};
  struct phase_order order = {.event = calloc(4 * TRANSFERS, sizeof *order.event),
                              .transfer = calloc(TRANSFERS, sizeof *order.transfer),
                              .transfers = TRANSFERS,
                              .rest = calloc(RANKS, sizeof *order.rest)};
  uint32_t depth[RANKS] = {0};
  struct err e;
  assert_true(order.event != NULL && order.transfer != NULL && order.rest != NULL);
  for (uint32_t i = 0; i < TRANSFERS; i++) {
    const uint32_t src = (uint32_t)rng_below(r, RANKS);
    const uint32_t dst = (src + 1 + (uint32_t)rng_below(r, RANKS - 1)) % RANKS;
    const struct phase_message m = {
        .src = src, .dst = dst, .bytes = 1 + rng_below(r, 100000), .messages = 1};
    depth[src] = depth[dst] = later(depth[src], depth[dst]) + 1;
    assert_int_equal(phase_list_add(&list, &m, depth[src], 1, i, &e), OK);
    for (uint32_t k = 0; k < 4; k++)
      order.event[order.events++] =
          (struct phase_event){.rank = k % 2 == 0 ? src : dst, .transfer = i, .end = k > 1};
  }
  assert_int_equal(phases_new(&p->phases, &list, RANKS, &order, &e), OK);
  p->phases.order = order;
  p->get = (struct mapper_phases){&p->phases, get_phases};
  phase_list_clear(&list);
}

static const char *const PLATFORMS[] = {"torus:4x4", "fattree:k=4", "mesh:3x2"};

struct bench {
  struct program program;
  struct platform *platform;
  struct matrix traffic;
  struct mapper_input in;
  struct estimate *estimate;
  uint32_t host[RANKS];
};

static void set_up(struct bench *b, uint32_t number)
{
  struct rng r = rng_new(number, 3);
  struct err e;
  *b = (struct bench){.platform = opened_platform(PLATFORMS[number % COUNT(PLATFORMS)])};
  make_program(&b->program, &r);
  b->in = (struct mapper_input){.platform = b->platform,
                                .traffic = &b->traffic,
                                .ranks = RANKS,
                                .ranks_per_host = 2,
                                .phases = &b->program.get,
                                .model = {.weight_bytes = 8775}};
  for (uint32_t k = 0; k < RANKS; k++)
    b->host[k] = (k * 5 + number) % RANKS / 2;
  assert_int_equal(estimate_new(&b->estimate, &b->in, &e), OK);
}

static void tear_down(struct bench *b)
{
  estimate_free(b->estimate);
  phases_clear(&b->program.phases);
  platform_free(b->platform);
}

static double estimated(struct bench *b)
{
  double time_s;
  struct err e;
  assert_int_equal(estimate_time(b->estimate, b->host, &time_s, &e), OK);
  return time_s;
}

static void the_critical_path_explains_the_estimate(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < 30; i++) {
    struct bench b;
    set_up(&b, i);
    const double time_s = estimated(&b);
    const struct mapper_blame *path;
    const size_t n = estimate_blame(b.estimate, &path);
    double sum = 0;
    assert_in_range(n, 1, TRANSFERS);
    for (size_t k = 0; k < n; k++) {
      sum += path[k].seconds;
      assert_true(k == 0 || path[k].src == path[k - 1].src || path[k].src == path[k - 1].dst ||
                  path[k].dst == path[k - 1].src || path[k].dst == path[k - 1].dst);
    }
    assert_true(fabs(sum - time_s) <= 1e-9 * time_s);
    tear_down(&b);
  }
}

static void changes_on_the_path_shorten_the_program(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < COUNT(PLATFORMS); i++) {
    struct bench b, again;
    struct err e;
    double value, other;
    set_up(&b, i);
    set_up(&again, i);
    const struct exchanges_plan plan = {500 * estimate_work(b.estimate), 0.05, true, 7, 3};
    const double before = estimated(&b);
    assert_int_equal(exchanges_improve(b.host, &b.in, b.estimate, &plan, &value, &e), OK);
    assert_int_equal(exchanges_improve(again.host, &again.in, again.estimate, &plan, &other, &e),
                     OK);
    assert_true(value < 0.95 * before && value == estimated(&b) && value == other);
    assert_memory_equal(b.host, again.host, sizeof b.host);
    tear_down(&again);
    tear_down(&b);
  }
}

/* Pairs of ranks send over one link.  The messages are in different phases, but do not depend on
 * each other: alone, each takes a PAIRS-th of the time of the link. */
static void phases_that_overlap_share_links(void **state)
{
  enum { PAIRS = RANKS / 2, BYTES = 1000000000 };
  struct phase_list list = {0};
  struct phase_order order = {.event = calloc(4 * PAIRS, sizeof *order.event),
                              .transfer = calloc(PAIRS, sizeof *order.transfer),
                              .transfers = PAIRS,
                              .rest = calloc(RANKS, sizeof *order.rest)};
  struct bench b = {.platform = opened_platform("mesh:2x1")};
  struct err e;
  (void)state;
  assert_true(order.event != NULL && order.transfer != NULL && order.rest != NULL);
  for (uint32_t i = 0; i < PAIRS; i++) {
    const struct phase_message m = {.src = i, .dst = PAIRS + i, .bytes = BYTES, .messages = 1};
    assert_int_equal(phase_list_add(&list, &m, i, 1, i, &e), OK);
    for (uint32_t k = 0; k < 4; k++)
      order.event[order.events++] =
          (struct phase_event){.rank = k % 2 == 0 ? m.src : m.dst, .transfer = i, .end = k > 1};
    b.host[m.dst] = 1;
  }
  assert_int_equal(phases_new(&b.program.phases, &list, RANKS, &order, &e), OK);
  phase_list_clear(&list);
  b.program.phases.order = order;
  b.program.get = (struct mapper_phases){&b.program.phases, get_phases};
  b.in = (struct mapper_input){.platform = b.platform,
                               .traffic = &b.traffic,
                               .ranks = RANKS,
                               .ranks_per_host = PAIRS,
                               .phases = &b.program.get};
  assert_int_equal(estimate_new(&b.estimate, &b.in, &e), OK);
  const double link_s = (double)PAIRS * BYTES / 1.25e9; /* the default bandwidth of a spec */
  const double time_s = estimated(&b);
  assert_true(time_s >= link_s && time_s < 1.001 * link_s);
  tear_down(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_critical_path_explains_the_estimate),
                                     cmocka_unit_test(changes_on_the_path_shorten_the_program),
                                     cmocka_unit_test(phases_that_overlap_share_links)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
