#include <inttypes.h>

#include "common/mem.h"
#include "common/numeric/rng.h"
#include "mappers/mapper.h"

/* A uniformly random permutation of all slots, so that all assignments of ranks to slots are
 * equally likely, also with several slots per host. */
static uint32_t *shuffled_slots(const struct mapper_input *in, uint64_t seed, struct err *e)
{
  const uint64_t slots = (uint64_t)platform_hosts(in->platform) * in->ranks_per_host;
  if (slots > UINT32_MAX) {
    err_set(e, "mapper 'random': %" PRIu64 " slots are more than %" PRIu32, slots, UINT32_MAX);
    return NULL;
  }
  uint32_t *slot = mem_array(slots, sizeof *slot, e);
  if (slot == NULL)
    return NULL;
  for (uint32_t i = 0; i < slots; i++)
    slot[i] = i;
  struct rng rng = rng_new(seed, 0);
  rng_shuffle(&rng, slot, (uint32_t)slots);
  return slot;
}

static enum status fill_at_random(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const uint64_t *seed = in->options;
  OWNED uint32_t *slot = shuffled_slots(in, *seed, e);
  if (slot == NULL)
    return FAIL;
  const enum status s = mapping_new(out, in->ranks, e);
  for (uint32_t r = 0; s == OK && r < in->ranks; r++)
    out->host[r] = slot[r] / in->ranks_per_host;
  return s;
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
