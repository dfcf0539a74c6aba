#include "sim/simgrid/api.h"

#include <dlfcn.h>
#include <simgrid/version.h>
#include <stdio.h>
#include <string.h>

/* The library of the version whose headers haichi was compiled with. */
static void *library(void)
{
  char name[64];
  snprintf(name, sizeof name, "libsimgrid.so.%d.%d", SIMGRID_VERSION_MAJOR, SIMGRID_VERSION_MINOR);
  return dlopen(name, RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE);
}

/* Writes a function's address to @p member, a pointer of the function's type. */
static enum status find(void *from, const char *name, void *member, struct err *e)
{
  void *address = dlsym(from, name);
  if (address == NULL)
    return err_set(e, "SimGrid has no function '%s'", name);
  memcpy(member, &address, sizeof address);
  return OK;
}

enum status simgrid_api_open(struct simgrid_api *api, struct err *e)
{
  struct simgrid_api found;
  void *from = library();
  if (from == NULL)
    return err_set(e, "cannot load SimGrid: %s", dlerror());
#define FIND(name)                                                                                 \
  if (find(from, #name, &found.name, e) != OK)                                                     \
    return FAIL;
  SIMGRID_FUNCTIONS(FIND)
#undef FIND
  *api = found;
  return OK;
}

enum status simgrid_api_version(char *text, size_t size, struct err *e)
{
  struct simgrid_api sg;
  int major, minor, patch;
  if (simgrid_api_open(&sg, e) != OK)
    return FAIL;
  sg.sg_version_get(&major, &minor, &patch);
  snprintf(text, size, "%d.%d.%d", major, minor, patch);
  return OK;
}

void *simgrid_api_self_data(void)
{
  __typeof__(sg_actor_self_get_data) *self_get_data = NULL;
  struct err ignored;
  void *from = library();
  if (from == NULL || find(from, "sg_actor_self_get_data", &self_get_data, &ignored) != OK)
    return NULL;
  return self_get_data();
}
