#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <inttypes.h>
#include <string.h>

#include "sim/output/links.h"
#include "tests/unit/opened.h"
#include "tests/unit/sim/fake.h"

#define POLL 1e-4 /* duration of a first test or probe */

/* A merged trace and the end times of its ranks. */
struct row {
  const char *what, *text;
  double end[3];
  uint64_t eager;
};

static const struct row SENDS[] = {
    {"a small send does not wait",
     "0 send 1 0 65535\n1 compute 5\n1 recv 0 0 65535\n",
     {0, 5 + T(65535)},
     0},
    {"a large send waits for the receive",
     "0 send 1 0 65536\n1 compute 5\n1 recv 0 0 65536\n",
     {5 + T(65536), 5 + T(65536)},
     0},
    {"a small send to a waiting receive does not wait either",
     "0 compute 3\n0 send 1 0 65535\n1 recv 0 0 65535\n",
     {3, 3 + T(65535)},
     0},
    {"a large send to a waiting receive lasts as long as the message",
     "0 compute 3\n0 send 1 0 65536\n1 recv 0 0 65536\n",
     {3 + T(65536), 3 + T(65536)},
     0},
    {"a synchronous send waits, however small",
     "0 Ssend 1 0 0\n1 compute 5\n1 recv 0 0 0\n",
     {5 + T(0), 5 + T(0)},
     0},
    {"a buffered send does not wait, however large",
     "0 bsend 1 0 90000\n1 compute 5\n1 recv 0 0 90000\n",
     {0, 5 + T(90000)},
     0},
    {"a buffered send to a waiting receive does not wait",
     "0 compute 3\n0 bsend 1 0 90000\n1 recv 0 0 90000\n",
     {3, 3 + T(90000)},
     0},
    {"bytes count, not elements",
     "0 send 1 0 8192 0\n1 compute 5\n1 recv 0 0 8192 0\n",
     {5 + T(65536), 5 + T(65536)},
     0},
    {"a rank receives a message from itself",
     "0 isend 0 0 90000\n0 recv 0 0 90000\n",
     {T(90000)},
     0},
    {"an eager send starts at once", "0 send 1 0 8\n1 compute 5\n1 recv 0 0 8\n", {0, 5}, 9},
    {"a send of as many bytes as the eager threshold is not eager",
     "0 send 1 0 8\n1 compute 5\n1 recv 0 0 8\n",
     {0, 5 + T(8)},
     8},
    {"a large eager send waits for its end, not for the receive",
     "0 isend 1 0 90000\n0 compute 1\n0 test 0 1 0\n0 compute 1\n0 wait 0 1 0\n1 compute 5\n"
     "1 recv 0 0 90000\n",
     {2 + POLL, 5},
     90001},
    {"a buffered send may be eager", "0 bsend 1 0 8\n1 compute 5\n1 recv 0 0 8\n", {0, 5}, 9},
    {"a synchronous send is never eager",
     "0 Ssend 1 0 8\n1 compute 5\n1 recv 0 0 8\n",
     {5 + T(8), 5 + T(8)},
     9},
    {"an eager message to a waiting receive takes its full time",
     "0 compute 3\n0 send 1 0 8\n1 recv 0 0 8\n",
     {3, 3 + T(8)},
     9},
    {"a late receive of an eager message takes the remaining time",
     "0 send 1 0 8\n1 compute 0.5\n1 recv 0 0 8\n",
     {0, T(8)},
     9},
};

static const struct row WAITS[] = {
    {"a rank computes during a nonblocking send",
     "0 isend 1 0 90000\n0 compute 9\n0 wait 0 1 0\n1 recv 0 0 90000\n",
     {9, T(90000)},
     0},
    {"a nonblocking send is waited for at the end of the trace",
     "0 isend 1 0 90000\n1 compute 2\n1 recv 0 0 90000\n",
     {2 + T(90000), 2 + T(90000)},
     0},
    {"a small nonblocking send leaves nothing to wait for",
     "0 isend 1 0 8\n0 wait 0 1 0\n1 compute 2\n1 recv 0 0 8\n",
     {0, 2 + T(8)},
     0},
    {"a nonblocking synchronous send waits for the receive",
     "0 issend 1 0 8\n0 compute 1\n0 wait 0 1 0\n1 compute 2\n1 recv 0 0 8\n",
     {2 + T(8), 2 + T(8)},
     0},
    {"a nonblocking buffered send does not wait",
     "0 ibsend 1 0 90000\n0 wait 0 1 0\n1 compute 2\n1 recv 0 0 90000\n",
     {0, 2 + T(90000)},
     0},
    {"a rank computes during a nonblocking receive",
     "0 send 1 0 8\n1 irecv 0 0 8\n1 compute 9\n1 wait 0 1 0\n",
     {0, 9},
     0},
    {"requests of the same peer and tag complete in order",
     "0 isend 1 0 90000\n0 isend 1 0 80000\n0 wait 0 1 0\n0 compute 7\n"
     "1 recv 0 0 90000\n1 compute 4\n1 recv 0 0 80000\n",
     {T(90000) + 7, T(90000) + 4 + T(80000)},
     0},
    {"waitall waits for the last message",
     "0 irecv 1 0 8\n0 irecv 2 0 8\n0 isend 1 0 8\n0 waitall\n1 compute 2\n1 send 0 0 8\n"
     "1 recv 0 0 8\n2 compute 4\n2 send 0 0 8\n",
     {4 + T(8), 2 + T(8), 4},
     0},
    {"waitall does not wait for small sends",
     "0 isend 1 0 8\n0 isend 1 0 8\n0 waitall\n1 compute 2\n1 recv 0 0 8\n1 recv 0 0 8\n",
     {0, 2 + 2 * T(8)},
     0},
    /* The wait for the other request shows which request waitAny completed. */
    {"waitAny takes the message that ends first, from rank 2",
     "0 irecv 1 0 8\n0 irecv 2 0 8\n0 waitAny\n0 compute 50\n0 wait 1 0 0\n1 compute 9\n"
     "1 send 0 0 8\n2 compute 3\n2 send 0 0 8\n",
     {3 + T(8) + 50, 9, 3},
     0},
    {"waitAny takes the message that ends first, from rank 1",
     "0 irecv 1 0 8\n0 irecv 2 0 8\n0 waitAny\n0 compute 50\n0 wait 2 0 0\n1 compute 3\n"
     "1 send 0 0 8\n2 compute 9\n2 send 0 0 8\n",
     {3 + T(8) + 50, 3, 9},
     0},
    {"each waitAny takes another request",
     "0 irecv 1 0 8\n0 irecv 2 0 8\n0 waitAny\n0 waitAny\n0 waitAny\n0 compute 1\n1 compute 9\n"
     "1 send 0 0 8\n2 compute 3\n2 send 0 0 8\n",
     {9 + T(8) + 1, 9, 3},
     0},
    {"waitAny takes a send that completed at once",
     "0 irecv 1 0 8\n0 isend 1 0 8\n0 waitAny\n0 compute 2\n0 wait 1 0 0\n1 compute 5\n"
     "1 send 0 0 8\n1 recv 0 0 8\n",
     {5 + T(8), 5 + T(8)},
     0},
    {"waitAny takes a completed send with a smaller tag than the receive",
     "0 irecv 1 2 8\n0 isend 1 1 8\n0 waitAny\n0 compute 2\n0 wait 1 0 2\n1 compute 5\n"
     "1 send 0 2 8\n1 recv 0 1 8\n",
     {5 + T(8), 5 + T(8)},
     0},
    {"waitAny takes a completed send only once",
     "0 irecv 1 2 8\n0 isend 1 1 8\n0 waitAny\n0 waitAny\n0 compute 2\n1 compute 5\n"
     "1 send 0 2 8\n1 recv 0 1 8\n",
     {5 + T(8) + 2, 5 + T(8)},
     0},
    {"waitAny takes a message that has ended already",
     "0 irecv 1 0 8\n0 irecv 2 0 8\n0 compute 6\n0 waitAny\n0 compute 1\n1 send 0 0 8\n"
     "2 compute 8\n2 send 0 0 8\n",
     {8 + T(8), 0, 8},
     0},
};

static const struct row POLLS[] = {
    {"each failed test makes the next one longer",
     "0 irecv 1 0 8\n0 test 1 0 0\n0 test 1 0 0\n0 test 1 0 0\n0 compute 5\n0 wait 1 0 0\n"
     "1 send 0 0 8\n",
     {6 * POLL + 5, 0},
     0},
    {"after a successful test the next one is short again",
     "0 irecv 1 0 8\n0 test 1 0 0\n0 test 1 0 0\n0 compute 5\n0 test 1 0 0\n0 irecv 1 1 8\n"
     "0 test 1 0 1\n0 compute 5\n1 send 0 0 8\n1 compute 1\n1 send 0 1 8\n",
     {3 * POLL + 5 + 3 * POLL + POLL + 5, 1},
     0},
    {"failed tests of all ranks make the next one longer",
     "0 irecv 1 0 8\n0 test 1 0 0\n0 test 1 0 0\n0 compute 90\n1 compute 1\n1 irecv 0 1 8\n"
     "1 test 0 1 1\n1 compute 50\n1 send 0 0 8\n1 wait 0 1 1\n2 compute 7\n2 finalize\n"
     "0 send 1 1 8\n",
     {3 * POLL + 90, 3 * POLL + 90 + T(8), 7},
     0},
    {"a test of a send that completed at once succeeds",
     "0 isend 1 0 8\n0 test 0 1 0\n0 wait 0 1 0\n1 recv 0 0 8\n",
     {POLL, T(8)},
     0},
    {"a test before the end fails, one after it succeeds",
     "0 isend 1 0 90000\n0 compute 1\n0 test 0 1 0\n0 test 0 1 0\n0 compute 1\n0 test 0 1 0\n"
     "0 wait 0 1 0\n1 recv 0 0 90000\n",
     {2 + 6 * POLL, T(90000)},
     0},
    {"a test of a collective takes the time of a test, and of a test for each message",
     "0 compute 5\n0 ibcast 8\n1 ibcast 8\n1 test 0 0 -3335\n1 compute 10\n1 test 0 0 -3335\n"
     "1 compute 1\n",
     {5, 2 * POLL + 10 + 6 * POLL + 1},
     0},
    {"a successful test of a collective computes its reduction",
     "0 ireduce 8 7\n0 compute 5\n0 test 0 0 -113\n0 compute 1\n1 ireduce 8 0\n",
     {5 + 2 * POLL + 7 + 1, 0},
     0},
    {"a test of a collective without messages takes time too",
     "0 ibarrier\n0 test 0 0 -779\n",
     {POLL},
     0},
    {"a wait does not wait for a request that a test has completed",
     "0 irecv 1 0 8\n0 compute 5\n0 test 1 0 0\n0 irecv 1 1 8\n0 wait 1 0 0\n0 compute 50\n"
     "1 Ssend 0 0 8\n1 compute 20\n1 send 0 1 8\n",
     {5 + POLL + 50, T(8) + 20},
     0},
    {"a receive of -1 bytes probes first", "0 recv 1 0 -1\n1 send 0 0 8\n", {POLL + T(8), 0}, 0},
    {"each failed probe makes the next one longer",
     "0 recv 1 0 -1\n1 compute 0.00025\n1 send 0 0 8\n",
     {3 * POLL + T(8), 0.00025},
     0},
    {"after a successful probe the next one is short again",
     "0 recv 1 0 -1\n0 recv 1 0 -1\n1 compute 0.00025\n1 send 0 0 8\n1 send 0 0 8\n",
     {3 * POLL + T(8) + POLL + T(8), 0.00025},
     0},
    {"a message may arrive just before the end of a probe",
     "0 recv 1 0 -1\n1 sleep 0.000300000000015\n1 send 0 0 8\n",
     {3 * POLL + T(8), 3 * POLL},
     0},
    {"failed probes of all ranks make the next one longer",
     "0 recv 2 0 -1\n1 compute 0.00005\n1 recv 2 0 -1\n2 compute 0.0002\n2 send 0 0 8\n"
     "2 send 1 0 8\n",
     {3 * POLL + T(8), 1.5 * POLL + 3 * POLL + T(8), 0.0002},
     0},
    {"a nonblocking receive of -1 bytes probes first, too",
     "0 irecv 1 0 -1\n0 wait 1 0 0\n1 compute 0.00025\n1 send 0 0 8\n",
     {3 * POLL + T(8), 0.00025},
     0},
    {"a probe may be for any source and any tag",
     "0 recv -333 -444 -1\n1 compute 0.00025\n1 send 0 7 8\n",
     {3 * POLL + T(8), 0.00025},
     0},
    {"failed tests do not make probes longer",
     "0 irecv 1 0 8\n0 test 1 0 0\n0 recv 1 1 -1\n0 compute 5\n1 send 0 1 8\n1 send 0 0 8\n",
     {2 * POLL + T(8) + 5, 0},
     0},
};

static void check_row(const struct row *row, bool nested)
{
  struct fake f = {.nested = nested, .yields = !nested};
  fake_run(&f, row->text,
           &(struct replay_options){.compute_scale = 1, .eager_threshold = row->eager});
  if (f.hung || f.status != OK)
    fail_msg("%s: %s", row->what, f.hung ? "hangs" : f.err.text);
  for (uint32_t r = 0; r < COUNT(row->end); r++)
    if (fabs(f.result[r].end_s - row->end[r]) > 1e-9)
      fail_msg("%s: rank %" PRIu32 " ends at %.9g s, not %.9g", row->what, r, f.result[r].end_s,
               row->end[r]);
}

static void check_rows(const struct row *row, size_t rows)
{
  for (size_t i = 0; i < rows; i++) {
    check_row(&row[i], false);
    check_row(&row[i], true);
  }
}

static void senders_wait_as_stated(void **state)
{
  (void)state;
  check_rows(SENDS, COUNT(SENDS));
}

static void waits_end_as_stated(void **state)
{
  (void)state;
  check_rows(WAITS, COUNT(WAITS));
}

static void tests_and_probes_cost_as_stated(void **state)
{
  (void)state;
  check_rows(POLLS, COUNT(POLLS));
}

/* Computing and sleeping are busy time; waiting, testing and probing are not. */
static void busy_time_excludes_communication(void **state)
{
  (void)state;
  static const char TEXT[] = "0 compute 4\n0 isend 1 0 90000\n0 test 0 1 0\n0 sleep 2\n"
                             "0 allreduce 1 6 0\n1 sleep 8\n1 recv 0 0 -1\n1 allreduce 1 6 0\n";
  static const struct {
    double scale, busy[2];
  } row[] = {{1, {12, 14}}, {0.5, {6, 7}}, {0, {0, 0}}};
  for (size_t i = 0; i < COUNT(row); i++) {
    struct fake f = {.nested = false};
    fake_run(&f, TEXT, &(struct replay_options){.compute_scale = row[i].scale});
    assert_int_equal(f.status, OK);
    for (int r = 0; r < 2; r++)
      if (fabs(f.result[r].busy_s - row[i].busy[r]) > 1e-9)
        fail_msg("scale %g: rank %d is busy for %.9g s, not %.9g", row[i].scale, r,
                 f.result[r].busy_s, row[i].busy[r]);
  }
}

/* The host determines the time of flops.  Sleeps, tests and probes take the same time on any
 * host. */
static void only_flops_depend_on_the_host(void **state)
{
  (void)state;
  struct fake f = {.slow = 2};
  fake_run(&f,
           "0 compute 1\n0 sleep 10\n1 irecv 0 0 8\n1 test 0 1 0\n1 recv 2 1 -1\n1 compute 100\n2 "
           "send 1 1 8\n0 send 1 0 8\n",
           &(struct replay_options){.compute_scale = 1});
  assert_int_equal(f.status, OK);
  assert_true(fabs(f.result[0].end_s - 13) < 1e-9);
  assert_true(fabs(f.result[1].end_s - (2 * POLL + T(8) + 300)) < 1e-9);
}

static void messages_and_bytes_are_counted_at_the_sender(void **state)
{
  (void)state;
  struct fake f = {.nested = true};
  fake_run(&f,
           "0 send 1 0 3 0\n0 isend 1 0 0\n0 send 2 0 5\n0 bcast 100 0 1\n1 recv 0 0 3 0\n"
           "1 recv 0 0 0\n1 bcast 100 0 1\n2 recv 0 0 99\n2 bcast 100 0 1\n",
           &(struct replay_options){.compute_scale = 1});
  assert_int_equal(f.status, OK);
  assert_int_equal(f.result[0].messages, 3 + 2);
  assert_int_equal(f.result[0].bytes, 24 + 0 + 5 + 2 * 400);
  assert_int_equal(f.result[1].messages + f.result[2].messages, 0);
  assert_int_equal(f.result[1].bytes + f.result[2].bytes, 0);
}

/* However a message ends, its transfer is reused, so memory does not grow with the trace. */
static void transfers_are_reused(void **state)
{
  (void)state;
  static const char *const ROUND[] = {
      "0 Ssend 1 0 8\n1 recv 0 0 8\n",
      "0 send 1 0 8\n1 recv 0 0 8\n0 recv 1 0 8\n1 Ssend 0 0 8\n",
      "0 isend 1 0 90000\n0 irecv 1 0 90000\n0 waitall\n1 recv 0 0 90000\n1 send 0 0 90000\n",
      "0 irecv 1 0 8\n0 irecv 1 1 8\n0 waitAny\n0 waitAny\n1 Ssend 0 0 8\n1 Ssend 0 1 8\n",
      "0 irecv 1 0 8\n0 compute 5\n0 test 1 0 0\n0 wait 1 0 0\n1 Ssend 0 0 8\n",
  };
  for (size_t i = 0; i < COUNT(ROUND); i++) {
    char text[4096] = "";
    struct fake f = {.nested = false};
    for (int k = 0; k < 20; k++)
      strncat(text, ROUND[i], sizeof text - strlen(text) - 1);
    fake_run(&f, text, &(struct replay_options){.compute_scale = 1});
    assert_int_equal(f.status, OK);
    assert_true(f.transfers >= 20);
    size_t distinct = 0;
    for (size_t k = 0, j; k < f.transfers; k++) {
      for (j = 0; j < k && f.posted[j] != f.posted[k]; j++)
        ;
      distinct += j == k;
    }
    if (distinct > 3)
      fail_msg("%zu transfers for 20 times %s", distinct, ROUND[i]);
  }
}

static void link_loads_include_every_message(void **state)
{
  (void)state;
  char text[512] = "";
  const struct platform_params params = {0};
  struct mapping m = {.ranks = 2, .host = (uint32_t[]){0, 1}};
  struct replay_options o = {.compute_scale = 1};
  struct fake f = {.nested = false};
  assert_int_equal(links_new(&o.links, &m, &f.err), OK);
  struct platform *p = opened_platform_with("mesh:2", &params);
  fake_run(
      &f,
      "0 send 1 0 8\n0 isend 1 0 9 0\n1 recv 0 0 8\n1 recv 0 0 -1\n1 send 1 0 8\n1 recv 1 0 8\n",
      &o);
  assert_int_equal(f.status, OK);
  FILE *to = fmemopen(text, sizeof text, "w");
  assert_non_null(to);
  assert_int_equal(links_print(o.links, to, p, 0, &f.err), OK);
  fclose(to);
  assert_non_null(strstr(text, "_UP\t2\t80\t0\n"));
  assert_non_null(strstr(text, "_DOWN\t0\t0\t0\n"));
  platform_free(p);
  links_free(o.links);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(senders_wait_as_stated),
      cmocka_unit_test(waits_end_as_stated),
      cmocka_unit_test(tests_and_probes_cost_as_stated),
      cmocka_unit_test(busy_time_excludes_communication),
      cmocka_unit_test(only_flops_depend_on_the_host),
      cmocka_unit_test(messages_and_bytes_are_counted_at_the_sender),
      cmocka_unit_test(transfers_are_reused),
      cmocka_unit_test(link_loads_include_every_message),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
