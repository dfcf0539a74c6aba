#include "predict/instrument/clang_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Debian's name of the library; its headers do not say their version. */
static void *library(void)
{
  static const char *const NAMES[] = {"libclang-14.so.1", "libclang.so.1", "libclang.so"};
  void *from = NULL;
  for (size_t i = 0; from == NULL && i < sizeof NAMES / sizeof *NAMES; i++)
    from = dlopen(NAMES[i], RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  return from;
}

/* Writes a function's address to @p member, a pointer of the function's type. */
static enum status find(void *from, const char *name, void *member, struct err *e)
{
  void *address = dlsym(from, name);
  if (address == NULL)
    return err_set(e, "libclang has no function '%s'", name);
  memcpy(member, &address, sizeof address);
  return OK;
}

enum status clang_api_open(struct clang_api *api, struct err *e)
{
  struct clang_api found;
  void *from = library();
  if (from == NULL)
    return err_set(e, "cannot load libclang: %s", dlerror());
#define FIND(name)                                                                                 \
  if (find(from, #name, &found.name, e) != OK)                                                     \
    return FAIL;
  CLANG_FUNCTIONS(FIND)
#undef FIND
  *api = found;
  return OK;
}
