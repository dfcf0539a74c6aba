#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "traces/program/requests.h"

static const struct request_key K = {1, 2, 3, 0}, OTHER = {1, 2, 4, 0};

static uint32_t post(struct requests *r, struct request_key key)
{
  uint32_t h;
  struct err e;
  assert_int_equal(requests_post(r, &key, &h, &e), OK);
  return h;
}

static void waits_take_the_first_posted(void **state)
{
  (void)state;
  struct requests r;
  uint32_t h;
  requests_init(&r);
  const uint32_t a = post(&r, K), b = post(&r, K), c = post(&r, OTHER);
  assert_int_equal(r.open, 3);
  assert_int_equal(requests_wait(&r, &K, &h), REQUESTS_HANDLE);
  assert_int_equal(h, a);
  assert_int_equal(requests_wait(&r, &K, &h), REQUESTS_HANDLE);
  assert_int_equal(h, b);
  assert_int_equal(requests_wait(&r, &K, &h), REQUESTS_UNKNOWN);
  assert_int_equal(requests_wait(&r, &OTHER, &h), REQUESTS_HANDLE);
  assert_int_equal(h, c);
  assert_int_equal(r.open, 0);
  requests_clear(&r);
}

static void handles_are_reused(void **state)
{
  (void)state;
  struct requests r;
  uint32_t h;
  requests_init(&r);
  for (int i = 0; i < 1000; i++) {
    const uint32_t a = post(&r, K);
    assert_true(a < 2);
    assert_int_equal(requests_wait(&r, &K, &h), REQUESTS_HANDLE);
    requests_release(&r, h);
  }
  requests_clear(&r);
}

static void a_successful_test_leaves_a_mark_for_the_wait(void **state)
{
  (void)state;
  struct requests r;
  uint32_t h;
  requests_init(&r);
  assert_int_equal(requests_test(&r, &K, &h), REQUESTS_MARK); /* no request */
  post(&r, K);
  assert_int_equal(requests_test(&r, &K, &h), REQUESTS_HANDLE);
  requests_tested(&r, h);
  assert_int_equal(r.open, 0);
  assert_int_equal(requests_wait(&r, &K, &h), REQUESTS_MARK);
  assert_int_equal(requests_wait(&r, &K, &h), REQUESTS_UNKNOWN);
  requests_clear(&r);
}

static void a_test_of_a_mark_leaves_a_credit(void **state)
{
  (void)state;
  struct requests r;
  uint32_t h;
  requests_init(&r);
  post(&r, K);
  requests_test(&r, &K, &h);
  requests_tested(&r, h);
  assert_int_equal(requests_test(&r, &K, &h), REQUESTS_MARK);
  const uint32_t b = post(&r, K);
  assert_int_equal(requests_wait(&r, &K, &h), REQUESTS_HANDLE); /* the new request, not the mark */
  assert_int_equal(h, b);
  assert_int_equal(requests_wait(&r, &K, &h), REQUESTS_MARK); /* the credit */
  assert_int_equal(requests_wait(&r, &K, &h), REQUESTS_UNKNOWN);
  requests_clear(&r);
}

static void a_failed_test_goes_to_the_end_of_the_queue(void **state)
{
  (void)state;
  struct requests r;
  uint32_t h;
  requests_init(&r);
  const uint32_t a = post(&r, K), b = post(&r, K);
  assert_int_equal(requests_test(&r, &K, &h), REQUESTS_HANDLE);
  assert_int_equal(h, a);
  assert_int_equal(requests_wait(&r, &K, &h), REQUESTS_HANDLE);
  assert_int_equal(h, b);
  requests_clear(&r);
}

static void draining_keeps_credits_only(void **state)
{
  (void)state;
  struct requests r;
  uint32_t h, list[3];
  requests_init(&r);
  for (int partial = 0; partial < 2; partial++) {
    post(&r, K);
    post(&r, OTHER);
    requests_list(&r, list);
    assert_int_not_equal(list[0], list[1]);
    requests_drain(&r, partial);
    assert_int_equal(r.open, 0);
    assert_int_equal(requests_wait(&r, &K, &h), partial ? REQUESTS_MARK : REQUESTS_UNKNOWN);
  }
  requests_clear(&r);
}

static void many_keys_and_removal(void **state)
{
  (void)state;
  struct requests r;
  uint32_t h, handle[500];
  requests_init(&r);
  for (int32_t i = 0; i < 500; i++)
    handle[i] = post(&r, (struct request_key){i, i % 7, -i, 0});
  for (int32_t i = 0; i < 500; i += 2)
    requests_remove(&r, handle[i]);
  assert_int_equal(r.open, 250);
  for (int32_t i = 0; i < 500; i++)
    assert_int_equal(requests_wait(&r, &(struct request_key){i, i % 7, -i, 0}, &h),
                     i % 2 == 0 ? REQUESTS_UNKNOWN : REQUESTS_HANDLE);
  requests_clear(&r);
}

/* A key that has @p i in one field, which no other part has. */
static struct request_key differs_in(int part, int32_t i)
{
  struct request_key key = {900, 900, 900, 900};
  int32_t *const field[] = {&key.src, &key.dst, &key.tag};
  if (part == 3)
    key.comm = (uint32_t)i;
  else
    *field[part] = i;
  return key;
}

/* Keys that differ in one part only are distinguished, in tables of any size. */
static void keys_are_distinguished_by_each_part(void **state)
{
  (void)state;
  struct requests r;
  uint32_t h, handle[4][300];
  requests_init(&r);
  for (int part = 0; part < 4; part++)
    for (int32_t i = 0; i < 300; i++)
      handle[part][i] = post(&r, differs_in(part, i));
  for (int part = 0; part < 4; part++)
    for (int32_t i = 0; i < 300; i++) {
      const struct request_key key = differs_in(part, i);
      assert_int_equal(requests_wait(&r, &key, &h), REQUESTS_HANDLE);
      assert_int_equal(h, handle[part][i]);
      assert_int_equal(requests_wait(&r, &key, &h), REQUESTS_UNKNOWN);
    }
  requests_clear(&r);
}

/* Removes from the front, the middle and the end of a queue, which must still work afterwards. */
static void removal_keeps_the_order_of_the_others(void **state)
{
  (void)state;
  for (int gone = 0; gone < 3; gone++) {
    struct requests r;
    uint32_t h, handle[4];
    requests_init(&r);
    for (int i = 0; i < 3; i++)
      handle[i] = post(&r, K);
    requests_remove(&r, handle[gone]);
    requests_release(&r, handle[gone]);
    assert_int_equal(r.open, 2);
    assert_int_equal(handle[3] = post(&r, K), handle[gone]); /* reused */
    handle[gone] = REQUESTS_NONE;
    for (int i = 0; i < 4; i++)
      if (handle[i] != REQUESTS_NONE) {
        assert_int_equal(requests_wait(&r, &K, &h), REQUESTS_HANDLE);
        assert_int_equal(h, handle[i]);
      }
    assert_int_equal(requests_wait(&r, &K, &h), REQUESTS_UNKNOWN);
    requests_clear(&r);
  }
}

static void tested(struct requests *r)
{
  uint32_t h;
  assert_int_equal(requests_test(r, &K, &h), REQUESTS_HANDLE);
  requests_tested(r, h);
}

/* However a mark is removed, its handle is released. */
static void marks_release_their_handles(void **state)
{
  (void)state;
  for (int way = 0; way < 3; way++) {
    struct requests r;
    uint32_t h;
    requests_init(&r);
    for (int i = 0; i < 100; i++) {
      assert_true(post(&r, K) < 2);
      tested(&r);
      if (way == 0)
        assert_int_equal(requests_wait(&r, &K, &h), REQUESTS_MARK);
      else if (way == 1)
        assert_int_equal(requests_test(&r, &K, &h), REQUESTS_MARK);
      else
        requests_drain(&r, false);
    }
    requests_clear(&r);
  }
}

static void marks_are_not_pending(void **state)
{
  (void)state;
  struct requests r;
  uint32_t h, list[3] = {REQUESTS_NONE, REQUESTS_NONE, REQUESTS_NONE};
  requests_init(&r);
  post(&r, K);
  tested(&r);
  assert_int_equal(requests_wait(&r, &K, &h), REQUESTS_MARK);
  assert_int_equal(requests_test(&r, &K, &h), REQUESTS_MARK); /* none left */
  post(&r, K);
  tested(&r);
  const uint32_t b = post(&r, OTHER);
  assert_int_equal(r.open, 1);
  requests_list(&r, list);
  assert_int_equal(list[0], b);
  assert_int_equal(list[1], REQUESTS_NONE);
  requests_drain(&r, true);
  requests_release(&r, b);
  assert_int_equal(requests_wait(&r, &OTHER, &h), REQUESTS_MARK);
  assert_int_equal(requests_wait(&r, &OTHER, &h), REQUESTS_UNKNOWN); /* one credit per request */
  assert_int_not_equal(post(&r, K), post(&r, K));
  requests_clear(&r);
}

/* With ever new tags, the table only grows with the number of pending requests. */
static void unused_keys_are_removed(void **state)
{
  (void)state;
  struct requests r;
  uint32_t h;
  requests_init(&r);
  for (int32_t i = 0; i < 100000; i++) {
    post(&r, (struct request_key){1, 2, i, 0});
    post(&r, (struct request_key){2, 1, i, 0});
    if (i % 2 == 0) {
      uint32_t list[2];
      requests_list(&r, list);
      requests_drain(&r, false);
      requests_release(&r, list[0]);
      requests_release(&r, list[1]);
      continue;
    }
    assert_int_equal(requests_wait(&r, &(struct request_key){1, 2, i, 0}, &h), REQUESTS_HANDLE);
    requests_release(&r, h);
    assert_int_equal(requests_wait(&r, &(struct request_key){2, 1, i, 0}, &h), REQUESTS_HANDLE);
    requests_release(&r, h);
  }
  assert_true(r.queue_room <= 64);
  assert_true(r.slots <= 2);
  requests_clear(&r);
}

/* Keys move when the table grows, and unused keys are removed. */
static void remaining_keys_keep_their_requests(void **state)
{
  (void)state;
  struct requests r;
  uint32_t handle[64], h, list[64];
  requests_init(&r);
  for (int i = 0; i < 64; i++) {
    handle[i] = post(&r, (struct request_key){1, 2, i, 0});
    if (i % 16 < 10 && requests_wait(&r, &(struct request_key){1, 2, i, 0}, &h) == REQUESTS_HANDLE)
      requests_release(&r, h);
  }
  assert_int_equal(r.open, 24);
  for (int i = 10; i < 16; i++) /* from the middle of the list, by handle */
    requests_remove(&r, handle[i + 16]);
  assert_int_equal(r.open, 18);
  requests_list(&r, list);
  for (int i = 0; i < 18; i++)
    assert_int_equal(list[i], handle[(i < 6 ? 10 : i < 12 ? 36 : 46) + i]);
  assert_int_equal(requests_wait(&r, &(struct request_key){1, 2, 26, 0}, &h), REQUESTS_UNKNOWN);
  assert_int_equal(requests_wait(&r, &(struct request_key){1, 2, 42, 0}, &h), REQUESTS_HANDLE);
  assert_int_equal(h, handle[42]);
  requests_clear(&r);
}

/* Posts a group; its @p members get the next handles. */
static uint32_t post_group(struct requests *r, struct request_key key, uint32_t members)
{
  uint32_t group, h;
  struct err e;
  assert_int_equal(requests_post_group(r, &key, 10, &group, &e), OK);
  for (uint32_t i = 0; i < members; i++)
    assert_int_equal(requests_join(r, group, &h, &e), OK);
  return group;
}

static const struct request_key GROUP = {-1, 0, -3335, 0}, NAMED = {-1, 7, -3335, 0};

static void a_group_is_one_request(void **state)
{
  (void)state;
  struct requests r;
  uint32_t h, list[3];
  requests_init(&r);
  const uint32_t a = post_group(&r, GROUP, 2), message = post(&r, K), b = post_group(&r, GROUP, 0);
  assert_int_equal(r.open, 1); /* groups do not count */
  assert_int_equal(requests_members(&r, a), 2);
  requests_list_members(&r, a, list);
  assert_int_equal(list[0], a + 1);
  assert_int_equal(list[1], a + 2);
  assert_int_equal(requests_wait(&r, &GROUP, &h), REQUESTS_GROUP);
  assert_int_equal(h, a);
  assert_true(requests_dissolve(&r, a) == 10);
  assert_int_equal(requests_wait(&r, &GROUP, &h), REQUESTS_GROUP);
  assert_int_equal(h, b);
  assert_int_equal(requests_members(&r, b), 0);
  assert_true(requests_dissolve(&r, b) == 10);
  assert_int_equal(requests_wait(&r, &GROUP, &h), REQUESTS_UNKNOWN);
  requests_list(&r, list);
  assert_int_equal(list[0], message);
  requests_clear(&r);
}

static void draining_leaves_groups(void **state)
{
  (void)state;
  struct requests r;
  uint32_t h;
  requests_init(&r);
  const uint32_t named = post_group(&r, NAMED, 1), message = post(&r, K);
  const uint32_t group = post_group(&r, GROUP, 1);
  requests_drain(&r, false);
  requests_release(&r, message);
  assert_int_equal(r.open, 0);
  assert_int_equal(requests_first_group(&r, 0), group);
  assert_int_equal(requests_first_group(&r, 7), named);
  assert_int_equal(requests_first_group(&r, REQUESTS_ANY), named);
  requests_remove(&r, named);
  requests_dissolve(&r, named);
  assert_int_equal(requests_first_group(&r, 7), REQUESTS_NONE);
  assert_int_equal(requests_wait(&r, &K, &h), REQUESTS_UNKNOWN);
  assert_int_equal(requests_wait(&r, &GROUP, &h), REQUESTS_GROUP);
  requests_clear(&r);
}

/* If two of the same kind were started, a wait takes the second although the first left a
 * credit. */
static void a_tested_group_leaves_a_credit(void **state)
{
  (void)state;
  struct requests r;
  uint32_t h, room = 0;
  requests_init(&r);
  for (int i = 0; i < 100; i++) {
    const uint32_t a = post_group(&r, GROUP, 1);
    assert_int_equal(requests_test(&r, &GROUP, &h), REQUESTS_GROUP);
    assert_int_equal(requests_test(&r, &GROUP, &h), REQUESTS_GROUP); /* the first test failed */
    assert_int_equal(h, a);
    assert_true(requests_tested_group(&r, a) == 10);
    requests_release(&r, a + 1 - 2 * (i % 2));
    room = r.slots;
  }
  assert_true(room <= 2);
  post_group(&r, GROUP, 0);
  assert_int_equal(requests_wait(&r, &GROUP, &h), REQUESTS_GROUP);
  assert_int_equal(requests_wait(&r, &GROUP, &h), REQUESTS_MARK);
  requests_clear(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(waits_take_the_first_posted),
      cmocka_unit_test(handles_are_reused),
      cmocka_unit_test(a_successful_test_leaves_a_mark_for_the_wait),
      cmocka_unit_test(a_test_of_a_mark_leaves_a_credit),
      cmocka_unit_test(a_failed_test_goes_to_the_end_of_the_queue),
      cmocka_unit_test(draining_keeps_credits_only),
      cmocka_unit_test(many_keys_and_removal),
      cmocka_unit_test(unused_keys_are_removed),
      cmocka_unit_test(keys_are_distinguished_by_each_part),
      cmocka_unit_test(removal_keeps_the_order_of_the_others),
      cmocka_unit_test(marks_release_their_handles),
      cmocka_unit_test(marks_are_not_pending),
      cmocka_unit_test(remaining_keys_keep_their_requests),
      cmocka_unit_test(a_group_is_one_request),
      cmocka_unit_test(draining_leaves_groups),
      cmocka_unit_test(a_tested_group_leaves_a_credit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
