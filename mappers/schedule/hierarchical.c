/* Global scheduling from group of hosts to group of hosts, then local scheduling within each. */
#include <stdlib.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/registry.h"
#include "mappers/schedule/eft.h"
#include "mappers/schedule/front.h"
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

struct inner {
  const char *name;
};

static const struct inner by_costs = {"costs"}, by_ends = {"ends"};

#define LIST(ROW) ROW(by_costs) ROW(by_ends)

static const struct registry inners = REGISTRY("inner scheduler", LIST);

static enum status place_listed(struct front *f, const uint32_t *order, struct err *e)
{
  struct front_choice choice;
  for (uint32_t i = 0; i < f->in->net->elements; i++)
    if (front_choose(f, order[i], NULL, &choice, e) != OK ||
        front_place(f, order[i], &choice, e) != OK)
      return FAIL;
  return OK;
}

/* By upward rank, each where it ends first within its group of hosts. */
static enum status place_by_ends(const struct scheduler_input *in, const uint32_t *group,
                                 uint32_t *host, uint32_t *order, struct err *e)
{
  struct front f = {.in = in};
  struct order_weights w;
  double *work = NULL, *key = mem_array(in->net->elements, sizeof *key, e);
  enum status s = key == NULL ? FAIL : eft_weights(in, &w, &work, e);
  if (s == OK)
    s = order_rank_up(in->net, &w, key, e);
  for (uint32_t i = 0; s == OK && i < in->net->elements; i++)
    key[i] = -key[i];
  if (s == OK)
    s = order_by_key(in->net, key, order, e);
  if (s == OK)
    s = front_new(&f, in, host, e);
  f.within = group;
  if (s == OK)
    s = place_listed(&f, order, e);
  front_clear(&f);
  free(work);
  free(key);
  return s;
}

struct options {
  double tolerance;
  const struct inner *inner;
};

static enum status read_options(struct options *o, const struct scheduler_values *values,
                                struct err *e)
{
  struct err why;
  if (num_double(values->value[0], 0, 1, &o->tolerance, &why) != OK)
    return err_set(e, "scheduler 'hierarchical': tolerance: %s", why.text);
  if ((o->inner = registry_get(&inners, values->value[1], &why)) == NULL)
    return err_set(e, "scheduler 'hierarchical': inner: %s", why.text);
  return OK;
}

static enum status place(const struct scheduler_input *in, const struct options *o,
                         struct leaves *l, uint32_t *host, uint32_t *order, struct err *e)
{
  const uint32_t elements = in->net->elements;
  uint32_t *leaf = mem_array(elements, sizeof *leaf, e);
  enum status s = leaf == NULL ? FAIL : global_place(in->net, in->hosts, o->tolerance, leaf, e);
  for (uint32_t i = 0; s == OK && i < elements; i++)
    leaf[i] = l->number[leaf[i]];
  const struct local_groups g = {l->count, in->farm->hosts, l->first, l->list, leaf};
  if (s == OK)
    s = o->inner == &by_ends ? place_by_ends(in, leaf, host, order, e)
                             : local_place(in->net, &g, host, order, e);
  free(leaf);
  return s;
}

static enum status schedule_all(const struct scheduler_input *in,
                                const struct scheduler_values *values, uint32_t *host,
                                uint32_t *order, struct err *e)
{
  struct leaves l;
  struct options o;
  if (read_options(&o, values, e) != OK)
    return FAIL;
  enum status s = leaves_new(&l, in->hosts, e);
  if (s == OK)
    s = place(in, &o, &l, host, order, e);
  leaves_clear(&l);
  return s;
}

static const struct scheduler_option OPTIONS[] = {
    {"tolerance", "0.001", "share by which a group of hosts may miss its work without a cut"},
    {"inner", "costs",
     "within a group of hosts: costs (the paper's local), or ends (earliest ends)"},
    {.name = NULL},
};

const struct scheduler schedule_hierarchical = {
    .name = "hierarchical",
    .help = "the paper's: work to groups of hosts by their speeds, then as local within each",
    .options = OPTIONS,
    .run = schedule_all,
};
