#include "traces/recorded/fifos.h"

#include <stdlib.h>

#include "common/containers/index.h"
#include "common/mem.h"

/* The first entry of a queue is in the chain of a bucket.  The other entries of the queue are
 * linked to it by `behind`. */
struct fifo_entry {
  struct fifo_key key;
  struct fifo_value value;
  uint32_t next;   /* first entry of the next queue in the bucket, or next free entry; plus 1 */
  uint32_t behind; /* next value of the queue; plus 1 */
  uint32_t last;   /* last value of the queue; plus 1; valid in its first entry */
};

static size_t bucket_of(const struct fifos *f, struct fifo_key key)
{
  return (size_t)index_mix(index_mix(key.a) ^ key.b) & (f->buckets - 1);
}

/* The link to the first entry of the queue of @p key; it holds 0 if the queue is empty. */
static uint32_t *find(const struct fifos *f, struct fifo_key key)
{
  uint32_t *link = &f->bucket[bucket_of(f, key)];
  while (*link != 0) {
    struct fifo_entry *x = &f->entry[*link - 1];
    if (x->key.a == key.a && x->key.b == key.b)
      break;
    link = &x->next;
  }
  return link;
}

/* Doubles the number of buckets when it is equal to the number of values. */
static enum status grow(struct fifos *f, struct err *e)
{
  if (f->count < f->buckets)
    return OK;
  struct fifos old = *f;
  f->buckets = old.buckets == 0 ? 64 : old.buckets * 2;
  if ((f->bucket = mem_array(f->buckets, sizeof *f->bucket, e)) == NULL) {
    *f = old;
    return FAIL;
  }
  for (size_t b = 0; b < old.buckets; b++)
    for (uint32_t i = old.bucket[b], next; i != 0; i = next) {
      uint32_t *first = &f->bucket[bucket_of(f, f->entry[i - 1].key)];
      next = f->entry[i - 1].next;
      f->entry[i - 1].next = *first;
      *first = i;
    }
  free(old.bucket);
  return OK;
}

enum status fifos_put(struct fifos *f, struct fifo_key key, struct fifo_value value, struct err *e)
{
  uint32_t i = f->free;
  if (grow(f, e) != OK)
    return FAIL;
  if (i != 0)
    f->free = f->entry[i - 1].next;
  else if (MEM_GROW(f->entry, f->room, (size_t)f->used + 1, e) == OK)
    i = ++f->used;
  else
    return FAIL;
  uint32_t *link = find(f, key);
  f->entry[i - 1] = (struct fifo_entry){.key = key, .value = value, .last = i};
  if (*link == 0) {
    *link = i;
  } else {
    struct fifo_entry *first = &f->entry[*link - 1];
    f->entry[first->last - 1].behind = i;
    first->last = i;
  }
  f->count++;
  return OK;
}

bool fifos_take(struct fifos *f, struct fifo_key key, struct fifo_value *value)
{
  if (f->buckets == 0)
    return false;
  uint32_t *link = find(f, key);
  const uint32_t i = *link;
  if (i == 0)
    return false;
  struct fifo_entry *x = &f->entry[i - 1];
  *value = x->value;
  *link = x->next;
  if (x->behind != 0) {
    *link = x->behind;
    f->entry[x->behind - 1].next = x->next;
    f->entry[x->behind - 1].last = x->last;
  }
  x->next = f->free;
  f->free = i;
  f->count--;
  return true;
}

bool fifos_peek(const struct fifos *f, struct fifo_key key, struct fifo_value *value)
{
  const uint32_t i = f->buckets == 0 ? 0 : *find(f, key);
  if (i > 0)
    *value = f->entry[i - 1].value;
  return i > 0;
}

bool fifos_any(const struct fifos *f, size_t *from, struct fifo_key *key, struct fifo_value *value)
{
  while (*from < f->buckets && f->bucket[*from] == 0)
    ++*from;
  if (*from == f->buckets)
    return false;
  const struct fifo_entry *x = &f->entry[f->bucket[*from] - 1];
  *key = x->key;
  *value = x->value;
  return true;
}

void fifos_clear(struct fifos *f)
{
  free(f->entry);
  free(f->bucket);
  *f = (struct fifos){0};
}
