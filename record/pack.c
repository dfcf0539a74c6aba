#define _GNU_SOURCE
#include "record/pack.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

/* KEPT: text before the window that stays in the file, for haichi record, which reads its end. */
enum { LEVEL = 1, KEPT = 1 << 16 };

struct packer {
  int fd;
  uint64_t packed; /* bytes of the text in the file */
  uint64_t freed;  /* bytes of the text whose space was given back */
  ZSTD_CCtx *context;
  void *frame;
  size_t room;
  __typeof__(ZSTD_compressCCtx) *compress;
  __typeof__(ZSTD_isError) *is_error;
  __typeof__(ZSTD_compressBound) *bound;
};

/* Finds the functions and makes the context; false without libzstd. */
static bool load(struct packer *p)
{
  void *zstd = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
  if (zstd == NULL)
    return false;
  __typeof__(ZSTD_createCCtx) *create =
      (__typeof__(ZSTD_createCCtx) *)dlsym(zstd, "ZSTD_createCCtx");
  p->compress = (__typeof__(ZSTD_compressCCtx) *)dlsym(zstd, "ZSTD_compressCCtx");
  p->is_error = (__typeof__(ZSTD_isError) *)dlsym(zstd, "ZSTD_isError");
  p->bound = (__typeof__(ZSTD_compressBound) *)dlsym(zstd, "ZSTD_compressBound");
  if (create == NULL || p->compress == NULL || p->is_error == NULL || p->bound == NULL)
    return false;
  p->context = create();
  return p->context != NULL;
}

bool pack_open(struct out *o, const char *path)
{
  char name[PATH_MAX];
  struct packer *p = calloc(1, sizeof *p);
  if (p == NULL)
    return false;
  if (!load(p)) {
    free(p);
    errno = ELIBACC;
    return false;
  }
  if (snprintf(name, sizeof name, "%s.zst", path) >= (int)sizeof name) {
    errno = ENAMETOOLONG;
    return false;
  }
  p->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  o->packer = p;
  return p->fd >= 0;
}

static int write_all(int fd, const char *bytes, size_t size)
{
  while (size > 0) {
    const ssize_t n = write(fd, bytes, size);
    if (n < 0 && errno != EINTR)
      return errno;
    if (n > 0) {
      bytes += n;
      size -= (size_t)n;
    }
  }
  return 0;
}

static int add_frame(struct packer *p, const char *text, size_t size)
{
  if (p->room < p->bound(size)) {
    free(p->frame);
    p->room = p->bound(size);
    if ((p->frame = malloc(p->room)) == NULL)
      return ENOMEM;
  }
  const size_t n = p->compress(p->context, p->frame, p->room, text, size, LEVEL);
  return p->is_error(n) ? ENOMEM : write_all(p->fd, p->frame, n);
}

void pack(struct out *o)
{
  struct packer *p = o->packer;
  const uint64_t end = out_at(o);
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (o->error != 0 || p->packed == end)
    return;
  o->error = add_frame(p, o->window + (p->packed - o->begin), (size_t)(end - p->packed));
  if (o->error != 0)
    return;
  p->packed = end;
  const uint64_t keep = o->begin > KEPT ? (o->begin - KEPT) / page * page : 0;
  /* If the file system cannot free space inside a file, the file takes more space, without error.
   */
  if (keep > p->freed && fallocate(o->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                   (off_t)p->freed, (off_t)(keep - p->freed)) == 0)
    p->freed = keep;
}

void pack_close(struct out *o)
{
  struct packer *p = o->packer;
  if (p != NULL && close(p->fd) != 0 && o->error == 0)
    o->error = errno;
  o->packer = NULL; /* the process ends soon, and its memory with it */
}
