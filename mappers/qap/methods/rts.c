/* Iterated robust tabu search: after a number of steps without improvement, a new walk starts from
 * the best assignment with some of its facilities moved. */
#include "mappers/qap/methods/method.h"
#include "mappers/qap/methods/tabu.h"

/* PATIENCE: a walk ends after this number of steps per facility without improvement.  MOVED:
 * percent of the facilities that a new walk moves. */
enum { PATIENCE = 20, MOVED = 25 };

/* Swaps one random facility with random others. */
static void perturb(struct tabu *t)
{
  struct rng *rng = &t->search->rng;
  const struct form *f = t->search->form;
  const uint32_t u = (uint32_t)rng_below(rng, f->n), swaps = 1 + f->n * MOVED / 100;
  for (uint32_t i = 0; i < swaps; i++) {
    const uint32_t v = (uint32_t)rng_below(rng, f->n);
    if (v < u ? f->skip[v] <= u : f->skip[u] <= v)
      tables_swap(&t->tables, u, v);
  }
}

static void iterate(struct tabu *t)
{
  const struct qap_search *s = t->search;
  tabu_start(t, s->best);
  while (tabu_walk(t, (uint64_t)PATIENCE * s->form->n)) {
    tabu_start(t, s->best);
    perturb(t);
    tabu_start(t, NULL);
  }
}

static enum status run(struct qap_search *s, struct arena *mem)
{
  struct tabu t;
  if (tabu_new(&t, s, mem) == OK)
    iterate(&t);
  return arena_status(mem);
}

const struct method method_rts = {"rts", "robust tabu search (Taillard), iterated", run};
