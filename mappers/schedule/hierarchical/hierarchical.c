/* Assigns tasks to groups of equal hosts, then to the hosts of each group: by shares of the work
 * and by dependence costs, as in the paper, or each task to the host where it ends first.  Slow
 * groups may get no work; in the paper all groups get work. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/num.h"
#include "mappers/schedule/eft.h"
#include "mappers/schedule/front.h"
#include "mappers/schedule/hierarchical/global.h"
#include "mappers/schedule/hierarchical/local.h"
#include "mappers/schedule/scheduler.h"
#include "tasks/cost.h"

/* A try takes one step for each element and open group of hosts, with outer=shares SHARES steps for
 * each element.  If a single try would take more than MOST_STEPS steps, outer=shares replaces
 * outer=ends.  After FIRST_TRIES tries, no further try begins once all tries together have taken
 * MOST_STEPS steps. */
#define MOST_STEPS (UINT64_C(1) << 23)
enum { FIRST_TRIES = 4, SHARES = 8 };

/* --- options ---------------------------------------------------------------------------------- */

struct options {
  enum { OUTER_ENDS, OUTER_SHARES } outer;
  enum { INNER_FIT, INNER_COSTS, INNER_ENDS } inner;
  const char *groups;
  enum { SHARE_OUTER, SHARE_EVERY } share;
  double tolerance;
};

#define AT(FIELD) offsetof(struct options, FIELD)

static const struct spec_option OPTIONS[] = {
    {"outer", SPEC_CHOICE, AT(outer), "ends",
     .help = "group of equal hosts for a task: ends (where it ends first), or shares (the "
             "paper's, by speeds)",
     .names = (const char *const[]){"ends", "shares", NULL}},
    {"inner", SPEC_CHOICE, AT(inner), "fit",
     .help = "with outer=shares, host in the group: costs (the paper's local), ends, or fit (the "
             "better)",
     .names = (const char *const[]){"fit", "costs", "ends", NULL}, .needs = "outer=shares"},
    {"groups", SPEC_TEXT, AT(groups), "fit",
     .help =
         "number of groups that get work, the fastest: all (the paper's), a number, or fit (the "
         "best number found)"},
    {"share", SPEC_CHOICE, AT(share), "outer",
     .help = "with outer=shares, a group of hosts gets a share by its speed: of all work (outer), "
             "or of each group of tasks that is divided (every)",
     .names = (const char *const[]){"outer", "every", NULL}, .needs = "outer=shares"},
    {"tolerance", SPEC_DOUBLE, AT(tolerance), "0.001",
     .help = "relative deviation from its share that a group may have, to avoid cutting arrays",
     .most = 1},
    {.name = NULL},
};

/* --- data of all tries ------------------------------------------------------------------------ */

/* The classes of the farm are the leaves of the hierarchy of hosts, in the same order. */
struct leaf_search {
  const struct scheduler_input *in;
  struct options o;
  uint64_t most;           /* groups that get work */
  bool fewer;              /* also try fewer groups */
  struct hosts_mean *leaf; /* sorted by falling speed */
  uint32_t *class;         /* by group of hosts, for leaves */
  uint32_t *first, *list;  /* hosts of the classes, as in struct local_groups */
  double work;             /* sum of all elements */

  bool *open;   /* by group of hosts, for leaves */
  double *shut; /* by class: 0 if it is open, INFINITY if not */
  double speed; /* of all open hosts */

  uint32_t *listed;      /* elements by falling upward rank */
  struct global *global; /* NULL: shares are not used */
  uint32_t *place;       /* by element, with shares: its leaf, later its class */
  struct schedule trial;
  uint32_t *taken;        /* order of the trial */
  double makespan;        /* of the best */
  uint32_t *host, *order; /* of the best; not owned */
};

static void list_leaves(struct leaf_search *f)
{
  const struct hosts *h = f->in->hosts;
  uint32_t leaves = 0, hosts = 0;
  for (uint32_t g = 0; g < h->groups; g++) {
    const struct hosts_group *group = &h->group[g];
    if (group->children > 0)
      continue;
    f->leaf[leaves] = (struct hosts_mean){group->speed / group->hosts, g};
    f->class[g] = leaves;
    for (uint32_t i = 0; i < group->hosts; i++)
      f->list[hosts++] = h->host[group->first + i];
    f->first[++leaves] = hosts;
    f->open[g] = true;
    f->speed += f->in->farm->speed[leaves - 1] * group->hosts;
  }
  qsort(f->leaf, leaves, sizeof *f->leaf, hosts_by_falling_speed);
}

static enum status prepare(struct leaf_search *f, struct arena *mem)
{
  const struct hosts *h = f->in->hosts;
  const uint32_t elements = f->in->net->elements, classes = f->in->farm->classes;
  f->leaf = arena_array(mem, classes, sizeof *f->leaf);
  f->class = arena_array(mem, h->groups, sizeof *f->class);
  f->first = arena_array(mem, (size_t)classes + 1, sizeof *f->first);
  f->list = arena_array(mem, h->count, sizeof *f->list);
  f->open = arena_array(mem, h->groups, sizeof *f->open);
  f->shut = arena_array(mem, classes, sizeof *f->shut);
  f->listed = arena_array(mem, elements, sizeof *f->listed);
  f->place = arena_array(mem, elements, sizeof *f->place);
  f->taken = arena_array(mem, elements, sizeof *f->taken);
  double *key = arena_array(mem, elements, sizeof *key);
  if (arena_status(mem) != OK || schedule_new(&f->trial, elements, mem->e) != OK ||
      eft_rank_keys(f->in, key, mem->e) != OK ||
      order_by_key(f->in->net, key, f->listed, mem->e) != OK)
    return FAIL;
  for (uint32_t a = 0; a < f->in->net->arrays; a++)
    f->work += tasknet_array_sum(f->in->net, a).compute;
  list_leaves(f);
  const struct global_rules rules = {f->o.tolerance, f->o.share == SHARE_EVERY};
  return f->o.outer == OUTER_ENDS ? OK : global_new(&f->global, f->in->net, h, &rules, mem);
}

/* --- tries ------------------------------------------------------------------------------------ */

/* Closes the slowest groups until at most @p count are open. */
static void shut_slow(struct leaf_search *f, uint32_t *opened, uint64_t count)
{
  for (; *opened > count; --*opened) {
    const struct hosts_mean *slowest = &f->leaf[*opened - 1];
    const uint32_t class = f->class[slowest->group];
    f->open[slowest->group] = false;
    f->shut[class] = INFINITY;
    f->speed -= f->in->farm->speed[class] * f->in->farm->size[class];
  }
}

static enum status place_listed(const struct leaf_search *f, struct front *front, struct err *e)
{
  struct front_choice choice;
  for (uint32_t i = 0; i < f->in->net->elements; i++)
    if (front_choose(front, f->listed[i], f->shut, &choice, e) != OK ||
        front_place(front, f->listed[i], &choice, e) != OK)
      return FAIL;
  return OK;
}

/* Places elements by upward rank, each where it ends first, on the class class[element] if @p class
 * is not NULL. */
static enum status place_by_ends(struct leaf_search *f, const uint32_t *class, struct err *e)
{
  ARENA(mem, e);
  struct front front;
  enum status s = front_new(&front, f->in, f->trial.host, &mem);
  front.within = class;
  if (s == OK)
    s = place_listed(f, &front, e);
  arrivals_clear(&front.arrivals);
  memcpy(f->taken, f->listed, f->in->net->elements * sizeof *f->taken);
  return s;
}

static enum status place_by_costs(struct leaf_search *f, struct err *e)
{
  const struct local_groups g = {f->in->farm->classes, f->in->farm->hosts, f->first, f->list,
                                 f->place};
  return local_place(f->in->net, &g, f->trial.host, f->taken, e);
}

/* Keeps the trial if it is the best so far. */
static enum status keep(struct leaf_search *f, struct err *e)
{
  const size_t size = f->in->net->elements * sizeof *f->host;
  if (schedule_date(&f->trial, f->in->net, f->in->farm, f->taken, e) != OK)
    return FAIL;
  const double makespan = schedule_makespan(&f->trial);
  if (makespan >= f->makespan)
    return OK;
  f->makespan = makespan;
  memcpy(f->host, f->trial.host, size);
  memcpy(f->order, f->taken, size);
  return OK;
}

static enum status try_shares(struct leaf_search *f, struct err *e)
{
  if (global_place(f->global, f->open, f->place, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < f->in->net->elements; i++)
    f->place[i] = f->class[f->place[i]];
  if (f->o.inner != INNER_ENDS && (place_by_costs(f, e) != OK || keep(f, e) != OK))
    return FAIL;
  if (f->o.inner != INNER_COSTS && (place_by_ends(f, f->place, e) != OK || keep(f, e) != OK))
    return FAIL;
  return OK;
}

static enum status try_open(struct leaf_search *f, struct err *e)
{
  if (f->global != NULL)
    return try_shares(f, e);
  return place_by_ends(f, NULL, e) == OK ? keep(f, e) : FAIL;
}

/* Tries decreasing numbers of groups, until the total work would keep the open groups busy for as
 * long as the best makespan. */
static enum status try_all(struct leaf_search *f, struct err *e)
{
  uint32_t opened = f->in->farm->classes;
  uint64_t steps = 0;
  shut_slow(f, &opened, f->most);
  enum status s = try_open(f, e);
  for (uint32_t i = 1; s == OK && f->fewer && opened > 1; i++) {
    shut_slow(f, &opened, opened - (opened + 3) / 4);
    steps += (uint64_t)f->in->net->elements * (f->global == NULL ? opened : SHARES);
    if (f->work / f->speed >= f->makespan || (i >= FIRST_TRIES && steps > MOST_STEPS))
      break;
    s = try_open(f, e);
  }
  return s;
}

static enum status read_groups(struct leaf_search *f, const char *text, struct err *e)
{
  struct err why;
  f->most = UINT32_MAX;
  f->fewer = strcmp(text, "fit") == 0;
  if (f->fewer || strcmp(text, "all") == 0 ||
      (num_u64(text, UINT32_MAX, &f->most, &why) == OK && f->most > 0))
    return OK;
  return err_set(e,
                 "scheduler 'hierarchical': groups: '%.40s' is none of fit, all and a number above "
                 "0",
                 text);
}

static enum status schedule_all(const struct scheduler_input *in, uint32_t *host, uint32_t *order,
                                struct err *e)
{
  const struct options *o = in->options;
  struct leaf_search f = {.in = in, .o = *o, .makespan = INFINITY, .host = host, .order = order};
  if (read_groups(&f, o->groups, e) != OK)
    return FAIL;
  if ((uint64_t)in->net->elements * in->farm->classes > MOST_STEPS)
    f.o.outer = OUTER_SHARES;
  ARENA(mem, e);
  enum status s = prepare(&f, &mem);
  if (s == OK)
    s = try_all(&f, e);
  global_clear(f.global);
  schedule_clear(&f.trial);
  return s;
}

const struct scheduler schedule_hierarchical = {
    .name = "hierarchical",
    .help = "tasks to groups of equal hosts, then within each; "
            "the paper's: hierarchical:outer=shares,inner=costs,groups=all",
    .options = OPTIONS,
    .run = schedule_all,
};
