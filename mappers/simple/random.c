#include "common/mem.h"
#include "mappers/mapper.h"

static enum status fill_at_random(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const uint64_t *seed = in->options;
  OWNED uint32_t *slot = mapper_shuffled_slots(in, "random", rng_new(*seed, 0), e);
  if (slot == NULL || mapping_new(out, in->ranks, e) != OK)
    return FAIL;
  mapper_hosts(in, slot, out->host);
  return OK;
}

static const struct spec_option OPTIONS[] = {
    {"seed", SPEC_U64, 0, "1", .help = "seed of the random stream, 0 to 2^64-1"},
    {.name = NULL},
};

const struct mapper map_random = {
    .name = "random",
    .help = "ranks on a uniformly random choice of the slots",
    .options = OPTIONS,
    .in_order = true,
    .map = fill_at_random,
};
