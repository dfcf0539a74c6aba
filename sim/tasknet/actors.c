#include "sim/tasknet/actors.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "sim/model.h"
#include "sim/tasknet/feeds.h"
#include "sim/tasknet/pieces.h"
#include "tasks/timing/producers.h"
#include "tasks/timing/waiting.h"

#define MOST_BYTES 0x1p60

/* A transfer to a feed: in an outbox, in transit, or unused. */
struct parcel {
  struct transfer transfer;
  uint32_t feed;
  struct parcel *next;
};

enum { BLOCK = 256 };

struct block {
  struct block *next;
  struct parcel parcel[BLOCK];
};

/* Parcels that wait to be posted.  An actor posts them before anything else, because other actors
 * may run during a post. */
struct outbox {
  struct parcel *first, **last;
};

struct actor {
  struct step step;
  struct outbox outbox;
  struct pieces pieces; /* of the running element */
  uint32_t piece;       /* finished pieces of this element */
  uint32_t inputs;      /* streams of the running element, or of the next one, known to be ready */
  uint64_t sent;        /* messages from this host */
  bool computes;        /* the current step computes a piece */
  bool parked;
  bool yielded; /* the other actors at this date have run: it may steal now */
};

struct actors {
  struct actors_input in;
  struct abstract_run *run;
  struct err *e;
  const struct services *services;
  struct queues queues;
  struct feeds feeds;
  struct waiting waiting;
  struct actor *actor; /* by host */
  uint32_t *host;      /* by actor */
  struct parcel *free;
  struct block *block; /* memory of the parcels */
  uint32_t done;
  bool failed;
};

/* --- begin and end ---------------------------------------------------------------------------- */

static enum status new_run(struct abstract_run *r, uint32_t elements, struct err *e)
{
  if (abstract_new(r, elements, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < elements; i++)
    r->start[i] = r->end[i] = NAN;
  return OK;
}

/* Limits volumes so that engines can add them up exactly as whole numbers. */
static enum status check_volumes(const struct tasknet *n, double unit, struct err *e)
{
  for (uint32_t i = 0; i < n->producers; i++) {
    const struct tasknet_end *end = &n->producer[i];
    for (uint32_t k = 0; k < n->array[end->array].count; k++) {
      const double bytes = tasknet_volume(n, end, k) * unit;
      if (!(bytes <= MOST_BYTES))
        return err_set(e, "task '%s' writes %g bytes to stream '%s': above the maximum of 2^60",
                       tasknet_name(n, end->array), bytes, tasknet_stream_name(n, end->stream));
    }
  }
  return OK;
}

static enum status fill(struct actors *a, struct err *e)
{
  const struct tasknet *n = a->in.queues.net;
  const uint32_t hosts = a->in.queues.hosts;
  if (check_volumes(n, a->in.units.data, e) != OK || new_run(a->run, n->elements, e) != OK ||
      queues_new(&a->queues, &a->in.queues, a->run->host, e) != OK ||
      feeds_new(&a->feeds, n, a->run->host, e) != OK || waiting_new(&a->waiting, n, e) != OK ||
      (a->actor = mem_array(hosts, sizeof *a->actor, e)) == NULL ||
      (a->host = mem_array(hosts, sizeof *a->host, e)) == NULL)
    return FAIL;
  for (uint32_t h = 0; h < hosts; h++) {
    a->host[h] = h;
    a->actor[h].outbox.last = &a->actor[h].outbox.first;
  }
  return OK;
}

enum status actors_new(struct actors **out, const struct actors_input *in, struct abstract_run *run,
                       struct err *e)
{
  struct actors *a = mem_array(1, sizeof *a, e);
  if (a == NULL)
    return FAIL;
  *a = (struct actors){.in = *in, .run = run, .e = e};
  *run = (struct abstract_run){0};
  if (fill(a, e) != OK) {
    actors_free(a);
    abstract_clear(run);
    return FAIL;
  }
  *out = a;
  return OK;
}

void actors_free(struct actors *a)
{
  if (a == NULL)
    return;
  while (a->block != NULL) {
    struct block *next = a->block->next;
    free(a->block);
    a->block = next;
  }
  queues_clear(&a->queues);
  feeds_clear(&a->feeds);
  waiting_clear(&a->waiting);
  free(a->actor);
  free(a->host);
  free(a);
}

enum status actors_finish(const struct actors *a, struct err *e)
{
  const uint32_t elements = a->in.queues.net->elements;
  if (a->failed)
    return FAIL;
  if (a->done < elements)
    return err_set(e, "%" PRIu32 " of %" PRIu32 " elements never start: hosts wait for each other",
                   elements - a->done, elements);
  return OK;
}

/* --- parcels ---------------------------------------------------------------------------------- */

static struct parcel *new_parcel(struct actors *a)
{
  if (a->free == NULL) {
    struct block *b = mem_array(1, sizeof *b, a->e);
    if (b == NULL) {
      a->failed = true;
      return NULL;
    }
    b->next = a->block;
    a->block = b;
    for (int i = 0; i < BLOCK; i++) {
      b->parcel[i].next = a->free;
      a->free = &b->parcel[i];
    }
  }
  struct parcel *p = a->free;
  a->free = p->next;
  return p;
}

/* Puts a message from a host to a feed into an outbox. */
static void pack(struct actors *a, struct outbox *box, uint32_t from, uint32_t feed, double bytes)
{
  struct feeds_feed *f = &a->feeds.feed[feed];
  const uint64_t payload = (uint64_t)fmax(bytes, SIM_ENVELOPE_BYTES) - SIM_ENVELOPE_BYTES;
  struct parcel *p = new_parcel(a);
  if (p == NULL)
    return;
  *p = (struct parcel){.transfer = {.src = from,
                                    .dst = f->host,
                                    .first = a->services->first,
                                    .one_sided = true,
                                    .bytes = payload},
                       .feed = feed};
  if (a->in.loads != NULL)
    p->transfer.extra = loads_extra_bytes(a->in.loads, from, f->host, payload, a->actor[from].sent);
  a->actor[from].sent++;
  f->underway++;
  *box->last = p;
  box->last = &p->next;
}

static void post_all(struct actors *a, struct outbox *box)
{
  while (box->first != NULL) {
    struct parcel *p = box->first;
    if ((box->first = p->next) == NULL)
      box->last = &box->first;
    p->transfer.posted[SEND_SIDE] = true;
    a->services->post(a->services->engine, &p->transfer, SEND_SIDE);
  }
}

/* Bytes of a share of a volume, rounded so that parts add up to the whole. */
static double bytes_of(const struct actors *a, double volume, double share)
{
  return round(volume * a->in.units.data * share);
}

/* Sends the part of an element's output between the shares @p before and @p after. */
static void emit(struct actors *a, uint32_t element, double before, double after)
{
  const struct tasknet *n = a->in.queues.net;
  const uint32_t array = n->array_of[element], k = element - n->array[array].first;
  const uint32_t host = a->run->host[element];
  for (size_t i = 0; i < tasknet_outputs(n, array); i++) {
    const struct tasknet_end *end = tasknet_output(n, array, i);
    const double volume = tasknet_volume(n, end, k);
    const double bytes = bytes_of(a, volume, after) - bytes_of(a, volume, before);
    for (uint32_t f = a->feeds.newest[tasknet_lane(n, end, k)]; f != 0;
         f = a->feeds.feed[f - 1].next) {
      struct feeds_feed *feed = &a->feeds.feed[f - 1];
      if (feed->consumers == 0)
        feed->behind = true;
      else if (feed->host != host)
        pack(a, &a->actor[host].outbox, host, f - 1, bytes);
    }
  }
}

/* --- input ------------------------------------------------------------------------------------ */

/* True if host @p h has all data of the streams of an element, or, without @p all, some data of
 * each. */
static bool has_input(struct actors *a, uint32_t h, uint32_t element, bool all)
{
  const struct tasknet *n = a->in.queues.net;
  const uint32_t array = n->array_of[element], k = element - n->array[array].first;
  struct actor *x = &a->actor[h];
  for (; x->inputs < tasknet_inputs(n, array); x->inputs++) {
    const uint32_t lane = tasknet_lane(n, tasknet_input(n, array, x->inputs), k);
    const struct feeds_feed *f = feeds_find(&a->feeds, lane, h);
    if (all ? a->waiting.left[lane] > 0 || f->underway > 0 : !f->begun)
      return false;
  }
  return true;
}

static bool is_late(const struct actors *a, uint32_t element)
{
  const struct tasknet *n = a->in.queues.net;
  return tasknet_reads_late(n->array[n->array_of[element]].pattern);
}

/* True if a waiting host may continue: the rest of the running element's input is there, or the
 * next element can begin. */
static bool can_continue(struct actors *a, uint32_t h)
{
  const struct queues_host *q = &a->queues.host[h];
  return q->running != QUEUES_NOTHING ? has_input(a, h, q->running, true)
                                      : has_input(a, h, q->first, !is_late(a, q->first));
}

static void wake(struct actors *a, uint32_t h)
{
  if (!a->actor[h].parked || !can_continue(a, h))
    return;
  a->actor[h].parked = false;
  a->services->wake(a->services->engine, a->services->first + h);
}

static void arrived(void *state, struct transfer *t)
{
  struct actors *a = state;
  struct parcel *p = (struct parcel *)t;
  struct feeds_feed *f = &a->feeds.feed[p->feed];
  f->underway--;
  f->begun = true;
  p->next = a->free;
  a->free = p;
  wake(a, f->host);
}

/* --- elements --------------------------------------------------------------------------------- */

static const struct tasknet_cost *cost_of(const struct actors *a, uint32_t element)
{
  return tasknet_element_cost(a->in.queues.net, element);
}

static void begin(struct actors *a, uint32_t h)
{
  const struct tasknet *n = a->in.queues.net;
  const uint32_t element = queues_begin(&a->queues, h);
  const uint32_t array = n->array_of[element], k = element - n->array[array].first;
  struct actor *x = &a->actor[h];
  x->pieces = pieces_of(n->array[array].pattern, cost_of(a, element)->loops);
  x->piece = 0;
  if (x->pieces.waits)
    x->inputs = 0;
  a->run->start[element] = a->services->now(a->services->engine);
  for (size_t i = 0; i < tasknet_outputs(n, array); i++) {
    struct feeds_feed *f =
        feeds_find(&a->feeds, tasknet_lane(n, tasknet_output(n, array, i), k), h);
    if (f != NULL)
      f->begun = true;
  }
}

static void released(void *actors, uint32_t element)
{
  (void)actors;
  (void)element; /* hosts check lanes instead: the output must have arrived, too */
}

static void end_element(struct actors *a, uint32_t h)
{
  struct queues_host *q = &a->queues.host[h];
  const double now = a->services->now(a->services->engine);
  a->run->end[q->running] = now;
  a->run->makespan_s = fmax(a->run->makespan_s, now);
  waiting_done(&a->waiting, q->running, released, a);
  q->running = QUEUES_NOTHING;
  a->actor[h].inputs = 0;
  a->done++;
}

static void end_piece(struct actors *a, uint32_t h)
{
  struct actor *x = &a->actor[h];
  const struct pieces *p = &x->pieces;
  const double before = p->early ? pieces_share(p, x->piece) : 0;
  x->computes = false;
  x->piece++;
  if (p->early || x->piece == p->count)
    emit(a, a->queues.host[h].running, before, pieces_share(p, x->piece));
  if (x->piece == p->count)
    end_element(a, h);
}

/* --- thieves ---------------------------------------------------------------------------------- */

/* The share of an element's output that has been sent so far. */
static double sent_of(const struct actors *a, uint32_t element)
{
  const struct actor *x = &a->actor[a->run->host[element]];
  if (isnan(a->run->start[element]))
    return 0;
  if (!isnan(a->run->end[element]))
    return 1;
  return x->pieces.early ? pieces_share(&x->pieces, x->piece) : 0;
}

/* Sends all data written to a lane so far to a feed that is behind. */
static void catch_up(struct actors *a, uint32_t stream, uint32_t feed)
{
  struct feeds_feed *f = &a->feeds.feed[feed];
  const struct tasknet *n = a->in.queues.net;
  struct producers p = producers_of(n, stream, f->lane);
  const struct tasknet_end *end;
  uint32_t element;
  f->behind = false;
  while ((end = producers_next(&p, &element)) != NULL) {
    const double volume = tasknet_volume(n, end, element - n->array[end->array].first);
    const double share = sent_of(a, element);
    const uint32_t host = a->run->host[element];
    if (host == f->host)
      f->begun = f->begun || !isnan(a->run->start[element]);
    else if (share > 0)
      pack(a, &a->actor[f->host].outbox, host, feed, bytes_of(a, volume, share));
  }
}

/* Updates the feeds of the streams that a stolen element reads. */
static void move_feeds(struct actors *a, uint32_t element, uint32_t from, uint32_t to)
{
  const struct tasknet *n = a->in.queues.net;
  const uint32_t array = n->array_of[element], k = element - n->array[array].first;
  for (size_t i = 0; i < tasknet_inputs(n, array) && !a->failed; i++) {
    const struct tasknet_end *end = tasknet_input(n, array, i);
    const uint32_t lane = tasknet_lane(n, end, k);
    uint32_t feed;
    feeds_find(&a->feeds, lane, from)->consumers--;
    if (feeds_add(&a->feeds, lane, to, &feed, a->e) != OK)
      a->failed = true;
    else if (a->feeds.feed[feed].behind)
      catch_up(a, end->stream, feed);
  }
}

static bool steal(struct actors *a, uint32_t thief)
{
  struct queues_theft theft;
  if (!queues_steal(&a->queues, thief, &theft))
    return false;
  for (uint32_t i = 0; i < theft.count; i++)
    if (a->queues.taken[i])
      move_feeds(a, a->queues.loot[i], theft.victim, thief);
  a->run->steals++;
  a->run->stolen += theft.taken;
  if (a->queues.host[theft.victim].running == QUEUES_NOTHING)
    a->actor[theft.victim].inputs = 0;
  if (!a->failed)
    wake(a, theft.victim);
  return true;
}

/* --- steps ------------------------------------------------------------------------------------ */

static bool take(struct actor *x, enum step_kind kind, double amount)
{
  x->step = (struct step){.kind = kind, .amount = amount};
  return true;
}

static bool park(struct actor *x)
{
  x->parked = true;
  return take(x, STEP_PARK, 0);
}

static bool compute(struct actors *a, uint32_t h)
{
  struct actor *x = &a->actor[h];
  const uint32_t element = a->queues.host[h].running;
  const struct pieces *p = &x->pieces;
  if (p->waits && x->piece + 1 == p->count && !has_input(a, h, element, true))
    return park(x);
  const double share = pieces_share(p, x->piece + 1) - pieces_share(p, x->piece);
  const double flops = cost_of(a, element)->compute * a->in.units.work * share;
  if (flops > 0) {
    x->computes = true;
    return take(x, STEP_EXEC, flops);
  }
  end_piece(a, h);
  return false;
}

static bool look_for_work(struct actors *a, uint32_t h)
{
  struct actor *x = &a->actor[h];
  if (!a->in.queues.steal->steals)
    return take(x, STEP_END, 0);
  x->yielded = !x->yielded;
  if (x->yielded)
    return take(x, STEP_YIELD, 0);
  return steal(a, h) ? false : take(x, STEP_END, 0);
}

/* Does the work that takes no time.  True once the actor has its next step. */
static bool proceed(struct actors *a, uint32_t h)
{
  const struct queues_host *q = &a->queues.host[h];
  if (q->running != QUEUES_NOTHING)
    return compute(a, h);
  if (q->first == QUEUES_NOTHING)
    return look_for_work(a, h);
  if (!can_continue(a, h))
    return park(&a->actor[h]);
  begin(a, h);
  return false;
}

static struct step *step(void *state, uint32_t h)
{
  struct actors *a = state;
  struct actor *x = &a->actor[h];
  bool taken = false;
  if (x->computes)
    end_piece(a, h);
  while (!taken && !a->failed) {
    post_all(a, &x->outbox);
    taken = proceed(a, h);
  }
  if (a->failed)
    take(x, STEP_STOP, 0);
  return &x->step;
}

static void attach(void *state, const struct services *s)
{
  ((struct actors *)state)->services = s;
}

struct driver actors_driver(struct actors *a)
{
  return (struct driver){.state = a,
                         .actor = "host",
                         .host = a->host,
                         .actors = a->in.queues.hosts,
                         .attach = attach,
                         .step = step,
                         .arrived = arrived};
}
