/* The method that suits the instance, by what can be seen of it. */
#include "mappers/qap/method.h"

extern const struct method method_memetic, method_rts, method_sa;

/* Triples that are looked at; those in a hundred that violate the triangle inequality where there
 * is no structure; the work of a second. */
enum { TRIPLES = 3000, VIOLATIONS = 5 };
#define WORK_PER_SECOND 2e9

/* Is no detour shorter, but for a few?  So it is with hops, latencies and points of a plane, and
 * with flows between few.  Fixed draws: the answer does not depend on the seed. */
static bool has_structure(const struct form *f, const void *matrix)
{
  struct rng rng = rng_new(0, 0);
  uint32_t violations = 0;
  for (uint32_t i = 0; i < TRIPLES; i++) {
    const uint32_t a = (uint32_t)rng_below(&rng, f->n), b = (uint32_t)rng_below(&rng, f->n);
    const uint32_t via = (uint32_t)rng_below(&rng, f->n);
    violations +=
        a != b && via != a && via != b &&
        form_entry(f, matrix, a, b) > form_entry(f, matrix, a, via) + form_entry(f, matrix, via, b);
  }
  return violations * 100 < TRIPLES * VIOLATIONS;
}

/* Can a population be filled in a third of the budget?  It takes some 50 n steps. */
static bool affords_tables(const struct search *s)
{
  const struct budget *b = &s->budget;
  const double work = b->seconds > 0 ? b->seconds * WORK_PER_SECOND : (double)b->work;
  return 50.0 * s->form->n * (double)s->form->swaps < work / 3;
}

static enum status run(struct search *s, struct err *e)
{
  const struct form *f = s->form;
  if (!affords_tables(s))
    return method_sa.run(s, e);
  const bool structure = has_structure(f, f->flow) || has_structure(f, f->distance);
  return structure ? method_memetic.run(s, e) : method_rts.run(s, e);
}

const struct method method_auto = {
    "auto", "sa if time is short; else memetic, or rts without structure", run};
