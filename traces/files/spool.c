#include "traces/files/spool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/files/temp.h"
#include "common/mem.h"

enum { CHUNK_MIN = 512, CHUNK_MAX = 65536, MEMORY = 1 << 26 };

#define WHAT "the unpacked trace"

/* Header of a chunk on disk.  No chunk has offset 0. */
struct chunk {
  uint64_t next;
  uint64_t size;
};

struct stream {
  uint64_t first, last; /* offsets of chunks; 0: none yet */
  char *pending;
  size_t room, used;
};

struct spool {
  int fd;
  uint64_t end;
  struct stream *stream;
  size_t count, capacity;
  char *name;
  uint64_t limit, bytes; /* bytes of all streams: allowed; so far */
};

enum status spool_new(struct spool **out, const char *name, uint64_t limit, struct err *e)
{
  struct spool *s = mem_array(1, sizeof *s, e);
  if (s == NULL)
    return FAIL;
  s->fd = -1;
  s->end = sizeof(struct chunk);
  s->limit = limit;
  if ((s->name = mem_strdup(name, e)) == NULL) {
    spool_free(s);
    return FAIL;
  }
  *out = s;
  return OK;
}

void spool_free(struct spool *s)
{
  if (s == NULL)
    return;
  for (size_t i = 0; i < s->count; i++)
    free(s->stream[i].pending);
  if (s->fd >= 0)
    close(s->fd);
  free(s->stream);
  free(s->name);
  free(s);
}

enum status spool_add(struct spool *s, uint32_t *stream, struct err *e)
{
  if (MEM_GROW(s->stream, s->capacity, s->count + 1, e) != OK)
    return FAIL;
  s->stream[s->count] = (struct stream){0};
  *stream = (uint32_t)s->count++;
  return OK;
}

static enum status write_at(struct spool *s, const void *data, size_t size, uint64_t at,
                            struct err *e)
{
  return s->fd < 0 && temp_unnamed(&s->fd, e) != OK ? FAIL
                                                    : temp_write(s->fd, at, data, size, WHAT, e);
}

/* Writes the pending bytes as one chunk and links it to the last chunk of the stream. */
static enum status write_chunk(struct spool *s, struct stream *st, struct err *e)
{
  const struct chunk head = {0, st->used};
  const uint64_t at = s->end;
  if (write_at(s, &head, sizeof head, at, e) != OK ||
      write_at(s, st->pending, st->used, at + sizeof head, e) != OK)
    return FAIL;
  if (st->last != 0 && write_at(s, &at, sizeof at, st->last, e) != OK)
    return FAIL;
  if (st->first == 0)
    st->first = at;
  st->last = at;
  st->used = 0;
  s->end = at + sizeof head + head.size;
  return OK;
}

static size_t chunk_limit(const struct spool *s)
{
  const size_t share = MEMORY / s->count;
  return share < CHUNK_MIN ? CHUNK_MIN : share > CHUNK_MAX ? CHUNK_MAX : share;
}

enum status spool_append(struct spool *s, uint32_t stream, const void *data, size_t size,
                         struct err *e)
{
  struct stream *st = &s->stream[stream];
  const size_t limit = chunk_limit(s);
  if (size > s->limit - s->bytes)
    return err_set(e, "%s: unpacks to more than %" PRIu64 " bytes; --unpack-limit allows more",
                   s->name, s->limit);
  s->bytes += size;
  for (size_t done = 0; done < size;) {
    if (st->used >= limit && write_chunk(s, st, e) != OK)
      return FAIL;
    const size_t fits = limit - st->used, left = size - done, n = left < fits ? left : fits;
    if (MEM_GROW(st->pending, st->room, st->used + n, e) != OK)
      return FAIL;
    memcpy(st->pending + st->used, (const char *)data + done, n);
    st->used += n;
    done += n;
  }
  return OK;
}

enum status spool_flush(struct spool *s, uint32_t stream, struct err *e)
{
  struct stream *st = &s->stream[stream];
  if (st->used > 0 && write_chunk(s, st, e) != OK)
    return FAIL;
  free(st->pending);
  st->pending = NULL;
  st->room = 0;
  return OK;
}

struct spool_cursor spool_start(const struct spool *s, uint32_t stream)
{
  return (struct spool_cursor){s->stream[stream].first, 0, 0};
}

enum status spool_read(const struct spool *s, struct spool_cursor *c, char *buffer, size_t room,
                       size_t *got, struct err *e)
{
  size_t done = 0;
  struct spool_cursor now = *c;
  while (done < room && (now.left > 0 || now.next != 0)) {
    if (now.left == 0) {
      struct chunk head;
      if (temp_read(s->fd, now.next, &head, sizeof head, WHAT, e) != OK)
        return FAIL;
      now = (struct spool_cursor){head.next, now.next + sizeof head, head.size};
    }
    const size_t n = now.left < room - done ? (size_t)now.left : room - done;
    if (temp_read(s->fd, now.at, buffer + done, n, WHAT, e) != OK)
      return FAIL;
    now.at += n;
    now.left -= n;
    done += n;
  }
  *c = now;
  *got = done;
  return OK;
}
