/* Two clusters with an RTT of 10 ms, of which the second accepts no inbound connections.
 * Opening a connection takes a round trip, in the blocked direction after a request along the
 * spanning tree. */
#include "sim/overlay/connections.h"

#include <math.h>

#include "tests/unit/opened.h"

enum { RANKS = 4 }; /* 0, 1 in the open cluster; 2, 3 behind the firewall */

struct world {
  struct platform *platform;
  struct mapping mapping;
  struct overlay_network network;
};

static int set_up(void **state)
{
  static struct world w;
  struct overlay_spec s;
  struct err e;
  w.platform = opened_clusters("cluster A hosts=2x1Gf\ncluster B hosts=2x1Gf inbound=no\n"
                               "wan A B rtt=10ms bandwidth=20MBps\n");
  assert_int_equal(mapping_new(&w.mapping, RANKS, &e), OK);
  for (uint32_t r = 0; r < RANKS; r++)
    w.mapping.host[r] = r;
  assert_int_equal(overlay_spec_parse(&s, "lazy", &e), OK);
  assert_int_equal(overlay_network_make(&w.network, &s, w.platform, &w.mapping, NULL, &e), OK);
  *state = &w;
  return 0;
}

static int tear_down(void **state)
{
  struct world *w = *state;
  overlay_network_clear(&w->network);
  mapping_clear(&w->mapping);
  platform_free(w->platform);
  return 0;
}

static uint32_t need(struct connections *c, uint32_t from, uint32_t to, double now)
{
  uint32_t number;
  struct err e;
  assert_int_equal(connections_need(c, from, to, now, &number, &e), OK);
  return number;
}

static void the_blocked_direction_asks_first(void **state)
{
  const struct world *w = *state;
  const struct overlay_opening out = overlay_network_open(&w->network, 2, 0),
                               in = overlay_network_open(&w->network, 0, 2);
  assert_true(out.requests == 0 && in.requests > 0);
  assert_true(in.seconds > out.seconds && out.seconds >= 0.01);
}

/* Waiters are told once, in the order in which they began to wait. */
static void waiters_are_notified_in_order(void **state)
{
  const struct world *w = *state;
  const double takes = overlay_network_open(&w->network, 2, 0).seconds;
  struct connection_waiter waiter[3], *first = NULL;
  struct connections c;
  struct err e;
  assert_int_equal(connections_init(&c, &w->network, 1, false, &e), OK);
  assert_true(isinf(connections_due(&c)));
  const uint32_t number = need(&c, 2, 0, 1);
  for (int i = 0; i < 3; i++)
    connections_wait(&c, number, &waiter[i]);
  assert_true(fabs(connections_due(&c) - 1 - takes) < 1e-12);
  assert_false(connections_open(&c, 1 + takes / 2, &first));
  assert_true(connections_open(&c, 1 + 2 * takes, &first));
  for (int i = 0; i < 3; i++, first = first->next)
    assert_true(first == &waiter[i]);
  assert_null(first);
  assert_false(connections_open(&c, INFINITY, &first));
  assert_int_equal(need(&c, 2, 0, 2), CONNECTIONS_OPEN);
  assert_int_equal(need(&c, 0, 2, 2), CONNECTIONS_OPEN);
  assert_true(c.count == 1 && c.of_process[0] == 1 && c.of_process[2] == 1);
  connections_clear(&c);
}

/* Both sides open the same connection: it is open when the faster side is done. */
static void the_faster_side_wins(void **state)
{
  const struct world *w = *state;
  const struct overlay_opening out = overlay_network_open(&w->network, 2, 0),
                               in = overlay_network_open(&w->network, 0, 2);
  struct connections c;
  struct err e;
  assert_int_equal(connections_init(&c, &w->network, 1, false, &e), OK);
  const uint32_t number = need(&c, 0, 2, 0);
  assert_true(fabs(connections_due(&c) - in.seconds) < 1e-12);
  assert_int_equal(need(&c, 2, 0, 0), number);
  assert_true(fabs(connections_due(&c) - out.seconds) < 1e-12);
  assert_int_equal(need(&c, 0, 2, 0.001), number); /* has already asked */
  assert_true(c.count == 1 && c.requests == in.requests);
  connections_clear(&c);
}

static void connections_without_latency_open_at_once(void **state)
{
  const struct world *w = *state;
  struct connections c;
  struct err e;
  assert_int_equal(connections_init(&c, &w->network, 0, false, &e), OK);
  assert_int_equal(need(&c, 0, 2, 0), CONNECTIONS_OPEN);
  assert_int_equal(c.count, 1);
  connections_clear(&c);
  assert_int_equal(connections_init(&c, &w->network, 1, true, &e), OK);
  assert_int_equal(need(&c, 0, 2, 0), CONNECTIONS_OPEN);
  assert_int_equal(c.count, RANKS * (RANKS - 1) / 2);
  assert_true(c.of_process[0] == RANKS - 1 && c.requests == 0);
  connections_clear(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_blocked_direction_asks_first),
      cmocka_unit_test(waiters_are_notified_in_order),
      cmocka_unit_test(the_faster_side_wins),
      cmocka_unit_test(connections_without_latency_open_at_once),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
