#include <stdio.h>
#include <string.h>

#include "library/handles.h"
#include "sim/sim.h"

static enum status set_options(struct sim_options *out, const struct haichi_simulation_options *o,
                               struct err *e)
{
  *out = sim_defaults();
  if (o == NULL)
    return OK;
  if (o->model != NULL)
    out->model = registry_find(&sim_models, o->model, strlen(o->model));
  if (out->model == NULL)
    return registry_unknown(&sim_models, o->model, strlen(o->model), e);
  if (!(o->compute_scale >= 0 && o->compute_scale <= 1e12))
    return err_set(e, "compute_scale %g is not a number from 0 to 1e12", o->compute_scale);
  if (o->compute_scale > 0)
    out->compute_scale = o->compute_scale;
  return OK;
}

static enum status simulate(const struct haichi_platform *p, struct haichi_trace *t,
                            const struct mapping *m, const struct sim_options *o,
                            struct sim_result *out, struct err *e)
{
  const struct sim_job job = {
      .trace = t->input.trace, .collectives = &t->reading.collectives, .mapping = m};
  if (m->ranks != trace_ranks(t->input.trace))
    return err_set(e, "the trace has %u ranks, the mapping %u", trace_ranks(t->input.trace),
                   m->ranks);
  if (mapping_check(m, p->p, m->ranks, e) != OK)
    return FAIL;
  return sim_run(o, &job, 1, p->p, NULL, out, e);
}

enum haichi_status haichi_simulate(struct haichi_simulation *out, const struct haichi_platform *p,
                                   struct haichi_trace *t, const struct haichi_mapping *m,
                                   const struct haichi_simulation_options *o,
                                   struct haichi_error *e)
{
  struct err why;
  struct sim_options options;
  struct sim_result r;
  if (set_options(&options, o, &why) != OK || simulate(p, t, &m->m, &options, &r, &why) != OK)
    return library_fail(e, &why);
  *out = (struct haichi_simulation){.time_s = r.simulated_time_s,
                                    .communication_time_mean_s = r.communication_time_mean_s,
                                    .communication_time_max_s = r.communication_time_max_s,
                                    .messages = r.messages,
                                    .bytes = r.bytes};
  return HAICHI_OK;
}
