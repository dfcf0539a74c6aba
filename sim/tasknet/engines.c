#include "sim/tasknet/engines.h"

enum status engines_execute(const struct engines_input *in, struct abstract_run *out,
                            struct load_figures *load, struct err *e)
{
  struct actors_input input = in->actors;
  struct loads *loads = in->run.loads;
  struct actors *actors;
  struct abstract_run made;
  input.loads = loads != NULL && loads_slow_messages(loads) ? loads : NULL;
  if (actors_new(&actors, &input, &made, e) != OK)
    return FAIL;
  const struct crew_member member = {.driver = actors_driver(actors)};
  const enum status s = engine_run(&in->run, &member, 1, e) == OK ? actors_finish(actors, e) : FAIL;
  actors_free(actors);
  if (s != OK) {
    abstract_clear(&made);
    return FAIL;
  }
  *out = made;
  *load = loads == NULL ? (struct load_figures){0} : loads_figures(loads);
  return OK;
}
