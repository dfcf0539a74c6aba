#define _GNU_SOURCE
#include "record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interpose/decimal.h"
#include "record/clock.h"
#include "record/counter.h"

struct record record;

/* Depth of calls of MPI within calls of MPI. */
static __thread unsigned depth __attribute__((tls_model("initial-exec")));

/* The line that haichi writes at the top of traces that smpirun cannot replay. */
static const char EXTENDED[] = "# haichi: has actions that smpirun -replay of SimGrid 3.32 lacks\n";

void interpose_begin(void)
{
#define FIND(X) record.real.X = (__typeof__(record.real.X))interpose_next("PMPI_" #X);
  RECORD_CALLS(FIND)
}

/* --- the file --------------------------------------------------------------------------------- */

/* True if haichi record has set a variable of the environment to 1; it sets the others to 0. */
static bool chosen(const char *name)
{
  const char *text = getenv(name);
  return text != NULL && strcmp(text, "1") == 0;
}

static double setting(const char *name, double otherwise)
{
  const char *text = getenv(name);
  if (text == NULL)
    return otherwise;
  const locale_t before = decimal_begin();
  const double value = strtod(text, NULL);
  decimal_end(before);
  return value;
}

/* Each rank that refuses adds its line with one write, before it stops the others: whichever rank
 * is stopped before its write, the line of the rank that stopped it is in the file. */
_Noreturn void record_refuse(const char *call, const char *why)
{
  const char *dir = getenv("HAICHI_RECORD_DIR");
  char path[4096];
  snprintf(path, sizeof path, "%s/refused", dir == NULL ? "." : dir);
  const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd >= 0) {
    dprintf(fd, "rank %d: %s: %s\n", record.rank, call, why);
    close(fd);
  }
  PMPI_Abort(MPI_COMM_WORLD, 1);
  _exit(1);
}

/* Writes a comment that EXTENDED replaces at the end of the run if smpirun cannot replay the trace.
 * smpirun reads no compressed files, so a compressed file begins with EXTENDED. */
static void write_first_line(bool compress)
{
  struct out *o = &record.out;
  if (compress)
    out_text(o, EXTENDED);
  for (size_t i = 0; !compress && EXTENDED[i] != '\0'; i++)
    out_text(o, i == 0 ? "#" : EXTENDED[i] == '\n' ? "\n" : " ");
}

static void open_file(const char *call)
{
  const char *dir = getenv("HAICHI_RECORD_DIR");
  char path[4096], library[MPI_MAX_LIBRARY_VERSION_STRING];
  int n;
  if (dir == NULL)
    return;
  snprintf(path, sizeof path, "%s/ranks/rank-%04d.txt", dir, record.rank);
  const bool compress = chosen("HAICHI_RECORD_COMPRESS");
  if (!out_open(&record.out, path, compress)) {
    if (errno == EEXIST && record.ranks == 1)
      record_refuse(call, "several programs of one rank: record one at a time, with the mpirun of "
                          "the MPI library of the program");
    if (errno == EEXIST)
      record_refuse(call, "the command runs a second MPI program: record one at a time");
    if (errno == ELIBACC)
      record_refuse("--compress", "cannot load libzstd.so.1");
    record_refuse("cannot write its file", strerror(errno));
  }
  PMPI_Get_library_version(library, &n);
  library[strcspn(library, "\n,")] = '\0';
  write_first_line(compress);
  out_text(&record.out, "# recorded: rank");
  out_number(&record.out, record.rank);
  out_text(&record.out, " of");
  out_number(&record.out, record.ranks);
  out_text(&record.out, ", ");
  out_text(&record.out, library);
  out_text(&record.out, "\n");
  record.process = getpid();
  record.active = true;
}

/* Copies all of record.head: a constant number of bytes takes no call of memcpy(). */
static inline void begin_line(void)
{
  struct out *o = &record.out;
  if (!out_room(o, sizeof record.head))
    return;
  memcpy(o->window + o->used, record.head, sizeof record.head);
  o->used += record.head_length;
}

static void begin_recording(const char *call)
{
  PMPI_Comm_size(MPI_COMM_WORLD, &record.ranks);
  PMPI_Comm_rank(MPI_COMM_WORLD, &record.rank);
  record.flops = setting("HAICHI_RECORD_SPEED", 1e9) / 1e9;
  record.least = (uint64_t)setting("HAICHI_RECORD_LEAST_NS", 1000);
  open_file(call);
  if (!record.active)
    return;
  record.counting = counter_begin();
  comms_init();
  record.on = !chosen("HAICHI_RECORD_OFF");
  snprintf(record.head, sizeof record.head, "%d ", record.rank);
  record.head_length = strlen(record.head);
  begin_line();
  out_text(&record.out, "init\n");
}

/* Leaves the counts of calls in the file, for haichi record. */
static void write_counts(void)
{
  struct out *o = &record.out;
  out_text(o, "# recorded: messages");
  out_number(o, (int64_t)record.messages);
  out_text(o, " collectives");
  out_number(o, (int64_t)record.collectives);
  out_text(o, " one-sided");
  out_number(o, (int64_t)record.one_sided);
  out_text(o, " files");
  out_number(o, (int64_t)record.files);
  out_text(o, "\n");
}

static void close_file(void)
{
  struct out *o = &record.out;
  record_compute();
  if (record.iterations > 0)
    out_text(o, "# haichi: iteration end\n");
  write_counts();
  record_line("finalize");
  out_text(o, "\n");
  for (size_t i = 0; record.extended && o->packer == NULL && EXTENDED[i] != '\0'; i++)
    out_patch(o, i, EXTENDED[i]);
  record.active = record.on = false;
  if (!out_close(o))
    fprintf(stderr, "haichi record: rank %d: cannot write: %s\n", record.rank, strerror(o->error));
}

/* Completes the file of a program that exits without MPI_Finalize. */
__attribute__((destructor)) static void close_at_exit(void)
{
  if (!record.active || getpid() != record.process)
    return;
  record.active = record.on = false;
  write_counts();
  out_close(&record.out);
}

/* --- calls and lines -------------------------------------------------------------------------- */

bool record_enter_always(void)
{
  if (depth++ > 0 || !record.active)
    return false;
  uint64_t passed = record.counting ? counter_enter() : clock_enter();
  if (record.polled && !record.counting && passed >= record.least)
    passed = clock_check(passed);
  /* Between two tests or probes of a loop that only waits, the time is too short to be written. */
  if (record.on && !(record.polled && passed < record.least))
    record.busy += passed;
  record.polled = false;
  return true;
}

bool record_enter(void)
{
  return record_enter_always() && record.on;
}

int record_leave_at(int result, const void *site)
{
  if (--depth > 0 || !record.active)
    return result;
  if (record.counting)
    counter_leave();
  else
    clock_leave(site);
  return result;
}

void record_compute(void)
{
  struct out *o = &record.out;
  if (record.busy == 0 || record.busy < record.least)
    return;
  const int64_t flops = (int64_t)((double)record.busy * record.flops + 0.5);
  record.busy = 0;
  begin_line();
  out_text(o, "compute");
  out_number(o, flops);
  out_text(o, "\n");
}

void record_line(const char *action)
{
  struct out *o = &record.out;
  record_compute();
  begin_line();
  out_text(o, action);
}

void record_end(void)
{
  out_text(&record.out, "\n");
  if (record.out.error != 0)
    record_refuse("the trace", strerror(record.out.error));
}

void record_foreign_enter(uint64_t *count)
{
  if (depth++ == 0 && record.on)
    ++*count;
}

int record_foreign_leave(int result)
{
  depth--;
  return result;
}

/* --- beginning, end and control --------------------------------------------------------------- */

MPI(Init, int *argc, char ***argv)
{
  record_enter();
  const int result = record.real.Init(argc, argv);
  if (result == MPI_SUCCESS && !record.active)
    begin_recording("MPI_Init");
  return record_leave(result);
}

MPI(Init_thread, int *argc, char ***argv, int required, int *provided)
{
  record_enter();
  const int result = record.real.Init_thread(argc, argv, required, provided);
  if (result == MPI_SUCCESS && !record.active)
    begin_recording("MPI_Init_thread");
  if (record.active && required == MPI_THREAD_MULTIPLE)
    record_refuse("MPI_Init_thread", "MPI_THREAD_MULTIPLE: calls of several threads at once have "
                                     "no order that a trace could state");
  return record_leave(result);
}

MPI(Finalize, void)
{
  record_enter_always();
  if (record.active)
    close_file();
  return record_leave(record.real.Finalize());
}

/* Levels 0 and 1 switch recording off and on; 2: the next iteration of the main loop begins; 3: the
 * last one has ended. */
__attribute__((visibility("default"))) int MPI_Pcontrol(const int level, ...)
{
  struct out *o = &record.out;
  if (record_enter_always() && level == 0)
    record.on = false;
  else if (record.active && level == 1)
    record.on = true;
  if (record.on && level == 2) {
    record_compute();
    out_text(o, "# haichi: iteration");
    out_number(o, (int64_t)++record.iterations);
    out_text(o, "\n");
  }
  if (record.on && level == 3 && record.iterations > 0) {
    record_compute();
    out_text(o, "# haichi: iteration end\n");
    record.iterations = 0;
  }
  return record_leave(MPI_SUCCESS);
}

__attribute__((visibility("default"))) int PMPI_Pcontrol(const int level, ...)
    __attribute__((alias("MPI_Pcontrol")));
