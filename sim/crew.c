#include "sim/crew.h"

#include <stdlib.h>

#include "common/mem.h"

struct member {
  struct crew_member m;
  uint32_t first; /* its first actor in the crew */
  struct services services;
};

struct crew {
  struct member *member;
  size_t members;
  uint32_t first;        /* number of the first actor in the engine */
  uint32_t actors, live; /* all actors; foreground actors that have not ended */
  uint32_t *host;        /* by actor */
  uint32_t *member_of;   /* by actor */
  struct step stop;
};

static enum status list_actors(struct crew *c, struct err *e)
{
  uint64_t actors = 0;
  for (size_t i = 0; i < c->members; i++)
    actors += c->member[i].m.driver.actors;
  if (actors > UINT32_MAX / 2)
    return err_set(e, "more than %u actors", UINT32_MAX / 2);
  if ((c->host = mem_array((size_t)actors, sizeof *c->host, e)) == NULL ||
      (c->member_of = mem_array((size_t)actors, sizeof *c->member_of, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < c->members; i++) {
    struct member *x = &c->member[i];
    x->first = c->actors;
    for (uint32_t a = 0; a < x->m.driver.actors; a++, c->actors++) {
      c->host[c->actors] = x->m.driver.host[a];
      c->member_of[c->actors] = (uint32_t)i;
    }
    c->live += x->m.background ? 0 : x->m.driver.actors;
  }
  return OK;
}

enum status crew_new(struct crew **out, const struct crew_member *member, size_t members,
                     struct err *e)
{
  struct crew *c = mem_array(1, sizeof *c, e);
  if (c == NULL)
    return FAIL;
  c->stop.kind = STEP_STOP;
  c->members = members;
  c->member = mem_array(members, sizeof *c->member, e);
  for (size_t i = 0; c->member != NULL && i < members; i++)
    c->member[i].m = member[i];
  if (c->member == NULL || list_actors(c, e) != OK) {
    crew_free(c);
    return FAIL;
  }
  *out = c;
  return OK;
}

void crew_free(struct crew *c)
{
  if (c == NULL)
    return;
  free(c->member);
  free(c->host);
  free(c->member_of);
  free(c);
}

/* --- the driver ------------------------------------------------------------------------------- */

/* Members call the engine directly, each with the number of its own first actor. */
static void attach(void *state, const struct services *s)
{
  struct crew *c = state;
  c->first = s->first;
  for (size_t i = 0; i < c->members; i++) {
    struct member *x = &c->member[i];
    x->services = *s;
    x->services.first = s->first + x->first;
    x->m.driver.attach(x->m.driver.state, &x->services);
  }
}

static struct step *end(struct crew *c, struct step *last)
{
  bool load = false;
  for (size_t i = 0; i < c->members; i++) {
    const struct crew_member *m = &c->member[i].m;
    load = load || (m->background && m->driver.actors > 0);
    if (m->finish != NULL)
      m->finish(m->driver.state);
  }
  return load ? &c->stop : last;
}

static struct step *step(void *state, uint32_t actor)
{
  struct crew *c = state;
  const struct member *x = &c->member[c->member_of[actor]];
  struct step *s = x->m.driver.step(x->m.driver.state, actor - x->first);
  if (s->kind == STEP_END && !x->m.background && --c->live == 0)
    return end(c, s);
  return s;
}

static void arrived(void *state, struct transfer *t)
{
  struct crew *c = state;
  const struct driver *d = &c->member[c->member_of[t->first + t->src - c->first]].m.driver;
  d->arrived(d->state, t);
}

static void where(void *state, uint32_t actor, struct driver_where *out)
{
  const struct crew *c = state;
  const struct member *x = &c->member[c->member_of[actor]];
  if (x->m.driver.where != NULL)
    x->m.driver.where(x->m.driver.state, actor - x->first, out);
}

struct driver crew_driver(struct crew *c)
{
  bool eager = false;
  for (size_t i = 0; i < c->members; i++)
    eager = eager || c->member[i].m.driver.eager;
  return (struct driver){.state = c,
                         .actor = "actor", /* numbered over all members */
                         .host = c->host,
                         .actors = c->actors,
                         .eager = eager,
                         .attach = attach,
                         .step = step,
                         .arrived = arrived,
                         .where = where};
}
