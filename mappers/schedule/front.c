#include "mappers/schedule/front.h"

#include <math.h>

#include "tasks/timing/producers.h"

/* Stores the hosts of each class, one class after another. */
static void fill_classes(struct front *f)
{
  const struct farm *m = f->in->farm;
  uint32_t at = 0;
  for (uint32_t c = 0; c < m->classes; at += m->size[c++])
    f->first[c].node = &f->node[at];
  for (uint32_t h = 0; h < m->hosts; h++) {
    struct hostheap *x = &f->first[m->class_of[h]];
    x->node[x->count++].host = h;
  }
  for (uint32_t c = 0; c < m->classes; c++)
    hostheap_build(&f->first[c], f->free_at);
}

enum status front_new(struct front *f, const struct scheduler_input *in, uint32_t *host,
                      struct arena *mem)
{
  const uint32_t elements = in->net->elements;
  *f = (struct front){.in = in,
                      .host = host,
                      .start = arena_array(mem, elements, sizeof *f->start),
                      .end = arena_array(mem, elements, sizeof *f->end),
                      .free_at = arena_array(mem, in->farm->hosts, sizeof *f->free_at),
                      .first = arena_array(mem, in->farm->classes, sizeof *f->first),
                      .node = arena_array(mem, in->farm->hosts, sizeof *f->node)};
  if (arena_status(mem) != OK)
    return FAIL;
  for (uint32_t i = 0; i < elements; i++)
    f->start[i] = f->end[i] = NAN;
  fill_classes(f);
  const struct arrivals_runs runs = {host, f->start, f->end};
  return arrivals_new(&f->arrivals, in->net, in->farm, &runs, mem->e);
}

/* State of a choice. */
struct choosing {
  struct front *f;
  uint32_t element;
  const double *bias;
  struct front_choice best;
};

static enum status try_host(struct choosing *c, uint32_t host, struct err *e)
{
  const uint32_t class = c->f->in->farm->class_of[host];
  struct front_choice x = {.host = host};
  if ((c->f->within != NULL && class != c->f->within[c->element]) ||
      (c->bias != NULL && isinf(c->bias[class])))
    return OK;
  if (arrivals_window(&c->f->arrivals, c->element, host, c->f->free_at[host], &x.window, e) != OK)
    return FAIL;
  x.score = x.window.end;
  if (c->bias != NULL)
    x.score += c->bias[class];
  if (x.score < c->best.score)
    c->best = x;
  return OK;
}

/* Classes from .. to - 1. */
struct range {
  uint32_t from, to;
};

static struct range classes_of(const struct front *f, uint32_t element)
{
  if (f->within == NULL)
    return (struct range){0, f->in->farm->classes};
  return (struct range){f->within[element], f->within[element] + 1};
}

/* Tries the hosts that hold input of the element from this lane. */
static enum status try_sources(struct choosing *c, const struct tasknet_end *end, uint32_t lane,
                               struct err *e)
{
  const struct tasknet *n = c->f->in->net;
  uint32_t host;
  if (!producers_are_many(n, end->stream)) {
    struct producers p = producers_of(n, end->stream, lane);
    for (uint32_t element; producers_next(&p, &element) != NULL;)
      if (try_host(c, c->f->host[element], e) != OK)
        return FAIL;
    return OK;
  }
  const struct range r = classes_of(c->f, c->element);
  for (uint32_t k = r.from; k < r.to; k++)
    if (arrivals_source(&c->f->arrivals, end, lane, hostheap_first(&c->f->first[k], c->f->free_at),
                        &host, e) != OK ||
        try_host(c, host, e) != OK)
      return FAIL;
  return OK;
}

enum status front_choose(struct front *f, uint32_t element, const double *bias,
                         struct front_choice *out, struct err *e)
{
  const struct tasknet *n = f->in->net;
  const uint32_t array = n->array_of[element], k = element - n->array[array].first;
  struct choosing c = {f, element, bias, {.score = INFINITY}};
  const struct range r = classes_of(f, element);
  for (uint32_t i = r.from; i < r.to; i++)
    if (try_host(&c, hostheap_first(&f->first[i], f->free_at), e) != OK)
      return FAIL;
  for (size_t i = 0; i < tasknet_inputs(n, array); i++) {
    const struct tasknet_end *end = tasknet_input(n, array, i);
    if (try_sources(&c, end, tasknet_lane(n, end, k), e) != OK)
      return FAIL;
  }
  *out = c.best;
  return OK;
}

enum status front_place(struct front *f, uint32_t element, const struct front_choice *choice,
                        struct err *e)
{
  f->host[element] = choice->host;
  f->start[element] = choice->window.start;
  f->end[element] = f->free_at[choice->host] = choice->window.end;
  return arrivals_tell(&f->arrivals, element, NULL, e);
}
