#include "common/process/child.h"
#include "common/process/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/files/cleanup.h"

/* Closes every descriptor except the standard streams and @p keep. */
static void close_others(int keep)
{
  const unsigned from = STDERR_FILENO + 1;
  if (keep < 0) {
    close_range(from, ~0u, 0);
    return;
  }
  if ((unsigned)keep > from)
    close_range(from, (unsigned)keep - 1, 0);
  close_range((unsigned)keep + 1, ~0u, 0);
}

/* Sets no limit under the address sanitizer: its shadow memory takes the whole address space. */
static void limit_memory(uint64_t bytes)
{
#ifndef HAICHI_SANITIZED
  const struct rlimit limit = {bytes, bytes};
  if (bytes > 0)
    setrlimit(RLIMIT_AS, &limit);
#else
  (void)bytes;
#endif
}

static bool set_streams(const struct child_spec *s, int output)
{
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  return nowhere >= 0 && dup2(s->input >= 0 ? s->input : nowhere, STDIN_FILENO) >= 0 &&
         dup2(s->own_output ? nowhere : output, STDOUT_FILENO) >= 0 &&
         dup2(output, STDERR_FILENO) >= 0;
}

_Noreturn static void be_child(const struct child_spec *s, pid_t parent, int output)
{
  prctl(PR_SET_PDEATHSIG, s->parent_signal);
  if (getppid() != parent || !set_streams(s, output))
    _exit(1);
  if (s->own_group)
    setpgid(0, 0);
  if (!s->keep_all)
    close_others(s->keep);
  cleanup_drop_all();
  limit_memory(s->memory);
  const int code = s->run(s->arg);
  fflush(NULL);
  _exit(code);
}

enum status child_start(struct child *c, const struct child_spec *s, struct err *e)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return err_errno(e, "pipe", "cannot create");
  const pid_t parent = getpid();
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0)
    be_child(s, parent, ends[1]);
  close(ends[1]);
  if (pid < 0) {
    err_errno(e, "process", "cannot create");
    close(ends[0]);
    return FAIL;
  }
  if (s->own_group)
    setpgid(pid, pid); /* the child makes the same call: either process may run first */
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  *c = (struct child){.pid = pid, .output = ends[0], .own_group = s->own_group};
  return OK;
}

static void end_line(struct child *c)
{
  c->line[c->length] = '\0';
  if (c->line[strspn(c->line, " \t\r")] != '\0') {
    snprintf(c->last, sizeof c->last, "%s", c->line);
    if (!c->first_done)
      snprintf(c->first, sizeof c->first, "%s", c->line);
    c->first_done = true;
  }
  c->length = 0;
}

bool child_listen(struct child *c)
{
  char buffer[4096];
  for (;;) {
    const ssize_t n = read(c->output, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return true;
    if (n == 0)
      break;
    for (ssize_t i = 0; i < n; i++)
      if (buffer[i] == '\n')
        end_line(c);
      else if (c->length + 1 < sizeof c->line)
        c->line[c->length++] = buffer[i];
  }
  end_line(c);
  return false;
}

void child_kill(const struct child *c, int signal)
{
  if (c->own_group)
    kill(-c->pid, signal);
  kill(c->pid, signal);
}

static double seconds(struct timeval t)
{
  return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

void child_reap(struct child *c, struct child_end *end)
{
  struct rusage usage = {0};
  int status = 0;
  while (wait4(c->pid, &status, 0, &usage) < 0 && errno == EINTR)
    continue;
  close(c->output);
  *end = (struct child_end){.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                            .code = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                            .cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime),
                            .max_rss_bytes = (uint64_t)usage.ru_maxrss * 1024};
}

/* Waits until @p fd is readable.  Sets *timeout if it is not readable by @p deadline. */
static enum status await(int fd, double deadline, bool *timeout, struct err *e)
{
  struct pollfd p = {.fd = fd, .events = POLLIN};
  int n;
  do {
    const double left = deadline - machine_seconds();
    n = poll(&p, 1, left > 0 ? (int)fmin(ceil(left * 1e3), 1e9) : 0);
  } while (n < 0 && errno == EINTR);
  *timeout = n == 0;
  return n < 0 ? err_errno(e, "a child process", "cannot wait") : OK;
}

enum status child_wait(struct child *c, double seconds, struct child_end *end, bool *timeout,
                       struct err *e)
{
  const double deadline = machine_seconds() + seconds;
  const int ended = (int)syscall(SYS_pidfd_open, c->pid, 0);
  enum status s = ended < 0 ? err_errno(e, "a child process", "cannot wait") : OK;
  *timeout = false;
  if (s == OK)
    s = await(c->output, deadline, timeout, e);
  while (s == OK && !*timeout && child_listen(c))
    s = await(c->output, deadline, timeout, e);
  if (s == OK && !*timeout)
    s = await(ended, deadline, timeout, e); /* the child may close its streams and continue */
  if (s != OK || *timeout)
    child_kill(c, SIGKILL);
  child_reap(c, end);
  if (ended >= 0)
    close(ended);
  return s;
}
