#include "mappers/peers/scotch_api.h"

#include <dlfcn.h>
#include <string.h>

/* The library of the version whose header haichi was compiled with: Debian's name, then that of an
 * installation from source. */
static void *library(void)
{
  char name[64];
  snprintf(name, sizeof name, "libscotch-%d.%d.so", SCOTCH_VERSION, SCOTCH_RELEASE);
  void *from = dlopen(name, RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE);
  return from != NULL ? from : dlopen("libscotch.so", RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE);
}

/* Writes a function's address to @p member, a pointer of the function's type. */
static enum status find(void *from, const char *name, void *member, struct err *e)
{
  void *address = dlsym(from, name);
  if (address == NULL)
    return err_set(e, "Scotch has no function '%s'", name);
  memcpy(member, &address, sizeof address);
  return OK;
}

enum status scotch_api_open(struct scotch_api *api, struct err *e)
{
  struct scotch_api found;
  void *from = library();
  if (from == NULL)
    return err_set(e, "cannot load Scotch: %s", dlerror());
#define FIND(name)                                                                                 \
  if (find(from, #name, &found.name, e) != OK)                                                     \
    return FAIL;
  SCOTCH_FUNCTIONS(FIND)
#undef FIND
  if (found.SCOTCH_numSizeof() != (int)sizeof(SCOTCH_Num))
    return err_set(e,
                   "Scotch's numbers have %d bytes, %zu in the header that haichi was built with",
                   found.SCOTCH_numSizeof(), sizeof(SCOTCH_Num));
  *api = found;
  return OK;
}
