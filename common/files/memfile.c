#include "common/files/memfile.h"

#include <sys/mman.h>
#include <unistd.h>

#include "common/files/outfile.h"

enum status memfile_open(struct memfile *m, const char *what, struct err *e)
{
  const int fd = memfd_create(what, MFD_CLOEXEC);
  FILE *f = fd < 0 ? NULL : fdopen(fd, "w+");
  if (f == NULL) {
    err_errno(e, what, "cannot create a file in memory");
    if (fd >= 0)
      close(fd);
    return FAIL;
  }
  *m = (struct memfile){.what = what, .f = f};
  /* Not /proc/self: a child that executes another program has closed the descriptor. */
  snprintf(m->path, sizeof m->path, "/proc/%ld/fd/%d", (long)getpid(), fd);
  return OK;
}

enum status memfile_flush(struct memfile *m, struct err *e)
{
  return outfile_flush(m->f, m->what, e);
}

void memfile_close(struct memfile *m)
{
  if (m->f != NULL)
    fclose(m->f);
  *m = (struct memfile){0};
}
