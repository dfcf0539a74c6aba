#include <stdlib.h>

#include "record/record.h"

struct list {
  struct request *first, *last;
};

/* Requests by handle, and by handle and address.  The MPI library may return the same handle for
 * several sends that complete at once, and for requests to MPI_PROC_NULL.  The lists keep equal
 * handles in the order of posting. */
static struct {
  struct list *by_handle, *by_address; /* a power of 2 of each */
  size_t buckets, count;
  struct request *unused;
  uint64_t pending;
} table;

uint64_t requests_value(MPI_Request r)
{
  return (uint64_t)r;
}

static struct list *list_of(struct list *lists, uint64_t key)
{
  return &lists[(key * 0x9e3779b97f4a7c15u >> 32) & (table.buckets - 1)];
}

static uint64_t key_at(uint64_t handle, const void *at)
{
  return handle * 31 + (uintptr_t)at;
}

static void append(struct request *r)
{
  struct list *handle = list_of(table.by_handle, r->handle);
  struct list *address = list_of(table.by_address, key_at(r->handle, r->at));
  r->previous = handle->last;
  r->next = r->next_at = NULL;
  *(handle->last == NULL ? &handle->first : &handle->last->next) = r;
  *(address->last == NULL ? &address->first : &address->last->next_at) = r;
  handle->last = address->last = r;
}

static void grow(void)
{
  struct list *old = table.by_handle;
  const size_t before = table.buckets;
  table.buckets = before == 0 ? 64 : before * 2;
  free(table.by_address);
  table.by_handle = calloc(table.buckets, sizeof *table.by_handle);
  table.by_address = calloc(table.buckets, sizeof *table.by_address);
  if (table.by_handle == NULL || table.by_address == NULL)
    record_refuse("the recorder", "no memory");
  for (size_t i = 0; i < before; i++)
    for (struct request *r = old[i].first, *next; r != NULL; r = next) {
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
  struct request *r;
  if (table.buckets == 0)
    return NULL;
  for (r = list_of(table.by_address, key_at(handle, at))->first; r != NULL; r = r->next_at)
    if (r->handle == handle && r->at == at && !r->taken)
      return r;
  for (r = list_of(table.by_handle, handle)->first; r != NULL; r = r->next)
    if (r->handle == handle && !r->taken)
      return r;
  return NULL;
}

void requests_remove(struct request *r)
{
  struct list *handle = list_of(table.by_handle, r->handle);
  struct list *address = list_of(table.by_address, key_at(r->handle, r->at));
  struct request *before = NULL;
  *(r->previous == NULL ? &handle->first : &r->previous->next) = r->next;
  *(r->next == NULL ? &handle->last : &r->next->previous) = r->previous;
  for (struct request *x = address->first; x != r; x = x->next_at)
    before = x;
  *(before == NULL ? &address->first : &before->next_at) = r->next_at;
  if (address->last == r)
    address->last = before;
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
