#include "campaign/remote/watch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "campaign/item.h"
#include "common/mem.h"
#include "common/process/machine.h"

/* Seconds between polls: a fraction of the time since the first poll, so that short campaigns end
 * soon and long ones poll the scheduler rarely. */
static const double SHARE = 0.01, SHORTEST_S = 0.3, LONGEST_S = 30;

/* Seconds without an answer of a back end before giving up. */
static const double SILENCE_S = 600;

/* --- items ------------------------------------------------------------------------------------ */

static uint64_t hash_item(const void *keys, uint32_t number)
{
  return index_text(((const struct watch_item *)keys)[number].key);
}

static bool same_item(const void *keys, uint32_t number, const void *key)
{
  return strcmp(((const struct watch_item *)keys)[number].key, key) == 0;
}

static struct watch_item *find_item(const struct watch *w, const char *key)
{
  const uint32_t n = index_find(&w->index, index_text(key), same_item, w->item, key);
  return n == INDEX_NONE ? NULL : &w->item[n];
}

static enum status add_item(struct watch *w, size_t i, struct err *e)
{
  const struct run_worker worker = item_worker(w->c->args, w->c->runs, i);
  struct watch_item *x = &w->item[w->items];
  *x = (struct watch_item){.item = i};
  if (run_worker_key(&worker, x->key, e) != OK)
    return FAIL;
  w->items++;
  return OK;
}

enum status watch_open(struct watch *w, struct campaign *c, struct err *e)
{
  const size_t n = item_count(c->args) - c->finished;
  *w = (struct watch){.c = c};
  if ((w->item = mem_array(n, sizeof *w->item, e)) == NULL)
    return FAIL;
  enum status s = OK;
  for (size_t i = 0; i < item_count(c->args) && s == OK; i++)
    s = c->done[i] ? OK : add_item(w, i, e);
  if (s == OK)
    s = index_build(&w->index, (uint32_t)n, n, hash_item, w->item, e);
  if (s != OK)
    watch_close(w);
  return s;
}

void watch_close(struct watch *w)
{
  free(w->item);
  index_clear(&w->index);
  *w = (struct watch){0};
}

void watch_job(struct watch *w, const struct remote_job *job)
{
  for (size_t i = 0; i < job->submission.items; i++) {
    struct watch_item *x = find_item(w, job->submission.item[i].key);
    if (x != NULL)
      x->by = job->submission.path;
  }
  w->lost = false;
}

bool watch_in_vain(const struct watch *w, const struct remote_job *job)
{
  const struct submission *s = &job->submission;
  bool any = false;
  for (size_t i = 0; i < s->items; i++) {
    const struct watch_item *x = find_item(w, s->item[i].key);
    if (x != NULL && w->c->done[x->item])
      return false;
    any |= x != NULL;
  }
  return any;
}

/* --- results ---------------------------------------------------------------------------------- */

/* Loads the result of an item.  If it is damaged, reports and removes it; the item is not done. */
static enum status take(struct watch *w, size_t i, struct err *e)
{
  struct campaign *c = w->c;
  const struct run_worker worker = item_worker(c->args, c->runs, i);
  struct err why;
  bool found = false;
  if (run_worker_load(&worker, &c->result[i], &found, &why) != OK) {
    fprintf(stderr, "haichi: %s; the run is made again\n", why.text);
    return run_worker_forget(&worker, e);
  }
  return found ? state_made(c, i, c->result[i].wall_s, e) : OK;
}

/* Takes all new results, with one listing of the folder for any number of items. */
static enum status take_results(struct watch *w, struct err *e)
{
  DIR *d = opendir(w->c->runs);
  const struct dirent *entry;
  enum status s = OK;
  if (d == NULL)
    return err_errno(e, w->c->runs, "cannot open");
  while (s == OK && (entry = readdir(d)) != NULL) {
    char key[CHECKSUM_SIZE];
    const char *dot = strchr(entry->d_name, '.');
    if (dot == NULL || strcmp(dot, ".tsv") != 0 || dot - entry->d_name >= CHECKSUM_SIZE)
      continue;
    snprintf(key, sizeof key, "%.*s", (int)(dot - entry->d_name), entry->d_name);
    const struct watch_item *x = find_item(w, key);
    if (x != NULL && !w->c->done[x->item])
      s = take(w, x->item, e);
  }
  closedir(d);
  return s;
}

/* --- jobs ------------------------------------------------------------------------------------- */

static bool all_done(const struct watch *w)
{
  return w->c->finished == item_count(w->c->args);
}

/* Item @p i of the job if it is lost, NULL if not.  An item is lost if it is not done, no other job
 * has it, and its task has failed or the job is over.  A task that succeeds has made all its items,
 * but NFS may show their results later. */
static struct watch_item *lost_item(const struct watch *w, const struct remote_job *job, size_t i)
{
  const struct submission_item *item = &job->submission.item[i];
  if (!job->ended && !job->handle.failed[item->task])
    return NULL;
  struct watch_item *x = find_item(w, item->key);
  return x == NULL || w->c->done[x->item] || x->by != job->submission.path ? NULL : x;
}

static bool has_losses(const struct watch *w, const struct remote_job *job)
{
  for (size_t i = 0; i < job->submission.items; i++)
    if (lost_item(w, job, i) != NULL)
      return true;
  return false;
}

static void note_losses(struct watch *w, const struct remote_job *job)
{
  const struct submission *s = &job->submission;
  bool first = true;
  for (size_t i = 0; i < s->items; i++) {
    struct watch_item *x = lost_item(w, job, i);
    if (x == NULL)
      continue;
    x->by = NULL;
    w->lost = true;
    if (first)
      submission_last_line(s, s->item[i].task, w->message, sizeof w->message);
    if (first && w->message[0] == '\0')
      submission_last_line(s, 0, w->message, sizeof w->message);
    first = false;
  }
  if (!first && job->view.loss > w->loss)
    w->loss = job->view.loss;
}

static enum status check_silence(struct watch *w, struct remote_job *job, struct err *e)
{
  const double now = machine_seconds();
  if (job->view.known)
    job->silent_since_s = 0;
  else if (job->silent_since_s == 0)
    job->silent_since_s = now;
  w->silent = job->silent_since_s != 0 && now - job->silent_since_s > SILENCE_S;
  if (w->silent)
    return err_set(
        e,
        "%s does not answer about job %s (%s), which may still run; run the same command "
        "again later to take its results",
        job->backend->title, job->handle.id, job->view.reason);
  return OK;
}

/* Looks for results again after the end of a task, before items are counted as lost. */
static enum status poll_job(struct watch *w, struct remote_job *job, struct err *e)
{
  job->backend->poll(&job->handle, &job->view);
  job->ended = job->view.known && !job->view.alive;
  if (check_silence(w, job, e) != OK)
    return FAIL;
  if (!has_losses(w, job))
    return OK;
  if (take_results(w, e) != OK)
    return FAIL;
  note_losses(w, job);
  return OK;
}

/* *alive is the number of jobs that are not over. */
static enum status poll_all(struct watch *w, size_t *alive, struct err *e)
{
  uint32_t running = 0;
  *alive = 0;
  for (size_t i = 0; i < w->c->jobs; i++) {
    struct remote_job *job = &w->c->job[i];
    if (!job->ended && poll_job(w, job, e) != OK)
      return FAIL;
    *alive += !job->ended;
    running += job->ended ? 0 : job->view.running;
  }
  const uint32_t most = running * w->c->args->jobs;
  state_draw(w->c, most, most == 0 ? 1 : most);
  return OK;
}

/* Waits for the time between polls, or for a signal; returns the signal or 0. */
static int wait_some(double began, const sigset_t *signals)
{
  double s = (machine_seconds() - began) * SHARE;
  s = s < SHORTEST_S ? SHORTEST_S : s > LONGEST_S ? LONGEST_S : s;
  const struct timespec t = {.tv_sec = (time_t)s, .tv_nsec = (long)((s - (double)(time_t)s) * 1e9)};
  const int number = sigtimedwait(signals, NULL, &t);
  return number > 0 ? number : 0;
}

/* True if lost items are to be submitted now.  Only while one job is running, so that there are at
 * most two jobs, not one for each lost task. */
static bool is_early(const struct watch *w, size_t alive)
{
  return w->early && w->lost && w->loss == BACKEND_LOST && alive == 1;
}

enum status watch_jobs(struct watch *w, const sigset_t *signals, int *number, struct err *e)
{
  const double began = machine_seconds();
  size_t alive = 1;
  *number = 0;
  while (*number == 0) {
    if (take_results(w, e) != OK)
      return FAIL;
    if (all_done(w))
      return OK;
    if (poll_all(w, &alive, e) != OK)
      return FAIL;
    if (alive == 0 || all_done(w) || is_early(w, alive))
      return OK;
    *number = wait_some(began, signals);
  }
  return OK;
}
