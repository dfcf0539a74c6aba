#include "campaign/local.h"

#include <stdio.h>
#include <stdlib.h>

#include "campaign/item.h"
#include "common/mem.h"
#include "common/process/workers.h"

struct local {
  struct campaign *c;
  struct workers *workers;
  size_t next;     /* items before it are started or done */
  size_t *waiting; /* by subject: items not yet started */
  uint32_t room;   /* limit on parallel runs that was last reported to the user */
};

/* Reports that the limit on parallel runs has decreased. */
static void check_room(struct local *l, const char *why)
{
  const uint32_t most = workers_most(l->workers);
  if (most < l->room)
    fprintf(stderr, "haichi: %u runs at a time, not %u: %s\n", most, l->c->args->jobs, why);
  l->room = most;
}

/* Loads the data of the subject first, so that the child inherits them.  Does not remove a stored
 * result of the run, which another machine may just have written; the worker replaces it. */
static enum status start_worker(struct campaign *c, struct workers *workers, size_t i,
                                bool *started, struct err *e)
{
  struct run_worker w = item_worker(c->args, c->runs, i);
  plan_prepare(c->args->plan, w.run->subject);
  return workers_start(workers, i, run_worker_main, &w, started, e);
}

/* Counts item @p i as started or done; frees the data of its subject after the last item. */
static void leave_subject(struct local *l, size_t i)
{
  const size_t subject = item_run(l->c->args, i)->subject;
  if (--l->waiting[subject] == 0)
    plan_drop(l->c->args->plan, subject);
}

/* Starts item @p i.  *started is false if the system cannot start one more process. */
static enum status start(struct local *l, size_t i, bool *started, struct err *e)
{
  if (start_worker(l->c, l->workers, i, started, e) != OK)
    return FAIL;
  if (*started)
    leave_subject(l, i);
  else
    check_room(l, e->text);
  return OK;
}

/* Takes the result of item @p i if another machine has stored it since this command began. */
static enum status take_others(struct local *l, size_t i, struct err *e)
{
  struct campaign *c = l->c;
  if (!c->shared || item_load(c->args, c->runs, i, &c->result[i]) != ITEM_STORED)
    return OK;
  leave_subject(l, i);
  return state_made(c, i, c->result[i].wall_s, e);
}

static enum status start_some(struct local *l, struct err *e)
{
  bool started = true;
  for (; started && l->next < item_count(l->c->args) && !workers_full(l->workers);
       l->next += started) {
    const size_t i = l->next;
    if (!l->c->done[i] && take_others(l, i, e) != OK)
      return FAIL;
    if (!l->c->done[i] && start(l, i, &started, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status take_end(struct campaign *c, const struct worker_end *end, struct err *e)
{
  const struct run_worker w = item_worker(c->args, c->runs, end->id);
  if (run_worker_end(&w, end, c->args->timeout_s, &c->result[end->id], e) != OK)
    return FAIL;
  return state_made(c, end->id, end->wall_s, e);
}

static enum status make_all(struct local *l, struct err *e)
{
  struct campaign *c = l->c;
  struct worker_end end;
  bool ended;
  while (c->finished < item_count(c->args)) {
    if (start_some(l, e) != OK)
      return FAIL;
    state_draw(c, workers_running(l->workers), workers_most(l->workers));
    if (workers_wait(l->workers, 1.0, &end, &ended, e) != OK ||
        (ended && take_end(c, &end, e) != OK))
      return FAIL;
  }
  return OK;
}

enum status local_make(struct campaign *c, struct err *e)
{
  struct local l = {.c = c, .room = c->args->jobs};
  if ((l.waiting = mem_array(c->args->plan->subjects, sizeof *l.waiting, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < item_count(c->args); i++)
    l.waiting[item_run(c->args, i)->subject] += !c->done[i];
  enum status s = workers_new(&l.workers, c->args->jobs, c->args->timeout_s, e);
  if (s == OK) {
    check_room(&l, "no more files may be open (ulimit -n)");
    s = make_all(&l, e);
  }
  workers_free(l.workers);
  free(l.waiting);
  return s;
}

enum status local_try(struct campaign *c, size_t i, double seconds, bool *made, struct err *e)
{
  const double own = c->args->timeout_s;
  const bool limited = own > 0 && own <= seconds; /* reaching the user's limit is a result */
  struct workers *workers = NULL;
  struct worker_end end;
  bool started, ended = false;
  *made = false;
  enum status s = workers_new(&workers, 1, limited ? own : seconds, e);
  if (s == OK)
    s = start_worker(c, workers, i, &started, e);
  while (s == OK && !ended)
    s = workers_wait(workers, 1.0, &end, &ended, e);
  if (s == OK && (!end.timeout || limited)) {
    *made = true;
    s = take_end(c, &end, e);
  }
  workers_free(workers);
  return s;
}
