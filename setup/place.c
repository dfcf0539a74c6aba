#include "setup/place.h"

#include "mappers/mapper.h"
#include "setup/simulator.h"

static bool can_simulate(const struct place *a)
{
  return a->options != NULL && a->trace != NULL && a->trace->name != NULL;
}

/* Runs a mapper that asks for simulated times. */
static enum status run_simulating(const struct place *a, struct mapper_input *in,
                                  struct mapping *out, struct err *e)
{
  struct simulator *s;
  if (simulator_new(&s, a->options, in->platform, a->trace, e) != OK)
    return FAIL;
  const struct mapper_simulator simulator = simulator_of(s);
  in->simulator = &simulator;
  const enum status status = mapper_run(a->mapping, in, out, e);
  simulator_free(s);
  return status;
}

static bool has_overlay(const struct place *a, struct mapper_overlay *out)
{
  if (a->options == NULL || a->options->overlay.kind == NULL)
    return false;
  const struct overlay_spec *s = &a->options->overlay;
  *out = (struct mapper_overlay){s->kind->method, s->density, s->seed, s->kind->direct};
  return true;
}

static enum status get_phases(void *trace, const struct phases **out, struct err *e)
{
  return input_trace_phases(trace, out, e);
}

static struct mapper_model model_of(const struct place *a, const struct sim_model *m)
{
  return (struct mapper_model){.latency = m->latency,
                               .bandwidth = m->bandwidth,
                               .envelope_bytes = SIM_ENVELOPE_BYTES,
                               .compute_scale = a->options->compute_scale};
}

static enum status run_mapper(const struct place *a, const struct platform *p, struct mapping *out,
                              struct err *e)
{
  const struct mapper *row;
  struct mapper_overlay overlay;
  bool needed;
  const struct matrix none = {.ranks = a->ranks}, *traffic = a->traffic;
  if (mapper_find(a->mapping, &row, &needed, e) != OK)
    return FAIL;
  if (traffic == NULL && !needed)
    traffic = &none;
  if (traffic == NULL && input_trace_traffic(a->trace, &traffic, e) != OK)
    return FAIL;
  struct mapper_input in = {.platform = p,
                            .traffic = traffic,
                            .ranks = a->ranks,
                            .ranks_per_host = a->ranks_per_host == 0 ? 1 : a->ranks_per_host,
                            .threads = a->threads,
                            .moved = a->moved,
                            .overlay = has_overlay(a, &overlay) ? &overlay : NULL};
  const struct mapper_phases phases = {a->trace, get_phases};
  struct sim_model model;
  if (can_simulate(a)) {
    in.phases = &phases;
    model = sim_model_on(a->options->model, p);
    in.model = model_of(a, &model);
  }
  return row->simulates != MAPPER_STATIC && can_simulate(a) ? run_simulating(a, &in, out, e)
                                                            : mapper_run(a->mapping, &in, out, e);
}

enum status place_ranks(const struct place *a, const struct platform *p, struct mapping *out,
                        struct err *e)
{
  if (a->moved != NULL)
    *a->moved = 0;
  if (mapper_is_spec(a->mapping))
    return run_mapper(a, p, out, e);
  if (inputs_looks_like_spec(a->mapping))
    return inputs_unknown(&mappers, a->mapping, e);
  if (mapping_load(out, a->mapping, p, a->ranks, e) != OK)
    return FAIL;
  if (a->ranks_per_host == 0 || mapping_check(out, p, a->ranks_per_host, e) == OK)
    return OK;
  mapping_clear(out);
  return FAIL;
}
