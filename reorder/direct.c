#define _GNU_SOURCE
#include <dlfcn.h>

#include "reorder/reorder.h"

bool direct_find(struct direct *d)
{
  /* No tool replaces this call, so its address is in the MPI library. */
  void *own = dlsym(RTLD_DEFAULT, "PMPI_Get_version");
  Dl_info info;
  void *library = NULL;
  bool found = own != NULL && dladdr(own, &info) != 0 &&
               (library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)) != NULL;
#define FIND(X)                                                                                    \
  d->X = found ? (__typeof__(d->X))dlsym(library, "PMPI_" #X) : NULL;                              \
  found = found && d->X != NULL;
  REORDER_DIRECT(FIND)
  return found;
}
