#include <stdlib.h>

#include "record/record.h"

/* Requests by handle.  The MPI library may return the same handle for several sends that complete
 * at once, and for requests to MPI_PROC_NULL.  A bucket keeps equal handles in the order of
 * posting. */
static struct {
  struct request **bucket; /* a power of 2 of them */
  size_t buckets, count;
  struct request *unused;
  uint64_t pending;
} table;

uint64_t requests_value(MPI_Request r)
{
  return (uint64_t)r;
}

static struct request **bucket_of(uint64_t handle)
{
  return &table.bucket[(handle * 0x9e3779b97f4a7c15u >> 32) & (table.buckets - 1)];
}

static void append(struct request *r)
{
  struct request **at = bucket_of(r->handle);
  while (*at != NULL)
    at = &(*at)->next;
  r->next = NULL;
  *at = r;
}

static void grow(void)
{
  struct request **old = table.bucket;
  const size_t before = table.buckets;
  table.buckets = before == 0 ? 64 : before * 2;
  table.bucket = calloc(table.buckets, sizeof(struct request *));
  if (table.bucket == NULL)
    record_refuse("the recorder", "no memory");
  for (size_t i = 0; i < before; i++)
    for (struct request *r = old[i], *next; r != NULL; r = next) {
      next = r->next;
      append(r);
    }
  free(old);
}

static struct request *take_unused(void)
{
  enum { BLOCK = 64 };
  if (table.unused == NULL) {
    struct request *block = calloc(BLOCK, sizeof *block);
    if (block == NULL)
      record_refuse("the recorder", "no memory");
    for (int i = 0; i < BLOCK; i++) {
      block[i].next = table.unused;
      table.unused = &block[i];
    }
  }
  struct request *r = table.unused;
  table.unused = r->next;
  return r;
}

struct request *requests_add(const MPI_Request *at, const struct request *like)
{
  if (table.count >= table.buckets)
    grow();
  struct request *r = take_unused();
  *r = *like;
  r->handle = requests_value(*at);
  r->at = at;
  append(r);
  table.count++;
  return r;
}

struct request *requests_find(uint64_t handle, const void *at)
{
  struct request *first = NULL;
  if (table.buckets == 0)
    return NULL;
  for (struct request *r = *bucket_of(handle); r != NULL; r = r->next) {
    if (r->handle != handle || r->taken)
      continue;
    if (r->at == at)
      return r;
    first = first == NULL ? r : first;
  }
  return first;
}

void requests_remove(struct request *r)
{
  struct request **at = bucket_of(r->handle);
  while (*at != r)
    at = &(*at)->next;
  *at = r->next;
  r->next = table.unused;
  table.unused = r;
  table.count--;
}

uint64_t requests_pending(void)
{
  return table.pending;
}

static bool is_message(const struct request *r)
{
  return r->kind == REQUEST_SEND || r->kind == REQUEST_RECV;
}

void requests_begin(struct request *r)
{
  r->pending = true;
  table.pending += is_message(r);
}

void requests_complete(struct request *r)
{
  if (r->pending && is_message(r) && record.on)
    table.pending--;
  r->pending = r->cancelled = r->taken = false;
  if (!r->persistent)
    requests_remove(r);
}

/* The request still counts as pending, so that no waitall is written, which would wait for it.
 */
void requests_abandon(struct request *r)
{
  requests_remove(r);
}
