#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"
#include "sim/overlay/overlay_internal.h"

/* --- making and freeing ----------------------------------------------------------------------- */

static uint32_t count_hops(const struct overlay *o, uint32_t src, uint32_t dst)
{
  uint32_t n = 0;
  for (uint32_t at = src; at != dst; at = overlay_network_next(&o->network, at, dst))
    n++;
  return n;
}

/* Number of parts of a message.  All parts of a relayed message are equal to within a byte, so that
 * none overtakes another. */
static enum status count_parts(const struct overlay *o, uint64_t bytes, uint32_t hops,
                               uint32_t *parts)
{
  const bool whole = hops == 1 || bytes <= o->spec.segment;
  const uint64_t n = whole ? 1 : (bytes - 1) / o->spec.segment + 1;
  *parts = (uint32_t)n;
  if (n <= UINT32_MAX)
    return OK;
  return err_set(o->err, "overlay: a message of %" PRIu64 " bytes has 2^32 segments or more",
                 bytes);
}

static uint64_t part_bytes(const struct message *c, uint32_t part)
{
  return c->bytes / c->parts + (part < c->bytes % c->parts);
}

static void link_to_all(struct overlay *o, struct message *c)
{
  c->next = o->messages;
  if (c->next != NULL)
    c->next->previous = c;
  o->messages = c;
}

static struct message *new_message(struct overlay *o, struct transfer *t)
{
  const uint32_t hops = count_hops(o, t->src, t->dst);
  uint32_t parts;
  if (count_parts(o, t->bytes, hops, &parts) != OK)
    return NULL;
  struct message *c = mem_array(1, sizeof *c + hops * sizeof *c->hop, o->err);
  if (c == NULL)
    return NULL;
  *c = (struct message){.transfer = t,
                        .src = t->src,
                        .number = o->numbers[t->src]++,
                        .bytes = t->bytes,
                        .extra = t->extra,
                        .parts = parts,
                        .users = 1,
                        .matched = t->posted[RECV_SIDE],
                        .hops = hops};
  uint32_t at = t->src;
  for (uint32_t h = 0; h < hops; h++) {
    c->hop[h] = (struct hop){.of = c, .from = at};
    at = overlay_network_next(&o->network, at, t->dst);
  }
  link_to_all(o, c);
  return c;
}

static void forget(const struct overlay *o, struct transfer *t)
{
  if (o->to->forget != NULL && t->own != NULL)
    o->to->forget(o->to->engine, t);
}

static void free_part(struct overlay *o, struct part *p)
{
  if (p->following != NULL)
    p->following->previous = p->previous;
  if (p->previous != NULL)
    p->previous->following = p->following;
  else
    o->parts = p->following;
  free(p);
}

static void free_message(struct overlay *o, struct message *c)
{
  if (c->next != NULL)
    c->next->previous = c->previous;
  if (c->previous != NULL)
    c->previous->next = c->next;
  else
    o->messages = c->next;
  free(c);
}

void message_clear_all(struct overlay *o)
{
  while (o->parts != NULL)
    free_part(o, o->parts);
  while (o->messages != NULL)
    free_message(o, o->messages);
}

static void leave(struct overlay *o, struct message *c)
{
  if (--c->users > 0)
    return;
  if (c->notification != NULL) {
    forget(o, &c->notification->transfer);
    free_part(o, c->notification);
  }
  free_message(o, c);
}

/* All parts of a hop have arrived: uncounts the hop on wide-area links. */
static void leave_links(struct overlay *o, struct hop *h, uint32_t to)
{
  if (!h->counted)
    return;
  h->counted = false;
  congestion_end(&o->congestion, h->from, to);
}

void message_received(struct overlay *o, struct message *c)
{
  leave_links(o, &c->hop[c->hops - 1], c->transfer->dst);
}

void message_forget(struct overlay *o, struct message *c)
{
  message_received(o, c);
  forget(o, c->transfer);
  leave(o, c);
}

/* --- parts ------------------------------------------------------------------------------------ */

static uint32_t process_after(const struct message *c, uint32_t hop)
{
  return hop + 1 < c->hops ? c->hop[hop + 1].from : c->transfer->dst;
}

/* Makes a transfer from the progress thread of @p from to an actor; NULL: out of memory. */
static struct part *new_transfer(struct overlay *o, struct message *c, uint32_t from, uint32_t to)
{
  struct part *p = mem_array(1, sizeof *p, o->err);
  if (p == NULL) {
    o->failed = true;
    return NULL;
  }
  *p = (struct part){.transfer = {.src = agents_progress(o, from),
                                  .dst = to,
                                  .first = o->to->first,
                                  .detached = true,
                                  .bytes = c->bytes},
                     .of = c,
                     .following = o->parts};
  if (p->following != NULL)
    p->following->previous = p;
  o->parts = p;
  return p;
}

/* Makes part @p part for a hop on which it is a transfer of the overlay; NULL: out of memory. */
static struct part *new_part(struct overlay *o, struct message *c, uint32_t hop, uint32_t part)
{
  const uint32_t from = c->hop[hop].from;
  struct part *p = new_transfer(o, c, from, agents_reader(o, from, process_after(c, hop)));
  if (p == NULL)
    return NULL;
  p->transfer.bytes = part_bytes(c, part);
  p->transfer.extra = (part + 1 == c->parts ? c->extra : 0) +
                      (uint64_t)(c->hop[hop].again * (double)p->transfer.bytes);
  p->hop = hop;
  p->number = part;
  return p;
}

/* Gives both sides of a part to their progress threads. */
static void send_part(struct overlay *o, struct message *c, uint32_t hop, uint32_t part)
{
  const bool with_notification = hop == 0 && part + 1 == c->parts && c->notification != NULL;
  struct part *p = with_notification ? c->notification : new_part(o, c, hop, part);
  if (p == NULL)
    return;
  const uint32_t to = process_after(c, hop);
  c->users++;
  if (!with_notification)
    agents_post(o, c->hop[hop].from, (struct posting){.transfer = &p->transfer, .side = SEND_SIDE});
  agents_post(o, to, (struct posting){.transfer = &p->transfer, .side = RECV_SIDE, .part = p});
}

/* Sends the notification of a message over one hop: the sender's thread has taken the message over.
 */
static void send_notification(struct overlay *o, const struct message *c)
{
  agents_post(o, c->hop[0].from,
              (struct posting){.transfer = &c->notification->transfer, .side = SEND_SIDE});
}

/* Lets a progress thread send the program's transfer over the last hop. */
static void deliver(struct overlay *o, struct message *c)
{
  struct transfer *t = c->transfer;
  const uint32_t from = c->hop[c->hops - 1].from;
  const bool with_notification = c->hops == 1 && c->notification != NULL && c->matched;
  t->detached = true; /* its sender waits for the notification, or not at all */
  if (c->hops > 1) {
    t->src = agents_progress(o, from);
    t->bytes = part_bytes(c, c->parts - 1);
  }
  t->extra += (uint64_t)(c->hop[c->hops - 1].again * (double)t->bytes);
  agents_post(o, from, (struct posting){.transfer = t, .side = SEND_SIDE});
  if (with_notification)
    send_notification(o, c);
}

static bool is_last(const struct message *c, uint32_t hop, uint32_t part)
{
  return hop + 1 == c->hops && part + 1 == c->parts;
}

/* True if the connection of a hop is open.  If it is not, the hop waits for it. */
static bool is_open(struct overlay *o, struct hop *h, uint32_t to)
{
  uint32_t number;
  if (h->open || h->waiting)
    return h->open;
  if (connections_need(&o->connections, h->from, to, overlay_now(o), &number, o->err) != OK) {
    o->failed = true;
    return false;
  }
  h->open = number == CONNECTIONS_OPEN;
  h->waiting = !h->open;
  if (h->waiting) {
    connections_wait(&o->connections, number, &h->waiter);
    agents_set_clock(o);
  }
  return h->open;
}

/* Counts the hop on wide-area links, then lets it wait until all messages sent at this simulated
 * time are counted. */
static bool is_settled(struct overlay *o, struct hop *h, uint32_t to)
{
  if (h->counted || !congestion_concerns(&o->congestion, h->from, to))
    return !h->waiting;
  if (congestion_begin(&o->congestion, h->from, to, o->err) != OK) {
    o->failed = true;
    return false;
  }
  h->counted = h->waiting = true;
  h->waiter.next = NULL;
  if (o->settling.first == NULL) {
    o->settling.first = &h->waiter;
    o->settling.date = overlay_now(o) + 2 * OVERLAY_SAME_TIME_S;
  } else {
    o->settling.last->next = &h->waiter;
  }
  o->settling.last = &h->waiter;
  agents_set_clock(o);
  return false;
}

/* A relayed message that arrives before its receive is posted waits at the last relay. */
static bool may_go(struct overlay *o, struct message *c, uint32_t hop)
{
  struct hop *h = &c->hop[hop];
  if (h->sent == h->have || h->sent - h->arrived == o->window ||
      !is_open(o, h, process_after(c, hop)) || !is_settled(o, h, process_after(c, hop)))
    return false;
  return c->hops == 1 || c->matched || !is_last(c, hop, h->sent);
}

static void pump(struct overlay *o, struct message *c, uint32_t hop)
{
  while (!o->failed && may_go(o, c, hop)) {
    const uint32_t part = c->hop[hop].sent++;
    if (is_last(c, hop, part))
      deliver(o, c);
    else
      send_part(o, c, hop, part);
  }
}

/* --- events ----------------------------------------------------------------------------------- */

/* Makes the notification for which a blocked sender waits: the last part on the first hop of a
 * relayed message, or, if the message goes to its receiver in one hop, a copy of it by the
 * process's own thread. */
static bool make_notification(struct overlay *o, struct message *c)
{
  const uint32_t rank = c->transfer->src;
  const bool relayed = c->hops > 1;
  struct part *p = relayed ? new_part(o, c, 0, c->parts - 1) : new_transfer(o, c, rank, rank);
  if (p == NULL)
    return false;
  if (relayed) {
    p->transfer.src = rank;
    p->transfer.detached = false;
  }
  c->notification_side = relayed ? SEND_SIDE : RECV_SIDE;
  c->notification = p;
  return true;
}

static void post_notification(struct overlay *o, const struct message *c)
{
  struct transfer *t = &c->notification->transfer;
  t->posted[c->notification_side] = true;
  o->to->post(o->to->engine, t, c->notification_side);
}

void message_send(struct overlay *o, struct transfer *t, uint32_t number)
{
  struct message *c = new_message(o, t);
  if (c == NULL || (!t->detached && !make_notification(o, c))) {
    o->failed = true;
    return;
  }
  t->outer = c;
  if (c->hops > 1)
    o->relayed_messages++;
  c->hop[0].open = number == CONNECTIONS_OPEN;
  if (c->notification != NULL)
    post_notification(o, c);
  /* A message starts when its receive is posted, an eager one at once: see struct transfer. */
  const bool settles = congestion_concerns(&o->congestion, c->src, process_after(c, 0));
  const bool waits = c->hops > 1 || settles;
  c->hop[0].have = !waits || c->matched || t->eager ? c->parts : 0;
  pump(o, c, 0);
  if (c->hop[0].have == 0)
    is_open(o, &c->hop[0], process_after(c, 0));
}

void message_matched(struct overlay *o, struct message *c)
{
  c->matched = true;
  if (c->hops == 1) {
    if (c->hop[0].sent > 0 && c->notification != NULL)
      send_notification(o, c);
    c->hop[0].have = 1;
    pump(o, c, 0);
    return;
  }
  c->hop[0].have = c->parts;
  pump(o, c, 0);
  pump(o, c, c->hops - 1);
}

void message_resume(struct overlay *o, struct hop *h)
{
  h->waiting = false;
  h->open = true;
  if (h->counted)
    h->again =
        congestion_again(&o->congestion, h->from, process_after(h->of, (uint32_t)(h - h->of->hop)));
  pump(o, h->of, (uint32_t)(h - h->of->hop));
}

void message_arrived(struct overlay *o, struct part *p)
{
  struct message *c = p->of;
  const uint32_t hop = p->hop;
  assert(p->number == c->hop[hop].arrived); /* no part is lost, doubled or overtaken */
  if (++c->hop[hop].arrived == c->parts)
    leave_links(o, &c->hop[hop], process_after(c, hop));
  if (hop + 1 < c->hops) {
    struct overlay_rank *relay = &o->of_rank[c->hop[hop + 1].from];
    relay->relayed_bytes += p->transfer.bytes;
    relay->relayed_messages += ++c->hop[hop + 1].have == c->parts;
    pump(o, c, hop + 1);
  }
  pump(o, c, hop);
  if (p != c->notification) {
    forget(o, &p->transfer);
    free_part(o, p);
  }
  leave(o, c);
}
