#include "traces/recorded/scratch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/files/temp.h"
#include "common/mem.h"

enum { BUFFER = 1 << 20 };

#define WHAT "the translated trace"

/* Creates the file on the first write. */
static enum status need_file(struct scratch *s, struct err *e)
{
  int fd;
  if (s->fd > 0)
    return OK;
  if (temp_unnamed(&fd, e) != OK)
    return FAIL;
  s->fd = fd + 1;
  return OK;
}

enum status scratch_flush(struct scratch *s, struct err *e)
{
  if (s->used == 0)
    return OK;
  if (need_file(s, e) != OK || temp_write(s->fd - 1, s->flushed, s->buffer, s->used, WHAT, e) != OK)
    return FAIL;
  s->flushed += s->used;
  s->used = 0;
  return OK;
}

enum status scratch_take(const struct scratch *s, size_t size, struct err *e)
{
  struct scratch_budget *b = s->budget;
  if (b == NULL)
    return OK;
  if (size > b->limit - b->used)
    return err_set(e, "%s: takes more than %" PRIu64 " bytes; --unpack-limit allows more", s->name,
                   b->limit);
  b->used += size;
  return OK;
}

enum status scratch_append(struct scratch *s, const void *data, size_t size, struct err *e)
{
  if (scratch_take(s, size, e) != OK)
    return FAIL;
  if (s->buffer == NULL && (s->buffer = mem_array(BUFFER, 1, e)) == NULL)
    return FAIL;
  if (s->used + size > BUFFER && scratch_flush(s, e) != OK)
    return FAIL;
  memcpy(s->buffer + s->used, data, size);
  s->used += size;
  return OK;
}

enum status scratch_correct(struct scratch *s, uint64_t at, const void *data, size_t size,
                            struct err *e)
{
  if (at < s->flushed)
    return temp_write(s->fd - 1, at, data, size, WHAT, e);
  memcpy(s->buffer + (at - s->flushed), data, size);
  return OK;
}

enum status scratch_read(const struct scratch *s, uint64_t at, void *data, size_t size,
                         struct err *e)
{
  return temp_read(s->fd - 1, at, data, size, WHAT, e);
}

void scratch_clear(struct scratch *s)
{
  if (s->fd > 0)
    close(s->fd - 1);
  free(s->buffer);
  *s = (struct scratch){0};
}
