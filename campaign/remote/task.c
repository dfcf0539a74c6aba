#include "campaign/remote/task.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "campaign/item.h"
#include "common/mem.h"
#include "common/process/workers.h"

struct task {
  const struct campaign_args *args;
  const struct submission *submission;
  char *runs;
  struct workers *workers;
  bool *killed;     /* by item of the submission: it was killed once from outside */
  size_t *queue;    /* items to execute; killed items are appended again */
  size_t next, end; /* positions in the queue */
  size_t lost;
  char message[sizeof((struct worker_end *)NULL)->message]; /* message of the last lost item */
};

static struct run_worker worker_of(const struct task *t, size_t k)
{
  return item_worker(t->args, t->runs, t->submission->item[k].item);
}

/* Fails if the key of item @p k differs on this machine, since its inputs or its haichi differ. */
static enum status check_key(const struct task *t, size_t k, struct err *e)
{
  const struct submission_item *x = &t->submission->item[k];
  char key[CHECKSUM_SIZE];
  if (x->item >= item_count(t->args))
    return err_set(e, "item %zu is not below %zu, the number of items of the campaign", x->item,
                   item_count(t->args));
  const struct run_worker w = worker_of(t, k);
  if (run_worker_key(&w, key, e) != OK)
    return FAIL;
  if (strcmp(key, x->key) == 0)
    return OK;
  return plan_check(t->args->plan, x->subject, e) != OK
             ? FAIL
             : err_set(
                   e,
                   "%s under %s: this machine has other inputs, or another haichi, than the plan",
                   t->args->plan->subject[x->subject].file.name, w.run->spec);
}

/* Queues an item without a result.  Removes a damaged result, but no other files, since another
 * task may be making the same item. */
static enum status queue_item(struct task *t, size_t k, struct err *e)
{
  struct run_result r;
  if (check_key(t, k, e) != OK)
    return FAIL;
  const struct run_worker w = worker_of(t, k);
  const enum item_state state = item_load(t->args, t->runs, t->submission->item[k].item, &r);
  if (state != ITEM_STORED)
    t->queue[t->end++] = k;
  return state == ITEM_REFUSED ? run_worker_forget(&w, e) : OK;
}

/* Frees the data of the previous subject when the queue reaches another one. */
static void leave_subject(const struct task *t)
{
  const struct submission_item *item = t->submission->item;
  if (t->next > 0 && item[t->queue[t->next - 1]].subject != item[t->queue[t->next]].subject)
    plan_drop(t->args->plan, item[t->queue[t->next - 1]].subject);
}

static enum status start_workers(struct task *t, struct err *e)
{
  bool started = true;
  for (; started && t->next < t->end && !workers_full(t->workers); t->next += started) {
    struct run_worker w = worker_of(t, t->queue[t->next]);
    leave_subject(t);
    plan_prepare(t->args->plan, w.run->subject);
    if (workers_start(t->workers, t->queue[t->next], run_worker_main, &w, &started, e) != OK)
      return FAIL;
  }
  return OK;
}

/* Handles the end of a run.  A run killed from outside is executed once more, since the signal may
 * have been for the whole task. */
static enum status take_end(struct task *t, const struct worker_end *end, struct err *e)
{
  const struct run_worker w = worker_of(t, end->id);
  struct run_result r;
  if (run_worker_stored(end))
    return OK;
  if (run_worker_is_result(end))
    return run_worker_end(&w, end, t->args->timeout_s, &r, e);
  if (end->signal != 0 && !t->killed[end->id]) {
    sleep(1); /* a signal for the whole task reaches this process within this time */
    t->killed[end->id] = true;
    t->queue[t->end++] = end->id;
    return OK;
  }
  t->lost++;
  if (end->signal != 0)
    snprintf(t->message, sizeof t->message, "killed twice by signal %d", end->signal);
  else
    memcpy(t->message, end->message, sizeof t->message);
  return OK;
}

static enum status run_queue(struct task *t, struct err *e)
{
  struct worker_end end;
  bool ended;
  while (t->next < t->end || workers_running(t->workers) > 0) {
    if (start_workers(t, e) != OK || workers_wait(t->workers, 60, &end, &ended, e) != OK ||
        (ended && take_end(t, &end, e) != OK))
      return FAIL;
  }
  return OK;
}

static enum status open_task(struct task *t, struct err *e)
{
  const size_t n = t->submission->items;
  t->killed = mem_array(n, sizeof *t->killed, e);
  t->queue = t->killed == NULL ? NULL : mem_array(2 * n, sizeof *t->queue, e);
  if (t->queue == NULL || (t->runs = mem_printf(e, "%s/runs", t->args->folder)) == NULL)
    return FAIL;
  for (size_t k = 0; k < n; k++)
    if (queue_item(t, k, e) != OK)
      return FAIL;
  return workers_new(&t->workers, t->args->jobs, t->args->timeout_s, e);
}

enum status task_make(const struct campaign_args *a, const struct submission *s, struct err *e)
{
  struct task t = {.args = a, .submission = s};
  enum status status = open_task(&t, e);
  if (status == OK)
    status = run_queue(&t, e);
  if (status == OK && t.lost > 0)
    status = err_set(e, "%zu of %zu runs have no result from this machine: %s", t.lost, s->items,
                     t.message);
  workers_free(t.workers);
  free(t.runs);
  free(t.queue);
  free(t.killed);
  return status;
}
