#define _GNU_SOURCE
#include "record/out.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "record/pack.h"

enum { WINDOW = 1 << 20, STEP = 1 << 16, ZEROS = 4096 };

/* Lengthens the file by STEP bytes of the window.  Writing NUL bytes allocates their space, because
 * writing through the window on a full disk ends the process, and it fills the page cache in large
 * units: the first accesses through the window take a third of the time that they take in space
 * from posix_fallocate(). */
static int lengthen(struct out *o)
{
  static const char zeros[ZEROS];
  struct iovec piece[STEP / ZEROS];
  for (size_t i = 0; i < STEP / ZEROS; i++)
    piece[i] = (struct iovec){(void *)(uintptr_t)zeros, ZEROS};
  errno = ENOSPC;
  if (pwritev(o->fd, piece, STEP / ZEROS, (off_t)(o->begin + o->ready)) != STEP)
    return errno;
  o->ready += STEP;
  return 0;
}

static void unmap(struct out *o)
{
  if (o->packer != NULL && o->window != NULL)
    pack(o);
  if (o->window != NULL)
    munmap(o->window, WINDOW);
  o->window = NULL;
}

/* Maps the window that begins with the page of the next byte. */
static int move(struct out *o)
{
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = o->used / page * page;
  unmap(o);
  o->begin += whole;
  o->used -= whole;
  o->ready -= whole;
  if (o->error != 0)
    return o->error;
  void *map = mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, o->fd, (off_t)o->begin);
  if (map == MAP_FAILED)
    return errno;
  o->window = map;
  return 0;
}

bool out_advance(struct out *o)
{
  if (o->error == 0 && (o->window == NULL || o->ready + STEP > WINDOW))
    o->error = move(o);
  if (o->error == 0)
    o->error = lengthen(o);
  if (o->error != 0)
    o->ready = o->used;
  return o->error == 0;
}

bool out_open(struct out *o, const char *path, bool compress)
{
  *o = (struct out){.fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)};
  if (o->fd >= 0)
    flock(o->fd, LOCK_EX | LOCK_NB); /* not checked: some file systems have no locks */
  if (o->fd < 0 || (compress && !pack_open(o, path)))
    return false;
  const bool ready = out_advance(o);
  errno = o->error;
  return ready;
}

bool out_close(struct out *o)
{
  unmap(o);
  pack_close(o);
  o->ready = o->used;
  if (ftruncate(o->fd, (off_t)out_at(o)) != 0 && o->error == 0)
    o->error = errno;
  flock(o->fd, LOCK_UN); /* closing does not unlock it if a child process has the descriptor */
  if (close(o->fd) != 0 && o->error == 0)
    o->error = errno;
  o->fd = -1;
  return o->error == 0;
}

/* Number of decimal digits. */
static size_t length_of(uint64_t value)
{
  size_t n = 1;
  for (uint64_t power = 10; n < 20 && value >= power; power *= 10)
    n++;
  return n;
}

/* Writes the digits of @p value in front of the offset @p end of the window. */
static void digits(const struct out *o, size_t end, uint64_t value)
{
  char *at = o->window + end;
  do
    *--at = (char)('0' + value % 10);
  while ((value /= 10) > 0);
}

void out_digits(struct out *o, uint64_t value)
{
  const size_t n = length_of(value);
  if (!out_room(o, n))
    return;
  digits(o, o->used += n, value);
}

void out_number(struct out *o, int64_t value)
{
  const bool negative = value < 0;
  const uint64_t size = negative ? 0 - (uint64_t)value : (uint64_t)value;
  const size_t sign = negative ? 2 : 1, n = sign + length_of(size);
  if (!out_room(o, n))
    return;
  o->window[o->used] = ' ';
  if (negative)
    o->window[o->used + 1] = '-';
  digits(o, o->used += n, size);
}

void out_patch(struct out *o, uint64_t at, char byte)
{
  if (o->window != NULL && at >= o->begin)
    o->window[at - o->begin] = byte;
  else if (pwrite(o->fd, &byte, 1, (off_t)at) != 1 && o->error == 0)
    o->error = errno;
}
