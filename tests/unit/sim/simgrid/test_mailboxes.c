#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/simgrid/mailboxes.h"

enum { MOST = 100 };

/* Replaces the function of SimGrid: each name is requested once. */
static char names[MOST][32];
static size_t created;

static sg_mailbox_t by_name(const char *name)
{
  for (size_t i = 0; i < created; i++)
    assert_string_not_equal(names[i], name);
  assert_true(created < MOST);
  snprintf(names[created], sizeof names[created], "%s", name);
  return (sg_mailbox_t)&names[created++];
}

static void sixteen_mailboxes_per_actor_if_actors_are_few(void **state)
{
  (void)state;
  assert_int_equal(mailboxes_at_first(1), 16);
  assert_int_equal(mailboxes_at_first(1000), 16000);
  assert_int_equal(mailboxes_at_first(65536), 65536 + 2 * 65536);
  assert_int_equal(mailboxes_at_first(1 << 20), 65536 + (2 << 20));
  for (uint32_t n = 1; n < UINT32_MAX / 3; n *= 3)
    assert_true(mailboxes_at_first(n) >= n);
}

static void returned_mailboxes_are_reused(void **state)
{
  (void)state;
  const struct simgrid_api sg = {.sg_mailbox_by_name = by_name};
  struct mailboxes m = {0};
  struct err e;
  created = 0;
  assert_int_equal(mailboxes_stock(&m, &sg, 5, &e), OK);
  assert_int_equal(created, 5);
  sg_mailbox_t taken = mailboxes_take(&m);
  assert_int_equal(mailboxes_stock(&m, &sg, 4, &e), OK);
  assert_int_equal(created, 5);
  assert_int_equal(mailboxes_stock(&m, &sg, 5, &e), OK);
  assert_int_equal(created, 6);
  assert_int_equal(mailboxes_give(&m, taken, &e), OK);
  assert_ptr_equal(mailboxes_take(&m), taken);
  mailboxes_clear(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sixteen_mailboxes_per_actor_if_actors_are_few),
      cmocka_unit_test(returned_mailboxes_are_reused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
