#include "predict/instrument/source/clang_api.h"

enum status clang_api_open(struct clang_api *api, struct err *e)
{
  struct clang_api found;
  void *from;
  if (library_open(&from, HAICHI_LIBCLANG, "libclang", e) != OK)
    return FAIL;
#define FIND(name)                                                                                 \
  if (library_find(from, #name, &found.name, "libclang", e) != OK)                                 \
    return FAIL;
  CLANG_FUNCTIONS(FIND)
#undef FIND
  *api = found;
  return OK;
}
