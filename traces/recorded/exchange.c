#include "traces/recorded/exchange.h"

#include <stdlib.h>

#include "common/containers/heap.h"
#include "common/containers/pairs.h"
#include "common/mem.h"
#include "traces/recorded/fifos.h"

enum { CURSOR_BYTES = 1 << 24, CURSOR_MOST = 65536 };

/* The events of all ranks are taken in the order of their times since the start of the rank, which
 * is close to the order of the program, so that few messages wait for their other side.  A receive
 * before its send shows that the clocks of the two ranks differ.  The later events of the receiver
 * are then delayed by the difference, so that few messages wait even if clocks drift apart. */
struct state {
  const struct records *records;
  bool exact;
  struct record_cursor *cursor; /* by rank */
  uint64_t *late;               /* by rank: ticks by which its next events are taken later */
  struct heap heap;
  struct fifos sent, received; /* times of messages of which only one side was read */
  struct pairs pairs;          /* of ranks with messages */
  int64_t *least;              /* by pair: least time from send to receive, in ticks */
  size_t least_room;
};

static struct fifo_key key_of(uint32_t src, uint32_t dst, const struct record *x)
{
  return (struct fifo_key){(uint64_t)src << 32 | dst, (uint64_t)x->comm << 32 | (uint32_t)x->tag};
}

static enum status compare(struct state *s, struct exchange *x, struct fifo_key key, int64_t took,
                           struct err *e)
{
  uint32_t pair;
  const uint32_t known = s->pairs.count;
  if (pairs_add(&s->pairs, (uint32_t)(key.a >> 32), (uint32_t)key.a, &pair, e) != OK ||
      MEM_GROW(s->least, s->least_room, (size_t)pair + 1, e) != OK)
    return FAIL;
  if (pair == known || took < s->least[pair])
    s->least[pair] = took;
  x->messages++;
  if (took >= 0)
    return OK;
  x->backward++;
  if (0 - (uint64_t)took > x->largest)
    x->largest = 0 - (uint64_t)took;
  return OK;
}

static bool is_send(const struct record *x)
{
  return x->kind == ACTION_SEND || x->kind == ACTION_ISEND;
}

/* Receives match in the order in which they are posted. */
static bool is_receive(const struct record *x)
{
  return x->kind == ACTION_RECV || x->kind == ACTION_IRECV;
}

static uint64_t end_of(const struct record *x)
{
  return x->kind == ACTION_IRECV && x->received > 0 ? x->received : x->ticks;
}

static struct exchange_end end_at(struct fifo_key key)
{
  return (struct exchange_end){(uint32_t)(key.a >> 32), (uint32_t)key.a, (uint32_t)(key.b >> 32),
                               (int32_t)(uint32_t)key.b};
}

/* The turn of an event at @p time: the time since the start of the rank, plus the delay of the
 * rank, in ticks. */
static uint64_t turn_of(const struct state *s, uint32_t rank, uint64_t time)
{
  return time - s->records->range[rank].start + s->late[rank];
}

/* Delays the later events of @p receiver if its receive, at time @p received, came before the turn
 * of the send, @p sent. */
static void delay(struct state *s, uint32_t receiver, uint64_t received, uint64_t sent)
{
  const uint64_t turn = turn_of(s, receiver, received);
  if (turn < sent)
    s->late[receiver] += sent - turn;
}

static enum status note(struct state *s, struct exchange *out, uint32_t rank, struct err *e)
{
  const struct record *x = &s->cursor[rank].last;
  struct fifo_value other;
  if ((!is_send(x) && !is_receive(x)) || x->partner < 0 || x->tag == ACTION_ANY_TAG)
    return OK;
  const bool sends = is_send(x);
  const uint64_t time = sends ? x->ticks : end_of(x);
  const uint32_t partner = (uint32_t)x->partner;
  const struct fifo_key key = sends ? key_of(rank, partner, x) : key_of(partner, rank, x);
  if (!fifos_take(sends ? &s->received : &s->sent, key, &other)) {
    const uint64_t waiting = (uint64_t)s->sent.count + s->received.count + 1;
    out->waiting = waiting > out->waiting ? waiting : out->waiting;
    return fifos_put(sends ? &s->sent : &s->received, key, (struct fifo_value){time, x->sent}, e);
  }
  if (sends)
    delay(s, partner, other.a, turn_of(s, rank, time));
  const uint64_t bytes = sends ? x->sent : other.b, room = sends ? other.b : x->sent;
  if (s->exact ? bytes != room : bytes > room) {
    out->misfit = out->misfits++ == 0 ? end_at(key) : out->misfit;
    return OK;
  }
  return compare(s, out, key, (int64_t)(sends ? other.a - time : time - other.a), e);
}

static enum status step(struct state *s, struct exchange *out, uint32_t rank, struct err *e)
{
  bool more;
  struct record_cursor *c = &s->cursor[rank];
  if (records_next(s->records, c, &more, e) != OK)
    return FAIL;
  if (!more) {
    heap_remove(&s->heap, rank);
    return OK;
  }
  heap_set(&s->heap, rank, turn_of(s, rank, c->clock));
  return note(s, out, rank, e);
}

static enum status begin(struct state *s, struct err *e)
{
  const uint32_t ranks = s->records->ranks;
  const size_t share = CURSOR_BYTES / ranks;
  const size_t room = share < 2048 ? 2048 : share > CURSOR_MOST ? CURSOR_MOST : share;
  if ((s->cursor = mem_array(ranks, sizeof *s->cursor, e)) == NULL ||
      (s->late = mem_array(ranks, sizeof *s->late, e)) == NULL ||
      heap_reserve(&s->heap, ranks, e) != OK)
    return FAIL;
  for (uint32_t rank = 0; rank < ranks; rank++) {
    if (records_rewind(s->records, &s->cursor[rank], rank, room, e) != OK)
      return FAIL;
    heap_set(&s->heap, rank, 0);
  }
  return OK;
}

static void clear(struct state *s)
{
  for (uint32_t r = 0; s->cursor != NULL && r < s->records->ranks; r++)
    free(s->cursor[r].buffer);
  free(s->cursor);
  free(s->late);
  heap_clear(&s->heap);
  fifos_clear(&s->sent);
  fifos_clear(&s->received);
  pairs_clear(&s->pairs);
  free(s->least);
}

/* --- clocks ---------------------------------------------------------------------------------- */

/* Shifts as small as possible with shift[dst] >= shift[src] - least(src, dst): Bellman and Ford's
 * longest paths.  False if no such shifts exist, because clocks also run at different speeds. */
static bool relax(const struct state *s, uint64_t *shift)
{
  for (uint32_t round = 0; round <= s->records->ranks; round++) {
    bool moved = false;
    for (uint32_t i = 0; i < s->pairs.count; i++) {
      const uint32_t src = (uint32_t)(s->pairs.key[i] >> 32), dst = (uint32_t)s->pairs.key[i];
      const int64_t need = (int64_t)(shift[src] - (uint64_t)s->least[i]);
      if (need <= (int64_t)shift[dst])
        continue;
      shift[dst] = (uint64_t)need;
      moved = true;
    }
    if (!moved)
      return true;
  }
  return false;
}

static enum status find_shifts(const struct state *s, struct exchange *out, struct err *e)
{
  if (out->backward == 0)
    return OK;
  if ((out->shift = mem_array(s->records->ranks, sizeof *out->shift, e)) == NULL)
    return FAIL;
  if (!relax(s, out->shift)) {
    free(out->shift);
    out->shift = NULL;
  }
  return OK;
}

static struct exchange_end any_of(const struct fifos *f)
{
  struct fifo_key key = {0, 0};
  struct fifo_value value;
  size_t from = 0;
  (void)fifos_any(f, &from, &key, &value);
  return end_at(key);
}

enum status exchange_check(struct exchange *out, const struct records *r, bool exact, struct err *e)
{
  struct state s = {.records = r, .exact = exact};
  struct exchange x = {0};
  enum status status = begin(&s, e);
  while (status == OK && heap_count(&s.heap) > 0)
    status = step(&s, &x, heap_first(&s.heap), e);
  x.unreceived = s.sent.count;
  x.unsent = s.received.count;
  x.not_received = any_of(&s.sent);
  x.not_sent = any_of(&s.received);
  if (status == OK)
    status = find_shifts(&s, &x, e);
  clear(&s);
  if (status == OK)
    *out = x;
  return status;
}
