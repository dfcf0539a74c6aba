#include "sim/overlay/overlay.h"

#include <stdlib.h>

#include "common/mem.h"
#include "sim/output/links.h"
#include "sim/overlay/overlay_internal.h"

/* Upper limit of the parts of a message in transit on one hop. */
enum { MOST_PARTS = 1024 };

/* --- making and freeing ----------------------------------------------------------------------- */

static enum status make(struct overlay *o, const struct overlay_site *site, struct err *e)
{
  o->ranks = o->live = site->mapping->ranks;
  o->wait = mem_array(o->ranks, sizeof *o->wait, e);
  o->of_rank = mem_array(o->ranks, sizeof *o->of_rank, e);
  o->numbers = mem_array(o->ranks, sizeof *o->numbers, e);
  if (o->wait == NULL || o->of_rank == NULL || o->numbers == NULL ||
      overlay_network_make(&o->network, &o->spec, site->platform, site->mapping, site->traffic,
                           e) != OK ||
      connections_init(&o->connections, &o->network, o->spec.set_up, o->spec.kind->opened, e) !=
          OK ||
      congestion_make(&o->congestion, &o->spec, site->platform, &o->network, e) != OK)
    return FAIL;
  return agents_make(o, e);
}

enum status overlay_new(struct overlay **out, const struct overlay_spec *s,
                        const struct overlay_site *site, struct err *e)
{
  struct overlay *o = mem_array(1, sizeof *o, e);
  if (o == NULL)
    return FAIL;
  const uint64_t window = s->buffer / s->segment;
  *o = (struct overlay){.spec = *s,
                        .mapping = site->mapping,
                        .links = site->links,
                        .err = e,
                        .window = window < 1            ? 1
                                  : window > MOST_PARTS ? MOST_PARTS
                                                        : (uint32_t)window,
                        .stop = {.kind = STEP_STOP},
                        .end = {.kind = STEP_END}};
  if (make(o, site, e) != OK) {
    overlay_free(o);
    return FAIL;
  }
  *out = o;
  return OK;
}

void overlay_free(struct overlay *o)
{
  if (o == NULL)
    return;
  agents_clear(o);
  message_clear_all(o);
  for (uint32_t i = 0; o->wait != NULL && i < o->ranks; i++)
    free(o->wait[i].await);
  free(o->wait);
  free(o->of_rank);
  free(o->numbers);
  congestion_clear(&o->congestion);
  connections_clear(&o->connections);
  overlay_network_clear(&o->network);
  free(o);
}

bool overlay_failed(const struct overlay *o)
{
  return o->failed;
}

/* --- figures ---------------------------------------------------------------------------------- */

/* Bytes for both directions; Linux allocates twice the configured size of a socket buffer. */
static uint64_t buffers(const struct overlay *o, uint64_t connections)
{
  return connections * 2 * 2 * o->spec.buffer;
}

struct overlay_rank overlay_rank(const struct overlay *o, uint32_t rank)
{
  struct overlay_rank r = o->of_rank[rank];
  r.connections = o->connections.of_process[rank];
  return r;
}

struct overlay_figures overlay_figures(const struct overlay *o)
{
  const double pairs = (double)o->ranks * (o->ranks - 1) / 2;
  struct overlay_figures f = {.connections = o->connections.count,
                              .requests = o->connections.requests,
                              .relayed_messages = o->relayed_messages};
  f.connected_percent = pairs > 0 ? 100 * (double)f.connections / pairs : 0;
  for (uint32_t i = 0; i < o->ranks; i++) {
    const struct overlay_rank r = overlay_rank(o, i);
    f.relayed_bytes += r.relayed_bytes;
    f.buffer_bytes += buffers(o, r.connections);
    if (buffers(o, r.connections) > f.buffer_bytes_most)
      f.buffer_bytes_most = buffers(o, r.connections);
  }
  return f;
}

/* --- services for the program ----------------------------------------------------------------- */

static double now(void *state)
{
  return overlay_now(state);
}

/* Counts the message on the links of every hop. */
static enum status count_links(const struct overlay *o, const struct transfer *t)
{
  uint32_t next;
  for (uint32_t at = t->src; at != t->dst; at = next) {
    next = overlay_network_next(&o->network, at, t->dst);
    if (links_add(o->links, at, next, t->bytes, o->err) != OK)
      return FAIL;
  }
  return t->src == t->dst ? links_add(o->links, t->src, t->dst, t->bytes, o->err) : OK;
}

/* A message goes straight to the engine if it takes one hop, the connection is open or not needed,
 * and congestion does not concern it. */
static void post_send(struct overlay *o, struct transfer *t)
{
  uint32_t number = CONNECTIONS_OPEN, next = t->dst;
  if (o->links != NULL && count_links(o, t) != OK) {
    o->failed = true;
    return;
  }
  if (t->src != t->dst) {
    next = overlay_network_next(&o->network, t->src, t->dst);
    if (connections_need(&o->connections, t->src, next, overlay_now(o), &number, o->err) != OK) {
      o->failed = true;
      return;
    }
  }
  if (number == CONNECTIONS_OPEN && next == t->dst &&
      !congestion_concerns(&o->congestion, t->src, next))
    o->to->post(o->to->engine, t, SEND_SIDE);
  else
    message_send(o, t, number);
}

/* Posts the receive to the engine.  The engine must not consider the send posted before a progress
 * thread posts it. */
static void post_recv(struct overlay *o, struct transfer *t)
{
  struct message *c = t->outer;
  if (c == NULL || c->delivering) {
    o->to->post(o->to->engine, t, RECV_SIDE);
  } else {
    t->eager = false;
    t->posted[SEND_SIDE] = false;
    o->to->post(o->to->engine, t, RECV_SIDE);
    t->posted[SEND_SIDE] = true;
  }
  if (c != NULL)
    message_matched(o, c);
}

static void post(void *state, struct transfer *t, enum side side)
{
  if (side == SEND_SIDE)
    post_send(state, t);
  else
    post_recv(state, t);
}

static bool ended(void *state, struct transfer *t, enum side side)
{
  const struct overlay *o = state;
  const struct message *c = t->outer;
  if (side == SEND_SIDE && c != NULL)
    return o->to->ended(o->to->engine, &c->notification->transfer, c->notification_side);
  return o->to->ended(o->to->engine, t, side);
}

static void wake(void *state, uint32_t actor)
{
  const struct overlay *o = state;
  o->to->wake(o->to->engine, actor);
}

static double left(void *state, uint32_t actor)
{
  const struct overlay *o = state;
  return o->to->left(o->to->engine, actor);
}

static void forget(void *state, struct transfer *t)
{
  struct overlay *o = state;
  if (t->outer != NULL)
    message_forget(o, t->outer);
  else if (o->to->forget != NULL)
    o->to->forget(o->to->engine, t);
}

/* --- the driver ------------------------------------------------------------------------------- */

static void attach(void *state, const struct services *s)
{
  struct overlay *o = state;
  o->to = s;
  o->services = *s;
  o->services.engine = o;
  o->services.now = now;
  o->services.post = post;
  o->services.ended = ended;
  o->services.wake = wake;
  o->services.left = left;
  o->services.forget = forget;
  o->inner.attach(o->inner.state, &o->services);
}

static bool has_notification(const struct await *a)
{
  return a->side == SEND_SIDE && a->transfer->outer != NULL;
}

/* If a rank waits for the send of a struct message, lets it wait for the notification instead. */
static struct step *translate(struct overlay *o, uint32_t rank, struct step *inner)
{
  struct rank_wait *w = &o->wait[rank];
  uint32_t i = 0;
  while (i < inner->awaits && !has_notification(&inner->await[i]))
    i++;
  if (i == inner->awaits)
    return inner;
  if (MEM_GROW(w->await, w->room, inner->awaits, o->err) != OK) {
    o->failed = true;
    return &o->stop;
  }
  for (i = 0; i < inner->awaits; i++) {
    w->await[i] = inner->await[i];
    if (!has_notification(&w->await[i]))
      continue;
    const struct message *c = w->await[i].transfer->outer;
    w->await[i] =
        (struct await){.transfer = &c->notification->transfer, .side = c->notification_side};
    c->notification->transfer.awaited[c->notification_side] = true;
  }
  w->inner = inner;
  w->step = *inner;
  w->step.await = w->await;
  return &w->step;
}

/* Completes a translated wait that the engine has ended. */
static void end_wait(struct rank_wait *w)
{
  for (uint32_t i = 0; i < w->step.awaits; i++)
    if (w->await[i].transfer != w->inner->await[i].transfer)
      w->await[i].transfer->awaited[w->await[i].side] = false;
  w->inner->completed = w->step.completed;
  w->inner = NULL;
}

/* The wait for a message is over: it has arrived. */
static void take_received(struct overlay *o, struct rank_wait *w)
{
  const struct await *a = &w->own->await[w->own->completed];
  w->own = NULL;
  if (a->side == RECV_SIDE && a->transfer->outer != NULL)
    message_received(o, a->transfer->outer);
}

static struct step *rank_step(struct overlay *o, uint32_t rank)
{
  struct rank_wait *w = &o->wait[rank];
  if (w->inner != NULL)
    end_wait(w);
  if (w->own != NULL)
    take_received(o, w);
  struct step *s = o->inner.step(o->inner.state, rank);
  if (o->failed)
    return &o->stop;
  if (s->kind == STEP_WAIT) {
    w->own = s;
    return translate(o, rank, s);
  }
  if (s->kind == STEP_END && --o->live == 0)
    agents_end(o);
  return s;
}

static struct step *step(void *state, uint32_t actor)
{
  struct overlay *o = state;
  return actor < o->ranks ? rank_step(o, actor) : agents_step(o, actor - o->ranks);
}

/* An agent works for the process on whose side it is. */
static void where(void *state, uint32_t actor, struct driver_where *out)
{
  const struct overlay *o = state;
  const uint32_t n = o->ranks;
  if (actor >= n) {
    const uint32_t reader = actor > 2 * n ? (uint32_t)o->edge.key[actor - 2 * n - 1] : 0;
    out->rank = actor < 2 * n ? actor - n : actor == 2 * n ? UINT32_MAX : reader;
    out->action = "overlay";
  } else if (o->inner.where != NULL) {
    o->inner.where(o->inner.state, actor, out);
  }
}

enum status overlay_driver(struct overlay *o, const struct driver *inner, struct driver *out,
                           struct err *e)
{
  if (o->ranks + (uint64_t)o->agents > UINT32_MAX / 2)
    return err_set(e, "more than %u actors", UINT32_MAX / 2);
  o->inner = *inner;
  *out = *inner;
  out->state = o;
  out->host = o->host;
  out->actors = o->ranks + o->agents;
  out->attach = attach;
  out->step = step;
  out->where = where;
  return OK;
}
