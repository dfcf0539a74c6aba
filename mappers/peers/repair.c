#include "mappers/peers/repair.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/mem.h"
#include "mappers/greedy/slots.h"

/* Takes the slot that is nearest to @p host. */
static enum status take_near(struct slots *s, uint32_t *host, struct err *e)
{
  if (slots_pull(s, *host, 1, e) != OK)
    return FAIL;
  *host = slots_take(s);
  return OK;
}

/* Ranks that fit where they are take their slots first: no other rank is to push them away. */
static enum status settle(struct mapping *m, const struct mapper_input *in, struct slots *s,
                          uint32_t *load, struct err *e)
{
  for (uint32_t r = 0; r < m->ranks; r++)
    if (load[m->host[r]]++ < in->ranks_per_host && take_near(s, &m->host[r], e) != OK)
      return FAIL;
  return OK;
}

static enum status move(struct mapping *m, const struct mapper_input *in, struct slots *s,
                        uint32_t *load, struct err *e)
{
  for (uint32_t r = m->ranks; r-- > 0;)
    if (load[m->host[r]] > in->ranks_per_host) {
      load[m->host[r]]--;
      if (take_near(s, &m->host[r], e) != OK)
        return FAIL;
    }
  return OK;
}

static uint32_t count_surplus(const struct mapping *m, uint32_t per_host, uint32_t *load)
{
  uint32_t n = 0;
  for (uint32_t r = 0; r < m->ranks; r++)
    n += load[m->host[r]]++ >= per_host;
  return n;
}

enum status repair_mapping(struct mapping *m, const struct mapper_input *in, uint32_t *moved,
                           struct err *e)
{
  const uint32_t hosts = platform_hosts(in->platform);
  struct slots *slots = NULL;
  uint32_t *load = mem_array(hosts, sizeof *load, e);
  if (load == NULL)
    return FAIL;
  *moved = count_surplus(m, in->ranks_per_host, load);
  enum status s = *moved == 0 ? OK : slots_new(&slots, in->platform, in->ranks_per_host, e);
  for (uint32_t h = 0; h < hosts; h++)
    load[h] = 0;
  if (s == OK && *moved > 0)
    s = settle(m, in, slots, load, e);
  if (s == OK && *moved > 0)
    s = move(m, in, slots, load, e);
  slots_free(slots);
  free(load);
  return s;
}
