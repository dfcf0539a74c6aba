/* Back ends parallel and command: one program, which ends after all its tasks. */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaign/remote/backend.h"
#include "campaign/remote/tool.h"
#include "common/files/memfile.h"
#include "common/mem.h"
#include "common/num.h"

/* --- processes -------------------------------------------------------------------------------- */

/* PID, start time and host, since the system reuses PIDs. */
static const char ID[] = "%ld-%" PRIu64 "-%s";

/* Start time of a process in ticks since boot; 0 if it does not exist or is a zombie. */
static uint64_t started_at(pid_t pid)
{
  char path[40], line[1024] = "", *word = NULL, *rest;
  uint64_t ticks = 0;
  struct err ignored;
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
  FILE *f = fopen(path, "re");
  if (f == NULL)
    return 0;
  rest = fgets(line, sizeof line, f) == NULL ? NULL : strrchr(line, ')');
  fclose(f);
  if (rest == NULL || strncmp(rest, ") Z", 3) == 0)
    return 0;
  for (int field = 2; field <= 22 && rest != NULL; field++)
    word = strsep(&rest, " ");
  return word != NULL && num_u64(word, UINT64_MAX, &ticks, &ignored) == OK ? ticks : 0;
}

/* PID of the process of a handle; 0: it has ended; -1: it was started on another host.  A handle
 * has start time 0 if the process ended before its start time was read. */
static pid_t process_of(const struct backend_handle *h)
{
  char id[BACKEND_ID_SIZE], host[256] = "";
  uint32_t pid;
  snprintf(id, sizeof id, "%s", h->id);
  char *rest = id;
  const char *number = strsep(&rest, "-");
  if (rest == NULL || strsep(&rest, "-") == NULL || rest == NULL || !num_short(number, &pid))
    return 0;
  gethostname(host, sizeof host - 1);
  if (strcmp(host, rest) != 0)
    return -1;
  const uint64_t started = started_at((pid_t)pid);
  snprintf(id, sizeof id, ID, (long)pid, started, host);
  return started != 0 && strcmp(id, h->id) == 0 ? (pid_t)pid : 0;
}

static void poll_process(struct backend_handle *h, struct backend_view *v)
{
  struct child_end end;
  const pid_t pid = process_of(h);
  *v = (struct backend_view){.known = pid >= 0, .alive = pid > 0, .running = pid > 0};
  if (pid < 0)
    snprintf(v->reason, sizeof v->reason, "it was started on another host");
  if (pid == 0 && h->is_child) {
    child_reap(&h->child, &end);
    h->is_child = false;
  }
}

/* GNU parallel waits for its tasks after the first SIGTERM and ends them after the second. */
static void cancel(struct backend_handle *h)
{
  for (int i = 0; i < 50 && process_of(h) > 0; i++) {
    if (i < 2)
      kill(-process_of(h), SIGTERM);
    usleep(100000);
  }
  if (process_of(h) > 0)
    kill(-process_of(h), SIGKILL);
}

struct start {
  const char *const *argv;
  const struct backend_call *call;
};

static int become(void *arg)
{
  const struct start *s = arg;
  const int log = open(s->call->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (log < 0 || dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
    return EXIT_FAILURE;
  if (s->call->detach)
    signal(SIGHUP, SIG_IGN);
  return tool_become(s->argv);
}

static enum status start(struct start *s, int input, struct backend_handle *h, struct err *e)
{
  char host[256] = "";
  const struct child_spec spec = {.run = become,
                                  .arg = s,
                                  .input = input,
                                  .keep = -1,
                                  .own_group = true,
                                  .parent_signal = s->call->detach ? 0 : SIGTERM};
  if (child_start(&h->child, &spec, e) != OK)
    return FAIL;
  h->is_child = true;
  gethostname(host, sizeof host - 1);
  const long pid = (long)h->child.pid;
  snprintf(h->id, sizeof h->id, ID, pid, started_at(h->child.pid), host);
  return OK;
}

/* --- GNU parallel ----------------------------------------------------------------------------- */

static enum status check_parallel(const struct backend_spec *s, struct err *e)
{
  (void)s;
  if (tool_exists("parallel"))
    return OK;
  return err_set(e, "--on parallel: no program parallel in PATH: install GNU parallel, or leave "
                    "--on out to make the runs on this machine");
}

/* GNU parallel reads the task numbers from standard input; -q quotes the path of the script. */
static enum status submit_parallel(const struct backend_call *c, struct backend_handle *h,
                                   struct err *e)
{
  const size_t options = c->spec->options;
  struct memfile numbers;
  OWNED const char **argv = mem_array(options + 6, sizeof *argv, e);
  if (argv == NULL)
    return FAIL;
  if (memfile_open(&numbers, "tasks", e) != OK)
    return FAIL;
  size_t n = 0;
  argv[n++] = "parallel";
  for (size_t i = 0; i < options; i++)
    argv[n++] = c->spec->option[i];
  argv[n++] = "-q";
  argv[n++] = "sh";
  argv[n++] = c->script;
  for (uint32_t i = 1; i <= c->tasks; i++)
    fprintf(numbers.f, "%" PRIu32 "\n", i);
  rewind(numbers.f);
  const enum status s = start(&(struct start){argv, c}, fileno(numbers.f), h, e);
  memfile_close(&numbers);
  return s;
}

const struct backend backend_parallel = {
    .name = "parallel",
    .title = "GNU parallel",
    .help = "GNU parallel; options are its own, as parallel:jobs=4,sshlogin=host1",
    .check = check_parallel,
    .submit = submit_parallel,
    .poll = poll_process,
    .cancel = cancel};

/* --- the user's command ----------------------------------------------------------------------- */

static enum status check_command(const struct backend_spec *s, struct err *e)
{
  return s->command[0] != '\0' ? OK
                               : err_set(e, "--on command: no command given; write --on "
                                            "'command:qsub ... \"$HAICHI_SCRIPT\"'");
}

/* Some schedulers refuse arrays of one task.  A task number above the last does nothing. */
static uint32_t at_least_two(uint32_t tasks)
{
  return tasks < 2 ? 2 : tasks;
}

/* Runs the user's command.  haichi passes its values in environment variables, which the shell does
 * not parse. */
static enum status submit_command(const struct backend_call *c, struct backend_handle *h,
                                  struct err *e)
{
  char tasks[16], cores[16];
  const char *argv[] = {"sh", "-c", c->spec->command, NULL};
  snprintf(tasks, sizeof tasks, "%" PRIu32, at_least_two(c->tasks));
  snprintf(cores, sizeof cores, "%" PRIu32, c->cores);
  if (setenv("HAICHI_SCRIPT", c->script, 1) != 0 || setenv("HAICHI_TASKS", tasks, 1) != 0 ||
      setenv("HAICHI_CORES", cores, 1) != 0)
    return err_set(e, "out of memory");
  return start(&(struct start){argv, c}, -1, h, e);
}

const struct backend backend_command = {
    .name = "command",
    .title = "the command",
    .help = "a command that runs `sh \"$HAICHI_SCRIPT\" N' for N of 1..$HAICHI_TASKS, then ends",
    .check = check_command,
    .submit = submit_command,
    .poll = poll_process,
    .cancel = cancel};
