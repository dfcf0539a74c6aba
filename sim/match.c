#include "sim/match.h"

#include <stdlib.h>

#include "common/mem.h"
#include "traces/op.h"

/* A queue of transfers through link[PAIR] or link[RANK]. */
struct queue {
  struct transfer *first, *last;
};

enum { PAIR, RANK };

/* What a pair of ranks has pending: sends, or receives that name the source. */
struct pair {
  uint32_t src, dst;
  struct queue sends, recvs; /* through link[PAIR] */
};

/* What a destination has pending from anyone. */
struct inbox {
  struct queue sends;      /* all of its pairs' sends, through link[RANK] */
  struct queue any_source; /* receives, through link[PAIR] */
};

struct matcher {
  uint32_t ranks;
  struct inbox *inbox;
  struct pair *pair; /* in the order of their first use: close to what is used next to them */
  size_t pairs, pair_room;
  uint32_t *index; /* into pair[], plus 1; 0: free; by open addressing */
  size_t room;     /* of index: a power of two */
  uint64_t order;
  struct transfer *free; /* through link[PAIR].next */
  struct block *block;   /* where transfers live */
};

#define BLOCK 128

struct block {
  struct block *next;
  struct transfer transfer[BLOCK];
};

static void queue_push(struct queue *q, struct transfer *t, int which)
{
  t->link[which].prev = q->last;
  t->link[which].next = NULL;
  if (q->last == NULL)
    q->first = t;
  else
    q->last->link[which].next = t;
  q->last = t;
}

static void queue_remove(struct queue *q, struct transfer *t, int which)
{
  struct transfer *prev = t->link[which].prev, *next = t->link[which].next;
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
  m->room = 64;
  m->inbox = mem_array(ranks, sizeof *m->inbox, e);
  m->index = mem_array(m->room, sizeof *m->index, e);
  if (m->inbox == NULL || m->index == NULL) {
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
  free(m->index);
  free(m);
}

/* Where in the index the pair is or would be. */
static uint32_t *probe(const struct matcher *m, uint32_t src, uint32_t dst)
{
  const uint64_t h = ((uint64_t)dst << 32 | src) * UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = h ^ (h >> 32);; i++) {
    uint32_t *at = &m->index[i & (m->room - 1)];
    if (*at == 0 || (m->pair[*at - 1].src == src && m->pair[*at - 1].dst == dst))
      return at;
  }
}

/* Room for one more pair. */
static enum status grow_pairs(struct matcher *m, struct err *e)
{
  void *pairs = m->pair;
  if (mem_grow(&pairs, &m->pair_room, m->pairs + 1, sizeof *m->pair, e) != OK)
    return FAIL;
  m->pair = pairs;
  if (m->pairs * 2 < m->room)
    return OK;
  uint32_t *index = mem_array(m->room * 2, sizeof *index, e);
  if (index == NULL)
    return FAIL;
  free(m->index);
  m->index = index;
  m->room *= 2;
  for (uint32_t i = 0; i < m->pairs; i++)
    *probe(m, m->pair[i].src, m->pair[i].dst) = i + 1;
  return OK;
}

static struct pair *need_pair(struct matcher *m, uint32_t src, uint32_t dst, struct err *e)
{
  uint32_t *at = probe(m, src, dst);
  if (*at != 0)
    return &m->pair[*at - 1];
  if (grow_pairs(m, e) != OK)
    return NULL;
  m->pair[m->pairs] = (struct pair){.src = src, .dst = dst};
  *probe(m, src, dst) = (uint32_t)m->pairs + 1;
  return &m->pair[m->pairs++];
}

static struct transfer *new_transfer(struct matcher *m, const struct transfer *like, struct err *e)
{
  if (m->free == NULL) {
    struct block *b = mem_array(1, sizeof *b, e);
    if (b == NULL)
      return NULL;
    b->next = m->block;
    m->block = b;
    for (int i = 0; i < BLOCK; i++) {
      b->transfer[i].link[PAIR].next = m->free;
      m->free = &b->transfer[i];
    }
  }
  struct transfer *t = m->free;
  m->free = t->link[PAIR].next;
  *t = *like;
  t->open = 2;
  t->order = m->order++;
  return t;
}

void match_close(struct matcher *m, struct transfer *t)
{
  if (--t->open > 0)
    return;
  t->link[PAIR].next = m->free;
  m->free = t;
}

bool match_wants(uint32_t src, int32_t tag, uint32_t from, int32_t with)
{
  return (src == OP_ANY_SOURCE || src == from) && (tag == with || (tag == OP_ANY_TAG && with >= 0));
}

/* The first of a queue of receives that takes @p send. */
static struct transfer *first_recv(const struct queue *q, const struct transfer *send)
{
  struct transfer *t = q->first;
  while (t != NULL && !match_wants(t->src, t->tag, send->src, send->tag))
    t = t->link[PAIR].next;
  return t;
}

struct transfer *match_send(struct matcher *m, const struct transfer *send, struct err *e)
{
  struct pair *p = need_pair(m, send->src, send->dst, e);
  if (p == NULL)
    return NULL;
  struct inbox *in = &m->inbox[send->dst];
  struct transfer *named = first_recv(&p->recvs, send), *any = first_recv(&in->any_source, send);
  struct transfer *t = named;
  if (named == NULL || (any != NULL && any->order < named->order))
    t = any;
  if (t == NULL) {
    t = new_transfer(m, send, e);
    if (t != NULL) {
      queue_push(&p->sends, t, PAIR);
      queue_push(&in->sends, t, RANK);
    }
    return t;
  }
  queue_remove(t == any ? &in->any_source : &p->recvs, t, PAIR);
  t->src = send->src;
  t->tag = send->tag;
  t->bytes = send->bytes;
  t->detached = send->detached;
  t->line[SEND_SIDE] = send->line[SEND_SIDE];
  t->posted[SEND_SIDE] = true;
  return t;
}

/* The first of a queue of sends that a receive takes. */
static struct transfer *first_send(const struct queue *q, int which, uint32_t src, int32_t tag)
{
  struct transfer *t = q->first;
  while (t != NULL && !match_wants(src, tag, t->src, t->tag))
    t = t->link[which].next;
  return t;
}

const struct transfer *match_probe(const struct matcher *m, uint32_t dst, uint32_t src, int32_t tag)
{
  if (src == OP_ANY_SOURCE)
    return first_send(&m->inbox[dst].sends, RANK, src, tag);
  const uint32_t pair = *probe(m, src, dst);
  return pair == 0 ? NULL : first_send(&m->pair[pair - 1].sends, PAIR, src, tag);
}

/* A receive takes a send; @p p is their pair. */
static struct transfer *take_send(struct matcher *m, struct pair *p, struct transfer *t,
                                  const struct transfer *recv)
{
  queue_remove(&p->sends, t, PAIR);
  queue_remove(&m->inbox[recv->dst].sends, t, RANK);
  t->room = recv->room;
  t->line[RECV_SIDE] = recv->line[RECV_SIDE];
  t->posted[RECV_SIDE] = true;
  return t;
}

/* A receive that found no send. */
static struct transfer *wait_for_send(struct matcher *m, struct queue *q,
                                      const struct transfer *recv, struct err *e)
{
  struct transfer *t = new_transfer(m, recv, e);
  if (t != NULL)
    queue_push(q, t, PAIR);
  return t;
}

struct transfer *match_recv(struct matcher *m, const struct transfer *recv, struct err *e)
{
  struct transfer *t;
  if (recv->src == OP_ANY_SOURCE) {
    struct inbox *in = &m->inbox[recv->dst];
    t = first_send(&in->sends, RANK, recv->src, recv->tag);
    return t == NULL ? wait_for_send(m, &in->any_source, recv, e)
                     : take_send(m, &m->pair[*probe(m, t->src, t->dst) - 1], t, recv);
  }
  struct pair *p = need_pair(m, recv->src, recv->dst, e);
  if (p == NULL)
    return NULL;
  t = first_send(&p->sends, PAIR, recv->src, recv->tag);
  return t == NULL ? wait_for_send(m, &p->recvs, recv, e) : take_send(m, p, t, recv);
}

const struct transfer *match_unreceived(const struct matcher *m)
{
  for (uint32_t r = 0; r < m->ranks; r++)
    if (m->inbox[r].sends.first != NULL)
      return m->inbox[r].sends.first;
  return NULL;
}
