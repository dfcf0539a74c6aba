#include "mappers/fluid.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"

/* The rates of all flows rise with a common level until a full link or its bound stops a flow.  A
 * flow stopped at a level has the rate level / penalty.  The level of a link is the level at which
 * it is full. */

/* A quarter of the flows ends before rates are computed again. */
enum { ROUND = 4 };

/* Links whose levels differ by less than this share stop their flows in one step, each at its own
 * level. */
#define ALIKE 1e-3

/* Levels that differ by less than this share are equal: the room of a link has a large rounding
 * error if its open flows have small shares. */
#define EQUAL 1e-6

/* Ends that differ by less than this share of the round count as one. */
#define TOGETHER 1e-9

/* Starts that differ by less than this share of the shortest duration count as one. */
#define START_TOGETHER 0.01

struct flow {
  size_t first, end;  /* its uses */
  double weight;      /* count / penalty */
  double count, most; /* most: the level at which it reaches its bound */
  double left, rate;  /* bytes and bytes/s of each */
  double start;       /* s; of an active flow: the s by which it became active too early */
  bool open;          /* has no rate yet */
};

struct use {
  uint32_t link; /* index in link[] */
  double share;
};

/* A link of the batch. */
struct link {
  uint32_t id;
  double capacity, room; /* bytes/s; room: not taken by flows with a rate */
  double weight;         /* sum over its open flows of weight times share */
  uint32_t open;         /* number of open flows */
  size_t first, end;     /* its flows, in on[] */
};

struct start {
  double at;
  size_t flow;
};

struct fluid {
  const struct platform *platform;
  uint32_t *number; /* by id: index in link[] + 1; 0: none */
  struct flow *flow;
  struct use *use;
  struct link *link;
  size_t *on; /* flows by link */
  size_t *active;
  struct start *start; /* of all flows, earliest first */
  uint32_t *live;      /* links with open flows */
  double *sorted;
  size_t flows, uses, links, actives, lives;
  size_t flow_room, use_room, link_room, on_room, active_room, start_room, live_room, sorted_room;
  struct err *err;
};

enum status fluid_new(struct fluid **out, const struct platform *p, struct err *e)
{
  struct fluid *x = mem_array(1, sizeof *x, e);
  if (x == NULL)
    return FAIL;
  x->platform = p;
  x->number = mem_array(platform_link_ids(p), sizeof *x->number, e);
  if (x->number == NULL) {
    fluid_free(x);
    return FAIL;
  }
  *out = x;
  return OK;
}

void fluid_free(struct fluid *x)
{
  if (x == NULL)
    return;
  free(x->number);
  free(x->flow);
  free(x->use);
  free(x->link);
  free(x->on);
  free(x->active);
  free(x->start);
  free(x->live);
  free(x->sorted);
  free(x);
}

/* --- a batch ---------------------------------------------------------------------------------- */

void fluid_begin(struct fluid *x, struct err *e)
{
  x->err = e;
  for (size_t i = 0; i < x->links; i++)
    x->number[x->link[i].id] = 0;
  x->flows = x->uses = x->links = 0;
}

enum status fluid_add(struct fluid *x, const struct fluid_flow *f)
{
  if (MEM_GROW(x->flow, x->flow_room, x->flows + 1, x->err) != OK)
    return FAIL;
  x->flow[x->flows++] = (struct flow){.first = x->uses,
                                      .end = x->uses,
                                      .weight = f->count / f->penalty,
                                      .count = f->count,
                                      .most = f->bound * f->penalty,
                                      .left = f->bytes,
                                      .start = f->start_s};
  return OK;
}

static enum status add_link(struct fluid *x, uint32_t id, double capacity)
{
  if (MEM_GROW(x->link, x->link_room, x->links + 1, x->err) != OK)
    return FAIL;
  x->link[x->links++] = (struct link){.id = id, .capacity = capacity};
  x->number[id] = (uint32_t)x->links;
  return OK;
}

enum status fluid_use(struct fluid *x, const uint32_t *link, uint32_t links, double share)
{
  if (MEM_GROW(x->use, x->use_room, x->uses + links, x->err) != OK)
    return FAIL;
  for (uint32_t i = 0; i < links; i++) {
    if (x->number[link[i]] == 0) {
      const struct platform_link l = platform_link(x->platform, link[i]);
      if (l.fat)
        continue;
      if (add_link(x, link[i], l.bandwidth) != OK)
        return FAIL;
    }
    x->use[x->uses++] = (struct use){x->number[link[i]] - 1, share};
    x->link[x->number[link[i]] - 1].end++;
  }
  x->flow[x->flows - 1].end = x->uses;
  return OK;
}

/* Lists the flows of each link. */
static enum status list_flows(struct fluid *x)
{
  size_t sum = 0;
  if (MEM_GROW(x->on, x->on_room, x->uses, x->err) != OK ||
      MEM_GROW(x->active, x->active_room, x->flows, x->err) != OK ||
      MEM_GROW(x->start, x->start_room, x->flows, x->err) != OK ||
      MEM_GROW(x->sorted, x->sorted_room, x->flows, x->err) != OK ||
      MEM_GROW(x->live, x->live_room, x->links, x->err) != OK)
    return FAIL;
  for (size_t i = 0; i < x->links; i++) {
    const size_t flows = x->link[i].end;
    x->link[i].first = x->link[i].end = sum;
    sum += flows;
  }
  for (size_t f = 0; f < x->flows; f++)
    for (size_t u = x->flow[f].first; u < x->flow[f].end; u++)
      x->on[x->link[x->use[u].link].end++] = f;
  return OK;
}

/* --- rates ------------------------------------------------------------------------------------ */

/* Opens all active flows: takes their rates back. */
static void open_all(struct fluid *x)
{
  for (size_t i = 0; i < x->links; i++) {
    struct link *l = &x->link[i];
    l->room = l->capacity;
    l->weight = 0;
    l->open = 0;
    x->live[i] = (uint32_t)i;
  }
  x->lives = x->links;
  for (size_t i = 0; i < x->actives; i++) {
    struct flow *f = &x->flow[x->active[i]];
    f->open = true;
    for (size_t u = f->first; u < f->end; u++) {
      struct link *l = &x->link[x->use[u].link];
      l->weight += x->use[u].share * f->weight;
      l->open++;
    }
  }
}

static void stop(struct fluid *x, struct flow *f, double level)
{
  f->open = false;
  f->rate = level * f->weight / f->count;
  for (size_t u = f->first; u < f->end; u++) {
    struct link *l = &x->link[x->use[u].link];
    const double weight = x->use[u].share * f->weight;
    const double rest = l->room - level * weight;
    l->room = rest > 0 ? rest : 0;
    l->weight -= weight;
    l->open--;
  }
}

/* The least of the levels of all links.  Drops links without open flows. */
static double least_level(struct fluid *x)
{
  double least = INFINITY;
  size_t n = 0;
  for (size_t i = 0; i < x->lives; i++) {
    const struct link *l = &x->link[x->live[i]];
    if (l->open == 0)
      continue;
    x->live[n++] = x->live[i];
    const double level = l->room / l->weight; /* no fmin(): a call for each link */
    least = level < least ? level : least;
  }
  x->lives = n;
  return least;
}

/* Stops the open flows of full links.  Returns their number. */
static size_t stop_by_links(struct fluid *x, double level)
{
  size_t stopped = 0;
  for (size_t i = 0; i < x->lives; i++) {
    const struct link *l = &x->link[x->live[i]];
    if (l->open == 0 || l->room / l->weight > level * (1 + ALIKE))
      continue;
    const double rest = l->room / l->weight, own = rest > level * (1 + EQUAL) ? rest : level;
    for (size_t k = l->first; k < l->end; k++)
      if (x->flow[x->on[k]].open) {
        stop(x, &x->flow[x->on[k]], own);
        stopped++;
      }
  }
  return stopped;
}

/* Stops the open flows whose bounds are reached first.  Returns their number. */
static size_t stop_by_bounds(struct fluid *x, double level)
{
  size_t stopped = 0;
  for (size_t i = 0; i < x->actives; i++) {
    struct flow *f = &x->flow[x->active[i]];
    if (!f->open || f->most > level)
      continue;
    stop(x, f, f->most);
    stopped++;
  }
  return stopped;
}

static void set_rates(struct fluid *x)
{
  open_all(x);
  for (size_t open = x->actives; open > 0;) {
    const double level = least_level(x);
    const size_t bounded = stop_by_bounds(x, level);
    const size_t stopped = bounded > 0 ? bounded : stop_by_links(x, level);
    if (stopped == 0)
      return; /* rounding errors left negative weights: open flows keep their rates */
    open -= stopped;
  }
}

/* --- time ------------------------------------------------------------------------------------- */

/* The seconds until the next flows have ended: a quarter of the active ones, at least one. */
static double round_s(struct fluid *x)
{
  for (size_t i = 0; i < x->actives; i++)
    x->sorted[i] = x->flow[x->active[i]].left / x->flow[x->active[i]].rate;
  qsort(x->sorted, x->actives, sizeof *x->sorted, rising_double);
  return x->sorted[(x->actives - 1) / ROUND] * (1 + TOGETHER);
}

/* Advances the active flows by a round.  Sets the ends of the flows that end in it. */
static void pass(struct fluid *x, double now, double round, double *end_s)
{
  size_t n = 0;
  for (size_t i = 0; i < x->actives; i++) {
    struct flow *f = &x->flow[x->active[i]];
    const double needs = f->left / f->rate;
    if (needs <= round) {
      end_s[x->active[i]] = now + needs + f->start;
      continue;
    }
    f->left -= f->rate * round;
    x->active[n++] = x->active[i];
  }
  x->actives = n;
}

static int by_start(const void *a, const void *b)
{
  const struct start *x = a, *y = b;
  return RISING(x->at, y->at) ?: RISING(x->flow, y->flow);
}

/* Sorts the flows by their starts.  Returns the difference below which starts count as one. */
static double sort_starts(struct fluid *x)
{
  double shortest = INFINITY;
  for (size_t i = 0; i < x->flows; i++) {
    const struct flow *f = &x->flow[i];
    x->start[i] = (struct start){f->start, i};
    shortest = fmin(shortest, f->left * f->count / (f->most * f->weight));
  }
  qsort(x->start, x->flows, sizeof *x->start, by_start);
  return START_TOGETHER * shortest;
}

/* Makes the flows from start[next] on active that start until @p until.  Returns the next index. */
static size_t begin_flows(struct fluid *x, size_t next, double now, double until)
{
  for (; next < x->flows && x->start[next].at <= until; next++) {
    x->flow[x->start[next].flow].start -= now;
    x->active[x->actives++] = x->start[next].flow;
  }
  return next;
}

enum status fluid_run(struct fluid *x, double *end_s)
{
  double now = 0;
  size_t next = 0;
  if (list_flows(x) != OK)
    return FAIL;
  const double slack = sort_starts(x);
  for (x->actives = 0; x->actives > 0 || next < x->flows;) {
    if (x->actives == 0)
      now = x->start[next].at;
    next = begin_flows(x, next, now, now + slack);
    set_rates(x);
    double round = round_s(x);
    if (next < x->flows)
      round = fmin(round, x->start[next].at - now);
    pass(x, now, round, end_s);
    now += round;
  }
  return OK;
}
