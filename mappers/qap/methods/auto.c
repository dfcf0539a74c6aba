/* Chooses the method by the size and the budget. */
#include "mappers/qap/methods/method.h"

extern const struct method method_memetic, method_sa;

#define WORK_PER_SECOND 2e9

/* True if a third of the budget suffices to fill the population of memetic, which takes about 50
 * tabu steps per facility. */
static bool affords_population(const struct qap_search *s)
{
  const struct budget *b = &s->budget;
  const double work = b->seconds > 0 ? b->seconds * WORK_PER_SECOND : (double)b->work;
  return 50.0 * s->form->n * (double)s->form->swaps < work / 3;
}

static enum status run(struct qap_search *s, struct arena *mem)
{
  return affords_population(s) ? method_memetic.run(s, mem) : method_sa.run(s, mem);
}

const struct method method_auto = {"auto", "memetic, or sa if the budget is short for that", run};
