#include "sim/tasknet/engines.h"

#include "sim/crew.h"
#include "sim/engine_file.h"

/* State of an execution. */
struct executing {
  const struct engines_input *in;
  struct sim_model model; /* with the platform's factors */
  struct engine_config config;
  struct profiles profiles;
  struct memfile memory; /* the platform's XML if it has no file */
  struct actors *actors;
};

/* Background members come first, so that they start first. */
static enum status run_crew(struct executing *x, struct err *e)
{
  struct crew_member member[LOADS_MOST + 1];
  struct loads *loads = x->in->what.loads;
  const size_t n = loads == NULL ? 0 : loads_members(loads, member);
  struct crew *crew;
  member[n] = (struct crew_member){.driver = actors_driver(x->actors)};
  if (crew_new(&crew, member, n + 1, e) != OK)
    return FAIL;
  const struct driver d = crew_driver(crew);
  const enum status s = x->in->engine->run(&x->config, &d, e);
  crew_free(crew);
  return s;
}

static enum status run(struct executing *x, struct abstract_run *out, struct err *e)
{
  struct actors_input what = x->in->what;
  struct loads *loads = what.loads;
  if (loads != NULL && loads_add_profiles(loads, false, &x->profiles, e) != OK)
    return FAIL;
  if (loads != NULL && !loads_slow_messages(loads))
    what.loads = NULL;
  if (engine_file(&x->config, x->in->engine, &x->memory, e) != OK ||
      actors_new(&x->actors, &what, out, e) != OK)
    return FAIL;
  if (run_crew(x, e) == OK && actors_finish(x->actors, e) == OK)
    return OK;
  abstract_clear(out);
  return FAIL;
}

enum status engines_execute(const struct engines_input *in, struct abstract_run *out,
                            struct load_figures *load, struct err *e)
{
  struct executing x = {.in = in,
                        .model = sim_model_on(in->model, in->platform),
                        .config = {.platform = in->platform,
                                   .precision_s = in->precision_s,
                                   .maxmin_precision = in->maxmin_precision}};
  struct abstract_run made;
  x.config.model = &x.model;
  x.config.profiles = &x.profiles;
  const enum status s = run(&x, &made, e);
  if (s == OK) {
    *out = made;
    *load = in->what.loads == NULL ? (struct load_figures){0} : loads_figures(in->what.loads);
  }
  actors_free(x.actors);
  profiles_clear(&x.profiles);
  memfile_close(&x.memory);
  return s;
}
