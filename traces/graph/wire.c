#include "traces/graph/wire.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"

enum { VARINT_BYTES = 10 };
enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

enum status wire_varint(struct wire *w, uint64_t *out, struct err *e)
{
  uint64_t value = 0;
  for (unsigned i = 0; i < VARINT_BYTES; i++) {
    if (w->at == w->end)
      return err_set(e, "a number is cut off");
    const unsigned char c = *w->at++;
    value |= (uint64_t)(c & 0x7f) << (7 * i);
    if (c < 0x80) {
      *out = value;
      return OK;
    }
  }
  return err_set(e, "a number of more than %d bytes", VARINT_BYTES);
}

static enum status take_fixed(struct wire *w, unsigned bytes, uint64_t *out, struct err *e)
{
  uint64_t value = 0;
  if ((size_t)(w->end - w->at) < bytes)
    return err_set(e, "a number of %u bytes is cut off", bytes);
  for (unsigned i = bytes; i-- > 0;)
    value = value << 8 | w->at[i];
  w->at += bytes;
  *out = value;
  return OK;
}

static enum status take_bytes(struct wire *w, struct wire_field *f, struct err *e)
{
  uint64_t length = 0;
  if (wire_varint(w, &length, e) != OK)
    return FAIL;
  if (length > (uint64_t)(w->end - w->at))
    return err_set(e, "field %" PRIu32 " has %" PRIu64 " bytes, and %zu are left", f->number,
                   length, (size_t)(w->end - w->at));
  f->bytes = (struct wire){w->at, w->at + length};
  w->at += length;
  return OK;
}

enum status wire_next(struct wire *w, struct wire_field *out, bool *more, struct err *e)
{
  uint64_t key = 0;
  *more = w->at < w->end;
  if (!*more)
    return OK;
  if (wire_varint(w, &key, e) != OK)
    return FAIL;
  if (key >> 3 == 0 || key >> 3 > UINT32_MAX)
    return err_set(e, "the field number %" PRIu64 " is not 1 to %" PRIu32, key >> 3, UINT32_MAX);
  *out = (struct wire_field){.number = (uint32_t)(key >> 3), .is_bytes = (key & 7) == BYTES};
  switch (key & 7) {
  case VARINT:
    return wire_varint(w, &out->value, e);
  case FIXED64:
    return take_fixed(w, 8, &out->value, e);
  case FIXED32:
    return take_fixed(w, 4, &out->value, e);
  case BYTES:
    return take_bytes(w, out, e);
  default:
    return err_set(e, "field %" PRIu32 " has the unknown wire type %u", out->number,
                   (unsigned)(key & 7));
  }
}

enum status wire_message(struct wire_reader *r, struct wire *out, bool *more, struct err *e)
{
  unsigned char head[VARINT_BYTES];
  size_t got = 0;
  uint64_t length = 0;
  if (bytes_read(r->file, r->offset, head, sizeof head, &got, e) != OK)
    return FAIL;
  *more = got > 0;
  if (!*more)
    return OK;
  struct wire w = {head, head + got};
  struct err why;
  r->begin = r->offset;
  if (wire_varint(&w, &length, &why) != OK)
    return bytes_refuse(r->file, r->begin, e, "%s", why.text);
  r->offset += (uint64_t)(w.at - head);
  if (length > r->file->size - r->offset)
    return bytes_refuse(r->file, r->begin, e,
                        "a message of %" PRIu64 " bytes, and %" PRIu64 " are left", length,
                        r->file->size - r->offset);
  if (MEM_GROW(r->buffer, r->room, length + 1, e) != OK ||
      bytes_need(r->file, r->offset, r->buffer, length, e) != OK)
    return FAIL;
  r->offset += length;
  *out = (struct wire){r->buffer, r->buffer + length};
  return OK;
}

void wire_clear(struct wire_reader *r)
{
  free(r->buffer);
  r->buffer = NULL;
  r->room = 0;
}
