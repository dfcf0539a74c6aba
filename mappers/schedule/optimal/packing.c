#include "mappers/schedule/optimal/packing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

enum {
  /* If any of these limits is exceeded, all elements are assumed to fit. */
  MOST_STATES = 1 << 20,
  MOST_LOOKED = 1 << 14, /* sets of elements on a host of a class */
  MOST_STEPS = 1 << 22   /* states * fills * hosts of a class */
};

/* --- kinds ------------------------------------------------------------------------------------ */

static bool rows_are_alike(const struct packing *p, const double *rows, uint32_t a, uint32_t b)
{
  const size_t classes = p->reach->in->farm->classes;
  return memcmp(rows + a * classes, rows + b * classes, classes * sizeof *rows) == 0;
}

/* True if all bounds of two elements are equal on each class. */
static bool are_of_a_kind(const struct packing *p, uint32_t a, uint32_t b)
{
  const struct reach *r = p->reach;
  return rows_are_alike(p, r->takes, a, b) && rows_are_alike(p, r->soonest, a, b) &&
         rows_are_alike(p, r->done, a, b) && rows_are_alike(p, r->rest, a, b) &&
         rows_are_alike(p, r->whole, a, b);
}

/* Returns false if there are too many kinds. */
static bool find_kinds(struct packing *p)
{
  for (uint32_t i = 0; i < p->reach->in->net->elements; i++) {
    uint32_t k = 0;
    while (k < p->kinds && !are_of_a_kind(p, i, p->element[k]))
      k++;
    if (k == PACKING_KINDS)
      return false;
    p->element[k] = i;
    p->count[k]++;
    p->kinds += k == p->kinds;
  }
  return true;
}

/* Moves the kind with the most elements to the front, since the first kind is not part of a
 * state. */
static void put_largest_first(struct packing *p)
{
  uint32_t largest = 0;
  for (uint32_t k = 1; k < p->kinds; k++)
    largest = p->count[k] > p->count[largest] ? k : largest;
  const uint32_t element = p->element[largest], count = p->count[largest];
  p->element[largest] = p->element[0];
  p->count[largest] = p->count[0];
  p->element[0] = element;
  p->count[0] = count;
}

enum status packing_new(struct packing *p, const struct reach *r, struct arena *mem)
{
  *p = (struct packing){.reach = r, .states = 1};
  if (!find_kinds(p))
    p->kinds = 0;
  put_largest_first(p);
  for (uint32_t k = 1; k < p->kinds && p->states <= MOST_STATES; k++)
    p->states *= (size_t)p->count[k] + 1;
  if (p->states > MOST_STATES)
    p->kinds = 0;
  if (p->kinds == 0)
    return OK;
  p->most = arena_array(mem, p->states, sizeof *p->most);
  p->next = arena_array(mem, p->states, sizeof *p->next);
  return arena_status(mem);
}

/* --- one host --------------------------------------------------------------------------------- */

/* The interval in which an element of a kind may run on a class. */
struct span {
  double from, to, takes;
};

static void find_spans(const struct packing *p, uint32_t class, double date, struct span *span)
{
  const struct reach *r = p->reach;
  for (uint32_t k = 0; k < p->kinds; k++) {
    const size_t i = (size_t)p->element[k] * r->in->farm->classes + class;
    span[k] = (struct span){r->soonest[i], date - r->rest[i], r->takes[i]};
    if (!reach_on(r, p->element[k], class, date))
      span[k].to = -INFINITY;
  }
}

/* True if the elements that must run between the earliest start of kind @p a and the latest end of
 * kind @p b fit in this interval. */
static bool fit_between(const struct packing *p, const struct span *span,
                        const struct packing_fill *f, uint32_t a, uint32_t b)
{
  double sum = 0;
  for (uint32_t k = 0; k < p->kinds; k++)
    if (f->count[k] > 0 && span[k].from >= span[a].from && span[k].to <= span[b].to)
      sum += f->count[k] * span[k].takes;
  return sum == 0 || sum <= (span[b].to - span[a].from) * (1 + REACH_SLACK) + REACH_SLACK;
}

static bool fit(const struct packing *p, const struct span *span, const struct packing_fill *f)
{
  for (uint32_t a = 0; a < p->kinds; a++)
    for (uint32_t b = 0; b < p->kinds; b++)
      if (f->count[a] > 0 && f->count[b] > 0 && !fit_between(p, span, f, a, b))
        return false;
  return true;
}

/* True if no further element fits, except of the first kind. */
static bool is_full(const struct packing *p, const struct span *span, const struct packing_fill *f)
{
  struct packing_fill more = *f;
  for (uint32_t k = 1; k < p->kinds; k++) {
    if (f->count[k] == p->count[k])
      continue;
    more.count[k]++;
    if (fit(p, span, &more))
      return false;
    more.count[k]--;
  }
  return true;
}

/* Adds the most elements of the first kind that fit, and stores the fill if it is maximal. */
static enum status take_fill(struct packing *p, const struct span *span, struct packing_fill f,
                             struct err *e)
{
  p->looked++;
  while (f.count[0] <= p->count[0] && fit(p, span, &f))
    f.count[0]++;
  f.count[0]--;
  if (!is_full(p, span, &f))
    return OK;
  if (MEM_GROW(p->fill, p->room, p->fills + 1, e) != OK)
    return FAIL;
  p->fill[p->fills++] = f;
  return OK;
}

/* Stores all maximal fills that have the numbers in @p f of the kinds after @p kind.  Examines at
 * most MOST_LOOKED fills. */
static enum status list_fills(struct packing *p, const struct span *span, uint32_t kind,
                              struct packing_fill *f, struct err *e)
{
  enum status s = OK;
  if (kind == 0)
    return take_fill(p, span, *f, e);
  for (; s == OK && p->looked < MOST_LOOKED && f->count[kind] <= p->count[kind] && fit(p, span, f);
       f->count[kind]++)
    s = list_fills(p, span, kind - 1, f, e);
  f->count[kind] = 0;
  return s;
}

/* --- all hosts -------------------------------------------------------------------------------- */

/* The state after a fill.  Numbers are capped at the number of elements. */
static size_t state_after(const struct packing *p, size_t state, const struct packing_fill *f)
{
  size_t after = 0, stride = 1;
  for (uint32_t k = 1; k < p->kinds; k++) {
    const uint32_t count = (uint32_t)(state % (p->count[k] + 1)) + f->count[k];
    state /= p->count[k] + 1;
    after += (count < p->count[k] ? count : p->count[k]) * stride;
    stride *= p->count[k] + 1;
  }
  return after;
}

static void add_host(struct packing *p)
{
  int32_t *swap = p->most;
  memcpy(p->next, p->most, p->states * sizeof *p->next);
  for (size_t i = 0; i < p->states; i++)
    for (size_t k = 0; k < p->fills && p->most[i] >= 0; k++) {
      const size_t to = state_after(p, i, &p->fill[k]);
      const int32_t count = p->most[i] + (int32_t)p->fill[k].count[0];
      p->next[to] = count > p->next[to] ? count : p->next[to];
    }
  p->most = p->next;
  p->next = swap;
}

enum status packing_by(struct packing *p, double date, bool *may, struct err *e)
{
  const struct farm *m = p->reach->in->farm;
  struct span span[PACKING_KINDS];
  *may = true;
  if (p->kinds == 0)
    return OK;
  memset(p->most, 0xff, p->states * sizeof *p->most); /* all -1: not reachable */
  p->most[0] = 0;
  for (uint32_t c = 0; c < m->classes; c++) {
    struct packing_fill f = {{0}};
    const uint32_t hosts = m->size[c];
    p->fills = p->looked = 0;
    find_spans(p, c, date, span);
    if (list_fills(p, span, p->kinds - 1, &f, e) != OK)
      return FAIL;
    if (p->looked == MOST_LOOKED || (double)p->fills * p->states * hosts > MOST_STEPS)
      return OK;
    for (uint32_t h = 0; h < hosts; h++)
      add_host(p);
  }
  *may = p->most[p->states - 1] >= (int32_t)p->count[0];
  return OK;
}
