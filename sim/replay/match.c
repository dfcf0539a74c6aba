#include "sim/replay/match.h"

#include <stdlib.h>

#include "common/containers/pairs.h"
#include "common/mem.h"
#include "traces/program/op.h"

/* A queue of messages through link[PAIR] or link[RANK]. */
struct queue {
  struct message *first, *last;
};

enum { PAIR, RANK };

/* Pending messages of a pair of ranks: sends, and receives that name the source. */
struct pair {
  struct queue sends, recvs; /* through link[PAIR] */
};

/* Pending messages to one destination, from any source. */
struct inbox {
  struct queue sends;      /* sends of all its pairs, through link[RANK] */
  struct queue any_source; /* receives from any source, through link[PAIR] */
};

struct matcher {
  uint32_t ranks;
  struct inbox *inbox;
  struct pairs pairs;
  struct pair *pair; /* by number of the pair */
  size_t room;
  uint64_t order;
  struct message *free; /* unused messages, through link[PAIR].next */
  struct block *block;  /* memory of the messages */
};

#define BLOCK 128

struct block {
  struct block *next;
  struct message message[BLOCK];
};

static void queue_push(struct queue *q, struct message *t, int which)
{
  t->link[which].prev = q->last;
  t->link[which].next = NULL;
  if (q->last == NULL)
    q->first = t;
  else
    q->last->link[which].next = t;
  q->last = t;
}

static void queue_remove(struct queue *q, struct message *t, int which)
{
  struct message *prev = t->link[which].prev, *next = t->link[which].next;
  if (prev == NULL)
    q->first = next;
  else
    prev->link[which].next = next;
  if (next == NULL)
    q->last = prev;
  else
    next->link[which].prev = prev;
}

enum status matcher_new(struct matcher **out, uint32_t ranks, struct err *e)
{
  struct matcher *m = mem_array(1, sizeof *m, e);
  if (m == NULL)
    return FAIL;
  m->ranks = ranks;
  m->inbox = mem_array(ranks, sizeof *m->inbox, e);
  if (m->inbox == NULL) {
    matcher_free(m);
    return FAIL;
  }
  *out = m;
  return OK;
}

void matcher_free(struct matcher *m)
{
  if (m == NULL)
    return;
  while (m->block != NULL) {
    struct block *next = m->block->next;
    free(m->block);
    m->block = next;
  }
  free(m->inbox);
  free(m->pair);
  pairs_clear(&m->pairs);
  free(m);
}

static struct pair *need_pair(struct matcher *m, uint32_t src, uint32_t dst, struct err *e)
{
  uint32_t number = pairs_find(&m->pairs, src, dst);
  if (number != PAIRS_NONE)
    return &m->pair[number];
  if (MEM_GROW(m->pair, m->room, (size_t)m->pairs.count + 1, e) != OK)
    return NULL;
  if (pairs_add(&m->pairs, src, dst, &number, e) != OK)
    return NULL;
  m->pair[number] = (struct pair){.sends = {0}};
  return &m->pair[number];
}

static struct message *new_message(struct matcher *m, const struct message *like, struct err *e)
{
  if (m->free == NULL) {
    struct block *b = mem_array(1, sizeof *b, e);
    if (b == NULL)
      return NULL;
    b->next = m->block;
    m->block = b;
    for (int i = 0; i < BLOCK; i++) {
      b->message[i].link[PAIR].next = m->free;
      m->free = &b->message[i];
    }
  }
  struct message *t = m->free;
  m->free = t->link[PAIR].next;
  *t = *like;
  t->open = 2;
  t->order = m->order++;
  return t;
}

bool match_is_last(const struct message *t)
{
  return t->open == 1;
}

void match_close(struct matcher *m, struct message *t)
{
  if (--t->open > 0)
    return;
  t->link[PAIR].next = m->free;
  m->free = t;
}

/* Tags of collectives, below 0, match no wildcard. */
bool match_wants(const struct envelope *want, const struct message *send)
{
  return (want->src == OP_ANY_SOURCE || want->src == send->transfer.src) &&
         (want->tag == send->tag || (want->tag == OP_ANY_TAG && send->tag >= 0)) &&
         want->comm == send->comm;
}

static struct envelope envelope_of(const struct message *recv)
{
  return (struct envelope){recv->transfer.src, recv->tag, recv->comm};
}

static bool wants(const struct message *recv, const struct message *send)
{
  const struct envelope want = envelope_of(recv);
  return match_wants(&want, send);
}

/* The first receive of a queue that matches @p send, or NULL. */
static struct message *first_recv(const struct queue *q, const struct message *send)
{
  struct message *t = q->first;
  while (t != NULL && !wants(t, send))
    t = t->link[PAIR].next;
  return t;
}

struct message *match_send(struct matcher *m, const struct message *send, struct err *e)
{
  struct pair *p = need_pair(m, send->transfer.src, send->transfer.dst, e);
  if (p == NULL)
    return NULL;
  struct inbox *in = &m->inbox[send->transfer.dst];
  struct message *named = first_recv(&p->recvs, send), *any = first_recv(&in->any_source, send);
  struct message *t = named;
  if (named == NULL || (any != NULL && any->order < named->order))
    t = any;
  if (t == NULL) {
    t = new_message(m, send, e);
    if (t != NULL) {
      queue_push(&p->sends, t, PAIR);
      queue_push(&in->sends, t, RANK);
    }
    return t;
  }
  queue_remove(t == any ? &in->any_source : &p->recvs, t, PAIR);
  t->transfer.src = send->transfer.src;
  t->tag = send->tag;
  t->transfer.bytes = send->transfer.bytes;
  t->transfer.detached = send->transfer.detached;
  t->line[SEND_SIDE] = send->line[SEND_SIDE];
  t->transfer.posted[SEND_SIDE] = true;
  return t;
}

/* The first send of a queue that a receive matches, or NULL. */
static struct message *first_send(const struct queue *q, int which, const struct envelope *want)
{
  struct message *t = q->first;
  while (t != NULL && !match_wants(want, t))
    t = t->link[which].next;
  return t;
}

const struct message *match_probe(const struct matcher *m, uint32_t dst,
                                  const struct envelope *want)
{
  if (want->src == OP_ANY_SOURCE)
    return first_send(&m->inbox[dst].sends, RANK, want);
  const uint32_t pair = pairs_find(&m->pairs, want->src, dst);
  return pair == PAIRS_NONE ? NULL : first_send(&m->pair[pair].sends, PAIR, want);
}

/* Matches a receive with a pending send; @p p is their pair. */
static struct message *take_send(struct matcher *m, struct pair *p, struct message *t,
                                 const struct message *recv)
{
  queue_remove(&p->sends, t, PAIR);
  queue_remove(&m->inbox[recv->transfer.dst].sends, t, RANK);
  t->room = recv->room;
  t->line[RECV_SIDE] = recv->line[RECV_SIDE];
  t->transfer.posted[RECV_SIDE] = true;
  return t;
}

/* Queues a receive that found no send. */
static struct message *wait_for_send(struct matcher *m, struct queue *q, const struct message *recv,
                                     struct err *e)
{
  struct message *t = new_message(m, recv, e);
  if (t != NULL)
    queue_push(q, t, PAIR);
  return t;
}

struct message *match_recv(struct matcher *m, const struct message *recv, struct err *e)
{
  struct message *t;
  const struct envelope want = envelope_of(recv);
  if (want.src == OP_ANY_SOURCE) {
    struct inbox *in = &m->inbox[recv->transfer.dst];
    t = first_send(&in->sends, RANK, &want);
    return t == NULL
               ? wait_for_send(m, &in->any_source, recv, e)
               : take_send(m, &m->pair[pairs_find(&m->pairs, t->transfer.src, t->transfer.dst)], t,
                           recv);
  }
  struct pair *p = need_pair(m, recv->transfer.src, recv->transfer.dst, e);
  if (p == NULL)
    return NULL;
  t = first_send(&p->sends, PAIR, &want);
  return t == NULL ? wait_for_send(m, &p->recvs, recv, e) : take_send(m, p, t, recv);
}

const struct message *match_unreceived(const struct matcher *m)
{
  for (uint32_t r = 0; r < m->ranks; r++)
    if (m->inbox[r].sends.first != NULL)
      return m->inbox[r].sends.first;
  return NULL;
}
