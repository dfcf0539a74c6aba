#include "common/files/share.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The folder of the running program, without a final slash. */
static enum status own_folder(char dir[PATH_MAX], struct err *e)
{
  const ssize_t n = readlink("/proc/self/exe", dir, PATH_MAX - 1);
  if (n < 0)
    return err_errno(e, "/proc/self/exe", "cannot read");
  dir[n] = '\0';
  char *slash = strrchr(dir, '/');
  if (slash != NULL)
    *slash = '\0';
  return OK;
}

enum status share_find(char folder[SHARE_ROOM], const char *const place[2], const char *name,
                       struct err *e)
{
  char own[PATH_MAX], file[SHARE_ROOM + 64];
  if (own_folder(own, e) != OK)
    return FAIL;
  for (size_t i = 0; i < 2; i++) {
    snprintf(folder, SHARE_ROOM, "%s/%s", own, place[i]);
    if (snprintf(file, sizeof file, "%s/%s", folder, name) < (int)sizeof file &&
        access(file, R_OK) == 0)
      return OK;
  }
  return err_set(e, "no %s in %s/%s and %s/%s", name, own, place[0], own, place[1]);
}

enum status share_scripts(char folder[SHARE_ROOM], const char *name, struct err *e)
{
  static const char *const PLACE[2] = {"../share/haichi/scripts", "../../scripts"};
  return share_find(folder, PLACE, name, e);
}
