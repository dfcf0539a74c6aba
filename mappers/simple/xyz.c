#include "mappers/mapper.h"

static enum status fill_in_order(const struct mapper_input *in, const struct mapper_values *values,
                                 struct mapping *out, struct err *e)
{
  (void)values;
  if (mapping_new(out, in->ranks, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < in->ranks; r++)
    out->host[r] = r / in->ranks_per_host;
  return OK;
}

static const struct mapper_option OPTIONS[] = {{.name = NULL}};

const struct mapper map_xyz = {
    .name = "xyz",
    .help = "ranks fill the hosts in order, X fastest; consecutive ranks share a host",
    .options = OPTIONS,
    .map = fill_in_order,
};
