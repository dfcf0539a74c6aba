#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "traces/requests.h"

static const struct request_key K = {1, 2, 3}, OTHER = {1, 2, 4};

static uint32_t post(struct requests *r, struct request_key key)
{
  uint32_t h;
  struct err e;
  assert_int_equal(requests_post(r, key, &h, &e), OK);
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
  assert_int_equal(requests_wait(&r, K, &h), REQUESTS_HANDLE);
  assert_int_equal(h, a);
  assert_int_equal(requests_wait(&r, K, &h), REQUESTS_HANDLE);
  assert_int_equal(h, b);
  assert_int_equal(requests_wait(&r, K, &h), REQUESTS_UNKNOWN);
  assert_int_equal(requests_wait(&r, OTHER, &h), REQUESTS_HANDLE);
  assert_int_equal(h, c);
  assert_int_equal(r.open, 0);
  requests_clear(&r);
}

static void handles_are_used_again(void **state)
{
  (void)state;
  struct requests r;
  uint32_t h;
  requests_init(&r);
  for (int i = 0; i < 1000; i++) {
    const uint32_t a = post(&r, K);
    assert_true(a < 2);
    assert_int_equal(requests_wait(&r, K, &h), REQUESTS_HANDLE);
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
  assert_int_equal(requests_test(&r, K, &h), REQUESTS_UNKNOWN);
  post(&r, K);
  assert_int_equal(requests_test(&r, K, &h), REQUESTS_HANDLE);
  requests_tested(&r, h);
  assert_int_equal(r.open, 0);
  assert_int_equal(requests_wait(&r, K, &h), REQUESTS_MARK);
  assert_int_equal(requests_wait(&r, K, &h), REQUESTS_UNKNOWN);
  requests_clear(&r);
}

static void a_test_of_a_mark_leaves_a_credit(void **state)
{
  (void)state;
  struct requests r;
  uint32_t h;
  requests_init(&r);
  post(&r, K);
  requests_test(&r, K, &h);
  requests_tested(&r, h);
  assert_int_equal(requests_test(&r, K, &h), REQUESTS_MARK);
  const uint32_t b = post(&r, K);
  assert_int_equal(requests_wait(&r, K, &h), REQUESTS_HANDLE); /* the new one, not the mark */
  assert_int_equal(h, b);
  assert_int_equal(requests_wait(&r, K, &h), REQUESTS_MARK); /* the credit */
  assert_int_equal(requests_wait(&r, K, &h), REQUESTS_UNKNOWN);
  requests_clear(&r);
}

static void a_failed_test_goes_to_the_end_of_the_queue(void **state)
{
  (void)state;
  struct requests r;
  uint32_t h;
  requests_init(&r);
  const uint32_t a = post(&r, K), b = post(&r, K);
  assert_int_equal(requests_test(&r, K, &h), REQUESTS_HANDLE);
  assert_int_equal(h, a);
  assert_int_equal(requests_wait(&r, K, &h), REQUESTS_HANDLE);
  assert_int_equal(h, b);
  requests_clear(&r);
}

static void draining_forgets_all_but_credits(void **state)
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
    assert_int_equal(requests_wait(&r, K, &h), partial ? REQUESTS_MARK : REQUESTS_UNKNOWN);
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
    handle[i] = post(&r, (struct request_key){i, i % 7, -i});
  for (int32_t i = 0; i < 500; i += 2)
    requests_remove(&r, handle[i]);
  assert_int_equal(r.open, 250);
  for (int32_t i = 0; i < 500; i++)
    assert_int_equal(requests_wait(&r, (struct request_key){i, i % 7, -i}, &h),
                     i % 2 == 0 ? REQUESTS_UNKNOWN : REQUESTS_HANDLE);
  requests_clear(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(waits_take_the_first_posted),
      cmocka_unit_test(handles_are_used_again),
      cmocka_unit_test(a_successful_test_leaves_a_mark_for_the_wait),
      cmocka_unit_test(a_test_of_a_mark_leaves_a_credit),
      cmocka_unit_test(a_failed_test_goes_to_the_end_of_the_queue),
      cmocka_unit_test(draining_forgets_all_but_credits),
      cmocka_unit_test(many_keys_and_removal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
