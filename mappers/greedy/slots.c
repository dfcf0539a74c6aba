#include "mappers/greedy/slots.h"

#include <stdlib.h>

#include "common/mem.h"
#include "mappers/greedy/grid_slots.h"
#include "mappers/greedy/group_slots.h"
#include "platforms/topology/grid.h"

/* One of the two is set; the other is NULL. */
struct slots {
  struct grid_slots *grid;
  struct group_slots *group;
};

enum status slots_new(struct slots **out, const struct platform *p, uint32_t per_host,
                      struct err *e)
{
  const struct topology *t = platform_topology(p);
  struct slots *s = mem_array(1, sizeof *s, e);
  if (s == NULL)
    return FAIL;
  const bool grid = t != NULL && topology_is_grid(t);
  if ((grid ? grid_slots_new(&s->grid, t, per_host, e)
            : group_slots_new(&s->group, p, per_host, e)) != OK) {
    free(s);
    return FAIL;
  }
  *out = s;
  return OK;
}

void slots_free(struct slots *s)
{
  if (s == NULL)
    return;
  grid_slots_free(s->grid);
  group_slots_free(s->group);
  free(s);
}

enum status slots_pull(struct slots *s, uint32_t host, uint64_t weight, struct err *e)
{
  if (s->grid == NULL)
    return group_slots_pull(s->group, host, weight, e);
  grid_slots_pull(s->grid, host, weight);
  return OK;
}

uint32_t slots_take(struct slots *s)
{
  return s->grid != NULL ? grid_slots_take(s->grid) : group_slots_take(s->group);
}
