#include "mappers/mapper.h"

#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "platforms/host_groups.h"
#include "platforms/part.h"

enum order { LIST, NUMBER, SWITCH };

struct place {
  uint32_t first;  /* lowest number of a host of the group */
  uint32_t number; /* of the host on the whole platform */
  uint32_t host;
};

static int by_place(const void *a, const void *b)
{
  const struct place *x = a, *y = b;
  return RISING(x->first, y->first) ?: RISING(x->number, y->number);
}

/* Lists the hosts group by group: groups in the order of their lowest hosts, and hosts within a
 * group by number.  Numbers are on the whole platform. */
static enum status list_by_switch(struct place *place, const struct platform *p, struct err *e)
{
  struct host_groups g;
  if (host_groups_alike(&g, p, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < g.count; i++) {
    uint32_t least = UINT32_MAX;
    for (uint32_t k = g.first[i]; k < g.first[i + 1]; k++) {
      const uint32_t number = platform_whole_host(p, g.member[k]);
      least = number < least ? number : least;
    }
    for (uint32_t k = g.first[i]; k < g.first[i + 1]; k++)
      place[k] = (struct place){least, platform_whole_host(p, g.member[k]), g.member[k]};
  }
  qsort(place, g.hosts, sizeof *place, by_place);
  host_groups_clear(&g);
  return OK;
}

static enum status fill_by_switch(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  if (platform_need_routes(in->platform, "xyz:order=switch", e) != OK)
    return FAIL;
  struct place *place = mem_array(platform_hosts(in->platform), sizeof *place, e);
  enum status s = place == NULL ? FAIL : list_by_switch(place, in->platform, e);
  if (s == OK)
    s = mapping_new(out, in->ranks, e);
  for (uint32_t r = 0; s == OK && r < in->ranks; r++)
    out->host[r] = place[r / in->ranks_per_host].host;
  free(place);
  return s;
}

static enum status fill_in_order(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const enum order *order = in->options;
  const uint32_t *host = *order == LIST ? in->order : NULL;
  if (*order == SWITCH)
    return fill_by_switch(in, out, e);
  if (mapping_new(out, in->ranks, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < in->ranks; r++)
    out->host[r] = host != NULL ? host[r] : r / in->ranks_per_host;
  return OK;
}

static const char *const ORDERS[] = {"list", "number", "switch", NULL};

static const struct spec_option OPTIONS[] = {
    {"order", SPEC_CHOICE, 0, "list",
     .help =
         "of hosts: list (of --hosts, or by number without it), number (of the platform) or switch "
         "(the hosts of one switch together)",
     .names = ORDERS},
    {.name = NULL},
};

const struct mapper map_xyz = {
    .name = "xyz",
    .help = "ranks fill the hosts in order, X fastest; consecutive ranks share a host",
    .options = OPTIONS,
    .in_order = true,
    .map = fill_in_order,
};
