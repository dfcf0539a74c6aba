#include "setup/runs/batch.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "common/mem.h"
#include "common/process/child.h"

/* Start of the memory that the processes share; the answers follow it. */
struct shared {
  atomic_uint next; /* the next item to run */
};

struct work {
  const struct batch *batch;
  struct shared *shared;
  char *answers; /* in shared memory */
  bool *done;    /* by item; in shared memory */
};

/* Runs items until none is left, or a single item if the process cannot run another one. */
static int take_items(void *arg)
{
  const struct work *w = arg;
  const struct batch *b = w->batch;
  unsigned i;
  do {
    if ((i = atomic_fetch_add(&w->shared->next, 1)) >= b->items)
      break;
    b->run(b->arg, i, w->answers + i * b->answer_size);
    w->done[i] = true;
  } while (b->again);
  return 0;
}

static enum status end_child(struct child *c, struct err *e)
{
  struct child_end end;
  while (child_listen(c))
    poll(&(struct pollfd){.fd = c->output, .events = POLLIN}, 1, -1);
  child_reap(c, &end);
  if (end.signal != 0)
    return err_set(e, "a simulation: ended by signal %d (%s)", end.signal, strsignal(end.signal));
  return OK;
}

/* Runs @p children child processes, at most @p at_once in parallel; returns when all have ended. */
static enum status run_children(struct work *w, uint32_t children, uint32_t at_once, struct err *e)
{
  const struct child_spec spec = {.run = take_items,
                                  .arg = w,
                                  .input = -1,
                                  .keep = -1,
                                  .keep_all = true,
                                  .parent_signal = SIGKILL};
  OWNED struct child *child = mem_array(at_once, sizeof *child, e);
  enum status s = child == NULL ? FAIL : OK;
  struct err ignored;
  uint32_t started = 0, ended = 0;
  while (s == OK && ended < children) {
    if (started < children && started - ended < at_once) {
      s = child_start(&child[started % at_once], &spec, e);
      started += s == OK;
    } else {
      s = end_child(&child[ended++ % at_once], e);
    }
  }
  while (ended < started)
    end_child(&child[ended++ % at_once], &ignored);
  return s;
}

static enum status run_all(struct work *w, uint32_t at_once, struct err *e)
{
  const struct batch *b = w->batch;
  if (at_once > b->items)
    at_once = b->items;
  if (b->again && at_once == 1) {
    take_items(w);
    return OK;
  }
  return run_children(w, b->again ? at_once : b->items, at_once, e);
}

static enum status take_answers(const struct work *w, void *answers, struct err *e)
{
  for (uint32_t i = 0; i < w->batch->items; i++)
    if (!w->done[i])
      return err_set(e, "a simulation ended without a result");
  memcpy(answers, w->answers, w->batch->items * w->batch->answer_size);
  return OK;
}

enum status batch_run(const struct batch *b, uint32_t at_once, void *answers, struct err *e)
{
  const size_t head = sizeof(struct shared) < 64 ? 64 : sizeof(struct shared);
  const size_t size = head + b->items * (b->answer_size + sizeof(bool));
  if (b->items == 0)
    return OK;
  char *m = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (m == MAP_FAILED)
    return err_errno(e, "simulations", "cannot allocate");
  struct work w = {b, (struct shared *)m, m + head, NULL};
  w.done = (bool *)(w.answers + b->items * b->answer_size);
  enum status s = run_all(&w, at_once, e);
  if (s == OK)
    s = take_answers(&w, answers, e);
  munmap(m, size);
  return s;
}
