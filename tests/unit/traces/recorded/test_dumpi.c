/* Traces of DUMPI, written call by call. */
#include "tests/unit/traces/recorded/dumpi_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/comm.h"
#include "traces/files/spool.h"
#include "traces/info.h"
#include "traces/trace.h"

enum {
  SEND = 0,
  RECV = 1,
  IRECV = 12,
  WAIT = 13,
  BCAST = 53,
  GATHERV = 55,
  SPLIT = 86,
  INIT = 124
};
enum { INT = 9, WORLD = 2 };

static void write_rank(int rank, unsigned missing)
{
  struct dumpi_text t;
  char path[32];
  snprintf(path, sizeof path, "t-%04d.bin", rank);
  begin_text(&t, path);
  put_call(&t, INIT);
  put(&t, 0, 4);
  /* Ranks 2, 1, 0 and 3 alone: the key turns the order round. */
  put_call(&t, SPLIT);
  put_numbers(&t, "hiih", WORLD, rank == 3, -rank, 4);
  if (rank == 0) { /* receives 10 ints of any source: from rank 2, rank 0 of the new one */
    put_call(&t, IRECV);
    put_numbers(&t, "ihiihi", 20, INT, -1, -1, 4, 5);
    put_call(&t, WAIT);
    put(&t, 5, 4);
    put_status(&t, 40, 0, 7);
  } else if (rank == 2) { /* rank 0 is number 2 there */
    put_call(&t, SEND);
    put_numbers(&t, "ihiih", 10, INT, 2, 7, 4);
    put_call(&t, SEND); /* MPI_PROC_NULL */
    put_numbers(&t, "ihiih", 10, INT, -2, 7, 4);
  }
  if (rank < 3) { /* member m sends m + 1 ints to member 0, which is rank 2 */
    const int member = 2 - rank;
    put_call(&t, GATHERV);
    put_numbers(&t, "iiihih", member, 3, member + 1, INT, 0, 4);
    for (int k = 0; member == 0 && k < 2; k++) {
      put(&t, 3, 4);
      put_numbers(&t, "iii", k == 0 ? 1 : 0, k == 0 ? 2 : 1, 3);
    }
    put(&t, INT, 2);
  }
  put_call(&t, BCAST);
  put_numbers(&t, "ihih", 100, INT, 1, WORLD);
  put_call(&t, 125);
  end_text(&t, missing);
}

static void write_trace(unsigned missing)
{
  write_meta("t.meta", 4);
  for (int r = 0; r < 4; r++)
    write_rank(r, missing);
}

static void counts_are_known_by_construction(void **state)
{
  struct trace *t;
  struct info info;
  struct err e;
  static const struct collectives DEFAULTS;
  (void)state;
  write_trace(0);
  assert_int_equal(trace_open(&t, "t.meta", SPOOL_LIMIT, &e), OK);
  assert_int_equal(info_read(&info, t, &DEFAULTS, &e), OK);
  assert_int_equal(info.ranks, 4);
  assert_int_equal(info.kind[ACTION_SEND], 1);
  assert_int_equal(info.kind[ACTION_IRECV], 1);
  assert_int_equal(info.kind[ACTION_WAIT], 1);
  assert_int_equal(info.kind[ACTION_GATHERV], 3);
  assert_int_equal(info.kind[ACTION_BCAST], 4);
  assert_int_equal(info.p2p.messages, 1);
  assert_int_equal(info.p2p.bytes, 40);
  /* gatherv: 8 + 12 bytes to its root; bcast: 400 bytes to three ranks */
  assert_int_equal(info.all.bytes, 40 + 20 + 1200);
  assert_null(trace_gap(t));
  trace_free(t);
}

static void any_source_is_the_source_of_the_status(void **state)
{
  struct trace *t;
  const struct action *a;
  struct err e;
  (void)state;
  write_trace(0);
  assert_int_equal(trace_open(&t, ".", SPOOL_LIMIT, &e), OK);
  do
    assert_int_equal(trace_next(t, 0, &a, &e), OK);
  while (a != NULL && a->kind != ACTION_IRECV);
  assert_non_null(a);
  assert_int_equal(a->partner, 2);
  assert_int_equal(a->tag, 7);
  assert_int_equal(a->count, 80);
  assert_int_equal(comm_world_rank(a->comm, 0), 2);
  assert_int_equal(comm_size(a->comm, 4), 3);
  trace_free(t);
}

static void a_partial_recording_says_so(void **state)
{
  struct trace *t;
  struct err e;
  (void)state;
  write_trace(5);
  assert_int_equal(trace_open(&t, "t.meta", SPOOL_LIMIT, &e), OK);
  assert_non_null(trace_gap(t));
  assert_false(trace_gap(t)->whole);
  assert_string_equal(trace_gap(t)->text, "t.meta: 20 of 60 calls were not recorded");
  trace_free(t);
}

/* Each shorter file fails with its name and an offset. */
static void truncated_files_are_refused(void **state)
{
  struct trace *t;
  struct err e;
  struct stat st;
  (void)state;
  write_trace(0);
  assert_int_equal(stat("t-0002.bin", &st), 0);
  for (off_t size = st.st_size - 1; size >= 0; size -= size > 3000 ? 37 : 1) {
    assert_int_equal(truncate("t-0002.bin", size), 0);
    assert_int_equal(trace_open(&t, "t.meta", SPOOL_LIMIT, &e), FAIL);
    assert_non_null(strstr(e.text, "t-0002.bin: offset "));
  }
  assert_int_equal(remove("t-0002.bin"), 0);
  assert_int_equal(trace_open(&t, "t.meta", SPOOL_LIMIT, &e), FAIL);
  assert_non_null(strstr(e.text, "the file of rank 2 is missing"));
}

static int enter_folder(void **state)
{
  static char folder[] = "/tmp/haichi-dumpi-XXXXXX";
  *state = folder;
  return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int leave_folder(void **state)
{
  char path[64];
  for (int r = 0; r < 4; r++) {
    snprintf(path, sizeof path, "t-%04d.bin", r);
    remove(path);
  }
  remove("t.meta");
  return rmdir(*state);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_are_known_by_construction),
      cmocka_unit_test(any_source_is_the_source_of_the_status),
      cmocka_unit_test(a_partial_recording_says_so),
      cmocka_unit_test(truncated_files_are_refused),
  };
  return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
