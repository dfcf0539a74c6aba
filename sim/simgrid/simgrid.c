/* The reference engine: SimGrid 3.32 through its C API, one actor a rank.
 *
 * The C API has no matching function, so a message that replay has matched (or not yet) gets a
 * mailbox of its own: each side goes there when it is posted, and SimGrid starts the transfer
 * when both are there, as it does for SMPI.  The mailboxes are used again.
 *
 * An eager message must start while its receiver computes.  For those each rank has a helper
 * actor on its host, which posts the receiving side in the rank's stead; the rank itself waits
 * on the communication that the helper has begun. */
#include "sim/engine.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/mem.h"
#include "sim/simgrid/api.h"
#include "sim/simgrid/guard.h"
#include "sim/simgrid/platform.h"

/* The helper of one rank: a queue of messages whose receiving side it is to post. */
struct helper {
  struct run *run;
  sg_sem_t orders;
  struct transfer **queue;
  size_t first, count, room;
};

struct actor {
  struct run *run;
  uint32_t rank;
  bool ended;
  sg_comm_t *comm; /* for wait_any */
  size_t comm_room;
};

struct run {
  struct simgrid_api sg;
  const char *platform_name;
  struct replay *replay;
  struct err *err;
  struct actor *actor;
  struct helper *helper; /* NULL without eager messages */
  sg_mailbox_t *mailbox; /* the free ones */
  size_t mailboxes, mailbox_room;
  unsigned created;
  bool failed;  /* in the engine itself: out of memory, or a link that fails */
  bool stopped; /* the replay has failed */
  void *landed; /* where SimGrid writes the payload pointers, which nobody reads */
};

static double now(void *engine)
{
  return ((const struct run *)engine)->sg.simgrid_get_clock();
}

static enum status give_mailbox(struct run *run, sg_mailbox_t m)
{
  void *mailbox = run->mailbox;
  if (mem_grow(&mailbox, &run->mailbox_room, run->mailboxes + 1, sizeof m, run->err) != OK) {
    run->failed = true;
    return FAIL;
  }
  run->mailbox = mailbox;
  run->mailbox[run->mailboxes++] = m;
  return OK;
}

/* Mailboxes at the beginning: more than most programs ever have in use, as creating one lets other
 * actors run, where SMPI would not.  16 a rank, but of many ranks not all have as many in use at
 * once. */
static size_t first_stock(uint32_t ranks)
{
  const size_t most = 16 * (size_t)ranks, many = ((size_t)1 << 16) + 2 * (size_t)ranks;
  return most < many ? most : many;
}

/* A rank that let others run before its transfer is complete would show them one without a mailbox.
 * So it takes from the stock, and fills it up afterwards: the free ones and the ranks that have not
 * yet done so are together never fewer than @p least, the ranks. */
static enum status stock_mailboxes(struct run *run, size_t least)
{
  while (run->mailboxes < least) {
    char name[32];
    snprintf(name, sizeof name, "message-%u", run->created++);
    if (give_mailbox(run, run->sg.sg_mailbox_by_name(name)) != OK)
      return FAIL;
  }
  return OK;
}

static sg_mailbox_t take_mailbox(struct run *run)
{
  return run->mailbox[--run->mailboxes];
}

/* A rank orders the helper of the receiver to post the receiving side. */
static void order_receive(struct run *run, struct transfer *t)
{
  struct helper *h = &run->helper[t->dst];
  if (h->first == h->count)
    h->first = h->count = 0;
  void *queue = h->queue;
  if (mem_grow(&queue, &h->room, h->count + 1, sizeof t, run->err) != OK) {
    run->failed = true;
    return;
  }
  h->queue = queue;
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
    struct transfer *t = h->queue[h->first++];
    t->comm[RECV_SIDE] = h->run->sg.sg_mailbox_get_async(t->mailbox, &h->run->landed);
    give_mailbox(h->run, t->mailbox);
  }
}

static void post_send(const struct run *run, struct transfer *t)
{
  const long bytes = (long)(t->bytes + SIM_ENVELOPE_BYTES);
  if (t->detached)
    run->sg.sg_comm_detach(run->sg.sg_mailbox_put_init(t->mailbox, t, bytes), NULL);
  else
    t->comm[SEND_SIDE] = run->sg.sg_mailbox_put_async(t->mailbox, t, bytes);
}

/* The second side gives the mailbox back before it posts: whoever takes it next comes later. */
static void post(void *engine, struct transfer *t, enum side side)
{
  struct run *run = engine;
  const bool second = t->posted[!side];
  if (t->eager && side == RECV_SIDE)
    return;
  if (!second)
    t->mailbox = take_mailbox(run);
  else if (give_mailbox(run, t->mailbox) != OK)
    return;
  if (t->eager)
    order_receive(run, t);
  if (side == SEND_SIDE)
    post_send(run, t);
  else
    t->comm[side] = run->sg.sg_mailbox_get_async(t->mailbox, &run->landed);
  if (!second)
    stock_mailboxes(run, replay_ranks(run->replay));
}

static bool ended(void *engine, struct transfer *t, enum side side)
{
  const struct run *run = engine;
  return t->comm[side] != NULL && run->sg.sg_comm_test(t->comm[side]);
}

/* The communication of an awaited side; a helper may be about to begin it.  NULL when the run has
 * failed. */
static sg_comm_t comm_of(const struct run *run, struct await a)
{
  while (a.transfer->comm[a.side] == NULL && !run->failed)
    run->sg.sg_actor_yield();
  return a.transfer->comm[a.side];
}

/* A link or host has failed; the rank whose message it was hears of it first. */
static void message_failed(struct run *run, const struct transfer *t)
{
  if (!run->failed)
    err_set(run->err, "%s: at %g s a message from rank %u to rank %u fails: a link or host is down",
            run->platform_name, run->sg.simgrid_get_clock(), t->src, t->dst);
  run->failed = true;
}

static void wait_all(struct run *run, const struct step *step)
{
  for (uint32_t i = 0; i < step->awaits && !run->failed; i++) {
    const sg_comm_t comm = comm_of(run, step->await[i]);
    if (comm != NULL && run->sg.sg_comm_wait(comm) != SG_OK)
      message_failed(run, step->await[i].transfer);
  }
}

static void wait_any(struct actor *a, struct step *step)
{
  struct run *run = a->run;
  void *comm = a->comm;
  if (mem_grow(&comm, &a->comm_room, step->awaits, sizeof *a->comm, run->err) != OK) {
    run->failed = true;
    return;
  }
  a->comm = comm;
  for (uint32_t i = 0; i < step->awaits; i++)
    if ((a->comm[i] = comm_of(run, step->await[i])) == NULL)
      return;
  step->completed = (uint32_t)run->sg.sg_comm_wait_any(a->comm, step->awaits);
}

/* Takes one step; false when the rank's actor has to end. */
static bool take(struct actor *a, struct step *step)
{
  const struct simgrid_api *sg = &a->run->sg;
  switch (step->kind) {
  case STEP_EXEC:
    sg->sg_actor_execute(step->amount);
    return true;
  case STEP_BUSY:
    sg->sg_actor_execute(step->amount * sg->sg_host_get_speed(sg->sg_host_self()));
    return true;
  case STEP_SLEEP:
    sg->sg_actor_sleep_for(step->amount);
    return true;
  case STEP_WAIT_ALL:
    wait_all(a->run, step);
    return true;
  case STEP_WAIT_ANY:
    wait_any(a, step);
    return true;
  case STEP_YIELD:
    sg->sg_actor_yield();
    return true;
  default:
    return false;
  }
}

static void rank_main(int argc, char *argv[])
{
  (void)argc;
  (void)argv;
  struct actor *a = simgrid_api_self_data();
  struct step *step;
  do
    step = replay_step(a->run->replay, a->rank);
  while (!a->run->failed && take(a, step));
  a->ended = step->kind == STEP_END;
  a->run->stopped |= step->kind == STEP_STOP;
  if (!a->ended)
    a->run->sg.sg_actor_kill_all();
}

/* Makes the actor of a rank, or its helper; *out is to be given its data and started. */
static enum status make_actor(struct run *run, const struct engine_config *c, uint32_t rank,
                              bool helper, sg_actor_t *out)
{
  char name[256], actor[32];
  const char *host_name =
      platform_host_name(c->platform, c->mapping->host[rank], name, sizeof name);
  sg_host_t host = run->sg.sg_host_by_name(host_name);
  if (host == NULL)
    return err_set(run->err, "%s: no host '%s'", c->platform_name, host_name);
  snprintf(actor, sizeof actor, "%s-%u", helper ? "helper" : "rank", rank);
  *out = run->sg.sg_actor_init(actor, host);
  return OK;
}

static enum status start_ranks(struct run *run, const struct engine_config *c)
{
  for (uint32_t r = 0; r < c->mapping->ranks; r++) {
    sg_actor_t actor = NULL;
    if (make_actor(run, c, r, false, &actor) != OK)
      return FAIL;
    run->actor[r] = (struct actor){.run = run, .rank = r};
    run->sg.sg_actor_set_data(actor, &run->actor[r]);
    run->sg.sg_actor_start_(actor, rank_main, 0, NULL);
  }
  for (uint32_t r = 0; run->helper != NULL && r < c->mapping->ranks; r++) {
    sg_actor_t actor = NULL;
    if (make_actor(run, c, r, true, &actor) != OK)
      return FAIL;
    run->helper[r] = (struct helper){.run = run, .orders = run->sg.sg_sem_init(0)};
    run->sg.sg_actor_set_data(actor, &run->helper[r]);
    run->sg.sg_actor_start_(actor, helper_main, 0, NULL);
    run->sg.sg_actor_daemonize(actor);
  }
  return OK;
}

/* SimGrid ends the actors of a host that fails, and goes on without them. */
static enum status check_ended(const struct run *run, const struct engine_config *c, struct err *e)
{
  char name[PLATFORM_NAME_SIZE];
  for (uint32_t r = 0; r < c->mapping->ranks && !run->stopped; r++)
    if (!run->actor[r].ended)
      return err_set(e, "%s: rank %u has not ended by %g s: its host '%s' is down",
                     c->platform_name, r, run->sg.simgrid_get_clock(),
                     platform_host_name(c->platform, c->mapping->host[r], name, sizeof name));
  return OK;
}

static void clear(struct run *run, uint32_t ranks)
{
  for (uint32_t r = 0; run->actor != NULL && r < ranks; r++)
    free(run->actor[r].comm);
  for (uint32_t r = 0; run->helper != NULL && r < ranks; r++) {
    free(run->helper[r].queue);
    if (run->helper[r].orders != NULL)
      run->sg.sg_sem_destroy(run->helper[r].orders);
  }
  free(run->actor);
  free(run->helper);
  free(run->mailbox);
}

static enum status prepare(struct run *run, const struct engine_config *c, bool full, struct err *e)
{
  const uint32_t ranks = c->mapping->ranks;
  if (simgrid_platform_load(&run->sg, c, full, e) != OK ||
      (run->actor = mem_array(ranks, sizeof *run->actor, e)) == NULL ||
      (c->eager && (run->helper = mem_array(ranks, sizeof *run->helper, e)) == NULL) ||
      stock_mailboxes(run, first_stock(ranks)) != OK)
    return FAIL;
  return start_ranks(run, c);
}

static enum status run_guarded(const struct engine_config *c, struct replay *r, bool full,
                               struct err *e)
{
  struct run run = {.platform_name = c->platform_name, .replay = r, .err = e};
  replay_attach(r, &(struct replay_hooks){&run, NULL, now, post, ended});
  enum status s = prepare(&run, c, full, e);
  if (s == OK) {
    run.sg.simgrid_run();
    s = run.failed ? FAIL : check_ended(&run, c, e);
  }
  clear(&run, c->mapping->ranks);
  return s;
}

static enum status run_simgrid(const struct engine_config *c, struct replay *r, bool full,
                               struct err *e)
{
  if (simgrid_guard_begin(c->platform_name, e) != OK)
    return FAIL;
  const enum status s = run_guarded(c, r, full, e);
  simgrid_guard_end();
  return s;
}

static enum status run_lazy(const struct engine_config *c, struct replay *r, struct err *e)
{
  return run_simgrid(c, r, false, e);
}

static enum status run_full(const struct engine_config *c, struct replay *r, struct err *e)
{
  return run_simgrid(c, r, true, e);
}

const struct engine engine_simgrid = {
    .name = "simgrid",
    .help = "SimGrid 3.32's fluid model, the reference",
    .loads_file = true,
    .run = run_lazy,
};

const struct engine engine_simgrid_full = {
    .name = "simgrid-full",
    .help = "the same, every rate computed again at every event (network/optim:Full)",
    .loads_file = true,
    .run = run_full,
};
