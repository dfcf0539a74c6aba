#include "common/process/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "common/mem.h"
#include "common/process/child.h"
#include "common/process/machine.h"

struct worker {
  size_t id;
  struct child child;
  double start_s;
  bool timeout;
};

struct workers {
  uint32_t most, running;
  double timeout_s;
  struct worker *worker; /* the first `running` entries are in use */
  struct pollfd *poll;   /* one entry for each worker, then `stops` */
  int stops;             /* signalfd of SIGTSTP: Ctrl-Z does not reach the workers' own groups */
  sigset_t before;       /* the signal mask to restore */
};

static sigset_t only_stop(void)
{
  sigset_t s;
  sigemptyset(&s);
  sigaddset(&s, SIGTSTP);
  return s;
}

/* Number of file descriptors left for other files of this process and for a child that is being
 * started. */
enum { SPARE_FILES = 16 };

/* Number of workers, at most @p most, that the open-file limit allows: each takes one descriptor,
 * the pipe of its standard error. */
static uint32_t room_for(uint32_t most)
{
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return most;
  rlim_t open = 0;
  for (int fd = 0; open < limit.rlim_cur && fd < 4096; fd++)
    open += fcntl(fd, F_GETFD) >= 0;
  const rlim_t room = limit.rlim_cur > open + SPARE_FILES ? limit.rlim_cur - open - SPARE_FILES : 1;
  return room < most ? (uint32_t)room : most;
}

enum status workers_new(struct workers **out, uint32_t most, double timeout_s, struct err *e)
{
  struct workers *w = mem_array(1, sizeof *w, e);
  if (w == NULL)
    return FAIL;
  *w = (struct workers){.most = room_for(most), .timeout_s = timeout_s, .stops = -1};
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

void workers_free(struct workers *w)
{
  if (w == NULL)
    return;
  for (uint32_t i = 0; i < w->running; i++) {
    struct child_end end;
    child_kill(&w->worker[i].child, SIGKILL);
    child_reap(&w->worker[i].child, &end);
  }
  if (w->stops >= 0)
    close(w->stops);
  sigprocmask(SIG_SETMASK, &w->before, NULL);
  free(w->worker);
  free(w->poll);
  free(w);
}

uint32_t workers_most(const struct workers *w)
{
  return w->most;
}

uint32_t workers_running(const struct workers *w)
{
  return w->running;
}

bool workers_full(const struct workers *w)
{
  return w->running == w->most;
}

/* Function of a worker, and its signal mask. */
struct task {
  worker_fn *fn;
  void *arg;
  const sigset_t *mask;
};

static int run_task(void *arg)
{
  const struct task *t = arg;
  sigprocmask(SIG_SETMASK, t->mask, NULL);
  return t->fn(t->arg);
}

enum status workers_start(struct workers *w, size_t id, worker_fn *fn, void *arg, bool *started,
                          struct err *e)
{
  struct task task = {fn, arg, &w->before};
  const struct child_spec spec = {.run = run_task,
                                  .arg = &task,
                                  .input = -1,
                                  .keep_all = true,
                                  .own_output = true,
                                  .own_group = true,
                                  .parent_signal = SIGTERM};
  struct worker *k = &w->worker[w->running];
  *k = (struct worker){.id = id, .start_s = machine_seconds()};
  *started = child_start(&k->child, &spec, e) == OK;
  w->running += *started;
  if (!*started && w->running > 0)
    w->most = w->running;
  return *started || w->running > 0 ? OK : FAIL;
}

/* Collects worker @p i, which has ended; the last entry takes its place. */
static void reap(struct workers *w, uint32_t i, struct worker_end *end)
{
  struct worker *k = &w->worker[i];
  struct child_end how;
  child_reap(&k->child, &how);
  *end = (struct worker_end){.id = k->id,
                             .timeout = k->timeout,
                             .signal = how.signal,
                             .code = how.code,
                             .wall_s = machine_seconds() - k->start_s,
                             .cpu_s = how.cpu_s,
                             .max_rss_bytes = how.max_rss_bytes};
  snprintf(end->message, sizeof end->message, "%s", k->child.first);
  *k = w->worker[--w->running];
}

/* Kills the workers beyond their time limits.  Returns the seconds to the next limit, at most
 * @p longest. */
static double check_deadlines(struct workers *w, double longest)
{
  if (w->timeout_s <= 0)
    return longest;
  for (uint32_t i = 0; i < w->running; i++) {
    struct worker *k = &w->worker[i];
    const double left = k->start_s + w->timeout_s - machine_seconds();
    if (left <= 0 && !k->timeout) {
      k->timeout = true;
      child_kill(&k->child, SIGKILL);
    }
    if (!k->timeout && left < longest)
      longest = left;
  }
  return longest;
}

/* Stops the workers, then this process: SIGTSTP is raised and unblocked.  When this process
 * continues, continues the workers and shifts their start times by the pause, which therefore does
 * not count for the limits. */
static void stop_together(struct workers *w)
{
  const sigset_t stop = only_stop();
  const double begin = machine_seconds();
  for (uint32_t i = 0; i < w->running; i++)
    child_kill(&w->worker[i].child, SIGSTOP);
  raise(SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &stop, NULL);
  sigprocmask(SIG_BLOCK, &stop, NULL);
  const double stopped_s = machine_seconds() - begin;
  for (uint32_t i = 0; i < w->running; i++) {
    w->worker[i].start_s += stopped_s;
    child_kill(&w->worker[i].child, SIGCONT);
  }
}

enum status workers_wait(struct workers *w, double seconds, struct worker_end *end, bool *ended,
                         struct err *e)
{
  *ended = false;
  const double wait_s = check_deadlines(w, seconds);
  for (uint32_t i = 0; i < w->running; i++)
    w->poll[i] = (struct pollfd){.fd = w->worker[i].child.output, .events = POLLIN};
  w->poll[w->running] = (struct pollfd){.fd = w->stops, .events = POLLIN};
  if (poll(w->poll, w->running + 1, (int)ceil(wait_s * 1e3)) < 0)
    return errno == EINTR ? OK : err_errno(e, "poll", "cannot wait");
  struct signalfd_siginfo info;
  if (w->poll[w->running].revents != 0 && read(w->stops, &info, sizeof info) == sizeof info) {
    stop_together(w);
    return OK;
  }
  for (uint32_t i = 0; !*ended && i < w->running; i++)
    if (w->poll[i].revents != 0 && !child_listen(&w->worker[i].child)) {
      reap(w, i, end);
      *ended = true;
    }
  return OK;
}
