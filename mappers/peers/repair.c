#include "mappers/peers/repair.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "mappers/greedy/slots.h"

/* Takes the free slot nearest to @p host. */
static enum status take_near(struct slots *s, uint32_t *host, struct err *e)
{
  if (slots_pull(s, *host, 1, e) != OK)
    return FAIL;
  *host = slots_take(s);
  return OK;
}

/* Takes the used slots.  The free slot nearest to a host is on the host itself. */
static enum status take_used(struct slots *s, uint32_t hosts, uint32_t each, const uint32_t *used,
                             struct err *e)
{
  for (uint32_t h = 0; used != NULL && h < hosts; h++)
    for (uint32_t k = 0; k < used[h] && k < each; k++) {
      uint32_t host = h;
      if (take_near(s, &host, e) != OK)
        return FAIL;
    }
  return OK;
}

/* Sets stays[] by rank: on a host with too many ranks the lowest ones stay.  Returns the number of
 * ranks that must move. */
static uint32_t choose(const struct mapping *m, uint32_t each, uint32_t *load, bool *stays)
{
  uint32_t n = 0;
  for (uint32_t r = 0; r < m->ranks; r++) {
    stays[r] = load[m->host[r]]++ < each;
    n += !stays[r];
  }
  return n;
}

/* Ranks that stay take their slots first, so that moved ranks cannot take them. */
static enum status move(struct mapping *m, const bool *stays, struct slots *s, struct err *e)
{
  for (uint32_t r = 0; r < m->ranks; r++)
    if (stays[r] && take_near(s, &m->host[r], e) != OK)
      return FAIL;
  for (uint32_t r = m->ranks; r-- > 0;)
    if (!stays[r] && take_near(s, &m->host[r], e) != OK)
      return FAIL;
  return OK;
}

enum status repair_around(struct mapping *m, const struct platform *p, uint32_t each,
                          const uint32_t *used, uint32_t *moved, struct err *e)
{
  const uint32_t hosts = platform_hosts(p);
  struct slots *slots = NULL;
  OWNED uint32_t *load = mem_array(hosts, sizeof *load, e);
  OWNED bool *stays = load == NULL ? NULL : mem_array(m->ranks, sizeof *stays, e);
  enum status s = stays == NULL ? FAIL : OK;
  if (s == OK && used != NULL)
    memcpy(load, used, hosts * sizeof *load);
  *moved = s == OK ? choose(m, each, load, stays) : 0;
  if (*moved > 0 && (s = slots_new(&slots, p, each, e)) == OK &&
      (s = take_used(slots, hosts, each, used, e)) == OK)
    s = move(m, stays, slots, e);
  slots_free(slots);
  return s;
}

enum status repair_mapping(struct mapping *m, const struct mapper_input *in, uint32_t *moved,
                           struct err *e)
{
  const uint32_t hosts = platform_hosts(in->platform), each = in->ranks_per_host;
  OWNED uint32_t *used = in->capacity == NULL ? NULL : mem_array(hosts, sizeof *used, e);
  *moved = 0;
  if (in->capacity != NULL && used == NULL)
    return FAIL;
  for (uint32_t h = 0; used != NULL && h < hosts; h++)
    used[h] = in->capacity[h] < each ? each - in->capacity[h] : 0;
  return repair_around(m, in->platform, each, used, moved, e);
}
