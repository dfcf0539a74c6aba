#define _GNU_SOURCE
#include "reorder/haichi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "libhaichi.so.0"

static void *open_beside(const char *folder, const char *file)
{
  Dl_info own;
  char path[4096];
  if (dladdr((void *)haichi_load, &own) == 0)
    return NULL;
  const char *slash = strrchr(own.dli_fname, '/');
  const int n = slash == NULL ? 0 : (int)(slash + 1 - own.dli_fname);
  snprintf(path, sizeof path, "%.*s%s%s", n, own.dli_fname, folder, file);
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* In a build folder the library has no version in its name. */
static void *open_library(void)
{
  static const char *const FOLDER[] = {"../", ""}, *const FILE_[] = {LIBRARY, "libhaichi.so"};
  void *found = NULL;
  for (int i = 0; i < 4 && found == NULL; i++)
    found = open_beside(FOLDER[i / 2], FILE_[i % 2]);
  return found != NULL ? found : dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
}

bool haichi_load(struct haichi *h, char *why, size_t size)
{
  void *library = open_library();
  bool found = library != NULL;
#define FIND(X)                                                                                    \
  h->X = found ? (__typeof__(h->X))dlsym(library, "haichi_" #X) : NULL;                            \
  found = found && h->X != NULL;
  HAICHI_FUNCTIONS(FIND)
  if (!found) {
    const char *error = dlerror();
    snprintf(why, size, "cannot load " LIBRARY ": %s", error == NULL ? "unknown error" : error);
  }
  return found;
}
