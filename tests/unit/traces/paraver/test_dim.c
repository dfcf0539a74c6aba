#include "tests/unit/scratch.h"
#include "traces/files/spool.h"
#include "traces/format.h"
#include "traces/trace.h"

#include <inttypes.h>
#include <string.h>

/* Reads all ranks in turns, an action each; returns the error. */
static const char *why_not(const char *file, struct err *e)
{
  struct trace *t;
  bool any = true;
  e->text[0] = '\0';
  if (trace_open(&t, file, SPOOL_LIMIT, e) != OK)
    return e->text;
  while (any) {
    any = false;
    for (uint32_t r = 0; r < trace_ranks(t); r++) {
      const struct action *a;
      if (trace_next(t, r, &a, e) != OK) {
        trace_free(t);
        return e->text;
      }
      any |= a != NULL;
    }
  }
  trace_free(t);
  return "";
}

#define HEAD "#DIMEMAS:\"x\":1,0:2(1,1),1,0,0\nd:1:1:2:0:1\n1:0:0:1\n1:1:0:1\n"
#define PRV  "#Paraver (x at y):5:1(2):1:2(1:1,1:1),1\n"

static const struct {
  const char *text, *why; /* the error after the name of the file */
} REFUSED[] = {
    {"#DIMEMAS:x\n", ":1: no header of Dimemas"},
    {"#DIMEMAS:\"x\":1,0:3(1,1),1,0,0\n", ":1: 3 tasks, but the header lists 2"},
    {"#DIMEMAS:\"x\":1,0:1048577(1),1,0,0\n", ":1: the tasks: 1048577 is above"},
    {"#DIMEMAS:\"x\":1,0:2(1,2),1,0,0\n", ":1: '2),1,0,0' in place of a task with one"},
    {"#DIMEMAS:\"x\":1,0:1(11),1,0,0\n", ":1: '11),1,0,0' in place of a task with"},
    {"#DIMEMAS:\"x\":1,0:2(1,),1,0,0\n", ":1: '),1,0,0' in place of a task with one"},
    {"#DIMEMAS:\"x\":1,0:2(1,1),1,0,0\n1:0:0:1\n", ":2: task 1 has no records"},
    {HEAD "0:0:0\n", ":5: a record of type 0, which prv2dim writes"},
    {HEAD "40:0:0:1\n", ":5: a record of the unknown type 40"},
    {HEAD "1:2:0:1\n", ":5: the task: "},
    {HEAD "1:0:1:1\n", ":5: the thread: "},
    {HEAD "1:0:0\n", ":5: the line ends before the seconds"},
    {HEAD "1:0:0:x\n", ":5: the seconds: "},
    {HEAD "1:0:0:1:1\n", ":5: more fields than expected: '1'"},
    {HEAD "2:0:0:1:-1:8:0:1\n", ":5: the line ends before the mode"},
    {HEAD "2:0:0:1:-1:8:0:2:0\n", ":5: communicator 2 is not defined"},
    {HEAD "2:0:0:2:-1:8:0:1:0\n", ":5: the partner: "},
    {HEAD "2:0:0:1:-1:8:0:1:4\n", ":5: the mode: "},
    {HEAD "3:0:0:1:-1:-8:0:1:0\n", ":5: the bytes: "},
    {HEAD "d:1:1:1:0\n", ":5: communicator 1 is defined a second time"},
    {HEAD "d:1:2:2:0:0\n", ":5: "},
    {HEAD "d:1:2:1:1\n2:0:0:1:-1:8:0:2:0\n", ":6: task 0 is no member of the communicator"},
    {HEAD "10:0:0:32:1:0:0:0:0\n", ":5: the operation: "},
    {HEAD "10:0:0:1:1:1:0:8:8\n10:1:0:1:1:1:0:8:8\n",
     ":6: a second root of this collective, after member 0"},
    {HEAD "10:0:0:3:1:1:0:8:8\n", ":5: member 1 of the communicator does not call this collective"},
    {HEAD "10:0:0:9:1:0:0:8:8\n10:1:0:9:1:0:0:8:9\n", ":5: the bytes that the members send and"},
    {HEAD "10:0:0:27:1:0:0:8:8:4\n", ":5: the synchronisation: "},
    {"#Paraver (x\n", ":1: no header of Paraver"},
    {"#Paraver (x at y):5:1(2):2:2(1:1,1:1),1:1(1:1),1\n",
     ":1: '2' applications: only traces of one are supported"},
    {"#Paraver (x at y):5:1(2):1:9(1:1,1:1),1\n", ":1: 9 tasks, but the header lists 2"},
    {PRV "4:1\n", ":2: the kind of record: "},
    {PRV "3:1:1:3:1:0:0:1:1:1:1:0:0:8:0\n", ":2: the task: "},
    {PRV "3:1:1:1:1:0:0:1:1:1:1:0:0:8\n", ":2: the line ends before the tag"},
    {PRV "2:1:1:1:1:0:5\n", ":2: the line ends before the value"},
};

static void bad_files_are_refused(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(REFUSED); i++) {
    char want[200];
    struct err e;
    scratch_write("a.txt", REFUSED[i].text);
    snprintf(want, sizeof want, "a.txt%s", REFUSED[i].why);
    if (strncmp(why_not("a.txt", &e), want, strlen(want)) != 0)
      fail_msg("'%s' in place of '%s'", e.text, want);
  }
}

/* The file was not empty when trace_open() chose its format. */
static void a_file_that_loses_its_lines_is_refused(void **state)
{
  extern const struct trace_format trace_dim, trace_prv;
  static const struct trace_format *const FORMATS[] = {&trace_dim, &trace_prv};
  char name[] = "a.dim";
  struct err e;
  (void)state;
  scratch_write(name, "");
  for (size_t i = 0; i < COUNT(FORMATS); i++) {
    struct trace *t = calloc(1, FORMATS[i]->bytes);
    assert_non_null(t);
    t->name = name;
    memset(e.text, 'x', sizeof e.text - 1);
    assert_int_equal(FORMATS[i]->open(t, SPOOL_LIMIT, &e), FAIL);
    assert_string_equal(e.text, "a.dim:1: the file has changed");
    FORMATS[i]->close(t);
    free(t);
  }
}

/* Prints the actions of rank 0: name, partner or root, count, and counts. */
static void print_actions(struct trace *t, uint32_t rank, char *text, size_t room)
{
  const struct action *a;
  struct err e = {""};
  size_t n = 0;
  for (;;) {
    if (trace_next(t, rank, &a, &e) != OK)
      fail_msg("%s", e.text);
    if (a == NULL)
      return;
    n += (size_t)snprintf(text + n, room - n, "%s %d %u %" PRId64 " %g", action_name(a->kind),
                          a->partner, a->root, a->count, a->amount);
    for (uint32_t i = 0; a->sendcounts != NULL && i < trace_ranks(t); i++)
      n += (size_t)snprintf(text + n, room - n, " %d/%d", a->sendcounts[i], a->recvcounts[i]);
    n += (size_t)snprintf(text + n, room - n, "\n");
  }
}

/* Roots and counts come from other tasks, and a wait without a record ends the oldest request. */
static void records_become_actions(void **state)
{
  (void)state;
  static const char *const WANT[] = {
      "compute 0 0 0 10000\nisend 1 0 100000 0\nirecv 2 0 800 0\nwait 0 0 0 0\nwait 1 0 0 0\n"
      "bcast 0 0 64 0\nigatherv 0 0 10 0 10/10 12/12 14/14\ncompute 0 0 0 2000\nwait -1 0 0 0\n"
      "alltoallv 0 0 0 0 9/9 18/2 3/1\n",
      "compute 0 0 0 1000\nrecv 0 0 100000 0\nigatherv 0 0 12 0 10/10 12/12 14/14\n"
      "alltoallv 0 0 0 0 2/18 4/4 0/2\n",
  };
  struct trace *t;
  struct err e = {""};
  if (trace_open(&t, "tests/data/paraver/pair.dim", SPOOL_LIMIT, &e) != OK)
    fail_msg("%s", e.text);
  for (int pass = 0; pass < 2; pass++, trace_rewind(t))
    for (uint32_t r = 0; r < COUNT(WANT); r++) {
      char text[2000] = "";
      print_actions(t, r, text, sizeof text);
      assert_string_equal(text, WANT[r]);
    }
  trace_free(t);
}

/* prv2dim states how ranks wait for each other (3: for the root), and where requests end (2). */
static void synchronisations_are_waits_or_nothing(void **state)
{
  static const char TEXT[] = HEAD "10:0:0:10:1:1:0:8:8:3\n10:0:0:27:1:0:0:16:16:0\n"
                                  "10:0:0:16:1:0:0:0:0:0\n1:0:0:0.000001\n"
                                  "10:0:0:16:1:0:0:0:0:2\n10:0:0:27:1:0:0:16:16:2\n"
                                  "10:1:0:10:1:0:0:8:8:3\n10:1:0:27:1:0:0:16:16:0\n"
                                  "10:1:0:16:1:0:0:0:0:0\n";
  struct trace *t;
  struct err e = {""};
  char text[1000] = "";
  (void)state;
  scratch_write("a.dim", TEXT);
  if (trace_open(&t, "a.dim", SPOOL_LIMIT, &e) != OK)
    fail_msg("%s", e.text);
  print_actions(t, 0, text, sizeof text);
  assert_string_equal(text,
                      "compute 0 0 0 1e+09\nreduce 0 0 8 0\niallreduce 0 0 16 0\nibarrier 0 0 0 0\n"
                      "compute 0 0 0 1000\nwait -1 0 0 0\nwait -1 0 0 0\n");
  trace_free(t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(records_become_actions), /* first: in the folder of the project */
      IN_FOLDER(bad_files_are_refused),
      IN_FOLDER(a_file_that_loses_its_lines_is_refused),
      IN_FOLDER(synchronisations_are_waits_or_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
