/* Finds a schedule with the least makespan by branch and bound.
 *
 * A schedule without needless waiting is determined by the hosts and the order of the elements.
 * The search places elements in the order of their ends, each after all elements on its host, so
 * that it visits each schedule once.  The order of starts does not work, because a pipelined
 * consumer may start before one of its producers.  The search skips schedules that differ only by
 * an exchange of equal parts: elements of an array with the same lanes, lanes without placed
 * elements, or hosts of a class that have run alike elements at the same times.  It cuts a branch
 * if reach.h proves that the branch contains no better schedule.  It starts from the schedule of
 * `best`, and is skipped if packing.h proves that schedule to be within the gap. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/containers/union_find.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "mappers/budget.h"
#include "mappers/schedule/optimal/packing.h"
#include "mappers/schedule/optimal/reach.h"

enum {
  MOST = 1024,          /* elements; also the depth of recursion: a larger search would not end */
  MOST_TRIES = 1 << 20, /* maximum of the option tries= */
  LOOK = 16             /* nodes between two reads of the clock and calls of the watch */
};

/* A makespan counts as better only if it is lower by more than this share. */
#define MARGIN 1e-9

#define NONE UINT32_MAX

struct branch {
  uint32_t element, host;
  struct arrivals_window window;
};

struct optimal {
  const struct scheduler_input *in;
  uint64_t nodes; /* maximum number of nodes */
  struct scheduler_search *search;
  struct budget time;
  double gap, best;
  double floor;           /* lower bound of the makespan of all schedules */
  uint32_t *host, *order; /* of the best; not owned */

  /* the placed elements */
  uint32_t *on;        /* by element: its host */
  double *start, *end; /* by element; NAN: not placed */
  uint32_t *taken;     /* placed elements in the order of placement */
  uint32_t *before;    /* by element: the previous element on its host, or NONE */
  uint32_t *newest;    /* by host: its last element, or NONE */
  double *free_at;     /* by host */
  uint32_t *waits;     /* by element: its lanes with producers that are not placed */
  uint32_t *missing;   /* by lane: its producers that are not placed */
  struct reach_state state;
  struct reach reach;

  /* lanes that are alike */
  uint32_t *part;  /* by array: the first array of its part; NONE: no lanes, or not alike */
  uint32_t *width; /* by part: the number of its lanes; 1: no lanes; 0: they are not alike */
  uint32_t *begun; /* by part * most_lanes + lane: number of placed elements */
  uint32_t most_lanes;

  struct branch *branch; /* stack of the branches of all nodes from the root to the current one */
  size_t branches, room;
};

/* --- construction ----------------------------------------------------------------------------- */

/* Joins the arrays of a stream to a part.  A part is a set of arrays connected by streams with
 * lanes; its number is its first array. */
static void join_by(struct optimal *o, const struct tasknet_stream *s)
{
  const struct tasknet *n = o->in->net;
  const uint32_t first = n->producer[s->from].array;
  for (uint32_t i = 1; i < s->producers; i++)
    union_find_unite(o->part, first, n->producer[s->from + i].array);
  for (uint32_t i = 0; i < s->consumers; i++)
    union_find_unite(o->part, first, n->consumer[s->to + i].array);
}

/* The lanes of a part are alike if all of its streams with lanes have equal widths and the elements
 * of its arrays are alike. */
static void find_widths(struct optimal *o)
{
  const struct tasknet *n = o->in->net;
  for (uint32_t i = 0; i < n->arrays; i++)
    o->width[i] = 1;
  for (uint32_t k = 0; k < n->streams; k++) {
    uint32_t *width = &o->width[o->part[n->producer[n->stream[k].from].array]];
    if (n->stream[k].width > 1 && *width != n->stream[k].width)
      *width = *width == 1 ? n->stream[k].width : 0;
  }
  for (uint32_t i = 0; i < n->arrays; i++)
    if (n->array[i].varied || o->in->farm->table != NULL || farm_loses(o->in->farm))
      o->width[o->part[i]] = 0;
  for (uint32_t i = 0; i < n->arrays; i++)
    if (o->width[i] > o->most_lanes)
      o->most_lanes = o->width[i];
}

static void find_parts(struct optimal *o)
{
  const struct tasknet *n = o->in->net;
  union_find_reset(o->part, n->arrays);
  for (uint32_t k = 0; k < n->streams; k++)
    if (n->stream[k].width > 1)
      join_by(o, &n->stream[k]);
  for (uint32_t i = 0; i < n->arrays; i++)
    o->part[i] = union_find_root(o->part, i);
  find_widths(o);
  for (uint32_t i = 0; i < n->arrays; i++)
    if (o->width[o->part[i]] <= 1)
      o->part[i] = NONE;
}

static void count_producers(struct optimal *o)
{
  const struct tasknet *n = o->in->net;
  for (uint32_t i = 0; i < n->producers; i++) {
    const struct tasknet_end *end = &n->producer[i];
    for (uint32_t k = 0; k < n->array[end->array].count; k++)
      o->missing[tasknet_lane(n, end, k)]++;
  }
  for (uint32_t i = 0; i < n->elements; i++) {
    o->start[i] = o->end[i] = NAN;
    o->waits[i] = (uint32_t)tasknet_inputs(n, n->array_of[i]);
  }
  for (uint32_t h = 0; h < o->in->farm->hosts; h++)
    o->newest[h] = NONE;
}

static enum status optimal_new(struct optimal *o, struct arena *mem)
{
  const struct tasknet *n = o->in->net;
  const uint32_t hosts = o->in->farm->hosts;
  o->on = arena_array(mem, n->elements, sizeof *o->on);
  o->start = arena_array(mem, n->elements, sizeof *o->start);
  o->end = arena_array(mem, n->elements, sizeof *o->end);
  o->taken = arena_array(mem, n->elements, sizeof *o->taken);
  o->before = arena_array(mem, n->elements, sizeof *o->before);
  o->newest = arena_array(mem, hosts, sizeof *o->newest);
  o->free_at = arena_array(mem, hosts, sizeof *o->free_at);
  o->waits = arena_array(mem, n->elements, sizeof *o->waits);
  o->missing = arena_array(mem, n->lanes, sizeof *o->missing);
  o->part = arena_array(mem, n->arrays, sizeof *o->part);
  o->width = arena_array(mem, n->arrays, sizeof *o->width);
  if (arena_status(mem) != OK)
    return FAIL;
  find_parts(o);
  o->begun = arena_array(mem, (size_t)n->arrays * o->most_lanes, sizeof *o->begun);
  if (o->begun == NULL)
    return FAIL;
  count_producers(o);
  o->state = (struct reach_state){
      .host = o->on, .start = o->start, .end = o->end, .free_at = o->free_at, .waits = o->waits};
  return reach_new(&o->reach, o->in, &o->state, mem);
}

/* --- placing and taking back ------------------------------------------------------------------ */

/* The number of placed elements in this element's lane; NULL: its lanes are not alike. */
static uint32_t *begun_of(struct optimal *o, uint32_t element)
{
  const struct tasknet *n = o->in->net;
  const uint32_t array = n->array_of[element], part = o->part[array];
  if (part == NONE)
    return NULL;
  const uint32_t each = n->array[array].count / o->width[part];
  return &o->begun[(size_t)part * o->most_lanes + (element - n->array[array].first) / each];
}

static void count_begun(struct optimal *o, uint32_t element, int32_t change)
{
  uint32_t *begun = begun_of(o, element);
  if (begun != NULL)
    *begun += (uint32_t)change;
}

/* Updates the counts of unplaced producers after an element was placed, or with @p back, removed.
 */
static void update_consumers(struct optimal *o, uint32_t element, bool back)
{
  const struct tasknet *n = o->in->net;
  const uint32_t array = n->array_of[element], k = element - n->array[array].first;
  for (size_t i = 0; i < tasknet_outputs(n, array); i++) {
    const struct tasknet_end *end = tasknet_output(n, array, i);
    const struct tasknet_stream *s = &n->stream[end->stream];
    const uint32_t lane = tasknet_lane(n, end, k);
    const bool changes = back ? o->missing[lane]++ == 0 : --o->missing[lane] == 0;
    for (uint32_t c = 0; changes && c < s->consumers; c++) {
      uint32_t first;
      const uint32_t count =
          tasknet_lane_elements(n, &n->consumer[s->to + c], lane - s->first_lane, &first);
      for (uint32_t j = first; j < first + count; j++)
        o->waits[j] += back ? 1 : -1;
    }
  }
}

static void place(struct optimal *o, const struct branch *b, uint32_t depth)
{
  o->on[b->element] = b->host;
  o->start[b->element] = b->window.start;
  o->end[b->element] = o->free_at[b->host] = b->window.end;
  o->before[b->element] = o->newest[b->host];
  o->newest[b->host] = b->element;
  o->taken[depth] = b->element;
  o->state.last = b->window.end;
  count_begun(o, b->element, 1);
  update_consumers(o, b->element, false);
}

static void take_back(struct optimal *o, const struct branch *b, uint32_t depth)
{
  const uint32_t before = o->before[b->element];
  update_consumers(o, b->element, true);
  count_begun(o, b->element, -1);
  o->state.last = depth == 0 ? 0 : o->end[o->taken[depth - 1]];
  o->newest[b->host] = before;
  o->free_at[b->host] = before == NONE ? 0 : o->end[before];
  o->start[b->element] = o->end[b->element] = NAN;
}

/* --- branches --------------------------------------------------------------------------------- */

/* True if an unplaced earlier element is alike, so that its branches cover this element's. */
static bool element_has_twin(struct optimal *o, uint32_t element)
{
  const struct tasknet *n = o->in->net;
  const uint32_t first = n->array[n->array_of[element]].first;
  const uint32_t *begun = begun_of(o, element);
  if (element > first && isnan(o->start[element - 1]) && reach_alike(o->in, element - 1, element))
    return true;
  if (begun == NULL || *begun > 0)
    return false;
  const uint32_t *lane = &o->begun[(size_t)o->part[n->array_of[element]] * o->most_lanes];
  for (; lane < begun; lane++)
    if (*lane == 0)
      return true;
  return false;
}

/* True if two hosts of a class have run elements that are alike at the same times. */
static bool hosts_are_alike(const struct optimal *o, uint32_t a, uint32_t b)
{
  const struct farm *m = o->in->farm;
  uint32_t i = o->newest[a], j = o->newest[b];
  if (m->class_of[a] != m->class_of[b] || farm_loses(m))
    return false;
  while (i != NONE && j != NONE && o->start[i] == o->start[j] && o->end[i] == o->end[j] &&
         reach_alike(o->in, i, j)) {
    i = o->before[i];
    j = o->before[j];
  }
  return i == NONE && j == NONE;
}

static bool host_has_twin(const struct optimal *o, uint32_t host)
{
  for (uint32_t h = 0; h < host; h++)
    if (hosts_are_alike(o, h, host))
      return true;
  return false;
}

/* True if the branch violates the order of placements: by rising end; of elements that take time
 * and end at the same date, by rising number. */
static bool breaks_order(const struct optimal *o, const struct branch *b, uint32_t depth)
{
  if (depth == 0 || b->window.end > o->state.last)
    return false;
  const uint32_t last = o->taken[depth - 1];
  return b->window.end < o->state.last ||
         (b->element < last && b->window.end > b->window.start && o->end[last] > o->start[last]);
}

static enum status list_hosts(struct optimal *o, uint32_t element, uint32_t depth, struct err *e)
{
  for (uint32_t h = 0; h < o->in->farm->hosts; h++) {
    struct branch b = {.element = element, .host = h};
    if (arrivals_window(&o->reach.arrivals, element, h, o->free_at[h], &b.window, e) != OK)
      return FAIL;
    if (breaks_order(o, &b, depth) || host_has_twin(o, h))
      continue;
    if (MEM_GROW(o->branch, o->room, o->branches + 1, e) != OK)
      return FAIL;
    o->branch[o->branches++] = b;
  }
  return OK;
}

/* Elements that end sooner are tried first. */
static int compare(const void *x, const void *y)
{
  const struct branch *a = x, *b = y;
  return RISING(a->window.end, b->window.end) ?: RISING(a->window.start, b->window.start)
      ?: RISING(a->element, b->element) ?: RISING(a->host, b->host);
}

static enum status list_branches(struct optimal *o, uint32_t depth, struct err *e)
{
  const size_t from = o->branches;
  for (uint32_t i = 0; i < o->in->net->elements; i++)
    if (isnan(o->start[i]) && o->waits[i] == 0 && !element_has_twin(o, i) &&
        list_hosts(o, i, depth, e) != OK)
      return FAIL;
  if (o->branches > from)
    qsort(o->branch + from, o->branches - from, sizeof *o->branch, compare);
  return OK;
}

/* --- the search ------------------------------------------------------------------------------- */

/* The largest makespan that counts as better. */
static double limit(const struct optimal *o)
{
  return o->best * (1 - MARGIN) / (1 + o->gap);
}

static bool stop(struct optimal *o, const char *by)
{
  o->search->stopped = by;
  return false;
}

/* Reports the progress to the caller and counts @p nodes more nodes; returns false if the search
 * must stop. */
static bool may_continue(struct optimal *o, uint64_t nodes)
{
  struct scheduler_search *s = o->search;
  s->best_s = o->best;
  s->bound_s = o->floor;
  if (s->nodes % LOOK == 0 && s->watch != NULL && !s->watch(s))
    return stop(o, "a signal");
  if (s->seconds > 0 && !budget_spend(&o->time, 1))
    return stop(o, "--time");
  if (s->nodes + nodes > o->nodes)
    return stop(o, "nodes=");
  s->nodes += nodes;
  return true;
}

static void keep(struct optimal *o)
{
  const uint32_t elements = o->in->net->elements;
  double makespan = 0;
  for (uint32_t i = 0; i < elements; i++)
    makespan = fmax(makespan, o->end[i]);
  if (makespan >= o->best)
    return;
  o->best = makespan;
  memcpy(o->host, o->on, elements * sizeof *o->host);
  memcpy(o->order, o->taken, elements * sizeof *o->order);
}

static enum status search(struct optimal *o, uint32_t depth, struct err *e)
{
  const size_t from = o->branches;
  if (depth == o->in->net->elements) {
    keep(o);
    return OK;
  }
  if (reach_look(&o->reach, e) != OK)
    return FAIL;
  if (!reach_by(&o->reach, limit(o)))
    return OK;
  if (!may_continue(o, 1))
    return OK;
  if (list_branches(o, depth, e) != OK)
    return FAIL;
  const size_t to = o->branches;
  for (size_t i = from; i < to && o->search->stopped == NULL; i++) {
    const struct branch b = o->branch[i];
    place(o, &b, depth);
    if (search(o, depth + 1, e) != OK)
      return FAIL;
    take_back(o, &b, depth);
  }
  o->branches = from;
  return OK;
}

/* Sets *may if the bounds of an empty schedule allow all elements to end by @p date. */
static enum status may_end_by(struct optimal *o, struct packing *p, double date, bool *may,
                              struct err *e)
{
  *may = reach_by(&o->reach, date);
  return *may ? packing_by(p, date, may, e) : OK;
}

/* Finds the least makespan that the bounds allow, by bisection. */
static enum status find_floor(struct optimal *o, struct err *e)
{
  ARENA(mem, e);
  struct packing p = {0};
  double high = o->best;
  enum status s = reach_look(&o->reach, e);
  if (s == OK)
    s = packing_new(&p, &o->reach, &mem);
  while (s == OK && high - o->floor > 1e-6 * high && may_continue(o, 0)) {
    const double middle = o->floor + (high - o->floor) / 2;
    bool may;
    if ((s = may_end_by(o, &p, middle, &may, e)) == OK && may)
      high = middle;
    else
      o->floor = middle;
  }
  free(p.fill);
  return s;
}

/* Proves the initial schedule to be optimal or finds a better one, until the search is stopped. */
static enum status find_optimum(struct optimal *o, struct err *e)
{
  struct scheduler_search *look = o->search;
  o->time = budget_start(look->seconds, 0);
  o->time.stride = LOOK;
  look->running = true;
  enum status s = find_floor(o, e);
  if (s == OK && look->stopped == NULL && limit(o) > o->floor)
    s = search(o, 0, e);
  if (s == OK && look->stopped == NULL)
    o->floor = fmax(o->floor, o->best / (1 + o->gap));
  look->best_s = o->best;
  look->bound_s = o->floor;
  look->running = false;
  if (look->watch != NULL)
    look->watch(look);
  return s;
}

static enum status refuse(const struct optimal *o, struct err *e)
{
  return err_set(e,
                 "scheduler 'optimal': not proven with nodes=%" PRIu64
                 ": the best schedule found takes %.9g s, and every schedule at least %.9g s",
                 o->search->nodes, o->best, o->floor);
}

/* --- scheduler -------------------------------------------------------------------------------- */

struct options {
  uint64_t nodes, tries; /* tries: for `best` */
  double gap;
};

/* Starts from the schedule of `best`. */
static enum status begin(struct optimal *o, uint64_t tries, struct err *e)
{
  char spec[64];
  struct schedule s = {0};
  snprintf(spec, sizeof spec, "best:tries=%" PRIu64, tries);
  enum status status = schedule_new(&s, o->in->net->elements, e);
  if (status == OK)
    status = scheduler_order(spec, o->in, o->host, o->order, e);
  if (status == OK) {
    memcpy(s.host, o->host, s.elements * sizeof *s.host);
    status = schedule_date(&s, o->in->net, o->in->farm, o->order, e);
    o->best = schedule_makespan(&s);
  }
  schedule_clear(&s);
  return status;
}

static enum status schedule_optimum(const struct scheduler_input *in, uint32_t *host,
                                    uint32_t *order, struct err *e)
{
  const struct options *given = in->options;
  struct scheduler_search unwatched = {0};
  struct optimal o = {
      .in = in, .nodes = given->nodes, .gap = given->gap, .host = host, .order = order};
  if (in->net->elements > MOST)
    return err_set(e, "scheduler 'optimal': %" PRIu32 " tasks are more than %d", in->net->elements,
                   MOST);
  if (begin(&o, given->tries, e) != OK)
    return FAIL;
  o.search = in->search != NULL ? in->search : &unwatched;
  ARENA(mem, e);
  enum status s = optimal_new(&o, &mem);
  if (s == OK)
    s = find_optimum(&o, e);
  if (s == OK && in->search == NULL && unwatched.stopped != NULL)
    s = refuse(&o, e);
  arrivals_clear(&o.reach.arrivals);
  free(o.branch);
  return s;
}

#define AT(FIELD) offsetof(struct options, FIELD)

static const struct spec_option OPTIONS[] = {
    {"nodes", SPEC_U64, AT(nodes), "1000000",
     .help = "maximum number of partial schedules; the search then stops without a proof"},
    {"gap", SPEC_SHARE, AT(gap), "0", .help = "accepted excess over the optimum, as 0.01 or 1%",
     .most = 10},
    {"tries", SPEC_U64, AT(tries), "32",
     .help = "tries of the scheduler best, whose schedule the search starts from",
     .most = MOST_TRIES},
    {.name = NULL},
};

const struct scheduler schedule_optimal = {
    .name = "optimal",
    .help = "the least makespan, by branch and bound: at most 1024 tasks",
    .options = OPTIONS,
    .searches = true,
    .run = schedule_optimum,
};
