#define _GNU_SOURCE
#include "record/out.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/pack.h"

enum { WINDOW = 1 << 20, PIECE = 4096 /* maximum bytes of one reserve() */ };

/* Maps the next window.  Its space is allocated first: writing to a file in memory on a full disk
 * ends the process. */
static void advance(struct out *o)
{
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = o->used / page * page;
  if (o->packer != NULL && o->window != NULL)
    pack(o);
  if (o->window != NULL)
    munmap(o->window, WINDOW);
  o->window = NULL;
  o->begin += whole;
  o->used -= whole;
  o->error = posix_fallocate(o->fd, (off_t)o->begin, WINDOW);
  if (o->error != 0)
    return;
  void *map = mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, o->fd, (off_t)o->begin);
  if (map == MAP_FAILED)
    o->error = errno;
  else
    o->window = map;
}

/* True if @p size bytes, at most PIECE, fit in the window. */
static inline bool reserve(struct out *o, size_t size)
{
  if (o->window != NULL && WINDOW - o->used >= size)
    return true;
  if (o->error == 0)
    advance(o);
  return o->error == 0;
}

bool out_open(struct out *o, const char *path, bool compress)
{
  *o = (struct out){.fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)};
  if (o->fd < 0 || (compress && !pack_open(o, path)))
    return false;
  advance(o);
  errno = o->error;
  return o->error == 0;
}

bool out_close(struct out *o)
{
  if (o->packer != NULL && o->window != NULL)
    pack(o);
  pack_close(o);
  if (o->window != NULL)
    munmap(o->window, WINDOW);
  o->window = NULL;
  if (ftruncate(o->fd, (off_t)out_at(o)) != 0 && o->error == 0)
    o->error = errno;
  if (close(o->fd) != 0 && o->error == 0)
    o->error = errno;
  o->fd = -1;
  return o->error == 0;
}

static void put(struct out *o, const char *text, size_t n)
{
  if (!reserve(o, n))
    return;
  memcpy(o->window + o->used, text, n);
  o->used += n;
}

void out_text(struct out *o, const char *text)
{
  const size_t n = strlen(text);
  if (n <= PIECE)
    put(o, text, n);
}

/* Writes the digits backwards from @p end; returns the first one. */
static char *digits(char *end, uint64_t value)
{
  do
    *--end = (char)('0' + value % 10);
  while ((value /= 10) > 0);
  return end;
}

void out_digits(struct out *o, uint64_t value)
{
  char text[24], *end = text + sizeof text, *first = digits(end, value);
  put(o, first, (size_t)(end - first));
}

void out_number(struct out *o, int64_t value)
{
  char text[24], *end = text + sizeof text;
  char *first = digits(end, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
  if (value < 0)
    *--first = '-';
  *--first = ' ';
  put(o, first, (size_t)(end - first));
}

void out_patch(struct out *o, uint64_t at, char byte)
{
  if (o->window != NULL && at >= o->begin)
    o->window[at - o->begin] = byte;
  else if (pwrite(o->fd, &byte, 1, (off_t)at) != 1 && o->error == 0)
    o->error = errno;
}
