#include "sim/tasknet/feeds.h"

#include "tests/unit/tasks/build.h"

/* a (2 elements) and b write to s, which c (3 elements) and d read; t connects a and d only. */
static const struct build_array ARRAYS[] = {{"a", 2, TASKNET_A, {1, 0, 1, 1}},
                                            {"b", 1, TASKNET_A, {1, 0, 1, 1}},
                                            {"c", 3, TASKNET_A, {1, 1, 0, 1}},
                                            {"d", 1, TASKNET_A, {1, 1, 0, 1}},
                                            {.name = NULL}};
static const struct build_stream STREAMS[] = {
    {"s", 1, "a b", "c d", 1}, {"t", 1, "a", "d", 1}, {.name = NULL}};

static uint32_t feeds_of(const struct feeds *f, uint32_t lane)
{
  uint32_t n = 0;
  for (uint32_t i = f->newest[lane]; i != 0; i = f->feed[i - 1].next) {
    assert_int_equal(f->feed[i - 1].lane, lane);
    n++;
  }
  return n;
}

/* Each lane and host has one feed, however many producers and consumers there are. */
static void one_feed_for_all_consumers_on_a_host(void **state)
{
  (void)state;
  static const uint32_t host[] = {0, 0, 0, /* c */ 1, 1, 2, /* d */ 1};
  static const struct {
    uint32_t lane, host, consumers; /* 0: no feed */
  } ROWS[] = {{0, 0, 0}, {0, 1, 3}, {0, 2, 1}, {1, 0, 0}, {1, 1, 1}, {1, 2, 0}};
  struct tasknet n = build(ARRAYS, STREAMS);
  struct feeds f;
  struct err e;
  assert_int_equal(n.lanes, 2);
  assert_int_equal(feeds_new(&f, &n, host, &e), OK);
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    const struct feeds_feed *x = feeds_find(&f, ROWS[i].lane, ROWS[i].host);
    assert_int_equal(x == NULL ? 0 : x->consumers, ROWS[i].consumers);
    assert_true(x == NULL || (!x->behind && !x->begun && x->underway == 0));
  }
  assert_int_equal(feeds_of(&f, 0), 2);
  assert_int_equal(feeds_of(&f, 1), 1);
  feeds_clear(&f);
  tasknet_clear(&n);
}

/* The host of a thief has no data sent before the theft, unless it already had a consumer. */
static void a_new_feed_is_behind(void **state)
{
  (void)state;
  static const uint32_t host[] = {0, 0, 0, 1, 1, 2, 1};
  struct tasknet n = build(ARRAYS, STREAMS);
  struct feeds f;
  struct err e;
  uint32_t number;
  assert_int_equal(feeds_new(&f, &n, host, &e), OK);
  assert_int_equal(feeds_add(&f, 0, 5, &number, &e), OK);
  assert_true(feeds_find(&f, 0, 5) == &f.feed[number] && f.feed[number].behind);
  assert_int_equal(f.feed[number].consumers, 1);
  assert_int_equal(feeds_add(&f, 0, 2, &number, &e), OK);
  assert_true(f.feed[number].host == 2 && !f.feed[number].behind);
  assert_int_equal(f.feed[number].consumers, 2);
  assert_int_equal(feeds_of(&f, 0), 3);
  feeds_clear(&f);
  tasknet_clear(&n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_feed_for_all_consumers_on_a_host),
      cmocka_unit_test(a_new_feed_is_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
