/* The reference engine: SimGrid through its C API, with one SimGrid actor per actor of the driver.
 *
 * The C API has no matching function, so each transfer gets its own mailbox.  Each side is posted
 * there, and SimGrid starts the transfer once it has both, as it does for SMPI.
 *
 * An eager transfer must start while its receiver computes.  If there are eager transfers, each
 * actor has a helper on its host, which posts the receive side for it.  The actor itself waits for
 * the communication that the helper has begun.
 *
 * A transfer marked `one_sided` has its own actor, its progress actor, which tells the driver when
 * it ends. */
#include "sim/engine.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/mem.h"
#include "sim/coverage.h"
#include "sim/simgrid/api.h"
#include "sim/simgrid/guard.h"
#include "sim/simgrid/link_changes.h"
#include "sim/simgrid/mailboxes.h"
#include "sim/simgrid/platform.h"

/* SimGrid's data of a transfer, transfer.own. */
struct parcel {
  sg_mailbox_t mailbox;
  sg_comm_t comm[2]; /* by side; NULL: not begun, or detached */
  struct run *run; /* this and the next: for the progress actor of a transfer marked `one_sided` */
  struct transfer *transfer;
  struct parcel *next;
};

enum { BLOCK = 128 };

struct block {
  struct block *next;
  struct parcel parcel[BLOCK];
};

/* The helper of one actor: a queue of transfers whose receive side it has to post. */
struct helper {
  struct run *run;
  sg_sem_t orders;
  struct transfer **queue;
  size_t first, count, room;
};

struct actor {
  struct run *run;
  uint32_t number;
  bool ended;
  sg_host_t host;
  sg_exec_t exec;  /* of a watched step, or NULL */
  sg_sem_t woken;  /* of an actor that parks, or NULL */
  sg_comm_t *comm; /* arguments of simgrid_api_wait_any() */
  size_t comm_room;
};

struct run {
  struct simgrid_api sg;
  const struct engine_config *config;
  const struct driver *driver;
  struct err *err;
  struct actor *actor;
  struct helper *helper; /* NULL without eager transfers */
  struct mailboxes mailboxes;
  struct link_changes link_changes;
  struct parcel *free;
  struct block *block; /* memory of the parcels */
  bool failed;         /* error in the engine itself: out of memory, or a link that fails */
  bool stopped;        /* an actor has taken STEP_STOP */
  void *landed;        /* SimGrid writes the payload pointers here; they are not read */
};

static double now(void *engine)
{
  return ((const struct run *)engine)->sg.simgrid_get_clock();
}

static struct parcel *parcel_of(const struct transfer *t)
{
  return t->own;
}

/* The parcel of a transfer.  When out of memory, sets run->failed and returns NULL. */
static struct parcel *need_parcel(struct run *run, struct transfer *t)
{
  if (t->own != NULL)
    return t->own;
  if (run->free == NULL) {
    struct block *b = mem_array(1, sizeof *b, run->err);
    if (b == NULL) {
      run->failed = true;
      return NULL;
    }
    b->next = run->block;
    run->block = b;
    for (int i = 0; i < BLOCK; i++) {
      b->parcel[i].next = run->free;
      run->free = &b->parcel[i];
    }
  }
  struct parcel *p = run->free;
  run->free = p->next;
  *p = (struct parcel){0};
  t->own = p;
  return p;
}

static void forget(void *engine, struct transfer *t)
{
  struct run *run = engine;
  struct parcel *p = parcel_of(t);
  p->next = run->free;
  run->free = p;
}

static enum status give_mailbox(struct run *run, sg_mailbox_t m)
{
  const enum status s = mailboxes_give(&run->mailboxes, m, run->err);
  run->failed |= s != OK;
  return s;
}

/* Lets the helper of the receiver post the receive side. */
static void order_receive(struct run *run, struct transfer *t)
{
  struct helper *h = &run->helper[t->first + t->dst];
  if (h->first == h->count)
    h->first = h->count = 0;
  if (MEM_GROW(h->queue, h->room, h->count + 1, run->err) != OK) {
    run->failed = true;
    return;
  }
  h->queue[h->count++] = t;
  run->sg.sg_sem_release(h->orders);
}

static void helper_main(int argc, char *argv[])
{
  (void)argc;
  (void)argv;
  struct helper *h = simgrid_api_self_data();
  for (;;) {
    h->run->sg.sg_sem_acquire(h->orders);
    struct parcel *p = parcel_of(h->queue[h->first++]);
    p->comm[RECV_SIDE] = h->run->sg.sg_mailbox_get_async(p->mailbox, &h->run->landed);
    give_mailbox(h->run, p->mailbox);
  }
}

static void post_send(const struct run *run, struct transfer *t, struct parcel *p)
{
  const long bytes = (long)(t->bytes + t->extra + SIM_ENVELOPE_BYTES);
  if (t->detached)
    run->sg.sg_comm_detach(run->sg.sg_mailbox_put_init(p->mailbox, t, bytes), NULL);
  else
    p->comm[SEND_SIDE] = run->sg.sg_mailbox_put_async(p->mailbox, t, bytes);
}

static void progress_main(int argc, char *argv[])
{
  (void)argc;
  (void)argv;
  const struct parcel *p = simgrid_api_self_data();
  struct run *run = p->run;
  struct transfer *t = p->transfer;
  run->sg.sg_actor_daemonize(run->sg.sg_actor_self());
  run->sg.sg_host_sendto(run->actor[t->first + t->src].host, run->actor[t->first + t->dst].host,
                         (double)(t->bytes + t->extra + SIM_ENVELOPE_BYTES));
  forget(run, t);
  t->own = NULL;
  run->driver->arrived(run->driver->state, t);
}

static void start_progress(struct run *run, struct transfer *t)
{
  struct parcel *p = need_parcel(run, t);
  if (p == NULL)
    return;
  p->run = run;
  p->transfer = t;
  sg_actor_t actor = run->sg.sg_actor_init("progress", run->actor[t->first + t->src].host);
  run->sg.sg_actor_set_data(actor, p);
  run->sg.sg_actor_start_(actor, progress_main, 0, NULL);
}

/* The second side returns the mailbox to the stock before it posts.  This is safe: the next
 * transfer that takes the mailbox posts later. */
static void post(void *engine, struct transfer *t, enum side side)
{
  struct run *run = engine;
  const bool second = t->posted[!side];
  const uint32_t *host = run->driver->host;
  if (side == SEND_SIDE && run->config->coverage != NULL)
    coverage_note(run->config->coverage, run->config->platform, host[t->first + t->src],
                  host[t->first + t->dst], t->bytes);
  if (t->eager && side == RECV_SIDE)
    return;
  if (t->one_sided) {
    start_progress(run, t);
    return;
  }
  struct parcel *p = need_parcel(run, t);
  if (p == NULL)
    return;
  if (!second)
    p->mailbox = mailboxes_take(&run->mailboxes);
  else if (give_mailbox(run, p->mailbox) != OK)
    return;
  if (t->eager)
    order_receive(run, t);
  if (side == SEND_SIDE)
    post_send(run, t, p);
  else
    p->comm[side] = run->sg.sg_mailbox_get_async(p->mailbox, &run->landed);
  if (!second)
    run->failed |= mailboxes_stock(&run->mailboxes, &run->sg, run->driver->actors, run->err) != OK;
}

static bool ended(void *engine, struct transfer *t, enum side side)
{
  const struct run *run = engine;
  const struct parcel *p = parcel_of(t);
  return p->comm[side] != NULL && run->sg.sg_comm_test(p->comm[side]);
}

/* The communication of an awaited side; yields until a helper has begun it.  NULL when the run has
 * failed. */
static sg_comm_t comm_of(const struct run *run, struct await a)
{
  const struct parcel *p = parcel_of(a.transfer);
  while (p->comm[a.side] == NULL && !run->failed)
    run->sg.sg_actor_yield();
  return p->comm[a.side];
}

/* Sets the error of the run, unless it has one: a link or host has failed. */
static void message_failed(struct run *run, const struct transfer *t)
{
  if (!run->failed)
    err_set(run->err, "%s: at %g s a message from %s %u to %s %u fails: a link or host is down",
            run->config->platform_name, run->sg.simgrid_get_clock(), run->driver->actor,
            t->first + t->src, run->driver->actor, t->first + t->dst);
  run->failed = true;
}

static void wait_one(struct run *run, struct step *step)
{
  const sg_comm_t comm = comm_of(run, step->await[0]);
  if (comm != NULL && run->sg.sg_comm_wait(comm) != SG_OK)
    message_failed(run, step->await[0].transfer);
  step->completed = 0;
}

static void wait_any(struct actor *a, struct step *step)
{
  struct run *run = a->run;
  if (MEM_GROW(a->comm, a->comm_room, step->awaits, run->err) != OK) {
    run->failed = true;
    return;
  }
  for (uint32_t i = 0; i < step->awaits; i++)
    if ((a->comm[i] = comm_of(run, step->await[i])) == NULL)
      return;
  step->completed = (uint32_t)simgrid_api_wait_any(&run->sg, a->comm, step->awaits);
}

/* Like sg_actor_execute(), but keeps a handle for left(). */
static void execute(struct actor *a, double flops)
{
  const struct simgrid_api *sg = &a->run->sg;
  a->exec = sg->sg_actor_exec_init(flops);
  sg->sg_exec_wait(a->exec);
  a->exec = NULL;
}

static sg_sem_t need_sem(struct actor *a)
{
  if (a->woken == NULL)
    a->woken = a->run->sg.sg_sem_init(0);
  return a->woken;
}

static void wake(void *engine, uint32_t actor)
{
  struct run *run = engine;
  run->sg.sg_sem_release(need_sem(&run->actor[actor]));
}

static double left(void *engine, uint32_t actor)
{
  const struct run *run = engine;
  const struct actor *a = &run->actor[actor];
  return a->exec == NULL ? 0 : run->sg.sg_exec_get_remaining(a->exec);
}

/* Takes one step; false if the actor has to end. */
static bool take(struct actor *a, struct step *step)
{
  const struct simgrid_api *sg = &a->run->sg;
  switch (step->kind) {
  case STEP_EXEC:
    if (step->watched)
      execute(a, step->amount);
    else
      sg->sg_actor_execute(step->amount);
    return true;
  case STEP_BUSY:
    sg->sg_actor_execute(step->amount * sg->sg_host_get_speed(sg->sg_host_self()));
    return true;
  case STEP_SLEEP:
    sg->sg_actor_sleep_for(step->amount);
    return true;
  case STEP_WAIT:
    if (step->awaits == 1)
      wait_one(a->run, step);
    else
      wait_any(a, step);
    return true;
  case STEP_PARK:
    if (step->amount > 0)
      sg->sg_sem_acquire_timeout(need_sem(a), step->amount);
    else
      sg->sg_sem_acquire(need_sem(a));
    return true;
  case STEP_YIELD:
    sg->sg_actor_yield();
    return true;
  default:
    return false;
  }
}

static void actor_main(int argc, char *argv[])
{
  (void)argc;
  (void)argv;
  struct actor *a = simgrid_api_self_data();
  const struct driver *d = a->run->driver;
  struct step *step;
  do
    step = d->step(d->state, a->number);
  while (!a->run->failed && take(a, step));
  a->ended = step->kind == STEP_END;
  a->run->stopped |= step->kind == STEP_STOP;
  if (!a->ended)
    a->run->sg.sg_actor_kill_all();
}

/* Creates SimGrid's actor for @p number, or its helper.  The caller sets its data and starts it. */
static enum status make_actor(struct run *run, const struct engine_config *c, uint32_t number,
                              bool helper, sg_actor_t *out)
{
  char name[256], actor[32];
  const char *host_name =
      platform_simgrid_host(c->platform, run->driver->host[number], name, sizeof name);
  sg_host_t host = run->sg.sg_host_by_name(host_name);
  if (host == NULL)
    return err_set(run->err, "%s: no host '%s'", c->platform_name, host_name);
  run->actor[number].host = host;
  snprintf(actor, sizeof actor, "%s-%u", helper ? "helper" : run->driver->actor, number);
  *out = run->sg.sg_actor_init(actor, host);
  return OK;
}

static enum status start_actors(struct run *run, const struct engine_config *c)
{
  const uint32_t actors = run->driver->actors;
  for (uint32_t i = 0; i < actors; i++) {
    sg_actor_t actor = NULL;
    if (make_actor(run, c, i, false, &actor) != OK)
      return FAIL;
    run->actor[i].run = run;
    run->actor[i].number = i;
    run->sg.sg_actor_set_data(actor, &run->actor[i]);
    run->sg.sg_actor_start_(actor, actor_main, 0, NULL);
  }
  for (uint32_t i = 0; run->helper != NULL && i < actors; i++) {
    sg_actor_t actor = NULL;
    if (make_actor(run, c, i, true, &actor) != OK)
      return FAIL;
    run->helper[i] = (struct helper){.run = run, .orders = run->sg.sg_sem_init(0)};
    run->sg.sg_actor_set_data(actor, &run->helper[i]);
    run->sg.sg_actor_start_(actor, helper_main, 0, NULL);
    run->sg.sg_actor_daemonize(actor);
  }
  return OK;
}

/* If a profile changes a link while a message is in the latency of its route, SimGrid 3.32 loses
 * the message, and ends although actors still wait. */
static enum status check_ended(const struct run *run, const struct engine_config *c, struct err *e)
{
  const struct driver *d = run->driver;
  char name[PLATFORM_NAME_SIZE];
  for (uint32_t i = 0; i < d->actors && !run->stopped; i++)
    if (!run->actor[i].ended)
      return err_set(e, "%s: SimGrid ends at %g s, when %s %u on host '%s' has not ended",
                     c->platform_name, run->sg.simgrid_get_clock(), d->actor, i,
                     platform_host_name(c->platform, d->host[i], name, sizeof name));
  return OK;
}

static void clear(struct run *run)
{
  const uint32_t actors = run->driver->actors;
  for (uint32_t i = 0; run->actor != NULL && i < actors; i++) {
    free(run->actor[i].comm);
    if (run->actor[i].woken != NULL)
      run->sg.sg_sem_destroy(run->actor[i].woken);
  }
  for (uint32_t i = 0; run->helper != NULL && i < actors; i++) {
    free(run->helper[i].queue);
    if (run->helper[i].orders != NULL)
      run->sg.sg_sem_destroy(run->helper[i].orders);
  }
  while (run->block != NULL) {
    struct block *next = run->block->next;
    free(run->block);
    run->block = next;
  }
  free(run->actor);
  free(run->helper);
  mailboxes_clear(&run->mailboxes);
  link_changes_clear(&run->link_changes);
}

static enum status prepare(struct run *run, const struct engine_config *c, bool full, struct err *e)
{
  const uint32_t actors = run->driver->actors;
  if (simgrid_platform_load(&run->sg, c, full, e) != OK ||
      (run->actor = mem_array(actors, sizeof *run->actor, e)) == NULL ||
      (run->driver->eager && (run->helper = mem_array(actors, sizeof *run->helper, e)) == NULL) ||
      mailboxes_stock(&run->mailboxes, &run->sg, mailboxes_at_first(actors), e) != OK ||
      link_changes_start(&run->link_changes, &run->sg, c, e) != OK)
    return FAIL;
  return start_actors(run, c);
}

static enum status run_guarded(const struct engine_config *c, const struct driver *d, bool full,
                               struct err *e)
{
  struct run run = {.config = c, .driver = d, .err = e};
  const struct services services = {.engine = &run,
                                    .now = now,
                                    .post = post,
                                    .ended = ended,
                                    .wake = wake,
                                    .left = left,
                                    .forget = forget};
  d->attach(d->state, &services);
  enum status s = prepare(&run, c, full, e);
  if (s == OK) {
    run.sg.simgrid_run();
    s = run.failed ? FAIL : check_ended(&run, c, e);
  }
  clear(&run);
  return s;
}

static enum status run_simgrid(const struct engine_config *c, const struct driver *d, bool full,
                               struct err *e)
{
  if (platform_need_lasting(c->platform, e) != OK || simgrid_guard_begin(c->platform_name, e) != OK)
    return FAIL;
  const enum status s = run_guarded(c, d, full, e);
  simgrid_guard_end();
  return s;
}

static enum status run_lazy(const struct engine_config *c, const struct driver *d, struct err *e)
{
  return run_simgrid(c, d, false, e);
}

static enum status run_full(const struct engine_config *c, const struct driver *d, struct err *e)
{
  return run_simgrid(c, d, true, e);
}

const struct engine engine_simgrid = {
    .name = "simgrid",
    .help = "SimGrid's fluid model, the reference",
    .loads_file = true,
    .run = run_lazy,
};

const struct engine engine_simgrid_full = {
    .name = "simgrid-full",
    .help = "engine simgrid with all rates recomputed at every event (network/optim:Full)",
    .loads_file = true,
    .run = run_full,
};
