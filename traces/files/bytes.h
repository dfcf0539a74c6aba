/** @file bytes.h
 *  Private to traces/: random access to the bytes of one file.  A compressed file is first unpacked
 *  to an unnamed temporary file.  Does not interpret the bytes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** An open file.  Several readers may share one. */
struct bytes {
  const char *name; /**< the path; owned by the caller of bytes_open() */
  int fd;
  uint64_t size; /**< unpacked */
};

/** Stores the first bytes, unpacked, of a regular file and returns their number, at most @p room; 0
 *  for any other kind of file.  For sniff() of a format. */
size_t bytes_peek(const char *path, char *buffer, size_t room);

/** Opens the regular file @p path, which must outlive @p b.  Fails if unpacking needs more than
 *  @p unpack_limit bytes.  Close with bytes_close(). */
enum status bytes_open(struct bytes *b, const char *path, uint64_t unpack_limit, struct err *e);

/** Closes the file.  Accepts a struct with fd -1. */
void bytes_close(struct bytes *b);

/** Stores up to @p room bytes from @p offset on; *got is smaller only at the end of the file. */
enum status bytes_read(const struct bytes *b, uint64_t offset, void *buffer, size_t room,
                       size_t *got, struct err *e);

/** Stores @p size bytes from @p offset on; fails if the file is too short. */
enum status bytes_need(const struct bytes *b, uint64_t offset, void *buffer, size_t size,
                       struct err *e);

/** Sets an error "FILE: offset N: WHAT" and returns FAIL. */
enum status bytes_refuse(const struct bytes *b, uint64_t offset, struct err *e, const char *fmt,
                         ...) __attribute__((format(printf, 4, 5)));

/** A position in a file: `from` of a struct lines_input. */
struct bytes_cursor {
  const struct bytes *bytes;
  uint64_t offset;
};

/** `read` of a struct lines_input; @p cursor is a struct bytes_cursor. */
enum status bytes_next(void *cursor, char *buffer, size_t room, size_t *got, struct err *e);

/** Writes @p n bytes to @p fd; false on failure, with errno set. */
bool bytes_write(int fd, const char *p, size_t n);
