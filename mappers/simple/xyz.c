#include "mappers/mapper.h"

static enum status fill_in_order(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  if (mapping_new(out, in->ranks, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < in->ranks; r++)
    out->host[r] = r / in->ranks_per_host;
  return OK;
}

const struct mapper map_xyz = {
    .name = "xyz",
    .help = "ranks fill the hosts in order, X fastest; consecutive ranks share a host",
    .map = fill_in_order,
};
