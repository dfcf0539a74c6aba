#include "campaign/run/worker.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/files/outfile.h"
#include "common/files/textout.h"
#include "common/process/machine.h"

/* Exit code of a process if its environment prevented the run; PREFIX begins each error message. */
enum { NO_RESULT = 75 };

static const char PREFIX[] = "haichi: ";

/* Prepares the store of this run; ended by close_store(). */
static enum status open_store(const struct run_worker *w, struct run_store *s, struct err *e)
{
  struct textout identity;
  if (textout_begin(&identity, e) != OK)
    return FAIL;
  plan_print_run(w->plan, w->run, w->options, identity.f);
  *s = (struct run_store){.folder = w->folder, .identity = textout_end(&identity, OK, e)};
  if (s->identity == NULL)
    return FAIL;
  run_store_key(s);
  return OK;
}

static void close_store(struct run_store *s)
{
  free((char *)s->identity);
}

enum status run_worker_key(const struct run_worker *w, char key[CHECKSUM_SIZE], struct err *e)
{
  struct run_store s;
  if (open_store(w, &s, e) != OK)
    return FAIL;
  memcpy(key, s.key, sizeof s.key);
  close_store(&s);
  return OK;
}

static bool leaves(const struct run_worker *w, enum run_extra extra)
{
  return w->extras && w->plan->kind->extras && w->run->first &&
         (extra != RUN_MATRIX || w->run->method == 0);
}

char *run_worker_extra(const struct run_worker *w, enum run_extra extra, struct err *e)
{
  struct run_store s;
  if (open_store(w, &s, e) != OK)
    return NULL;
  char *path = run_store_path(&s, run_extra_suffix(extra), e);
  close_store(&s);
  return path;
}

/* *found is false if the file is missing.  Fails if its checksum is not @p left. */
static enum status check_extra(const struct run_worker *w, enum run_extra extra, const char *left,
                               bool *found, struct err *e)
{
  char hex[CHECKSUM_SIZE];
  char *path = run_worker_extra(w, extra, e);
  if (path == NULL)
    return FAIL;
  enum status s = OK;
  *found = left[0] != '\0' && access(path, F_OK) == 0;
  if (*found && (s = outfile_check_plain(path, e)) == OK)
    s = checksum_file(path, hex, e);
  if (*found && s == OK && strcmp(hex, left) != 0)
    s = err_set(e, "%s: not the file that its run wrote", path);
  free(path);
  return s;
}

static enum status check_extras(const struct run_worker *w, const struct run_result *r, bool *found,
                                struct err *e)
{
  for (enum run_extra x = 0; x < RUN_EXTRAS && *found; x++)
    if (leaves(w, x) && check_extra(w, x, r->extra[x], found, e) != OK)
      return FAIL;
  return OK;
}

enum status run_worker_load(const struct run_worker *w, struct run_result *r, bool *found,
                            struct err *e)
{
  struct run_store s;
  if (open_store(w, &s, e) != OK)
    return FAIL;
  enum status status = run_store_load(&s, r, found, e);
  close_store(&s);
  if (status == OK && *found && r->status == RUN_OK)
    status = check_extras(w, r, found, e);
  return status;
}

/* Removes the extra files of an earlier run. */
static enum status forget_extras(const struct run_worker *w, struct err *e)
{
  enum status s = OK;
  for (enum run_extra x = 0; x < RUN_EXTRAS && s == OK; x++) {
    char *path = leaves(w, x) ? run_worker_extra(w, x, e) : NULL;
    if (leaves(w, x))
      s = path == NULL ? FAIL : run_store_make_room(path, e);
    free(path);
  }
  return s;
}

enum status run_worker_forget(const struct run_worker *w, struct err *e)
{
  struct run_store s;
  if (open_store(w, &s, e) != OK)
    return FAIL;
  char *path = run_store_path(&s, ".tsv", e);
  const enum status status = path == NULL ? FAIL : run_store_make_room(path, e);
  free(path);
  close_store(&s);
  return status == OK ? forget_extras(w, e) : FAIL;
}

static void take_times(struct run_result *r, double start_s)
{
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  r->wall_s = machine_seconds() - start_s;
  r->cpu_s = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
             (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
  r->max_rss_bytes = (uint64_t)u.ru_maxrss * 1024;
}

/* Sets the paths of the files that the run leaves; the caller frees them, also on failure. */
static enum status name_extras(const struct run_worker *w, char *extra[RUN_EXTRAS], struct err *e)
{
  for (enum run_extra i = 0; i < RUN_EXTRAS; i++)
    if (leaves(w, i) && (extra[i] = run_worker_extra(w, i, e)) == NULL)
      return FAIL;
  return OK;
}

static enum status keep_extra(const char *path, char *checksum, struct err *e)
{
  return outfile_sync(path, e) == OK ? checksum_file(path, checksum, e) : FAIL;
}

/* Makes the run.  A failure of the run is a result; fails only if the environment is the reason, or
 * if an input has changed. */
static enum status make(const struct run_worker *w, struct run_result *r, struct err *e)
{
  char *extra[RUN_EXTRAS] = {NULL};
  enum status s = plan_check(w->plan, w->run->subject, e);
  if (s == OK)
    s = name_extras(w, extra, e);
  if (s == OK)
    s = w->plan->kind->make(w, extra, r, e);
  for (int i = 0; s == OK && i < RUN_EXTRAS; i++)
    s = extra[i] == NULL ? OK : keep_extra(extra[i], r->extra[i], e);
  for (int i = 0; i < RUN_EXTRAS; i++)
    free(extra[i]);
  struct err changed;
  if (s != OK && err_of_environment(e))
    return FAIL;
  if (plan_check_inputs(w->plan, w->run, &changed) != OK) {
    *e = changed;
    return FAIL;
  }
  if (s != OK)
    run_result_fail(r, e->text, w->settings->reading.unpack_limit);
  return OK;
}

static int say(const struct err *e)
{
  fprintf(stderr, "%s%s\n", PREFIX, e->text);
  return EXIT_FAILURE;
}

int run_worker_main(void *arg)
{
  const struct run_worker *w = arg;
  const double start_s = machine_seconds();
  struct run_result r;
  struct run_store s;
  struct err e;
  if (make(w, &r, &e) != OK) {
    say(&e);
    return NO_RESULT;
  }
  take_times(&r, start_s);
  if (open_store(w, &s, &e) != OK)
    return say(&e);
  const enum status status = run_store_save(&s, &r, &e);
  close_store(&s);
  return status == OK ? EXIT_SUCCESS : say(&e);
}

bool run_worker_is_result(const struct worker_end *end)
{
  static const int OWN[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP};
  for (size_t i = 0; i < sizeof OWN / sizeof *OWN; i++)
    if (end->signal == OWN[i])
      return true;
  return end->timeout;
}

static void say_why(const struct run_worker *w, const struct worker_end *end, double timeout_s,
                    struct run_result *r)
{
  char text[sizeof r->reason];
  if (end->timeout)
    snprintf(text, sizeof text, "no result within %g s", timeout_s);
  else if (end->signal != 0)
    snprintf(text, sizeof text, "killed by signal %d (%s)%s%s", end->signal, strsignal(end->signal),
             end->message[0] == '\0' ? "" : ": ", end->message);
  else if (end->code == NO_RESULT && strncmp(end->message, PREFIX, strlen(PREFIX)) == 0)
    snprintf(text, sizeof text, "%s", end->message + strlen(PREFIX));
  else
    snprintf(text, sizeof text, "the process ended with code %d and no result%s%s", end->code,
             end->message[0] == '\0' ? "" : ": ", end->message);
  run_result_fail(r, text, w->settings->reading.unpack_limit);
  if (end->timeout) {
    r->status = RUN_TIMEOUT;
    r->timeout_s = timeout_s;
  }
  r->wall_s = end->wall_s;
  r->cpu_s = end->cpu_s;
  r->max_rss_bytes = end->max_rss_bytes;
}

bool run_worker_stored(const struct worker_end *end)
{
  return !end->timeout && end->signal == 0 && end->code == EXIT_SUCCESS;
}

enum status run_worker_end(const struct run_worker *w, const struct worker_end *end,
                           double timeout_s, struct run_result *r, struct err *e)
{
  struct run_store s;
  bool found;
  if (open_store(w, &s, e) != OK)
    return FAIL;
  enum status status = run_store_load(&s, r, &found, e);
  if (status == OK && !found && run_worker_stored(end)) {
    status =
        err_set(e, "%s/%s.tsv: removed by another process before it was read", s.folder, s.key);
  } else if (status == OK && !found) {
    say_why(w, end, timeout_s, r);
    status = run_worker_is_result(end) ? run_store_save(&s, r, e) : OK;
  }
  close_store(&s);
  return status;
}
