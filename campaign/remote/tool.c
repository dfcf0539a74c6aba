#include "campaign/remote/tool.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/mem.h"

enum { NO_ANSWER = 128, NO_PROGRAM = 127 };

bool tool_exists(const char *name)
{
  const char *path = getenv("PATH");
  bool found = false;
  for (const char *p = path == NULL ? "" : path; *p != '\0' && !found;) {
    struct err ignored;
    const size_t n = strcspn(p, ":");
    OWNED char *file = mem_printf(&ignored, "%.*s/%s", (int)n, p, name);
    found = file != NULL && access(file, X_OK) == 0;
    p += n + (p[n] == ':');
  }
  return found;
}

int tool_become(const char *const *argv)
{
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGXFSZ, SIG_DFL); /* ignored by haichi itself */
  execvp(argv[0], (char *const *)argv);
  fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
  return NO_PROGRAM;
}

struct call {
  const char *const *argv;
  int out;
};

static int run(void *arg)
{
  const struct call *c = arg;
  return dup2(c->out, STDOUT_FILENO) < 0 ? NO_PROGRAM : tool_become(c->argv);
}

static enum status await(struct tool *t, struct child *child, double seconds, struct err *e)
{
  struct child_end end;
  bool timeout;
  if (child_wait(child, seconds, &end, &timeout, e) != OK)
    return FAIL;
  t->code = timeout || end.signal != 0 ? NO_ANSWER + end.signal : end.code;
  const bool warning = strstr(child->first, "warning") != NULL;
  snprintf(t->message, sizeof t->message, "%s",
           timeout   ? "no answer"
           : warning ? child->last
                     : child->first);
  rewind(t->out.f);
  return OK;
}

enum status tool_run(struct tool *t, const char *const *argv, double seconds, struct err *e)
{
  struct child child;
  *t = (struct tool){.code = NO_ANSWER};
  if (memfile_open(&t->out, argv[0], e) != OK)
    return FAIL;
  struct call call = {argv, fileno(t->out.f)};
  /* Its own process group: Ctrl-C must not reach scancel, which haichi may have to run then. */
  const struct child_spec spec = {.run = run,
                                  .arg = &call,
                                  .input = -1,
                                  .keep = call.out,
                                  .own_group = true,
                                  .parent_signal = SIGTERM};
  enum status s = child_start(&child, &spec, e);
  if (s == OK)
    s = await(t, &child, seconds, e);
  if (s != OK)
    memfile_close(&t->out);
  return s;
}
