#define _GNU_SOURCE
#include "campaign/campaign.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "campaign/progress.h"
#include "campaign/rows.h"
#include "campaign/run/worker.h"
#include "campaign/summary.h"
#include "campaign/workers.h"
#include "common/mem.h"
#include "common/outfile.h"

struct campaign {
  const struct campaign_args *args;
  const struct plan *plan;
  char *runs;      /* the folder of runs */
  size_t *waiting; /* by trace: jobs not yet started */
  int lock;
  bool *done; /* by job */
  struct run_result *result;
  size_t next; /* jobs before it are started or done */
  struct rows *rows;
  struct workers *workers;
  struct progress *progress;
  struct campaign_outcome outcome;
  size_t finished;
  uint32_t room; /* the limit on parallel runs that the user last saw */
};

/* --- the folder ------------------------------------------------------------------------------- */

/* Like mkdir -p. */
static enum status make_folder(const char *path, struct err *e)
{
  char *part = mem_strdup(path, e);
  if (part == NULL)
    return FAIL;
  for (char *slash = part; (slash = strchr(slash, '/')) != NULL; slash++) {
    *slash = '\0';
    mkdir(part, 0777); /* no check: a failure that matters fails the last mkdir too */
    *slash = '/';
  }
  free(part);
  return mkdir(path, 0777) == 0 || errno == EEXIST ? OK : err_errno(e, path, "cannot create");
}

static enum status join(char **out, const char *folder, const char *name, struct err *e)
{
  if (asprintf(out, "%s/%s", folder, name) >= 0)
    return OK;
  *out = NULL;
  return err_set(e, "out of memory");
}

/* Two campaigns in one folder would overwrite each other's files.  A POSIX record lock is not
 * inherited by the workers and ends with the process. */
static enum status lock_folder(struct campaign *c, struct err *e)
{
  struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  char *path;
  if (join(&path, c->args->folder, "lock", e) != OK)
    return FAIL;
  c->lock = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  enum status s = c->lock < 0 ? err_errno(e, path, "cannot open") : OK;
  if (s == OK && fcntl(c->lock, F_SETLK, &all) != 0)
    s = errno == EACCES || errno == EAGAIN
            ? err_set(e, "%s: another haichi compare is at work there", c->args->folder)
            : err_errno(e, path, "cannot lock");
  free(path);
  return s;
}

/* Writes the platform of a spec as a file that the user can inspect. */
static enum status save_platform(const struct campaign *c, struct err *e)
{
  char *path;
  if (!platform_is_spec(c->plan->platform.name))
    return OK;
  if (join(&path, c->args->folder, "platform.xml", e) != OK)
    return FAIL;
  enum status s = outfile_check_plain(path, e);
  if (s == OK)
    s = platform_save(c->plan->on, path, e);
  free(path);
  return s;
}

static enum status prepare_folder(struct campaign *c, struct err *e)
{
  const char *folder = c->args->folder;
  if (make_folder(folder, e) != OK || lock_folder(c, e) != OK ||
      join(&c->runs, folder, "runs", e) != OK || make_folder(c->runs, e) != OK ||
      run_store_clean(c->runs, e) != OK)
    return FAIL;
  return save_platform(c, e);
}

/* --- one job: a run, or the audit of one ------------------------------------------------------ */

static size_t jobs_of(const struct campaign *c)
{
  return c->plan->runs + c->args->audit->count;
}

static const struct plan_run *run_of(const struct campaign *c, size_t job)
{
  const size_t runs = c->plan->runs;
  return &c->plan->run[job < runs ? job : c->args->audit->run[job - runs]];
}

/* Group for progress.h: one a trace, and another for its audits. */
static size_t group_of(const struct campaign *c, size_t job)
{
  return run_of(c, job)->trace + (job < c->plan->runs ? 0 : c->plan->traces);
}

static struct run_worker worker_of(const struct campaign *c, size_t job)
{
  const bool audit = job >= c->plan->runs;
  return (struct run_worker){.plan = c->plan,
                             .run = run_of(c, job),
                             .settings = audit ? &c->args->audit->settings : &c->args->settings,
                             .options = audit ? c->args->audit->options : c->plan->options,
                             .folder = c->runs,
                             .extras = c->args->extras && !audit};
}

static enum status finish(struct campaign *c, size_t i, struct err *e)
{
  c->done[i] = true;
  c->finished++;
  c->outcome.ok[i] = c->result[i].status == RUN_OK;
  c->outcome.failed += !c->outcome.ok[i];
  return rows_flush(c->rows, c->done, c->result, e);
}

/* A failure is reused only under the limit it was found with: another may let the run succeed. */
static bool reusable(const struct campaign *c, const struct run_result *r)
{
  if (r->status == RUN_OK)
    return true;
  return !c->args->retry_failed &&
         (r->status == RUN_TIMEOUT ? r->timeout_s == c->args->timeout_s
                                   : r->unpack_limit == c->args->settings.reading.unpack_limit);
}

/* A file that is damaged counts as none. */
static bool is_made(const struct campaign *c, size_t i, struct run_result *r)
{
  const struct run_worker w = worker_of(c, i);
  struct err e;
  bool found = false;
  if (run_worker_load(&w, r, &found, &e) == OK)
    return found && reusable(c, r);
  fprintf(stderr, "haichi: %s; the run is made again\n", e.text);
  return false;
}

static enum status take_finished(struct campaign *c, struct err *e)
{
  for (size_t i = 0; i < jobs_of(c); i++) {
    if (!is_made(c, i, &c->result[i])) {
      progress_add(c->progress, group_of(c, i));
      c->waiting[run_of(c, i)->trace]++;
    } else if (finish(c, i, e) != OK)
      return FAIL;
  }
  return OK;
}

/* Reports each drop of the limit on parallel runs. */
static void check_room(struct campaign *c, const char *why)
{
  const uint32_t most = workers_most(c->workers);
  if (most < c->room)
    fprintf(stderr, "haichi: %u runs at a time, not %u: %s\n", most, c->args->jobs, why);
  c->room = most;
}

/* *started is false if the system cannot hold one more process.  The traffic is counted first, so
 * that the child inherits it. */
static enum status start(struct campaign *c, size_t i, bool *started, struct err *e)
{
  struct run_worker w = worker_of(c, i);
  const size_t trace = w.run->trace;
  plan_count_traffic(c->plan, trace);
  if (run_worker_forget(&w, e) != OK ||
      workers_start(c->workers, i, run_worker_main, &w, started, e) != OK)
    return FAIL;
  if (!*started)
    check_room(c, e->text);
  else if (--c->waiting[trace] == 0)
    plan_drop_trace(c->plan, trace);
  return OK;
}

static enum status start_some(struct campaign *c, struct err *e)
{
  bool started = true;
  while (started && c->next < jobs_of(c) && !workers_full(c->workers)) {
    if (!c->done[c->next] && start(c, c->next, &started, e) != OK)
      return FAIL;
    c->next += started;
  }
  return OK;
}

static enum status take_end(struct campaign *c, const struct worker_end *end, struct err *e)
{
  const size_t i = end->id;
  const struct run_worker w = worker_of(c, i);
  if (run_worker_end(&w, end, c->args->timeout_s, &c->result[i], e) != OK)
    return FAIL;
  c->outcome.made++;
  progress_done(c->progress, group_of(c, i), end->wall_s);
  return finish(c, i, e);
}

static enum status make_runs(struct campaign *c, struct err *e)
{
  struct worker_end end;
  bool ended;
  while (c->finished < jobs_of(c)) {
    if (start_some(c, e) != OK)
      return FAIL;
    const struct progress_counts counts = {.done = c->finished,
                                           .runs = jobs_of(c),
                                           .failed = c->outcome.failed,
                                           .running = workers_running(c->workers),
                                           .jobs = workers_most(c->workers)};
    progress_draw(c->progress, &counts);
    if (workers_wait(c->workers, 1.0, &end, &ended, e) != OK ||
        (ended && take_end(c, &end, e) != OK))
      return FAIL;
  }
  return OK;
}

/* --- all -------------------------------------------------------------------------------------- */

static enum status open_all(struct campaign *c, struct err *e)
{
  const struct plan *p = c->plan;
  const size_t n = jobs_of(c);
  c->done = mem_array(n, sizeof *c->done, e);
  c->outcome.ok = c->done == NULL ? NULL : mem_array(n, sizeof *c->outcome.ok, e);
  c->result = c->outcome.ok == NULL ? NULL : mem_array(n, sizeof *c->result, e);
  c->waiting = c->result == NULL ? NULL : mem_array(p->traces, sizeof *c->waiting, e);
  if (c->waiting == NULL || prepare_folder(c, e) != OK ||
      progress_new(&c->progress, stderr, 2 * p->traces, e) != OK ||
      workers_new(&c->workers, c->args->jobs, c->args->timeout_s, e) != OK)
    return FAIL;
  c->room = c->args->jobs;
  check_room(c, "no more files may be open (ulimit -n)");
  return rows_open(&c->rows, p, c->args->audit, c->args->folder, e);
}

static void close_all(struct campaign *c)
{
  workers_free(c->workers);
  progress_free(c->progress);
  rows_free(c->rows);
  free(c->done);
  free(c->result);
  free(c->runs);
  free(c->waiting);
  if (c->lock >= 0)
    close(c->lock);
}

enum status campaign_run(const struct campaign_args *a, struct campaign_outcome *out, struct err *e)
{
  struct campaign c = {.args = a, .plan = a->plan, .lock = -1};
  enum status s = open_all(&c, e);
  if (s == OK)
    s = take_finished(&c, e);
  if (s == OK)
    s = make_runs(&c, e);
  if (s == OK)
    s = run_store_clean(c.runs, e); /* killed workers leave temporary files */
  if (s == OK)
    s = rows_close(c.rows, e);
  if (s == OK)
    s = summary_write(c.plan, c.result, a->folder, e);
  if (s == OK)
    *out = c.outcome;
  else
    campaign_outcome_clear(&c.outcome);
  close_all(&c);
  return s;
}

void campaign_outcome_clear(struct campaign_outcome *o)
{
  free(o->ok);
  *o = (struct campaign_outcome){0};
}

char *campaign_extra(const struct campaign_args *a, size_t i, enum run_extra extra, struct err *e)
{
  char *runs;
  if (join(&runs, a->folder, "runs", e) != OK)
    return NULL;
  const struct run_worker w = {
      .plan = a->plan, .run = &a->plan->run[i], .options = a->plan->options, .folder = runs};
  char *path = run_worker_extra(&w, extra, e);
  free(runs);
  return path;
}
