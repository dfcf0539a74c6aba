#include "common/process/library.h"

#include <dlfcn.h>
#include <string.h>

/* RTLD_GLOBAL because SimGrid and Scotch consist of several libraries that refer to each other. */
enum status library_open(void **out, const char *file, const char *what, struct err *e)
{
  *out = dlopen(file, RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE);
  return *out != NULL ? OK : err_set(e, "cannot load %s: %s", what, dlerror());
}

enum status library_find(void *library, const char *const names[], void *api, const char *what,
                         struct err *e)
{
  char *member = api;
  for (size_t i = 0; names[i] != NULL; i++) {
    void *address = dlsym(library, names[i]);
    if (address == NULL)
      return err_set(e, "%s has no function '%s'", what, names[i]);
    memcpy(member + i * sizeof address, &address, sizeof address);
  }
  return OK;
}

enum status library_load(const char *file, const char *const names[], void *api, const char *what,
                         struct err *e)
{
  void *library;
  return library_open(&library, file, what, e) == OK ? library_find(library, names, api, what, e)
                                                     : FAIL;
}
