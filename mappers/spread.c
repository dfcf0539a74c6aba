#include "mappers/spread.h"

uint32_t spread_slots(const struct mapper_input *in, uint32_t host, uint32_t most)
{
  return in->capacity != NULL && in->capacity[host] < most ? in->capacity[host] : most;
}

uint32_t spread_least(const struct mapper_input *in)
{
  const uint32_t hosts = platform_hosts(in->platform);
  uint32_t each = in->ranks / hosts + (in->ranks % hosts > 0);
  for (uint64_t slots = 0; in->capacity != NULL; each++, slots = 0) {
    for (uint32_t h = 0; h < hosts; h++)
      slots += spread_slots(in, h, each);
    if (slots >= in->ranks)
      break;
  }
  return each;
}

enum status spread_input(struct mapper_input *out, const struct mapper_input *in, struct arena *mem)
{
  const uint32_t hosts = platform_hosts(in->platform), each = spread_least(in);
  uint32_t *capacity = arena_array(mem, hosts, sizeof *capacity);
  uint32_t *taken = arena_array(mem, hosts, sizeof *taken);
  uint32_t *order = arena_array(mem, in->slots, sizeof *order), n = 0;
  if (arena_status(mem) != OK)
    return FAIL;
  for (uint32_t h = 0; h < hosts; h++)
    capacity[h] = spread_slots(in, h, each);
  for (uint32_t i = 0; i < in->slots; i++)
    if (taken[in->order[i]]++ < each)
      order[n++] = in->order[i];
  *out = *in;
  out->ranks_per_host = each;
  out->slots = n;
  out->order = in->order == NULL ? NULL : order;
  out->capacity = in->capacity == NULL ? NULL : capacity;
  return OK;
}
