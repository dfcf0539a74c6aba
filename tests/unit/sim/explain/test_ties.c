/* Two events of one date whose flows share no link: their order changes the rate of a third flow,
 * or, through it, of one of the two.  Derivatives by their dates are at a kink. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/explain/explained.h"
#include "sim/model.h"
#include "tests/unit/scratch.h"
#include "traces/files/spool.h"

enum { RANKS = 10 };

/* Hosts of 1 flop/s; all routes have two links and the same latency.  Link a is on the routes from
 * 0, 2 and 6, link b on the routes from 2, 4 and 8. */
static const char PLATFORM[] = "<?xml version='1.0'?>\n"
                               "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                               "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">\n"
                               "<host id=\"0\" speed=\"1f\"/><host id=\"1\" speed=\"1f\"/>\n"
                               "<host id=\"2\" speed=\"1f\"/><host id=\"3\" speed=\"1f\"/>\n"
                               "<host id=\"4\" speed=\"1f\"/><host id=\"5\" speed=\"1f\"/>\n"
                               "<host id=\"6\" speed=\"1f\"/><host id=\"7\" speed=\"1f\"/>\n"
                               "<host id=\"8\" speed=\"1f\"/><host id=\"9\" speed=\"1f\"/>\n"
                               "<link id=\"a\" bandwidth=\"%gMBps\" latency=\"1ms\"/>\n"
                               "<link id=\"b\" bandwidth=\"%gMBps\" latency=\"1ms\"/>\n"
                               "<link id=\"f\" bandwidth=\"%gMBps\" latency=\"1ms\"/>\n"
                               "<link id=\"g\" bandwidth=\"%gMBps\" latency=\"1ms\"/>\n"
                               "<link id=\"k\" bandwidth=\"9MBps\" latency=\"1ms\"/>\n"
                               "<link id=\"m\" bandwidth=\"9MBps\" latency=\"1ms\"/>\n"
                               "<link id=\"v\" bandwidth=\"9MBps\" latency=\"1ms\"/>\n"
                               "<link id=\"w\" bandwidth=\"9MBps\" latency=\"1ms\"/>\n"
                               "<link id=\"x\" bandwidth=\"9MBps\" latency=\"1ms\"/>\n"
                               "<link id=\"y\" bandwidth=\"9MBps\" latency=\"1ms\"/>\n"
                               "<link id=\"z\" bandwidth=\"9MBps\" latency=\"1ms\"/>\n"
                               "<route src=\"0\" dst=\"1\" symmetrical=\"NO\">"
                               "<link_ctn id=\"f\"/><link_ctn id=\"a\"/></route>\n"
                               "<route src=\"1\" dst=\"0\" symmetrical=\"NO\">"
                               "<link_ctn id=\"v\"/></route>\n"
                               "<route src=\"2\" dst=\"3\" symmetrical=\"NO\">"
                               "<link_ctn id=\"a\"/><link_ctn id=\"b\"/></route>\n"
                               "<route src=\"3\" dst=\"2\" symmetrical=\"NO\">"
                               "<link_ctn id=\"w\"/></route>\n"
                               "<route src=\"4\" dst=\"5\" symmetrical=\"NO\">"
                               "<link_ctn id=\"b\"/><link_ctn id=\"g\"/></route>\n"
                               "<route src=\"5\" dst=\"4\" symmetrical=\"NO\">"
                               "<link_ctn id=\"x\"/></route>\n"
                               "<route src=\"6\" dst=\"7\" symmetrical=\"NO\">"
                               "<link_ctn id=\"k\"/><link_ctn id=\"a\"/></route>\n"
                               "<route src=\"7\" dst=\"6\" symmetrical=\"NO\">"
                               "<link_ctn id=\"y\"/></route>\n"
                               "<route src=\"8\" dst=\"9\" symmetrical=\"NO\">"
                               "<link_ctn id=\"b\"/><link_ctn id=\"m\"/></route>\n"
                               "<route src=\"9\" dst=\"8\" symmetrical=\"NO\">"
                               "<link_ctn id=\"z\"/></route>\n"
                               "</zone></platform>\n";

#define IDLE "6 compute 0\n7 compute 0\n8 compute 0\n9 compute 0\n"

/* Messages are longer than these sizes by an envelope of 16 bytes. */
static const struct tie_case {
  double a, b, f, g;    /* bandwidths of links in MB/s */
  const char *trace;    /* has the computation of rank 4 in s */
  double computes;      /* its value at the tie, in s */
  double sooner, later; /* change of the simulated time per s */
} CASES[] = {
    /* From 2 s on, less latencies, 0 has 0.5 MB/s, 2 and 4 have 0.25 each; 0 and 4 end at 10 s.  If
     * 4 ends before, 2 takes 0.45 of link a, and 0 has 0.45 until its end.  If it ends after, only
     * 2 is slower, and 0 alone decides. */
    {0.9, 0.5, 0.5, 9,
     "0 compute 2\n0 send 1 0 3999984\n0 compute 5\n1 recv 0 0 3999984\n2 send 3 0 2999984\n"
     "3 recv 2 0 2999984\n4 compute %.9g\n4 send 5 0 2249984\n5 recv 4 0 2249984\n" IDLE,
     1, 1 / 0.9 - 1, 0},
    /* From 1 s on 0 and 2 have 0.25 MB/s each.  At 9 s 0 ends and 4 begins, so that 2 keeps its
     * rate.  If 4 begins after, 2 has 0.5 in between, and it decides. */
    {0.5, 0.5, 0.5, 9,
     "0 compute 1\n0 send 1 0 1999984\n1 recv 0 0 1999984\n2 send 3 0 3999984\n"
     "3 recv 2 0 3999984\n3 compute 50\n4 compute %.9g\n4 send 5 0 3999984\n5 recv 4 0 "
     "3999984\n" IDLE,
     9, 0, -1},
    /* From 4 s on 2, 6 and three messages of 0 have 0.1 MB/s each on link a; 4 has 0.15 and 8 has
     * 0.35 on link b.  At 14 s 0 and 4 end: 2 has 0.25, and 8 keeps 0.35.  Rank 9 decides.  If 4
     * ends earlier, 8 gets less at first and the same amount more at the end.  If 4 ends later, 8
     * gets more at first; at the end link b also stops 2, and 8 has 0.225. */
    {0.5, 0.6, 9, 0.15,
     "0 compute 3\n0 isend 1 0 1099984\n0 isend 1 0 1099984\n0 isend 1 0 1099984\n0 waitall 3\n"
     "1 irecv 0 0 1099984\n1 irecv 0 0 1099984\n1 irecv 0 0 1099984\n1 waitall 3\n2 send 3 0 "
     "8999984\n"
     "3 recv 2 0 8999984\n4 compute %.9g\n4 send 5 0 1499984\n5 recv 4 0 1499984\n6 compute 1\n"
     "6 send 7 0 8999984\n7 recv 6 0 8999984\n8 compute 2\n8 send 9 0 7849984\n"
     "9 recv 8 0 7849984\n9 compute 100\n",
     4, 0, -0.025 / 0.35},
};

/* The time of a case in which rank 4 computes for @p computes s; *speed: derivative by the speed of
 * its host. */
static double run(const struct tie_case *c, double computes, struct adjoint_bar *speed)
{
  static const struct collectives DEFAULTS;
  char text[1024];
  const int length = snprintf(text, sizeof text, c->trace, computes);
  const struct scratch_file file = scratch_file(text, (size_t)length);
  const struct explained_options o = {.derivatives = true};
  struct sim_options options = sim_defaults();
  struct platform *p;
  struct trace *t;
  struct mapping m;
  struct explained x;
  struct err e;
  FILE *f = fopen("p.xml", "w");
  assert_non_null(f);
  fprintf(f, PLATFORM, c->a, c->b, c->f, c->g);
  fclose(f);
  if (platform_load(&p, "p.xml", &e) != OK || trace_open(&t, file.path, SPOOL_LIMIT, &e) != OK ||
      mapping_new(&m, RANKS, &e) != OK)
    fail_msg("%s", e.text);
  for (uint32_t i = 0; i < RANKS; i++)
    m.host[i] = i;
  options.model = registry_get(&sim_models, "cm02", &e);
  assert_non_null(options.model);
  const struct sim_job job = {.trace = t, .collectives = &DEFAULTS, .mapping = &m};
  if (explained_run(&x, &options, &job, 1, p, stderr, &o, &e) != OK)
    fail_msg("%s", e.text);
  const double time = (double)x.path.time_s;
  *speed = x.derivatives.speed[4];
  explained_clear(&x);
  scratch_close(&file);
  mapping_clear(&m);
  trace_free(t);
  platform_free(p);
  return time;
}

/* Both lanes have 0 if the tie is not noticed, as each order alone has no effect on the other. */
static void ties_through_a_third_flow_are_kinks(void **state)
{
  (void)state;
  const double step = 1e-3;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    const struct tie_case *c = &CASES[i];
    struct adjoint_bar speed, other;
    const double time = run(c, c->computes, &speed);
    assert_float_equal((run(c, c->computes - step, &other) - time) / step, c->sooner, 1e-6);
    assert_float_equal((run(c, c->computes + step, &other) - time) / step, c->later, 1e-6);
    assert_true(fabs(speed.of[ADJOINT_MIXED] - speed.of[ADJOINT_EQUAL]) > 0.01);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {IN_FOLDER(ties_through_a_third_flow_are_kinks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
