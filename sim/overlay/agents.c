#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "sim/overlay/overlay_internal.h"

/* --- making ----------------------------------------------------------------------------------- */

/* Numbers the connections on routes of two or more hops, each of which has a reader.  The routes
 * from the first relay cover the later hops of a route. */
static enum status number_edges(struct overlay *o, struct err *e)
{
  uint32_t number;
  for (uint32_t p = 0; p < o->ranks; p++)
    for (uint32_t q = 0; q < o->ranks; q++) {
      const uint32_t next = p == q ? q : overlay_network_next(&o->network, p, q);
      if (next == q)
        continue;
      if (pairs_add(&o->edge, p, next, &number, e) != OK ||
          pairs_add(&o->edge, next, overlay_network_next(&o->network, next, q), &number, e) != OK)
        return FAIL;
    }
  return OK;
}

/* A progress thread is on the host of its process, the clock on the host of process 0, a reader on
 * the host of the receiving process. */
static enum status place_agents(struct overlay *o, struct err *e)
{
  const uint32_t n = o->ranks;
  if ((o->host = mem_array((size_t)n + o->agents, sizeof *o->host, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    o->host[i] = o->mapping->host[i];
  for (uint32_t i = 0; o->agents > 0 && i < n; i++)
    o->host[n + i] = o->mapping->host[i];
  if (o->agents > 0)
    o->host[2 * n] = o->mapping->host[0];
  for (uint32_t i = 0; i < o->edge.count; i++)
    o->host[2 * n + 1 + i] = o->mapping->host[(uint32_t)o->edge.key[i]];
  return OK;
}

enum status agents_make(struct overlay *o, struct err *e)
{
  const bool relays = overlay_network_relays(&o->network);
  const bool set_ups = !o->spec.kind->opened && o->spec.set_up > 0;
  if (relays && number_edges(o, e) != OK)
    return FAIL;
  o->agents =
      relays || set_ups || overlay_spec_congests(&o->spec) ? o->ranks + 1 + o->edge.count : 0;
  if ((o->agent = mem_array(o->agents, sizeof *o->agent, e)) == NULL ||
      (o->progress = mem_array(o->ranks, sizeof *o->progress, e)) == NULL ||
      (o->reader = mem_array(o->edge.count, sizeof *o->reader, e)) == NULL)
    return FAIL;
  return place_agents(o, e);
}

void agents_clear(struct overlay *o)
{
  for (uint32_t i = 0; o->progress != NULL && i < o->ranks; i++)
    free(o->progress[i].queue);
  pairs_clear(&o->edge);
  free(o->progress);
  free(o->reader);
  free(o->agent);
  free(o->host);
}

/* --- parking ---------------------------------------------------------------------------------- */

static void wake(struct overlay *o, uint32_t agent)
{
  struct agent *a = &o->agent[agent];
  if (!a->parked)
    return;
  a->parked = false;
  o->to->wake(o->to->engine, o->to->first + o->ranks + agent);
}

/* Parks until woken, or for @p seconds if above 0. */
static struct step *park(struct overlay *o, struct agent *a, double seconds)
{
  if (o->over)
    return &o->end;
  a->parked = true;
  a->step = (struct step){.kind = STEP_PARK, .amount = seconds};
  return &a->step;
}

void agents_end(struct overlay *o)
{
  o->over = true;
  for (uint32_t i = 0; i < o->agents; i++)
    wake(o, i);
}

/* --- progress threads ------------------------------------------------------------------------- */

void agents_post(struct overlay *o, uint32_t process, struct posting posting)
{
  struct progress_thread *c = &o->progress[process];
  if (c->first == c->count)
    c->first = c->count = 0;
  if (MEM_GROW(c->queue, c->room, c->count + 1, o->err) != OK) {
    o->failed = true;
    return;
  }
  c->queue[c->count++] = posting;
  wake(o, process);
}

uint32_t agents_reader(const struct overlay *o, uint32_t from, uint32_t to)
{
  return 2 * o->ranks + 1 + pairs_find(&o->edge, from, to);
}

/* True if x is to be read before y. */
static bool comes_first(const struct part *x, const struct part *y)
{
  const struct message *a = x->of, *b = y->of;
  if (fabs(x->since - y->since) > OVERLAY_SAME_TIME_S)
    return x->since < y->since;
  if (a->src != b->src)
    return a->src < b->src;
  return a->number != b->number ? a->number < b->number : x->number < y->number;
}

static void queue_part(struct reader *r, struct part *p)
{
  p->before = r->last;
  while (p->before != NULL && comes_first(p, p->before))
    p->before = p->before->before;
  p->next = p->before == NULL ? r->first : p->before->next;
  if (p->before == NULL)
    r->first = p;
  else
    p->before->next = p;
  if (p->next == NULL)
    r->last = p;
  else
    p->next->before = p;
}

/* The receive of a part is posted: queues the part at its reader. */
static void hand_over(struct overlay *o, struct part *p)
{
  const uint32_t actor = p->transfer.dst;
  p->since = overlay_now(o);
  queue_part(&o->reader[actor - 2 * o->ranks - 1], p);
  wake(o, actor - o->ranks);
}

static struct step *progress_step(struct overlay *o, uint32_t process)
{
  struct progress_thread *c = &o->progress[process];
  while (c->first < c->count && !o->failed) {
    const struct posting x = c->queue[c->first++];
    x.transfer->posted[x.side] = true;
    if (x.transfer->outer != NULL)
      ((struct message *)x.transfer->outer)->delivering = true;
    o->to->post(o->to->engine, x.transfer, x.side);
    if (x.part != NULL)
      hand_over(o, x.part);
  }
  return park(o, &o->agent[process], 0);
}

/* --- the clock -------------------------------------------------------------------------------- */

void agents_set_clock(struct overlay *o)
{
  wake(o, o->ranks);
}

static void resume_all(struct overlay *o, struct connection_waiter *w)
{
  while (w != NULL) {
    struct connection_waiter *next = w->next;
    message_resume(o, (struct hop *)w);
    w = next;
  }
}

static bool has_settled(const struct overlay *o)
{
  return o->settling.first != NULL && o->settling.date - overlay_now(o) < OVERLAY_SAME_TIME_S / 2;
}

static struct step *clock_step(struct overlay *o)
{
  struct connection_waiter *w;
  if (has_settled(o)) {
    w = o->settling.first;
    o->settling.first = NULL;
    resume_all(o, w);
  }
  while (connections_open(&o->connections, overlay_now(o) + OVERLAY_SAME_TIME_S, &w))
    resume_all(o, w);
  double due = connections_due(&o->connections);
  if (o->settling.first != NULL)
    due = fmin(due, o->settling.date);
  return park(o, &o->agent[o->ranks], isinf(due) ? 0 : due - overlay_now(o));
}

/* --- readers ---------------------------------------------------------------------------------- */

/* Takes the next part, once all parts sent at the same time are in the queue. */
static struct step *next_part(struct overlay *o, struct agent *a, struct reader *r)
{
  struct part *p = r->first;
  if (p == NULL) {
    r->doing = READ_NEXT;
    return park(o, a, 0);
  }
  if (overlay_now(o) - p->since <= OVERLAY_SAME_TIME_S) {
    r->doing = READ_SETTLES;
    a->step = (struct step){.kind = STEP_SLEEP, .amount = 2 * OVERLAY_SAME_TIME_S};
    return &a->step;
  }
  r->first = p->next;
  if (p->next == NULL)
    r->last = NULL;
  else
    p->next->before = NULL;
  r->at = p;
  r->doing = READ_WAITS;
  r->await = (struct await){.transfer = &p->transfer, .side = RECV_SIDE};
  p->transfer.awaited[RECV_SIDE] = true;
  a->step = (struct step){.kind = STEP_WAIT, .await = &r->await, .awaits = 1};
  return &a->step;
}

/* Processor time in s to pass a part on; 0 at the end of the route. */
static double price(const struct overlay *o, const struct part *p)
{
  if (p->hop + 1 == p->of->hops)
    return 0;
  return o->spec.relay_s + (double)p->transfer.bytes / o->spec.copy_Bps;
}

static struct step *pay(struct agent *a, struct reader *r, double seconds)
{
  r->doing = READ_PAYS;
  a->step = (struct step){.kind = STEP_BUSY, .amount = seconds};
  return &a->step;
}

static struct step *reader_step(struct overlay *o, uint32_t number)
{
  struct agent *a = &o->agent[o->ranks + 1 + number];
  struct reader *r = &o->reader[number];
  const enum reading done = r->doing;
  if (done == READ_WAITS) {
    r->at->transfer.awaited[RECV_SIDE] = false;
    if (price(o, r->at) > 0)
      return pay(a, r, price(o, r->at));
  }
  if (done == READ_WAITS || done == READ_PAYS)
    message_arrived(o, r->at);
  return next_part(o, a, r);
}

struct step *agents_step(struct overlay *o, uint32_t agent)
{
  struct step *s;
  if (agent < o->ranks)
    s = progress_step(o, agent);
  else if (agent == o->ranks)
    s = clock_step(o);
  else
    s = reader_step(o, agent - o->ranks - 1);
  return o->failed ? &o->stop : s;
}
