/** @file wire.h
 *  Private to traces/: the wire format of Protocol Buffers (varints and fields by number), as far
 *  as Chakra needs it: a file of messages, each after its length.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/files/bytes.h"

/** Some bytes within a message. */
struct wire {
  const unsigned char *at, *end;
};

/** A field of a message.  Numbers of 4 and 8 bytes and varints are in `value`. */
struct wire_field {
  uint32_t number;
  bool is_bytes;     /**< a string, bytes, a message or a packed list */
  uint64_t value;    /**< if not is_bytes */
  struct wire bytes; /**< if is_bytes */
};

/** Takes a varint from the front of @p w; fails at its end, or for more than 10 bytes. */
enum status wire_varint(struct wire *w, uint64_t *out, struct err *e);

/** Takes the next field; *more is false at the end.  Refuses groups. */
enum status wire_next(struct wire *w, struct wire_field *out, bool *more, struct err *e);

/** Reads messages, one at a time.  Set `file`, and zero the other fields. */
struct wire_reader {
  const struct bytes *file;
  uint64_t offset; /**< of the next message's length */
  uint64_t begin;  /**< of the length of the current message */
  unsigned char *buffer;
  size_t room;
};

/** Reads the next message; *more is false at the end of the file.  *out is valid until the next
 *  call.  Memory is proportional to the message, which must be within the file. */
enum status wire_message(struct wire_reader *r, struct wire *out, bool *more, struct err *e);

/** Frees the buffer. */
void wire_clear(struct wire_reader *r);
