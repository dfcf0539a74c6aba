#include "predict/instrument/source/clang_api.h"

enum status clang_api_open(struct clang_api *api, struct err *e)
{
  static const char *const names[] = {CLANG_FUNCTIONS(LIBRARY_NAME) NULL};
  struct clang_api found;
  if (library_load(HAICHI_LIBCLANG, names, &found, "libclang", e) != OK)
    return FAIL;
  *api = found;
  return OK;
}
