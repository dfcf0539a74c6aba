#define _GNU_SOURCE
#include "cli/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/mem.h"

struct worker {
  size_t id;
  pid_t pid;
  int says; /* a pipe from its standard error, whose end is the worker's */
  double start_s;
  bool timeout;
  char text[512]; /* what it wrote, as far as there is room */
  size_t length;
};

struct workers {
  uint32_t most, running;
  double timeout_s;
  struct worker *worker; /* the first `running` are at work */
  struct pollfd *poll;   /* of them, and of `stops` */
  int stops;             /* where SIGTSTP, as of Ctrl-Z, is read: it reaches this process alone */
  sigset_t before;       /* the mask that it had */
};

static double now_s(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static sigset_t only_stop(void)
{
  sigset_t s;
  sigemptyset(&s);
  sigaddset(&s, SIGTSTP);
  return s;
}

enum status workers_new(struct workers **out, uint32_t most, double timeout_s, struct err *e)
{
  struct workers *w = mem_array(1, sizeof *w, e);
  if (w == NULL)
    return FAIL;
  *w = (struct workers){.most = most, .timeout_s = timeout_s, .stops = -1};
  const sigset_t stop = only_stop();
  sigprocmask(SIG_BLOCK, &stop, &w->before);
  enum status s = FAIL;
  if ((w->worker = mem_array(most, sizeof *w->worker, e)) != NULL &&
      (w->poll = mem_array(most + 1, sizeof *w->poll, e)) != NULL)
    s = (w->stops = signalfd(-1, &stop, SFD_CLOEXEC | SFD_NONBLOCK)) >= 0
            ? OK
            : err_errno(e, "signalfd", "cannot create");
  if (s != OK) {
    workers_free(w);
    return FAIL;
  }
  *out = w;
  return OK;
}

/* Sends it to the worker and its children. */
static void signal_to(const struct worker *k, int signal)
{
  kill(-k->pid, signal);
  kill(k->pid, signal);
}

void workers_free(struct workers *w)
{
  if (w == NULL)
    return;
  for (uint32_t i = 0; i < w->running; i++) {
    signal_to(&w->worker[i], SIGKILL);
    waitpid(w->worker[i].pid, NULL, 0);
    close(w->worker[i].says);
  }
  if (w->stops >= 0)
    close(w->stops);
  sigprocmask(SIG_SETMASK, &w->before, NULL);
  free(w->worker);
  free(w->poll);
  free(w);
}

uint32_t workers_running(const struct workers *w)
{
  return w->running;
}

bool workers_full(const struct workers *w)
{
  return w->running == w->most;
}

/* A group of its own, so that its children can be killed with it. */
_Noreturn static void be_worker(const struct workers *w, pid_t parent, int says, worker_fn *fn,
                                void *arg)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigprocmask(SIG_SETMASK, &w->before, NULL);
  if (getppid() != parent)
    _exit(1);
  setpgid(0, 0);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(says, STDERR_FILENO) < 0)
    _exit(1);
  const int code = fn(arg);
  fflush(NULL);
  _exit(code);
}

enum status workers_start(struct workers *w, size_t id, worker_fn *fn, void *arg, struct err *e)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return err_errno(e, "pipe", "cannot create");
  const pid_t parent = getpid();
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0)
    be_worker(w, parent, ends[1], fn, arg);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return err_errno(e, "process", "cannot create");
  }
  setpgid(pid, pid); /* the child does the same: whoever comes first */
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  w->worker[w->running++] =
      (struct worker){.id = id, .pid = pid, .says = ends[0], .start_s = now_s()};
  return OK;
}

/* Takes what the worker says; false at its end. */
static bool listen_to(struct worker *k)
{
  char buffer[4096];
  for (;;) {
    const ssize_t n = read(k->says, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return n < 0;
    const size_t room = sizeof k->text - 1 - k->length;
    const size_t take = (size_t)n < room ? (size_t)n : room;
    memcpy(k->text + k->length, buffer, take);
    k->length += take;
  }
}

static double seconds(struct timeval t)
{
  return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* Takes worker @p i off the list. */
static void reap(struct workers *w, uint32_t i, struct worker_end *end)
{
  struct worker *k = &w->worker[i];
  struct rusage usage = {0};
  int status = 0;
  while (wait4(k->pid, &status, 0, &usage) < 0 && errno == EINTR)
    continue;
  close(k->says);
  k->text[k->length] = '\0';
  k->text[strcspn(k->text, "\n")] = '\0';
  *end = (struct worker_end){.id = k->id,
                             .timeout = k->timeout,
                             .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                             .code = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                             .wall_s = now_s() - k->start_s,
                             .cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime),
                             .max_rss_bytes = (uint64_t)usage.ru_maxrss * 1024};
  snprintf(end->says, sizeof end->says, "%s", k->text);
  *k = w->worker[--w->running];
}

/* Kills those whose time is over; returns the seconds until the next one's is. */
static double check_deadlines(struct workers *w, double longest)
{
  if (w->timeout_s <= 0)
    return longest;
  for (uint32_t i = 0; i < w->running; i++) {
    struct worker *k = &w->worker[i];
    const double left = k->start_s + w->timeout_s - now_s();
    if (left <= 0 && !k->timeout) {
      k->timeout = true;
      signal_to(k, SIGKILL);
    }
    if (!k->timeout && left < longest)
      longest = left;
  }
  return longest;
}

/* Stops with all workers, as the terminal would stop them were they of one group; goes on when it
 * is continued.  Time limits do not count that time. */
static void stop_together(struct workers *w)
{
  const sigset_t stop = only_stop();
  const double begin = now_s();
  for (uint32_t i = 0; i < w->running; i++)
    signal_to(&w->worker[i], SIGSTOP);
  raise(SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &stop, NULL);
  sigprocmask(SIG_BLOCK, &stop, NULL);
  const double stopped_s = now_s() - begin;
  for (uint32_t i = 0; i < w->running; i++) {
    w->worker[i].start_s += stopped_s;
    signal_to(&w->worker[i], SIGCONT);
  }
}

enum status workers_wait(struct workers *w, double seconds, struct worker_end *end, bool *ended,
                         struct err *e)
{
  *ended = false;
  const double wait_s = check_deadlines(w, seconds);
  for (uint32_t i = 0; i < w->running; i++)
    w->poll[i] = (struct pollfd){.fd = w->worker[i].says, .events = POLLIN};
  w->poll[w->running] = (struct pollfd){.fd = w->stops, .events = POLLIN};
  if (poll(w->poll, w->running + 1, (int)ceil(wait_s * 1e3)) < 0)
    return errno == EINTR ? OK : err_errno(e, "poll", "cannot wait");
  struct signalfd_siginfo info;
  if (w->poll[w->running].revents != 0 && read(w->stops, &info, sizeof info) == sizeof info) {
    stop_together(w);
    return OK;
  }
  for (uint32_t i = 0; !*ended && i < w->running; i++)
    if (w->poll[i].revents != 0 && !listen_to(&w->worker[i])) {
      reap(w, i, end);
      *ended = true;
    }
  return OK;
}
