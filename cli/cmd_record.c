#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "common/mem.h"
#include "setup/recorder.h"

struct record_args {
  struct recorder recording;
  struct option_words words;
  const char *finish;
};

#define AT(FIELD) offsetof(struct record_args, FIELD)

/* A speed, or "measured". */
static enum status parse_speed(void *field, char *text, struct err *e)
{
  double *speed = field;
  if (strcmp(text, "measured") != 0)
    return num_quantity(text, NUM_SPEED, speed, e);
  *speed = recorder_speed();
  fprintf(stderr, "haichi: the speed of this processor is %.4g Gf\n", *speed / 1e9);
  return OK;
}

static enum status parse_counter(void *field, char *text, struct err *e)
{
  return counter_find(text, field, e);
}

/* Sets the default speed, with which a ns of CPU time and an event are one flop each. */
static void set_speed(struct recorder *r)
{
  if (r->speed == 0)
    r->speed = 1e9;
}

static enum status check(void *record, struct err *e)
{
  struct record_args *a = record;
  if (a->finish == NULL && a->words.count == 0)
    return err_set(e, "no command: haichi record [OPTION...] -- mpirun -np 8 ./app");
  if (a->finish != NULL && a->words.count > 0)
    return err_set(e, "--finish runs no command");
  set_speed(&a->recording);
  return OK;
}

static const struct cli_option OPTIONS[] = {
    {.help = "the command to run", .kind = OPTION_OPERAND, .at = AT(words)},
    {"output", 'o', "DIR", "The folder to create (recorded); it must not exist, or be empty",
     .at = AT(recording.dir)},
    {"speed", 0, "SPEED",
     "Flops per second of CPU time (1Gf); \"measured\" measures the speed of this processor",
     .kind = OPTION_PARSE, .parse = parse_speed, .at = AT(recording.speed)},
    {"counter", 0, "EVENT",
     "Count EVENT of the processor in computations, one flop each, in place of CPU time",
     .kind = OPTION_PARSE, .parse = parse_counter, .at = AT(recording.counter),
     .excludes = "speed"},
    {"least", 0, "TIME", "Add computations shorter than TIME to the next computation (1us)",
     .kind = OPTION_QUANTITY, .unit = NUM_TIME, .at = AT(recording.least_s)},
    {"off", 0, NULL, "Record from the first MPI_Pcontrol(1) on", .kind = OPTION_FLAG,
     .at = AT(recording.off)},
    {"compress", 0, NULL, "Compress the trace with zstd while it is written", .kind = OPTION_FLAG,
     .at = AT(recording.compress)},
    {"finish", 0, "DIR", "Complete the trace of an earlier haichi record that was killed",
     .at = AT(finish), .excludes = "output speed counter least off compress"},
    {.name = NULL},
};

/* Prints how the command ended and returns false, unless its exit code is 0. */
static bool note_end(int status)
{
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return true;
  if (WIFSIGNALED(status))
    fprintf(stderr, "haichi: the command was ended by signal %d\n", WTERMSIG(status));
  else
    fprintf(stderr, "haichi: the command ended with exit code %d\n", WEXITSTATUS(status));
  return false;
}

static void note_foreign(const struct recorded *r)
{
  if (r->one_sided > 0 || r->files > 0)
    fprintf(stderr,
            "haichi: warning: %" PRIu64 " one-sided calls and %" PRIu64
            " calls of MPI-IO are recorded as computation\n",
            r->one_sided, r->files);
}

static int finish(const char *dir, bool own, int status)
{
  enum { MOST = 10 }; /* incomplete ranks listed */
  struct recorded r;
  struct err e;
  const bool ended_well = note_end(status);
  if (recorder_finish(dir, own, MOST, stderr, &r, &e) != OK)
    return cli_fail(&e);
  note_foreign(&r);
  if (r.cut > 0) {
    err_set(&e, "%s: %" PRIu32 " of %" PRIu32 " ranks did not reach MPI_Finalize", dir, r.cut,
            r.ranks);
    return cli_fail(&e);
  }
  fprintf(stderr,
          "haichi: %s: %" PRIu32 " ranks, %" PRIu64 " sends and receives, %" PRIu64
          " calls of collectives\n",
          dir, r.ranks, r.messages, r.collectives);
  return ended_well ? CLI_OK : CLI_FAILED;
}

/* The words of the command and NULL; the caller frees it. */
static char **command_of(const struct option_words *w, struct err *e)
{
  char **command = mem_array(w->count + 1, sizeof *command, e);
  for (size_t i = 0; command != NULL && i < w->count; i++)
    command[i] = (char *)(uintptr_t)w->word[i];
  return command;
}

static int run_command(int argc, char **argv)
{
  static const struct usage USAGE = {
      "[COMMAND]...",
      "Runs a command that starts an MPI program, and records the MPI calls of each rank as a "
      "trace.  The program is unchanged: C, C++ or Fortran with Open MPI or MPICH as a shared "
      "library.  Put -- before the command.",
      OPTIONS, NULL, check};
  struct record_args a = {.recording = {.dir = "recorded", .least_s = 1e-6}};
  int status = 0;
  struct err e;
  options_parse(&USAGE, argc, argv, &a);
  if (a.finish != NULL)
    return finish(a.finish, false, 0);
  char **command = command_of(&a.words, &e);
  a.recording.command = command;
  const bool ran = command != NULL && recorder_run(&a.recording, &status, &e) == OK;
  free(command);
  free(a.words.word);
  return ran ? finish(a.recording.dir, true, status) : cli_fail(&e);
}

const struct cli_command cmd_record = {"record", "record the trace of an MPI program", run_command};
