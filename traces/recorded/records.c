#include "traces/recorded/records.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

/* A record in the file consists of its kind, the differences of time and place to the last record,
 * and the numbers that its kind needs.  A byte holds 7 bits of a number.  A slot has the kind SLOT,
 * then a struct slot. */
enum { SLOT = 0x80, ENCODED_MAX = 256 };

/* The part of a record that a slot keeps. */
struct slot {
  uint64_t sent, received, volume;
  int32_t partner, tag, name;
  uint32_t comm, root;
  uint8_t kind, mode, receives;
};

enum status records_init(struct records *r, uint32_t ranks, struct err *e)
{
  r->ranks = ranks;
  r->range = mem_array(ranks, sizeof *r->range, e);
  return r->range != NULL ? OK : FAIL;
}

void records_clear(struct records *r)
{
  scratch_clear(&r->file);
  free(r->range);
  *r = (struct records){0};
}

void records_begin(struct records *r, uint32_t rank, uint64_t start)
{
  r->rank = rank;
  r->ticks = start;
  r->place = 0;
  r->range[rank] = (struct record_range){scratch_end(&r->file), scratch_end(&r->file), start};
}

void records_end(struct records *r)
{
  r->range[r->rank].end = scratch_end(&r->file);
}

/* --- writing --------------------------------------------------------------------------------- */

static unsigned char *put_number(unsigned char *p, uint64_t x)
{
  for (; x >= 128; x >>= 7)
    *p++ = (unsigned char)(x | 128);
  *p++ = (unsigned char)x;
  return p;
}

static uint64_t fold(int32_t x)
{
  return (uint32_t)x << 1 ^ (x < 0 ? UINT32_MAX : 0);
}

static int32_t unfold(uint64_t x)
{
  return (int32_t)((uint32_t)x >> 1 ^ (x & 1 ? UINT32_MAX : 0));
}

static bool is_message(uint8_t kind)
{
  return kind >= ACTION_SEND && kind <= ACTION_TEST;
}

/* Begins a record.  The time of a computation is its length. */
static unsigned char *put_head(struct records *r, const struct record *x, uint8_t kind,
                               unsigned char *p)
{
  const bool length = x->kind == ACTION_COMPUTE;
  *p++ = kind;
  p = put_number(p, length ? x->ticks : x->ticks - r->ticks);
  p = put_number(p, x->place - r->place);
  r->ticks = length ? r->ticks : x->ticks;
  r->place = x->place;
  return p;
}

enum status records_put(struct records *r, const struct record *x, struct err *e)
{
  unsigned char text[ENCODED_MAX], *p = put_head(r, x, x->kind, text);
  if (is_message(x->kind)) {
    *p++ = (unsigned char)(x->mode | (x->receives ? 4 : 0));
    p = put_number(p, fold(x->partner));
    p = put_number(p, fold(x->tag));
    p = put_number(p, x->comm);
    p = put_number(p, x->sent);
  } else if (action_is_collective(x->kind)) {
    p = put_number(p, x->comm);
    p = put_number(p, x->root);
    p = put_number(p, x->sent);
    p = put_number(p, x->received);
    p = put_number(p, x->volume);
  }
  return scratch_append(&r->file, text, (size_t)(p - text), e);
}

static struct slot slot_of(const struct record *x)
{
  struct slot s;
  memset(&s, 0, sizeof s);
  s.sent = x->sent;
  s.received = x->received;
  s.volume = x->volume;
  s.partner = x->partner;
  s.tag = x->tag;
  s.name = x->name;
  s.comm = x->comm;
  s.root = x->root;
  s.kind = x->kind;
  s.mode = x->mode;
  s.receives = x->receives;
  return s;
}

enum status records_put_slot(struct records *r, const struct record *x, uint64_t *slot,
                             struct err *e)
{
  unsigned char text[ENCODED_MAX], *p = put_head(r, x, SLOT, text);
  const struct slot s = slot_of(x);
  *slot = scratch_end(&r->file) + (uint64_t)(p - text);
  memcpy(p, &s, sizeof s);
  return scratch_append(&r->file, text, (size_t)(p - text) + sizeof s, e);
}

enum status records_fill(struct records *r, uint64_t slot, const struct record *x, struct err *e)
{
  const struct slot s = slot_of(x);
  return scratch_correct(&r->file, slot, &s, sizeof s, e);
}

/* --- reading --------------------------------------------------------------------------------- */

enum status records_rewind(const struct records *r, struct record_cursor *c, uint32_t rank,
                           size_t room, struct err *e)
{
  const struct record_range *range = &r->range[rank];
  const uint64_t bytes = range->end - range->begin;
  if (bytes < room)
    room = bytes < RECORDS_BUFFER ? RECORDS_BUFFER : (size_t)bytes;
  if (c->room < room) {
    free(c->buffer);
    c->room = 0;
    if ((c->buffer = mem_array(room, 1, e)) == NULL)
      return FAIL;
    c->room = room;
  }
  c->at = range->begin;
  c->end = range->end;
  c->used = c->next = 0;
  c->clock = range->start;
  c->last = (struct record){.kind = RECORD_NONE};
  return OK;
}

/* Keeps ENCODED_MAX bytes in the buffer, or all that are left. */
static enum status refill(const struct records *r, struct record_cursor *c, struct err *e)
{
  const size_t kept = c->used - c->next;
  if (kept >= ENCODED_MAX || c->at == c->end)
    return OK;
  memmove(c->buffer, c->buffer + c->next, kept);
  const uint64_t left = c->end - c->at;
  const size_t n = left < c->room - kept ? (size_t)left : c->room - kept;
  c->used = kept + n;
  c->next = 0;
  c->at += n;
  return scratch_read(&r->file, c->at - n, c->buffer + kept, n, e);
}

static uint64_t take_number(struct record_cursor *c)
{
  uint64_t x = 0;
  for (unsigned shift = 0;; shift += 7) {
    const unsigned char b = c->buffer[c->next++];
    x |= (uint64_t)(b & 127) << shift;
    if (b < 128)
      return x;
  }
}

static void take_slot(struct record_cursor *c, struct record *x)
{
  struct slot s;
  memcpy(&s, c->buffer + c->next, sizeof s);
  c->next += sizeof s;
  x->sent = s.sent;
  x->received = s.received;
  x->volume = s.volume;
  x->partner = s.partner;
  x->tag = s.tag;
  x->name = s.name;
  x->comm = s.comm;
  x->root = s.root;
  x->kind = s.kind;
  x->mode = s.mode;
  x->receives = s.receives;
}

static void take_fields(struct record_cursor *c, struct record *x)
{
  x->name = 0;
  x->volume = 0;
  if (is_message(x->kind)) {
    const unsigned char flags = c->buffer[c->next++];
    x->mode = flags & 3;
    x->receives = (flags & 4) != 0;
    x->partner = unfold(take_number(c));
    x->tag = unfold(take_number(c));
    x->comm = (uint32_t)take_number(c);
    x->sent = take_number(c);
  } else if (action_is_collective(x->kind)) {
    x->comm = (uint32_t)take_number(c);
    x->root = (uint32_t)take_number(c);
    x->sent = take_number(c);
    x->received = take_number(c);
    x->volume = take_number(c);
  }
}

enum status records_next(const struct records *r, struct record_cursor *c, bool *more,
                         struct err *e)
{
  struct record *x = &c->last;
  if (refill(r, c, e) != OK)
    return FAIL;
  *more = c->next < c->used;
  if (!*more)
    return OK;
  x->kind = c->buffer[c->next++];
  const uint64_t ticks = take_number(c);
  c->clock += x->kind == ACTION_COMPUTE ? 0 : ticks;
  x->ticks = x->kind == ACTION_COMPUTE ? ticks : c->clock;
  x->place += take_number(c);
  if (x->kind == SLOT)
    take_slot(c, x);
  else
    take_fields(c, x);
  return OK;
}
