#include "common/process/library.h"

#include <dlfcn.h>
#include <string.h>

/* RTLD_GLOBAL because SimGrid and Scotch consist of several libraries that refer to each other. */
enum status library_open(void **out, const char *file, const char *what, struct err *e)
{
  *out = dlopen(file, RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE);
  return *out != NULL ? OK : err_set(e, "cannot load %s: %s", what, dlerror());
}

enum status library_find(void *library, const char *name, void *member, const char *what,
                         struct err *e)
{
  void *address = dlsym(library, name);
  if (address == NULL)
    return err_set(e, "%s has no function '%s'", what, name);
  memcpy(member, &address, sizeof address);
  return OK;
}
