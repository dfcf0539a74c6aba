#include "campaign/remote/remote.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "campaign/item.h"
#include "campaign/local.h"
#include "campaign/remote/split.h"
#include "campaign/remote/watch.h"
#include "common/mem.h"
#include "common/process/machine.h"

/* MOST_VAIN: submissions in a row without a new result before giving up.  MOST_SHORT: maximum
 * number of tasks in a submission that follows one without a new result. */
enum { MOST_VAIN = 3, MOST_SHORT = 64 };

/* TASK_S: seconds that a task should take.  FIRST_S: total seconds of the runs on this machine that
 * measure how long runs take. */
static const double TASK_S = 60, FIRST_S = 10;

/* LEAVE_S: seconds that all jobs together may take to end after the last result.  LOOK: pause
 * between polls meanwhile. */
static const double LEAVE_S = 5;
static const struct timespec LOOK = {.tv_nsec = 200000000};

/* --- submissions of earlier commands ---------------------------------------------------------- */

static void clear_job(struct remote_job *job)
{
  submission_clear(&job->submission);
  free(job->handle.failed);
}

static enum status add_job(struct campaign *c, struct remote_job *job, struct err *e)
{
  const uint32_t tasks = job->submission.tasks;
  if (MEM_GROW(c->job, c->job_room, c->jobs + 1, e) != OK ||
      (job->handle.failed = mem_array((size_t)tasks + 1, sizeof(bool), e)) == NULL)
    return FAIL;
  job->handle.tasks = tasks;
  c->job[c->jobs++] = *job;
  return OK;
}

/* Reads the job of a submission, if it has one, and polls it. */
static enum status find_job(struct remote_job *job, struct err *e)
{
  if (submission_job(&job->submission, &job->backend, &job->handle, e) != OK)
    return FAIL;
  if (job->backend != NULL)
    job->backend->poll(&job->handle, &job->view);
  return OK;
}

/* Adds a submission of an earlier command to the jobs if it is running, and removes it if it has
 * ended.  The results of a submission whose list of tasks cannot be read are not awaited. */
static enum status look_at(void *arg, const char *path, struct err *e)
{
  struct campaign *c = arg;
  struct remote_job job = {.submission = {.path = NULL}};
  struct err why = {""};
  if (submission_open(&job.submission, path, 0, &why) != OK)
    job.submission.path = mem_strdup(path, e);
  if (job.submission.path == NULL || find_job(&job, e) != OK)
    return FAIL;
  const bool ended = job.backend == NULL || (job.view.known && !job.view.alive);
  if (!ended && why.text[0] != '\0')
    fprintf(stderr, "haichi: %s; %s job %s may still run, but its runs are submitted again\n",
            why.text, job.backend->title, job.handle.id);
  if (!ended && add_job(c, &job, e) == OK)
    return OK;
  if (ended)
    submission_remove(&job.submission);
  clear_job(&job);
  return ended ? OK : FAIL;
}

enum status remote_look(struct campaign *c, struct err *e)
{
  if (submission_each(c->args->folder, look_at, c, e) != OK)
    return FAIL;
  c->shared = c->jobs > 0;
  return OK;
}

void remote_forget(struct campaign *c)
{
  for (size_t i = 0; i < c->jobs; i++) {
    if (c->job[i].handle.is_child)
      close(c->job[i].handle.child.output);
    clear_job(&c->job[i]);
  }
  free(c->job);
  c->job = NULL;
  c->jobs = 0;
}

/* --- the times of runs ------------------------------------------------------------------------ */

struct times {
  double *sum;
  size_t *count;
};

/* Mean time of the done runs of the group; of all done runs if the group has none; TASK_S if no run
 * is done. */
static double expected_s(const struct campaign *c, const struct times *t, size_t item)
{
  const size_t group = item_group(c->args, item);
  double sum = t->sum[group];
  size_t count = t->count[group];
  for (size_t i = 0; count == 0 && i < item_groups(c->args); i++) {
    sum += t->sum[i];
    count += t->count[i];
  }
  return count == 0 ? TASK_S : sum / (double)count;
}

static void take_times(const struct campaign *c, struct times *t)
{
  for (size_t i = 0; i < item_count(c->args); i++)
    if (c->done[i]) {
      t->sum[item_group(c->args, i)] += c->result[i].wall_s;
      t->count[item_group(c->args, i)]++;
    }
}

/* Executes the first run of each group on this machine, until FIRST_S have passed.  If a run is not
 * finished by then, the runs of its group are expected to take TASK_S, so that each run gets a task
 * of its own. */
static enum status make_first(struct campaign *c, struct times *t, struct err *e)
{
  const double end = machine_seconds() + FIRST_S;
  for (size_t i = 0; i < item_count(c->args); i++) {
    const size_t group = item_group(c->args, i);
    const double left = end - machine_seconds();
    bool made;
    if (c->done[i] || t->count[group] > 0 || left <= 0)
      continue;
    if (local_try(c, i, left, &made, e) != OK)
      return FAIL;
    t->sum[group] = made ? c->result[i].wall_s : TASK_S;
    t->count[group] = 1;
  }
  for (size_t i = 0; i < c->args->plan->subjects; i++)
    plan_drop(c->args->plan, i);
  return OK;
}

static enum status times_new(struct times *t, struct campaign *c, struct err *e)
{
  const size_t groups = item_groups(c->args);
  *t = (struct times){.sum = mem_array(groups, sizeof *t->sum, e)};
  if (t->sum == NULL || (t->count = mem_array(groups, sizeof *t->count, e)) == NULL)
    return FAIL;
  take_times(c, t);
  return c->args->remote->chunk == 0 && c->jobs == 0 ? make_first(c, t, e) : OK;
}

static void times_free(struct times *t)
{
  free(t->sum);
  free(t->count);
}

/* --- submitting ------------------------------------------------------------------------------- */

struct remote {
  struct campaign *c;
  struct watch watch;
  struct times times;
  sigset_t signals, before;
  uint32_t vain; /* submissions in a row without a new result */
  char avoid[BACKEND_TEXT];
};

/* Items per task, if not divided by time.  Fewer after each submission without a new result, so
 * that a run that kills its task affects few other runs. */
static uint32_t chunk_of(const struct remote *r, size_t n)
{
  const uint32_t chunk = r->c->args->remote->chunk >> (2 * r->vain);
  const uint32_t least = r->vain == 0 ? 1 : (uint32_t)(n / MOST_SHORT) + 1;
  return chunk < least ? least : chunk;
}

static enum status divide(struct remote *r, const size_t *item, size_t n, uint32_t *task,
                          struct err *e)
{
  const bool by_number = r->c->args->remote->chunk > 0 || r->vain > 0;
  OWNED double *seconds = mem_array(n, sizeof *seconds, e);
  if (seconds == NULL)
    return FAIL;
  for (size_t i = 0; i < n; i++)
    seconds[i] = expected_s(r->c, &r->times, item[i]) / r->c->args->jobs;
  if (by_number)
    split_by_count(n, chunk_of(r, n), task);
  else
    split_by_time(n, seconds, TASK_S, task);
  return OK;
}

static enum status add_items(struct remote *r, struct submission *s, const size_t *which, size_t n,
                             struct err *e)
{
  OWNED size_t *item = mem_array(n, sizeof *item, e);
  OWNED uint32_t *task = item == NULL ? NULL : mem_array(n, sizeof *task, e);
  for (size_t i = 0; i < n && task != NULL; i++)
    item[i] = r->watch.item[which[i]].item;
  enum status status = task == NULL ? FAIL : divide(r, item, n, task, e);
  for (size_t i = 0; i < n && status == OK; i++) {
    struct submission_item x = {
        .task = task[i], .item = item[i], .subject = item_run(r->c->args, item[i])->subject};
    memcpy(x.key, r->watch.item[which[i]].key, sizeof x.key);
    status = submission_add(s, &x, e);
  }
  return status;
}

/* Path of the running program: a search in PATH could find another one. */
static char *own_path(struct err *e)
{
  char *path = realpath("/proc/self/exe", NULL);
  if (path == NULL)
    err_errno(e, "/proc/self/exe", "cannot tell where haichi is");
  return path;
}

static enum status hand_over(struct remote *r, struct remote_job *job, struct err *e)
{
  const struct campaign_args *a = r->c->args;
  const struct submission *s = &job->submission;
  OWNED char *program = own_path(e);
  OWNED char *script = program == NULL ? NULL : mem_printf(e, "%s/script", s->path);
  OWNED char *log = script == NULL ? NULL : mem_printf(e, "%s/log", s->path);
  const struct backend_call call = {.spec = &a->remote->on,
                                    .script = script,
                                    .log = log,
                                    .avoid = r->avoid,
                                    .tasks = s->tasks,
                                    .cores = a->jobs,
                                    .detach = a->remote->detach};
  enum status status = log == NULL ? FAIL : submission_write(s, &a->remote->words, program, e);
  if (status == OK)
    status = job->backend->submit(&call, &job->handle, e);
  r->c->refused |= status != OK;
  if (status == OK)
    status = submission_set_job(s, job->backend->name, job->handle.id, e);
  return status;
}

/* Submits the items of the watch with the indices @p which. */
static enum status submit(struct remote *r, const size_t *which, size_t n, struct err *e)
{
  struct remote_job job = {.backend = r->c->args->remote->on.backend};
  if (submission_new(&job.submission, r->c->args->folder, e) != OK)
    return FAIL;
  if (add_items(r, &job.submission, which, n, e) == OK && hand_over(r, &job, e) == OK &&
      add_job(r->c, &job, e) == OK) {
    watch_job(&r->watch, &job);
    r->c->outcome.submitted += n;
    return OK;
  }
  if (job.handle.id[0] != '\0')
    job.backend->cancel(&job.handle);
  submission_remove(&job.submission);
  clear_job(&job);
  return FAIL;
}

/* True if another submission may succeed. */
static bool may_submit(const struct remote *r)
{
  return r->vain < MOST_VAIN && r->watch.loss == BACKEND_LOST;
}

/* Submits the items that no job has. */
static enum status submit_missing(struct remote *r, struct err *e)
{
  size_t n = 0;
  OWNED size_t *which = mem_array(r->watch.items, sizeof *which, e);
  if (which == NULL)
    return FAIL;
  for (size_t i = 0; i < r->watch.items; i++)
    if (r->watch.item[i].by == NULL && !r->c->done[r->watch.item[i].item])
      which[n++] = i;
  return n == 0 ? OK : submit(r, which, n, e);
}

/* --- the end ---------------------------------------------------------------------------------- */

static void cancel_all(struct remote *r)
{
  for (size_t i = 0; i < r->c->jobs; i++) {
    struct remote_job *job = &r->c->job[i];
    if (!job->ended)
      job->backend->cancel(&job->handle);
    submission_remove(&job->submission);
  }
  r->c->shared = false;
}

/* Waits for the jobs to end, at most LEAVE_S.  A task ends a moment after its last result; if it
 * were cancelled before, the scheduler would list it as cancelled. */
static void let_end(struct remote *r)
{
  const double end = machine_seconds() + LEAVE_S;
  for (size_t i = 0; i < r->c->jobs; i++) {
    struct remote_job *job = &r->c->job[i];
    while (!job->ended && machine_seconds() < end) {
      job->backend->poll(&job->handle, &job->view);
      job->ended = job->view.known && !job->view.alive;
      if (job->view.waiting > 0)
        break;
      if (!job->ended)
        nanosleep(&LOOK, NULL);
    }
  }
}

/* Cancels all jobs, then ends the process by the signal, as if the signal had arrived now. */
static void end_by(struct remote *r, int number)
{
  for (size_t i = 0; i < r->c->jobs; i++)
    if (!r->c->job[i].ended)
      fprintf(stderr, "haichi: %s job %s is cancelled; run the same command again to resume\n",
              r->c->job[i].backend->title, r->c->job[i].handle.id);
  cancel_all(r);
  sigprocmask(SIG_SETMASK, &r->before, NULL);
  raise(number);
}

/* Blocks the signals that end the command, except ignored ones, which sigtimedwait() would receive
 * if they were blocked. */
static void block_signals(struct remote *r)
{
  static const int NUMBERS[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  struct sigaction now;
  sigemptyset(&r->signals);
  for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++)
    if (sigaction(NUMBERS[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
      sigaddset(&r->signals, NUMBERS[i]);
  sigprocmask(SIG_BLOCK, &r->signals, &r->before);
}

/* Reports how many runs are missing and why. */
static enum status give_up(const struct remote *r, struct err *e)
{
  const struct campaign *c = r->c;
  const size_t all = item_count(c->args), missing = all - c->finished;
  const char *title = c->args->remote->on.backend->title;
  if (r->watch.loss == BACKEND_CANCELLED)
    return err_set(e,
                   "%s: the job was cancelled, %zu of %zu runs are missing; run the same command "
                   "again to resume",
                   title, missing, all);
  if (r->watch.loss == BACKEND_TIME)
    return err_set(e,
                   "%s: tasks reached their time limit, %zu of %zu runs are missing; run the same "
                   "command again with a longer limit (as --on slurm:time=60) or a smaller --chunk",
                   title, missing, all);
  return err_set(e, "%s: %zu of %zu runs are missing after %d submissions without a result%s%s",
                 title, missing, all, MOST_VAIN,
                 r->watch.message[0] == '\0' ? "" : "; last message: ", r->watch.message);
}

static void take_avoid(struct remote *r)
{
  r->avoid[0] = '\0';
  for (size_t i = 0; i < r->c->jobs; i++)
    if (r->c->job[i].view.avoid[0] != '\0')
      memcpy(r->avoid, r->c->job[i].view.avoid, sizeof r->avoid);
}

static void count_vain(struct remote *r)
{
  for (size_t i = 0; i < r->c->jobs; i++)
    if (r->c->job[i].ended)
      r->vain = watch_in_vain(&r->watch, &r->c->job[i]) ? r->vain + 1 : 0;
}

/* Removes the submissions that have ended. */
static void drop_jobs(struct campaign *c)
{
  size_t kept = 0;
  for (size_t i = 0; i < c->jobs; i++)
    if (c->job[i].ended) {
      submission_remove(&c->job[i].submission);
      clear_job(&c->job[i]);
    } else {
      c->job[kept++] = c->job[i];
    }
  c->jobs = kept;
}

static enum status follow(struct remote *r, struct err *e)
{
  struct campaign *c = r->c;
  int number;
  r->watch.early = may_submit(r);
  if (watch_jobs(&r->watch, &r->signals, &number, e) != OK)
    return FAIL;
  if (number != 0)
    end_by(r, number);
  count_vain(r);
  take_avoid(r);
  drop_jobs(c);
  return c->finished < item_count(c->args) && c->jobs == 0 && !may_submit(r) ? give_up(r, e) : OK;
}

static enum status make_rounds(struct remote *r, struct err *e)
{
  struct campaign *c = r->c;
  while (c->finished < item_count(c->args)) {
    if (may_submit(r) && submit_missing(r, e) != OK)
      return FAIL;
    if (c->args->remote->detach) {
      c->outcome.detached = true;
      return OK;
    }
    if (follow(r, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status make_all(struct remote *r, struct err *e)
{
  struct campaign *c = r->c;
  block_signals(r);
  for (size_t i = 0; i < c->jobs; i++)
    watch_job(&r->watch, &c->job[i]);
  const enum status s = make_rounds(r, e);
  if (s == OK && !c->outcome.detached)
    let_end(r);
  if (!c->outcome.detached && !r->watch.silent)
    cancel_all(r);
  sigprocmask(SIG_SETMASK, &r->before, NULL);
  return s;
}

enum status remote_make(struct campaign *c, struct err *e)
{
  struct remote r = {.c = c};
  enum status s = times_new(&r.times, c, e);
  if (s == OK)
    s = watch_open(&r.watch, c, e);
  if (s == OK)
    s = make_all(&r, e);
  watch_close(&r.watch);
  times_free(&r.times);
  return s;
}
