#include "mappers/peers/scotch_api.h"

#include <stdio.h>

/* Opens the library of the version that haichi was compiled with: tries the name used by Debian,
 * then the name used by an installation from source. */
static enum status open_library(void **out, struct err *e)
{
  char name[64];
  struct err ignored;
  snprintf(name, sizeof name, "libscotch-%d.%d.so", SCOTCH_VERSION, SCOTCH_RELEASE);
  return library_open(out, name, "Scotch", &ignored) == OK
             ? OK
             : library_open(out, "libscotch.so", "Scotch", e);
}

enum status scotch_api_open(struct scotch_api *api, struct err *e)
{
  static const char *const names[] = {SCOTCH_FUNCTIONS(LIBRARY_NAME) NULL};
  struct scotch_api found;
  void *from;
  if (open_library(&from, e) != OK || library_find(from, names, &found, "Scotch", e) != OK)
    return FAIL;
  if (found.SCOTCH_numSizeof() != (int)sizeof(SCOTCH_Num))
    return err_set(e,
                   "Scotch's numbers have %d bytes, %zu in the header that haichi was built with",
                   found.SCOTCH_numSizeof(), sizeof(SCOTCH_Num));
  *api = found;
  return OK;
}
