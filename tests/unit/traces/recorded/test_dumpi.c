/* Traces of DUMPI, written call by call. */
#include "tests/unit/traces/recorded/dumpi_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/comm.h"
#include "traces/dumpi/dumpi_calls.h"
#include "traces/dumpi/dumpi_file.h"
#include "traces/files/spool.h"
#include "traces/info.h"
#include "traces/trace.h"

enum {
  SEND = 0,
  RECV = 1,
  IRECV = 12,
  WAIT = 13,
  CANCEL = 24,
  CONTIGUOUS = 35,
  VECTOR = 36,
  BCAST = 53,
  GATHERV = 55,
  SPLIT = 86,
  GRAPH_CREATE = 101,
  INIT = 124
};
enum { INT = 9, DOUBLE = 14, WORLD = 2 };

static void write_rank(int rank, unsigned missing)
{
  struct dumpi_text t;
  char path[32];
  snprintf(path, sizeof path, "t-%04d.bin", rank);
  begin_text(&t, path);
  put_call(&t, INIT);
  put(&t, 0, 4);
  /* Splits into ranks 2, 1, 0 and rank 3 alone; the key reverses the order. */
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

static void the_status_gives_the_source_of_any_source(void **state)
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

static void partial_recordings_are_reported(void **state)
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

/* Rank 1 receives 5 us before rank 0 sends, by their clocks; --align shifts it behind. */
static void clocks_are_compared_and_aligned(void **state)
{
  struct trace *t;
  const struct action *a;
  struct dumpi_text x;
  struct err e;
  (void)state;
  write_meta("t.meta", 2);
  for (int rank = 0; rank < 2; rank++) {
    begin_text(&x, rank == 0 ? "t-0000.bin" : "t-0001.bin");
    x.clock = rank == 0 ? 10 : 0; /* MPI_Init; then 13 us and, at its end, 4 us */
    put_call(&x, INIT);
    put(&x, 0, 4);
    put_call(&x, rank == 0 ? SEND : RECV);
    put_numbers(&x, "ihiih", 10, INT, 1 - rank, 7, WORLD);
    if (rank == 1)
      put_status(&x, 40, 0, 7);
    end_text(&x, 0);
  }
  assert_int_equal(trace_open(&t, "t.meta", SPOOL_LIMIT, &e), OK);
  assert_non_null(strstr(trace_next_note(t), "1 of 1 messages were received before they were sent, "
                                             "by up to 9e-06 s"));
  const struct trace_settings aligned = {.speed = 1e9, .align = true};
  assert_int_equal(trace_configure(t, &aligned, &e), OK);
  /* Rank 0 starts at 11 us, rank 1 at 1 us + 9 us. */
  assert_int_equal(trace_next(t, 0, &a, &e), OK);
  assert_int_equal(trace_next(t, 0, &a, &e), OK);
  assert_int_equal(a->kind, ACTION_SLEEP);
  assert_true(a->amount > 0.99e-6 && a->amount < 1.01e-6);
  assert_int_equal(trace_next(t, 1, &a, &e), OK);
  assert_int_equal(trace_next(t, 1, &a, &e), OK);
  assert_int_equal(a->kind, ACTION_COMPUTE);
  trace_free(t);
}

/* Opens the trace and reads its counts. */
static struct trace *open_counted(struct info *info)
{
  static const struct collectives DEFAULTS;
  struct trace *t = NULL;
  struct err e;
  if (trace_open(&t, "t.meta", SPOOL_LIMIT, &e) != OK)
    fail_msg("%s", e.text);
  assert_int_equal(info_read(info, t, &DEFAULTS, &e), OK);
  return t;
}

/* A message of @p count elements from rank 0 to rank 1. */
static void put_message(struct dumpi_text *t, int rank, int count, int type, int comm)
{
  put_call(t, rank == 0 ? SEND : RECV);
  put_numbers(t, "ihiih", count, type, 1 - rank, 7, comm);
  if (rank == 1)
    put_status(t, 0, 0, 7);
}

/* The number of a freed type is used for another type; the section of sizes has the size of the
 * first one only.  The graph has all ranks. */
static void types_and_graphs_are_as_defined(void **state)
{
  struct dumpi_text x;
  struct info info;
  (void)state;
  write_meta("t.meta", 2);
  for (int rank = 0; rank < 2; rank++) {
    begin_text(&x, rank == 0 ? "t-0000.bin" : "t-0001.bin");
    x.sizes = 30;
    x.size[INT] = 4;
    x.size[28] = 20;
    put_call(&x, INIT);
    put(&x, 0, 4);
    put_call(&x, CONTIGUOUS);
    put_numbers(&x, "ihh", 5, INT, 28);
    put_message(&x, rank, 1, 28, WORLD);
    put_call(&x, VECTOR); /* after MPI_Type_free */
    put_numbers(&x, "iiihh", 2, 3, 9, DOUBLE, 28);
    put_message(&x, rank, 1, 28, WORLD);
    put_call(&x, GRAPH_CREATE);
    put_numbers(&x, "ihi", 2, WORLD, 2);
    put_array(&x, (int[]){1, 2}, 2, 4);
    put_array(&x, (int[]){1, 0}, 2, 4);
    put_numbers(&x, "ih", 0, 4);
    put_message(&x, rank, 1, INT, 4);
    end_text(&x, 0);
  }
  struct trace *t = open_counted(&info);
  assert_int_equal(info.p2p.messages, 3);
  assert_int_equal(info.p2p.bytes, 20 + 48 + 4);
  trace_free(t);
}

/* A cancelled receive whose wait has no status counts as cancelled.  Request 6 stands for a
 * nonblocking collective, of which DUMPI records the end only. */
static void requests_without_begin_or_status(void **state)
{
  struct dumpi_text x;
  struct info info;
  (void)state;
  write_meta("t.meta", 2);
  for (int rank = 0; rank < 2; rank++) {
    begin_text(&x, rank == 0 ? "t-0000.bin" : "t-0001.bin");
    put_call(&x, INIT);
    put(&x, 0, 4);
    put_call(&x, IRECV);
    put_numbers(&x, "ihiihi", 1, INT, 1 - rank, 3, WORLD, 5);
    put_call(&x, CANCEL);
    put_numbers(&x, "i", 5);
    for (int request = 5; request <= 6; request++) {
      put_call(&x, WAIT);
      put_numbers(&x, "ii", request, 0); /* no status */
    }
    end_text(&x, 0);
  }
  struct trace *t = open_counted(&info);
  assert_int_equal(info.kind[ACTION_IRECV], 0);
  assert_int_equal(info.kind[ACTION_WAIT], 0);
  assert_non_null(trace_gap(t));
  assert_false(trace_gap(t)->whole);
  assert_non_null(strstr(trace_gap(t)->text, "2 requests end that no recorded call makes"));
  trace_free(t);
}

/* Puts an argument of the kind that dumpi_calls.c lists; numbers are 1, arrays have 2 elements. */
static void put_argument(struct dumpi_text *t, char kind)
{
  static const int ONES[2] = {1, 1};
  const int bytes = kind == 'i' || kind == 'I' || kind == 'J' ? 4
                    : kind == 'h' || kind == 'H'              ? 2
                    : kind == 'l'                             ? 8
                                                              : 1;
  if (strchr("ihbl", kind) != NULL)
    put(t, 1, bytes);
  else if (strchr("IHBC", kind) != NULL)
    put_array(t, ONES, 2, bytes);
  else if (kind == 'S')
    put_status(t, 4, 1, 1);
  else
    put(t, 2, 4); /* two arrays, or strings, or arrays of strings */
  for (int i = 0; strchr("J23", kind) != NULL && i < 2; i++) {
    if (kind == '3')
      put(t, 1, 4);
    put_array(t, ONES, 2, kind == 'J' ? 4 : 1);
  }
}

/* A record of each function is read to its end: where it ends, the next one begins. */
static void all_calls_of_the_format_are_read(void **state)
{
  struct dumpi_text x;
  struct dumpi_file f;
  struct err e;
  bool more;
  (void)state;
  begin_text(&x, "t-0000.bin");
  for (unsigned i = 0; i < DUMPI_FUNCTIONS; i++) {
    put_call(&x, i);
    for (const char *a = dumpi_calls[i].arguments; *a != '\0'; a++)
      if (*a != 'r')
        put_argument(&x, *a);
  }
  end_text(&x, 0);
  if (dumpi_file_open(&f, "t-0000.bin", "t-0000.bin", &e) != OK)
    fail_msg("%s", e.text);
  for (unsigned i = 0; i < DUMPI_FUNCTIONS; i++) {
    assert_int_equal(dumpi_file_next(&f, &more, &e), OK);
    assert_true(more);
    assert_int_equal(f.record.function, i);
  }
  assert_int_equal(dumpi_file_next(&f, &more, &e), OK);
  assert_false(more);
  dumpi_file_close(&f);
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
      cmocka_unit_test(the_status_gives_the_source_of_any_source),
      cmocka_unit_test(partial_recordings_are_reported),
      cmocka_unit_test(clocks_are_compared_and_aligned),
      cmocka_unit_test(truncated_files_are_refused),
      cmocka_unit_test(types_and_graphs_are_as_defined),
      cmocka_unit_test(requests_without_begin_or_status),
      cmocka_unit_test(all_calls_of_the_format_are_read),
  };
  return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
