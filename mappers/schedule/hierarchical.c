/* Global scheduling from group of hosts to group of hosts, then local scheduling within each. */
#include <stdlib.h>

#include "common/mem.h"
#include "common/num.h"
#include "mappers/schedule/global.h"
#include "mappers/schedule/local.h"
#include "mappers/schedule/scheduler.h"

/* The leaves of a hierarchy of hosts, as groups for local scheduling. */
struct leaves {
  uint32_t *number; /* by group of hosts */
  uint32_t *first, *list;
  uint32_t count;
};

static void leaves_clear(struct leaves *l)
{
  free(l->number);
  free(l->first);
  free(l->list);
}

static enum status leaves_new(struct leaves *l, const struct hosts *h, struct err *e)
{
  uint32_t hosts = 0;
  *l = (struct leaves){.number = mem_array(h->groups, sizeof *l->number, e)};
  if (l->number == NULL ||
      (l->first = mem_array((size_t)h->groups + 1, sizeof *l->first, e)) == NULL ||
      (l->list = mem_array(h->count, sizeof *l->list, e)) == NULL)
    return FAIL;
  for (uint32_t g = 0; g < h->groups; g++) {
    if (h->group[g].children > 0)
      continue;
    l->number[g] = l->count;
    for (uint32_t i = 0; i < h->group[g].hosts; i++)
      l->list[hosts++] = h->host[h->group[g].first + i];
    l->first[++l->count] = hosts;
  }
  return OK;
}

static enum status place(const struct scheduler_input *in, double tolerance, struct leaves *l,
                         uint32_t *host, uint32_t *order, struct err *e)
{
  const uint32_t elements = in->net->elements;
  uint32_t *leaf = mem_array(elements, sizeof *leaf, e);
  enum status s = leaf == NULL ? FAIL : global_place(in->net, in->hosts, tolerance, leaf, e);
  for (uint32_t i = 0; s == OK && i < elements; i++)
    leaf[i] = l->number[leaf[i]];
  const struct local_groups g = {l->count, in->farm->hosts, l->first, l->list, leaf};
  if (s == OK)
    s = local_place(in->net, &g, host, order, e);
  free(leaf);
  return s;
}

static enum status schedule_all(const struct scheduler_input *in,
                                const struct scheduler_values *values, uint32_t *host,
                                uint32_t *order, struct err *e)
{
  struct leaves l;
  struct err why;
  double tolerance;
  if (num_double(values->value[0], 0, 1, &tolerance, &why) != OK)
    return err_set(e, "scheduler 'hierarchical': tolerance: %s", why.text);
  enum status s = leaves_new(&l, in->hosts, e);
  if (s == OK)
    s = place(in, tolerance, &l, host, order, e);
  leaves_clear(&l);
  return s;
}

static const struct scheduler_option OPTIONS[] = {
    {"tolerance", "0.001", "share by which a group of hosts may miss its work without a cut"},
    {.name = NULL},
};

const struct scheduler schedule_hierarchical = {
    .name = "hierarchical",
    .help = "the paper's: work to groups of hosts by their speeds, then as local within each",
    .options = OPTIONS,
    .run = schedule_all,
};
