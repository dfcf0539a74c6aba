#include "sim/simgrid/guard.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/files/cleanup.h"

#ifdef HAICHI_SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif

/* At file scope, because a signal handler takes no further argument. */
static struct {
  const char *file;
  int words;  /* file in memory with SimGrid's output; -1: no guard */
  int before; /* the original standard error */
} guard = {.words = -1};

/* Signals by which SimGrid ends the process. */
static const int TAKEN[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE};

const char *simgrid_words(const char *line)
{
  static const char UNCAUGHT[] = "Uncaught exception ";
  if (strstr(line, "NetworkFailureException") != NULL)
    return "a message fails: a link or host is down";
  const char *colon = strncmp(line, UNCAUGHT, sizeof UNCAUGHT - 1) == 0 ? strstr(line, ": ") : NULL;
  return colon == NULL ? line : colon + 2;
}

/* Reads the first line of output that is not blank. */
static void first_line(char *line, size_t size)
{
  const ssize_t n = pread(guard.words, line, size - 1, 0);
  line[n < 0 ? 0 : n] = '\0';
  char *text = line + strspn(line, " \t\r\n");
  text[strcspn(text, "\n")] = '\0';
  memmove(line, text, strlen(text) + 1);
}

/* Signal handler for an abort or crash of SimGrid.  These formats of snprintf() allocate no
 * memory. */
static void stop(int number)
{
  char words[600], line[1200];
  first_line(words, sizeof words);
  if (words[0] == '\0')
    snprintf(words, sizeof words, "signal %s", sigabbrev_np(number));
  const int n = snprintf(line, sizeof line, "haichi: %.500s: SimGrid stops: %s\n", guard.file,
                         simgrid_words(words));
  cleanup_now();
  _exit(n > 0 && write(guard.before, line, (size_t)n) == n ? 1 : 2);
}

static void take_signals(void)
{
  struct sigaction action = {.sa_handler = stop, .sa_flags = SA_ONSTACK};
  sigfillset(&action.sa_mask);
  for (size_t i = 0; i < sizeof TAKEN / sizeof *TAKEN; i++)
    sigaction(TAKEN[i], &action, NULL);
  cleanup_catch_signals();
}

static void close_guard(void)
{
  if (guard.before >= 0)
    close(guard.before);
  if (guard.words >= 0)
    close(guard.words);
  guard.words = -1;
}

enum status simgrid_guard_begin(const char *file, struct err *e)
{
  fflush(stderr);
  guard.file = file;
  guard.before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  guard.words = guard.before < 0 ? -1 : memfd_create("SimGrid", MFD_CLOEXEC);
  if (guard.words < 0 || dup2(guard.words, STDERR_FILENO) < 0) {
    const enum status s = err_errno(e, file, "cannot redirect the output of SimGrid");
    close_guard();
    return s;
  }
#ifdef HAICHI_SANITIZED
  __sanitizer_set_report_fd((void *)(intptr_t)guard.before);
#endif
  take_signals();
  return OK;
}

void simgrid_guard_init(const struct simgrid_api *sg, int *argc, char **argv)
{
  sigset_t waiting, before;
  sigfillset(&waiting);
  for (size_t i = 0; i < sizeof TAKEN / sizeof *TAKEN; i++)
    sigdelset(&waiting, TAKEN[i]);
  sigprocmask(SIG_BLOCK, &waiting, &before);
  sg->simgrid_init(argc, argv);
  take_signals();
  sigprocmask(SIG_SETMASK, &before, NULL);
}

void simgrid_guard_end(void)
{
  if (guard.words < 0)
    return;
  fflush(stderr);
  dup2(guard.before, STDERR_FILENO);
  close_guard();
  for (size_t i = 0; i < sizeof TAKEN / sizeof *TAKEN; i++)
    signal(TAKEN[i], SIG_DFL);
#ifdef HAICHI_SANITIZED
  __sanitizer_set_report_fd((void *)(intptr_t)STDERR_FILENO);
#endif
}
