/* Compares retransmitted bytes with the formula, on two clusters. */
#include "sim/overlay/congestion.h"

#include <math.h>

#include "tests/unit/opened.h"

enum { RANKS = 8 };

/* Two clusters of four hosts with an RTT of 20 ms and 10 MB/s between them: 200 kB are in
 * flight. */
static struct platform *two_clusters(void)
{
  return opened_clusters("cluster A hosts=4x1Gf\ncluster B hosts=4x1Gf\n"
                         "wan A B rtt=20ms bandwidth=10MBps\n");
}

struct world {
  struct platform *p;
  struct mapping m;
  struct overlay_network n;
  struct congestion c;
};

static void make(struct world *w, const char *text)
{
  struct overlay_spec s;
  struct err e;
  w->p = two_clusters();
  assert_int_equal(mapping_new(&w->m, RANKS, &e), OK);
  for (uint32_t r = 0; r < RANKS; r++)
    w->m.host[r] = r;
  if (overlay_spec_parse(&s, text, &e) != OK ||
      overlay_network_make(&w->n, &s, w->p, &w->m, NULL, &e) != OK ||
      congestion_make(&w->c, &s, w->p, &w->n, &e) != OK)
    fail_msg("%s", e.text);
}

static void clear(struct world *w)
{
  congestion_clear(&w->c);
  overlay_network_clear(&w->n);
  mapping_clear(&w->m);
  platform_free(w->p);
}

static void begin(struct world *w, uint32_t from, uint32_t to)
{
  struct err e;
  assert_int_equal(congestion_begin(&w->c, from, to, &e), OK);
}

static void windows_above_the_capacity_cause_retransmissions(void **state)
{
  struct world w;
  (void)state;
  make(&w, "all,buffer=100kB,queue=50kB,loss=0.5");
  const double holds = w.c.link[0].holds;
  assert_float_equal(holds, 250e3, 2e3); /* the latency of the clusters adds to it */
  for (uint32_t i = 0; i < 4; i++)
    begin(&w, i, 4 + i);
  begin(&w, 0, 4); /* a second message on the same connection */
  assert_float_equal(congestion_again(&w.c, 0, 4), sqrt(4 * 100e3 / holds) - 1, 1e-12);
  congestion_end(&w.c, 0, 4);
  assert_float_equal(congestion_again(&w.c, 0, 4), sqrt(4 * 100e3 / holds) - 1, 1e-12);
  congestion_end(&w.c, 0, 4);
  congestion_end(&w.c, 1, 5);
  assert_float_equal(congestion_again(&w.c, 0, 4), 0, 0); /* two windows fit */
  clear(&w);
}

/* The loss solves Padhye's equation: four connections get the whole bandwidth. */
static void tcp_shares_the_link(void **state)
{
  struct world w;
  (void)state;
  make(&w, "all,buffer=150kB,rto=200ms");
  assert_float_equal(w.c.link[0].holds, 400e3, 4e3); /* a queue of the bandwidth-delay product */
  begin(&w, 0, 4);
  begin(&w, 1, 5);
  assert_float_equal(congestion_again(&w.c, 0, 4), 0, 0); /* two windows fit */
  begin(&w, 2, 6);
  begin(&w, 3, 7);
  const double again = congestion_again(&w.c, 0, 4), p = again / (1 + again);
  const double rtt = w.c.link[0].holds / 10e6;
  const double sends =
      1460 / (rtt * sqrt(4 * p / 3) + 0.2 * 3 * sqrt(0.75 * p) * p * (1 + 32 * p * p));
  assert_float_equal(4 * sends * (1 - p), 10e6, 10);
  clear(&w);
}

static void retransmissions_are_bounded(void **state)
{
  struct world w;
  (void)state;
  make(&w, "lazy,buffer=1GB,queue=1B,loss=4");
  begin(&w, 0, 4);
  assert_float_equal(congestion_again(&w.c, 0, 4), 15, 0);
  clear(&w);
}

static void only_messages_between_clusters_are_affected(void **state)
{
  struct world w;
  (void)state;
  make(&w, "all,queue=1MB");
  assert_true(congestion_concerns(&w.c, 0, 4) && congestion_concerns(&w.c, 7, 3));
  assert_false(congestion_concerns(&w.c, 0, 3));
  clear(&w);
  make(&w, "all");
  assert_false(congestion_concerns(&w.c, 0, 4));
  clear(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(windows_above_the_capacity_cause_retransmissions),
      cmocka_unit_test(tcp_shares_the_link), cmocka_unit_test(retransmissions_are_bounded),
      cmocka_unit_test(only_messages_between_clusters_are_affected)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
