#include "predict/calibrate/sources.h"

#include <stdio.h>

#include "common/files/outfile.h"
#include "common/files/share.h"

enum status sources_write(const char *path, struct err *e)
{
  static const char *const FILES[] = {"pingpong.c", "kernel.c", "load.c", "blas.c", "Makefile"};
  char folder[SHARE_ROOM], from[SHARE_ROOM + 64], to[SHARE_ROOM + 64];
  if (share_scripts(folder, "calibrate/pingpong.c", e) != OK ||
      outfile_own_folder(path, FILES[0], e) != OK)
    return FAIL;
  for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
    snprintf(from, sizeof from, "%s/calibrate/%s", folder, FILES[i]);
    if (snprintf(to, sizeof to, "%s/%s", path, FILES[i]) >= (int)sizeof to)
      return err_set(e, "%.200s: the path is too long", path);
    if (outfile_copy(from, to, e) != OK)
      return FAIL;
  }
  return OK;
}
