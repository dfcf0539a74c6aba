#include "mappers/peers/program.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/process/child.h"
#include "common/process/machine.h"

/* A guard, a child process of haichi, starts the program.  It kills the program's process group
 * when the time is over, when the program has ended, or when a signal tells it that haichi has
 * ended.  The guard writes the outcome to memory that it shares with haichi. */
struct outcome {
  bool timeout;
  int code, signal; /* of the program */
  int cannot_start; /* errno; 0: the program has started */
};

struct guard {
  const struct program_run *run;
  struct outcome *out;
};

static sigset_t watched(void)
{
  sigset_t s;
  sigemptyset(&s);
  sigaddset(&s, SIGCHLD);
  sigaddset(&s, SIGTERM);
  sigaddset(&s, SIGINT);
  sigaddset(&s, SIGHUP);
  return s;
}

/* Replaces the child process of the guard by the program. */
_Noreturn static void exec_program(const struct guard *g, const sigset_t *before, pid_t parent)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  if (getppid() == parent && dup2(g->run->output, STDOUT_FILENO) >= 0) {
    for (int i = 1; i < NSIG; i++)
      signal(i, SIG_DFL);
    sigprocmask(SIG_SETMASK, before, NULL);
    execv(g->run->argv[0], g->run->argv);
  }
  g->out->cannot_start = errno;
  _exit(1);
}

/* Waits until the program or haichi ends or the time is over. */
static void wait_for_end(const struct guard *g)
{
  const sigset_t signals = watched();
  const double end = machine_seconds() + g->run->seconds;
  for (;;) {
    const double left = fmax(end - machine_seconds(), 0);
    const struct timespec t = {(time_t)left, (long)((left - floor(left)) * 1e9)};
    const int signal = sigtimedwait(&signals, NULL, &t);
    if (signal > 0)
      return;
    if (errno == EAGAIN) {
      g->out->timeout = true;
      return;
    }
  }
}

/* Runs in the guard.  Kills the program's group before it reaps the program, because the process id
 * cannot be reused until then.  If the program has ended, this kills the processes that it left. */
static int run_guard(void *arg)
{
  const struct guard *g = arg;
  const sigset_t signals = watched();
  const pid_t self = getpid();
  sigset_t before;
  int status = 0;
  sigprocmask(SIG_BLOCK, &signals, &before);
  signal(SIGCHLD, SIG_DFL);
  const pid_t program = fork();
  if (program == 0)
    exec_program(g, &before, self);
  if (program < 0) {
    g->out->cannot_start = errno;
    return 1;
  }
  setpgid(program, program);
  wait_for_end(g);
  kill(-program, SIGKILL);
  kill(program, SIGKILL);
  while (waitpid(program, &status, 0) < 0 && errno == EINTR)
    continue;
  g->out->code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  g->out->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return 0;
}

static enum status check_outcome(const struct program_run *r, const struct outcome *o,
                                 const char *last, struct err *e)
{
  const char *path = r->argv[0], *colon = last[0] == '\0' ? "" : ": ";
  if (o->cannot_start != 0) {
    errno = o->cannot_start;
    return err_errno(e, path, "cannot run");
  }
  if (o->timeout)
    return err_set(e, "%s: no result within %g s%s%s", path, r->seconds, colon, last);
  if (o->signal != 0)
    return err_set(e, "%s: killed by signal %d (%s)%s%s", path, o->signal, strsignal(o->signal),
                   colon, last);
  if (o->code != 0)
    return err_set(e, "%s: exit code %d%s%s", path, o->code, colon, last);
  return OK;
}

enum status program_run(const struct program_run *r, struct err *e)
{
  struct outcome *o =
      mmap(NULL, sizeof *o, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (o == MAP_FAILED)
    return err_errno(e, r->argv[0], "cannot run");
  struct guard guard = {r, o};
  const struct child_spec spec = {.run = run_guard,
                                  .arg = &guard,
                                  .input = -1,
                                  .keep = r->output,
                                  .own_output = true,
                                  .own_group = true,
                                  .parent_signal = SIGTERM};
  struct child c;
  struct child_end end;
  bool timeout = false;
  enum status s = child_start(&c, &spec, e);
  if (s == OK) {
    /* The guard enforces the time limit.  If the guard is stopped, this limit ends the wait. */
    s = child_wait(&c, r->seconds + 60, &end, &timeout, e);
    o->timeout |= timeout;
  }
  if (s == OK && end.signal != 0)
    s = err_set(e, "%s: its guard was killed by signal %d", r->argv[0], end.signal);
  if (s == OK)
    s = check_outcome(r, o, c.last, e);
  munmap(o, sizeof *o);
  return s;
}
