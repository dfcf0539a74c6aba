#include "mappers/on_box.h"

#include "common/mem.h"
#include "platforms/part.h"
#include "platforms/topology/grid.h"

bool on_box_needed(const struct mapper_input *in)
{
  const struct topology *whole = platform_topology(platform_whole(in->platform));
  return platform_topology(in->platform) == NULL && whole != NULL && topology_is_grid(whole);
}

static enum status find_box(struct platform **out, const struct mapper_input *in, struct err *e)
{
  const uint32_t hosts = platform_hosts(in->platform);
  const uint32_t each = in->mapper != NULL && in->mapper->one_per_host ? 1 : in->ranks_per_host;
  const uint32_t least = (in->ranks + each - 1) / each;
  OWNED uint32_t *host = mem_array(hosts, sizeof *host, e);
  if (host == NULL)
    return FAIL;
  for (uint32_t h = 0; h < hosts; h++)
    host[h] = platform_whole_host(in->platform, h);
  return platform_part_box(out, platform_whole(in->platform), host, hosts, least, e);
}

enum status on_box_map(const struct mapper_input *in, on_box_fn *map, const void *arg, bool *found,
                       struct mapping *out, struct err *e)
{
  struct mapper_input inner = *in;
  struct platform *box;
  if (find_box(&box, in, e) != OK)
    return FAIL;
  *found = box != NULL;
  if (box == NULL)
    return OK;
  inner.platform = box;
  inner.order = inner.capacity = NULL;
  const enum status s = map(&inner, arg, out, e);
  for (uint32_t r = 0; s == OK && r < out->ranks; r++)
    out->host[r] = platform_part_host(in->platform, platform_whole_host(box, out->host[r]));
  platform_free(box);
  return s;
}
