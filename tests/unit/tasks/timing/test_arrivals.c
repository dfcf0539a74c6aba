/* Arrival dates of lanes, compared with a loop over every pair of producer and consumer. */
#include "tasks/timing/arrivals.h"

#include <math.h>
#include <stdlib.h>

#include "tasks/timing/producers.h"
#include "tests/unit/tasks/draw.h"
#include "tests/unit/tasks/machine.h"

enum { SEEDS = 40 };

static const struct test_group GROUPS[] = {{3, 1, 100}, {2, 2.5, 50}, {4, 0.5, 50}, {0, 0, 0}};

struct runs {
  uint32_t *host;
  double *start, *end;
};

/* Random dates and hosts of elements. */
static struct runs draw_runs(const struct tasknet *n, uint32_t hosts, uint64_t seed)
{
  struct runs x = {malloc(n->elements * sizeof *x.host), malloc(n->elements * sizeof *x.start),
                   malloc(n->elements * sizeof *x.end)};
  struct rng r = rng_new(seed, 5);
  for (uint32_t i = 0; i < n->elements; i++) {
    x.host[i] = (uint32_t)rng_below(&r, hosts);
    x.start[i] = 100 * rng_double(&r);
    x.end[i] = x.start[i] + 100 * rng_double(&r);
  }
  return x;
}

/* Date at which a host has the first part (@p first) or the last part of the output of an
 * element. */
static double part_at(const struct tasknet *n, const struct farm *f, const struct runs *x,
                      const struct tasknet_end *end, uint32_t element, uint32_t host, bool first)
{
  const struct tasknet_array *a = &n->array[end->array];
  const struct tasknet_cost *c = tasknet_element_cost(n, element);
  const uint32_t from = f->class_of[x->host[element]], to = f->class_of[host];
  const double volume = tasknet_volume(n, end, element - a->first);
  const bool early = tasknet_writes_early(a->pattern);
  const double leaves =
      early && first ? x->start[element] + c->compute / f->speed[from] / c->loops : x->end[element];
  return leaves + volume / (early ? c->loops : 1) / f->bandwidth[from * f->classes + to];
}

static void check_lane(struct arrivals *a, const struct runs *x, const struct tasknet_end *to,
                       uint32_t lane, uint32_t host)
{
  double all = 0, first = INFINITY, got_all, got_first;
  struct producers p = producers_of(a->n, to->stream, lane);
  const struct tasknet_end *end;
  struct err e;
  for (uint32_t element; (end = producers_next(&p, &element)) != NULL;) {
    const bool own = x->host[element] == host;
    all = own ? all : fmax(all, part_at(a->n, a->m, x, end, element, host, false));
    first = own ? 0 : fmin(first, part_at(a->n, a->m, x, end, element, host, true));
  }
  assert_int_equal(arrivals_all(a, to, lane, host, &got_all, &e), OK);
  assert_true(fabs(got_all - all) < 1e-9);
  if (!a->early[to->stream])
    return;
  assert_int_equal(arrivals_first(a, to, lane, host, &got_first, &e), OK);
  assert_true(fabs(got_first - first) < 1e-9);
}

static void arrivals_agree_with_all_pairs(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct tasknet n = draw(seed, true);
    struct test_machine t;
    struct arrivals a;
    struct err e;
    test_machine(&t, GROUPS, 1);
    struct runs x = draw_runs(&n, t.m.hosts, seed);
    const struct arrivals_runs runs = {x.host, x.start, x.end};
    assert_int_equal(arrivals_new(&a, &n, &t.m, &runs, &e), OK);
    for (uint32_t i = 0; i < n.elements; i++)
      assert_int_equal(arrivals_tell(&a, i, NULL, &e), OK);
    for (uint32_t i = 0; i < n.consumers; i++)
      for (uint32_t l = 0; l < n.stream[n.consumer[i].stream].width; l++)
        for (uint32_t h = 0; h < t.m.hosts; h++)
          check_lane(&a, &x, &n.consumer[i], n.stream[n.consumer[i].stream].first_lane + l, h);
    arrivals_clear(&a);
    free(x.host);
    free(x.start);
    free(x.end);
    farm_clear(&t.m);
    tasknet_clear(&n);
  }
}

/* The arrivals of a consumer's first lane at all hosts, which have equal load.  Counts the hosts
 * that receive at another time than the first one. */
static void compare_hosts(struct arrivals *stored, struct arrivals *plain, uint32_t consumer,
                          uint32_t *compared, uint32_t *differ)
{
  const struct tasknet_end *end = &stored->n->consumer[consumer];
  const uint32_t lane = stored->n->stream[end->stream].first_lane;
  double first = 0, at, again;
  struct err e;
  for (uint32_t h = 0; h < stored->m->hosts; h++) {
    assert_int_equal(arrivals_all(stored, end, lane, h, &at, &e), OK);
    assert_int_equal(arrivals_all(plain, end, lane, h, &again, &e), OK);
    assert_true(at == again);
    first = h == 0 ? at : first;
    *compared += h > 0;
    *differ += at != first;
  }
}

/* Hosts with competing tasks draw the loss of each communication that they receive. */
static void each_host_draws_its_own_loss(void **state)
{
  (void)state;
  static const struct test_group groups[] = {{12, 1, 100}, {0, 0, 0}};
  static const uint32_t tasks[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const struct farm_losses losses = {.time = 0.1, .seed = 3};
  struct test_machine t;
  struct farm f;
  struct err e;
  uint32_t compared = 0, differ = 0;
  test_machine(&t, groups, 1);
  assert_int_equal(farm_load(&f, &t.m, tasks, &losses, &e), OK);
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct tasknet n = draw(seed, true);
    struct arrivals a[2];
    struct runs x = draw_runs(&n, f.hosts, seed);
    const struct arrivals_runs runs = {x.host, x.start, x.end};
    for (int k = 0; k < 2; k++)
      assert_int_equal(arrivals_new(&a[k], &n, &f, &runs, &e), OK);
    a[1].plain = true;
    for (uint32_t i = 0; i < n.consumers; i++)
      compare_hosts(&a[0], &a[1], i, &compared, &differ);
    arrivals_clear(&a[0]);
    arrivals_clear(&a[1]);
    free(x.host);
    free(x.start);
    free(x.end);
    tasknet_clear(&n);
  }
  assert_true(differ > compared / 2);
  farm_clear(&f);
  farm_clear(&t.m);
}

/* Too many producers for a check one by one; all of them end at once and send nothing. */
static void producers_without_work_and_output_end_at_once(void **state)
{
  (void)state;
  static const struct build_array ARRAYS[] = {
      {"many", 9, TASKNET_A, {0, 0, 0, 1}}, {"one", 1, TASKNET_A, {1, 0, 0, 1}}, {.name = NULL}};
  static const struct build_stream STREAMS[] = {{"s", 1, "many", "one", 0}, {.name = NULL}};
  uint32_t late;
  static uint32_t host[10] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 0};
  static double zero[10];
  const struct arrivals_runs runs = {host, zero, zero};
  struct tasknet n = build(ARRAYS, STREAMS);
  struct test_machine t;
  struct arrivals a;
  struct err e;
  test_machine(&t, GROUPS, 1);
  assert_int_equal(arrivals_new(&a, &n, &t.m, &runs, &e), OK);
  for (uint32_t i = 0; i < n.elements; i++)
    assert_int_equal(arrivals_tell(&a, i, NULL, &e), OK);
  assert_int_equal(arrivals_source(&a, &n.consumer[0], n.stream[0].first_lane, 0, &late, &e), OK);
  assert_int_equal(late, 4);
  arrivals_clear(&a);
  farm_clear(&t.m);
  tasknet_clear(&n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrivals_agree_with_all_pairs),
      cmocka_unit_test(each_host_draws_its_own_loss),
      cmocka_unit_test(producers_without_work_and_output_end_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
