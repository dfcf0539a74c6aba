#include "sim/simgrid/api.h"

#include <simgrid/version.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/mem.h"

/* Opens the library of the SimGrid version whose headers haichi was compiled with. */
static enum status open_library(void **out, struct err *e)
{
  char name[64];
  snprintf(name, sizeof name, "libsimgrid.so.%d.%d", SIMGRID_VERSION_MAJOR, SIMGRID_VERSION_MINOR);
  return library_open(out, name, "SimGrid", e);
}

enum status simgrid_api_open(struct simgrid_api *api, struct err *e)
{
  static const char *const names[] = {SIMGRID_FUNCTIONS(LIBRARY_NAME) NULL};
  struct simgrid_api found;
  void *from;
  if (open_library(&from, e) != OK || library_find(from, names, &found, "SimGrid", e) != OK)
    return FAIL;
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

#if SIMGRID_VERSION_MAJOR >= 4
enum status simgrid_api_route(const struct simgrid_api *api, sg_host_t src, sg_host_t dst,
                              sg_link_t **out, uint32_t *count, struct err *e)
{
  int links;
  const_sg_link_t *route = api->sg_host_get_route_links(src, dst, &links);
  if (route == NULL)
    return err_set(e, "out of memory for a route of SimGrid");
  *out = (sg_link_t *)route;
  *count = (uint32_t)links;
  return OK;
}

size_t simgrid_api_wait_any(const struct simgrid_api *api, sg_comm_t *comm, size_t count)
{
  sg_activity_set_t set = api->sg_activity_set_init();
  for (size_t i = 0; i < count; i++)
    api->sg_activity_set_push(set, (sg_activity_t)comm[i]);
  const sg_activity_t first = api->sg_activity_set_wait_any(set);
  size_t i = 0;
  while (i + 1 < count && (sg_activity_t)comm[i] != first)
    i++;
  api->sg_activity_set_delete(set);
  api->sg_activity_unref(first);
  return i;
}
#else
enum status simgrid_api_route(const struct simgrid_api *api, sg_host_t src, sg_host_t dst,
                              sg_link_t **out, uint32_t *count, struct err *e)
{
  xbt_dynar_t route = api->xbt_dynar_new(sizeof(sg_link_t), NULL);
  api->sg_host_get_route(src, dst, route);
  const size_t links = api->xbt_dynar_length(route);
  sg_link_t *link = mem_array(links + 1, sizeof *link, e);
  for (size_t i = 0; link != NULL && i < links; i++)
    link[i] = *(sg_link_t *)api->xbt_dynar_get_ptr(route, (int)i);
  api->xbt_dynar_free_container(&route);
  if (link == NULL)
    return FAIL;
  *out = link;
  *count = (uint32_t)links;
  return OK;
}

size_t simgrid_api_wait_any(const struct simgrid_api *api, sg_comm_t *comm, size_t count)
{
  return (size_t)api->sg_comm_wait_any(comm, count);
}
#endif

void *simgrid_api_self_data(void)
{
  static const char *const names[] = {"sg_actor_self_get_data", NULL};
  __typeof__(sg_actor_self_get_data) *self_get_data;
  struct err ignored;
  void *from;
  if (open_library(&from, &ignored) != OK ||
      library_find(from, names, &self_get_data, "SimGrid", &ignored) != OK)
    return NULL;
  return self_get_data();
}
