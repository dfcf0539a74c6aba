#include "mappers/mapper.h"

enum order { LIST, NUMBER };

static enum status fill_in_order(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const enum order *order = in->options;
  const uint32_t *host = *order == LIST ? in->order : NULL;
  if (mapping_new(out, in->ranks, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < in->ranks; r++)
    out->host[r] = host != NULL ? host[r] : r / in->ranks_per_host;
  return OK;
}

static const char *const ORDERS[] = {"list", "number", NULL};

static const struct spec_option OPTIONS[] = {
    {"order", SPEC_CHOICE, 0, "list",
     .help = "of hosts: list (--hosts; all hosts by number) or number (of the platform)",
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
