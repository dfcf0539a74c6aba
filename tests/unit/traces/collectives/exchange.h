/** @file exchange.h
 *  Executes a collective on all its ranks, like an MPI without buffers: a message is transferred
 *  when both its send and its receive are posted, and ranks that wait for it block until then.
 *  The result is a graph.  A point is a rank between two receptions, in which time its data does
 *  not change.  The point after a reception follows from the previous point of the rank and from
 *  the point at which the sender posted the message.  Each point has a higher number than the
 *  points that it follows from.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "traces/collectives/call.h"

#define EXCHANGE_RANKS 40u
#define EXCHANGE_NONE  UINT32_MAX

struct point {
  uint32_t rank;
  uint32_t before; /* previous point of the rank; EXCHANGE_NONE: none */
  uint32_t from;   /* point of the sender; EXCHANGE_NONE: none */
  uint64_t bytes;  /* received */
};

/* A posted send or receive. */
struct post {
  bool send, matched;
  uint32_t src, dst;
  int32_t tag;
  uint64_t bytes;
  uint32_t at;    /* point of the sender, of the matched send if this is a receive */
  uint64_t size;  /* receive: bytes of the matched message */
  uint32_t later; /* next unmatched post of the same kind between the same ranks */
};

enum exchange_blocked { RUNNING, ON_POST, ON_ALL, DONE };

struct exchange_rank {
  struct call call;
  enum exchange_blocked blocked;
  uint32_t on;    /* the post, if ON_POST */
  uint32_t *open; /* posts of the nonblocking operations since the last WAITALL */
  uint32_t opens;
  uint32_t last; /* last point of the rank */
};

struct exchange {
  uint32_t ranks;
  struct exchange_rank rank[EXCHANGE_RANKS];
  struct point *point;
  struct post *post;
  uint32_t points, posts, point_room, post_room;
  /* Unmatched receives and sends from one rank to another, in the order of posting. */
  uint32_t first[2][EXCHANGE_RANKS][EXCHANGE_RANKS];
  uint64_t digest; /* of all operations */
  char error[160]; /* empty: none */
};

static inline void *exchange_grow(void *array, uint32_t *room, uint32_t used, size_t size)
{
  if (used < *room)
    return array;
  *room = used * 2 + 64;
  array = realloc(array, *room * size);
  assert_non_null(array);
  return array;
}

static inline uint32_t exchange_point(struct exchange *x, struct point p)
{
  x->point = exchange_grow(x->point, &x->point_room, x->points, sizeof *x->point);
  x->point[x->points] = p;
  return x->points++;
}

static inline void exchange_clear(struct exchange *x)
{
  for (uint32_t r = 0; r < EXCHANGE_RANKS; r++)
    free(x->rank[r].open);
  free(x->point);
  free(x->post);
  *x = (struct exchange){.ranks = 0};
}

static inline void exchange_fail(struct exchange *x, const char *what, const struct post *p)
{
  if (x->error[0] == '\0')
    snprintf(x->error, sizeof x->error, "%s: from %u to %u, tag %d, %llu bytes", what, p->src,
             p->dst, p->tag, (unsigned long long)p->bytes);
}

/* Receive @p r takes the message of send @p s. */
static inline void exchange_match(struct exchange *x, struct post *s, struct post *r)
{
  s->matched = r->matched = true;
  r->at = s->at;
  r->size = s->bytes;
  if (s->bytes > r->bytes)
    exchange_fail(x, "a message larger than its receive", s);
}

/* Matches post @p i with the first fitting unmatched post; if there is none, @p i becomes
 * unmatched. */
static inline void exchange_post(struct exchange *x, uint32_t i)
{
  struct post *p = &x->post[i];
  uint32_t *at = &x->first[!p->send][p->src][p->dst];
  while (*at != EXCHANGE_NONE && x->post[*at].tag != p->tag)
    at = &x->post[*at].later;
  if (*at != EXCHANGE_NONE) {
    struct post *other = &x->post[*at];
    *at = other->later;
    exchange_match(x, p->send ? p : other, p->send ? other : p);
    return;
  }
  at = &x->first[p->send][p->src][p->dst];
  while (*at != EXCHANGE_NONE)
    at = &x->post[*at].later;
  *at = i;
}

static inline uint32_t exchange_add(struct exchange *x, uint32_t rank, const struct op *op)
{
  const bool send = op->kind == OP_SEND;
  assert_true(op->peer < x->ranks);
  x->post = exchange_grow(x->post, &x->post_room, x->posts, sizeof *x->post);
  x->post[x->posts] = (struct post){.send = send,
                                    .src = send ? rank : op->peer,
                                    .dst = send ? op->peer : rank,
                                    .tag = op->tag,
                                    .bytes = op->bytes,
                                    .at = x->rank[rank].last,
                                    .later = EXCHANGE_NONE};
  exchange_post(x, x->posts);
  return x->posts++;
}

/* Adds the point after a completed receive. */
static inline void exchange_complete(struct exchange *x, uint32_t rank, uint32_t post)
{
  const struct post *p = &x->post[post];
  struct exchange_rank *r = &x->rank[rank];
  if (!p->send)
    r->last = exchange_point(x, (struct point){rank, r->last, p->at, p->size});
}

static inline void exchange_note(struct exchange *x, uint32_t rank, const struct op *op)
{
  const uint64_t words[] = {rank, op->kind, op->peer, (uint64_t)op->tag, op->bytes, op->request};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    x->digest = (x->digest ^ words[i]) * UINT64_C(0x9E3779B97F4A7C15) + (x->digest >> 29);
}

static inline void exchange_do(struct exchange *x, uint32_t rank, const struct op *op)
{
  struct exchange_rank *r = &x->rank[rank];
  exchange_note(x, rank, op);
  if (op->kind == OP_WAITALL) {
    r->blocked = ON_ALL;
    return;
  }
  if (op->kind == OP_WAIT) {
    assert_true(op->request < r->opens && r->open[op->request] != EXCHANGE_NONE);
    r->blocked = ON_POST;
    r->on = r->open[op->request];
    r->open[op->request] = EXCHANGE_NONE;
    return;
  }
  assert_true(op->kind == OP_SEND || op->kind == OP_RECV);
  const uint32_t post = exchange_add(x, rank, op);
  if (op->request == OP_NO_REQUEST) {
    r->blocked = ON_POST;
    r->on = post;
    return;
  }
  r->open = realloc(r->open, (r->opens + 1) * sizeof *r->open);
  assert_non_null(r->open);
  r->open[r->opens++] = post;
}

/* True if the rank can resume; completes the operations that it waited for. */
static inline bool exchange_freed(struct exchange *x, uint32_t rank)
{
  struct exchange_rank *r = &x->rank[rank];
  if (r->blocked == DONE)
    return false;
  if (r->blocked == ON_POST) {
    if (!x->post[r->on].matched)
      return false;
    exchange_complete(x, rank, r->on);
  }
  if (r->blocked == ON_ALL) {
    for (uint32_t i = 0; i < r->opens; i++)
      if (r->open[i] != EXCHANGE_NONE && !x->post[r->open[i]].matched)
        return false;
    for (uint32_t i = 0; i < r->opens; i++)
      if (r->open[i] != EXCHANGE_NONE)
        exchange_complete(x, rank, r->open[i]);
    r->opens = 0;
  }
  r->blocked = RUNNING;
  return true;
}

static inline bool exchange_advance(struct exchange *x, uint32_t rank)
{
  struct exchange_rank *r = &x->rank[rank];
  bool moved = false;
  while (exchange_freed(x, rank)) {
    struct op op;
    moved = true;
    if (call_step(&r->call, &op)) {
      exchange_do(x, rank, &op);
      continue;
    }
    for (uint32_t i = 0; i < r->opens; i++)
      if (r->open[i] != EXCHANGE_NONE)
        exchange_fail(x, "a request without a wait", &x->post[r->open[i]]);
    r->blocked = DONE;
  }
  return moved;
}

/* Must be called first.  Then the caller fills in x->rank[].call of each rank. */
static inline void exchange_begin(struct exchange *x, uint32_t ranks)
{
  assert_true(ranks <= EXCHANGE_RANKS);
  x->ranks = ranks;
  x->points = x->posts = 0;
  x->digest = ranks;
  x->error[0] = '\0';
  memset(x->first, 0xff, sizeof x->first);
  for (uint32_t r = 0; r < ranks; r++) {
    x->rank[r].last = exchange_point(x, (struct point){r, EXCHANGE_NONE, EXCHANGE_NONE, 0});
    x->rank[r].blocked = RUNNING;
    x->rank[r].opens = 0;
  }
}

static inline void exchange_run(struct exchange *x)
{
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t r = 0; r < x->ranks; r++)
      moved |= exchange_advance(x, r);
  }
  for (uint32_t i = 0; i < x->posts; i++)
    if (!x->post[i].matched)
      exchange_fail(x,
                    x->post[i].send ? "a send without a receive, or a deadlock"
                                    : "a receive without a send, or a deadlock",
                    &x->post[i]);
}
