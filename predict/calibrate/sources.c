#include "predict/calibrate/sources.h"

#include <stdio.h>

#include "common/files/outfile.h"
#include "common/files/share.h"

static enum status copy_text(const char *from, FILE *to, struct err *e)
{
  char text[4096];
  size_t n;
  FILE *f = fopen(from, "re");
  if (f == NULL)
    return err_errno(e, from, "cannot read");
  while ((n = fread(text, 1, sizeof text, f)) > 0)
    fwrite(text, 1, n, to); /* outfile_commit() reports a failure */
  const enum status s = ferror(f) ? err_errno(e, from, "cannot read") : OK;
  fclose(f);
  return s;
}

static enum status copy_file(const char *from, const char *to, struct err *e)
{
  struct outfile o;
  if (outfile_open(&o, to, e) != OK)
    return FAIL;
  if (copy_text(from, o.f, e) == OK)
    return outfile_commit(&o, e);
  outfile_abandon(&o);
  return FAIL;
}

enum status sources_write(const char *path, struct err *e)
{
  static const char *const FILES[] = {"pingpong.c", "kernel.c", "Makefile"};
  char folder[SHARE_ROOM], from[SHARE_ROOM + 64], to[SHARE_ROOM + 64];
  if (share_scripts(folder, "calibrate/pingpong.c", e) != OK)
    return FAIL;
  if (outfile_folder(path, e) != OK)
    return FAIL;
  for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
    snprintf(from, sizeof from, "%s/calibrate/%s", folder, FILES[i]);
    if (snprintf(to, sizeof to, "%s/%s", path, FILES[i]) >= (int)sizeof to)
      return err_set(e, "%.200s: the path is too long", path);
    if (copy_file(from, to, e) != OK)
      return FAIL;
  }
  return OK;
}
