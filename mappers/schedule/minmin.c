/* Min-min and max-min (Ibarra, Kim 1977; Maheswaran et al. 1999): finds the host where each ready
 * element would end first, and places the element that would end first (min-min) or last (max-min)
 * on its host.  O(elements * ready elements * classes). */
#include "mappers/schedule/front.h"
#include "tasks/timing/waiting.h"

#define NOWHERE UINT32_MAX

struct ready {
  struct front front;
  struct waiting waiting;
  double sign;                 /* 1: min-min; -1: max-min */
  struct front_choice *choice; /* by element, if it is ready; host NOWHERE: not computed */
  uint32_t *list, count;       /* ready elements */
};

static void released(void *ready, uint32_t element)
{
  struct ready *r = ready;
  r->choice[element].host = NOWHERE;
  r->list[r->count++] = element;
}

static enum status ready_new(struct ready *r, const struct scheduler_input *in, uint32_t *host,
                             struct arena *mem)
{
  const struct tasknet *n = in->net;
  r->choice = arena_array(mem, n->elements, sizeof *r->choice);
  r->list = arena_array(mem, n->elements, sizeof *r->list);
  if (front_new(&r->front, in, host, mem) != OK || waiting_new(&r->waiting, n, mem->e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n->elements; i++)
    if (r->waiting.waits[i] == 0)
      released(r, i);
  return OK;
}

/* Sets *place to the index in the list of the next element.  A placement on host @p last delays
 * only elements that chose this host.  All other choices are still valid. */
static enum status find_next(struct ready *r, uint32_t last, uint32_t *place, struct err *e)
{
  *place = 0;
  for (uint32_t i = 0; i < r->count; i++) {
    struct front_choice *c = &r->choice[r->list[i]];
    if ((c->host == NOWHERE || c->host == last) &&
        front_choose(&r->front, r->list[i], NULL, c, e) != OK)
      return FAIL;
    const struct front_choice *best = &r->choice[r->list[*place]];
    const double gain = r->sign * (best->score - c->score);
    if (gain > 0 || (gain == 0 && r->list[i] < r->list[*place]))
      *place = i;
  }
  return OK;
}

static enum status place_all(struct ready *r, uint32_t *order, struct err *e)
{
  uint32_t last = NOWHERE, place;
  for (uint32_t i = 0; i < r->front.in->net->elements; i++) {
    if (find_next(r, last, &place, e) != OK)
      return FAIL;
    const uint32_t element = r->list[place];
    last = r->choice[element].host;
    if (front_place(&r->front, element, &r->choice[element], e) != OK)
      return FAIL;
    order[i] = element;
    r->list[place] = r->list[--r->count];
    waiting_done(&r->waiting, element, released, r);
  }
  return OK;
}

static enum status run(const struct scheduler_input *in, uint32_t *host, uint32_t *order,
                       struct err *e)
{
  ARENA(mem, e);
  struct ready r = {.sign = in->scheduler->variant};
  enum status s = ready_new(&r, in, host, &mem);
  if (s == OK)
    s = place_all(&r, order, e);
  arrivals_clear(&r.front.arrivals);
  waiting_clear(&r.waiting);
  return s;
}

const struct scheduler schedule_minmin = {
    .name = "minmin",
    .help = "repeatedly places the ready task that can finish first, on the host where it finishes "
            "first",
    .variant = +1,
    .run = run,
};

const struct scheduler schedule_maxmin = {
    .name = "maxmin",
    .help = "repeatedly places the ready task whose earliest finish is the latest, on the host of "
            "that finish",
    .variant = -1,
    .run = run,
};
