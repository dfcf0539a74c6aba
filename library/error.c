#include <string.h>

#include "library/handles.h"

_Static_assert(sizeof((struct haichi_error *)0)->text == sizeof((struct err *)0)->text,
               "library_fail() copies whole texts");

enum status library_check_path(const char *path, struct err *e)
{
  return strcmp(path, "-") == 0 ? err_set(e, "-: the library uses no standard streams") : OK;
}

enum haichi_status library_fail(struct haichi_error *out, const struct err *e)
{
  if (out != NULL)
    memcpy(out->text, e->text, sizeof out->text);
  return HAICHI_FAIL;
}

const char *haichi_version(void)
{
  return HAICHI_VERSION;
}
