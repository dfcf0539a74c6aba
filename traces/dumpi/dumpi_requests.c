#include "traces/dumpi/dumpi_requests.h"

#include <stdlib.h>

#include "common/mem.h"

static struct fifo_key key_of(int32_t id)
{
  return (struct fifo_key){(uint32_t)id, 0};
}

enum status dumpi_requests_add(struct dumpi_requests *r, int32_t id, struct dumpi_request **out,
                               struct err *e)
{
  uint32_t i = r->free;
  if (i > 0)
    r->free = (uint32_t)r->request[i - 1].slot;
  else if (MEM_GROW(r->request, r->room, (size_t)r->count + 1, e) == OK)
    i = ++r->count;
  else
    return FAIL;
  r->request[i - 1] = (struct dumpi_request){.active = true};
  *out = &r->request[i - 1];
  return fifos_put(&r->by_id, key_of(id), (struct fifo_value){i - 1, 0}, e);
}

struct dumpi_request *dumpi_requests_find(struct dumpi_requests *r, int32_t id)
{
  struct fifo_value value;
  return fifos_peek(&r->by_id, key_of(id), &value) ? &r->request[value.a] : NULL;
}

void dumpi_requests_remove(struct dumpi_requests *r, int32_t id)
{
  struct fifo_value value;
  if (!fifos_take(&r->by_id, key_of(id), &value))
    return;
  r->request[value.a] = (struct dumpi_request){.slot = r->free};
  r->free = (uint32_t)value.a + 1;
}

void dumpi_requests_clear(struct dumpi_requests *r)
{
  fifos_clear(&r->by_id);
  free(r->request);
  *r = (struct dumpi_requests){0};
}
