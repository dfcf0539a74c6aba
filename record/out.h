/** @file out.h
 *  A text file that grows through a window in memory, shared with the file.  Written text
 *  stays in the file if the process is killed; up to 64 KiB of NUL bytes then follow it.
 *  A window takes 1 MiB of memory, whatever the size of the file.  The file is locked with flock()
 *  while it is open, because truncating it would end the process that writes through the window.
 *
 *  With compression, each full window is also added to PATH.zst as a frame of zstd, and the file
 *  gives its space back: it keeps its size, but only the last 64 KiB before the window, and bytes
 *  that out_patch() has changed, take space on disk.  The text consists of the bytes of the file;
 *  where they are NUL, the bytes at the same offsets in the unpacked PATH.zst replace them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct packer;

struct out {
  int fd;
  struct packer *packer; /**< NULL: no compression */
  char *window;
  uint64_t begin; /**< of the window, in the file */
  size_t used;    /**< bytes in the window */
  size_t ready;   /**< bytes of the window that the file has; `used` after a failure */
  int error;      /**< errno of the first failure, after which nothing is written; 0: none */
};

/** Creates the file; fails with errno, e.g. if it exists, or with ELIBACC if @p compress is true
 *  and libzstd cannot be loaded. */
bool out_open(struct out *o, const char *path, bool compress);

/** Truncates the file after the last byte written, and closes it.  With compression, PATH.zst has
 *  all of the text then.  False: see error. */
bool out_close(struct out *o);

/** Makes room for 4096 bytes: lengthens the file or, at the end of the window, moves the window.
 *  False after a failure. */
bool out_advance(struct out *o);

/** Makes room for @p size bytes, at most 4096; false after a failure. */
static inline bool out_room(struct out *o, size_t size)
{
  return o->ready - o->used >= size || out_advance(o);
}

/** Writes @p text of at most 4096 bytes. */
static inline void out_text(struct out *o, const char *text)
{
  const size_t n = strlen(text);
  if (!out_room(o, n))
    return;
  memcpy(o->window + o->used, text, n);
  o->used += n;
}

/** Writes a blank and a decimal number. */
__attribute__((hot)) void out_number(struct out *o, int64_t value);

/** Writes @p value without a blank. */
__attribute__((hot)) void out_digits(struct out *o, uint64_t value);

/** Offset in the file of the next byte. */
static inline uint64_t out_at(const struct out *o)
{
  return o->begin + o->used;
}

/** Overwrites one byte that was written before. */
void out_patch(struct out *o, uint64_t at, char byte);
