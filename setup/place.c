#include "setup/place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/mem.h"
#include "common/plural.h"
#include "mappers/estimate.h"
#include "mappers/general/choose.h"
#include "mappers/inside/cores.h"
#include "mappers/mapper.h"
#include "mappers/refine/refine.h"
#include "mappers/refine/search.h"
#include "platforms/inside/inside.h"
#include "platforms/part.h"
#include "setup/runs/simulator.h"

/* Also false for a trace that cannot be opened, which is refused where its traffic is counted. */
static bool can_simulate(const struct place *a)
{
  struct trace *t;
  struct err why;
  return a->options != NULL && a->trace != NULL && a->trace->name != NULL &&
         input_trace_open(a->trace, &t, &why) == OK && trace_need_calls(t, &why) == OK;
}

/* Runs a mapper that asks for simulated times. */
static enum status run_simulating(const struct place *a, struct mapper_input *in,
                                  struct mapping *out, struct err *e)
{
  struct simulator *s;
  if (simulator_new(&s, a->options, in->platform, a->trace, in->ranks_per_host, e) != OK)
    return FAIL;
  if (a->cored != NULL)
    simulator_use_cores(s, a->cored, in->traffic);
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

static struct mapper_model model_of(const struct place *a, const struct sim_model *m)
{
  return (struct mapper_model){.latency = m->latency,
                               .bandwidth = m->bandwidth,
                               .envelope_bytes = SIM_ENVELOPE_BYTES,
                               .weight_bytes = m->weight_bytes,
                               .window_bytes = SIM_TCP_GAMMA,
                               .back_share = m->back_share,
                               .compute_scale = a->options->compute_scale};
}

/* The input of a mapper with the structures that it points to. */
struct request {
  struct mapper_input in;
  struct mapper_overlay overlay;
  struct mapper_phases phases;
  struct input_trace *trace;
  const struct mapping *placed; /* the phases have its messages; NULL: ranks are in order */
  const struct phases *read;    /* the phases; NULL: not yet read */
  struct sim_model model;
};

static enum status get_phases(void *request, const struct phases **out, struct err *e)
{
  struct request *x = request;
  if (x->read == NULL && input_trace_phases(x->trace, x->placed, &x->read, e) != OK)
    return FAIL;
  *out = x->read;
  return OK;
}

static void make_request(struct request *x, const struct place *a, const struct platform *p,
                         const struct matrix *traffic)
{
  x->in = (struct mapper_input){
      .platform = p,
      .traffic = traffic,
      .ranks = a->ranks,
      .ranks_per_host = a->ranks_per_host == 0 ? allocation_default_slots(p) : a->ranks_per_host,
      .inside = a->cored == NULL ? NULL : platform_inside(a->cored),
      .core = a->core,
      .threads = a->threads,
      .moved = a->moved,
      .overlay = has_overlay(a, &x->overlay) ? &x->overlay : NULL};
  x->trace = a->trace;
  x->placed = a->order;
  x->read = NULL;
  x->phases = (struct mapper_phases){x, get_phases};
  if (a->options != NULL) {
    x->model = sim_model_on(a->options->model, p);
    x->in.model = model_of(a, &x->model);
  }
  if (can_simulate(a))
    x->in.phases = &x->phases;
}

/* Places the ranks on platform @p p, a part or whole; @p of is the allocation, NULL: all hosts. */
static enum status run_mapper(const struct place *a, const struct platform *p,
                              const struct allocation *of, struct mapping *out, struct err *e)
{
  const struct mapper *row;
  struct request x;
  bool needed;
  const struct matrix none = {.ranks = a->ranks}, *traffic = a->traffic;
  if (mapper_find(a->mapping, &row, &needed, e) != OK)
    return FAIL;
  if (traffic == NULL && !needed)
    traffic = &none;
  if (traffic == NULL && input_trace_traffic(a->trace, &traffic, e) != OK)
    return FAIL;
  make_request(&x, a, p, traffic);
  x.in.order = of == NULL ? NULL : of->order;
  x.in.slots = of == NULL ? 0 : of->slots;
  x.in.capacity = of == NULL ? NULL : of->capacity;
  return row->simulates != MAPPER_STATIC && can_simulate(a) ? run_simulating(a, &x.in, out, e)
                                                            : mapper_run(a->mapping, &x.in, out, e);
}

static enum status run_on_part(const struct place *a, const struct allocation *x,
                               struct mapping *out, struct err *e)
{
  struct place inner = *a;
  inner.ranks_per_host = x->each;
  if (a->ranks > x->slots)
    return err_set(e, "%" PRIu32 " ranks do not fit on %" PRIu32 " host%s with %" PRIu32 " slot%s",
                   a->ranks, platform_hosts(x->part), PLURAL(platform_hosts(x->part)), x->slots,
                   PLURAL(x->slots));
  if (run_mapper(&inner, x->part, x, out, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < out->ranks; r++)
    out->host[r] = platform_whole_host(x->part, out->host[r]);
  return OK;
}

/* Maps the ranks to the hosts of @p p, which have no inside. */
static enum status run_on_hosts(const struct place *a, const struct platform *p,
                                struct mapping *out, struct err *e)
{
  struct allocation x;
  if (a->hosts == NULL && a->slot == NULL)
    return run_mapper(a, p, NULL, out, e);
  if ((a->slot != NULL ? allocation_of_slots(&x, p, a->slot, a->slots, e)
                       : allocation_new(&x, a->hosts, p, a->ranks_per_host, e)) != OK)
    return FAIL;
  const enum status s = run_on_part(a, &x, out, e);
  allocation_clear(&x);
  return s;
}

/* Maximum number of iterations simulated to choose cores. */
#define CORES_BUDGET 4

/* The host of each rank r: core core[r] of node nodes->host[r]. */
static uint32_t *join_cores(const struct mapping *nodes, const uint32_t *core, uint32_t cores,
                            struct arena *mem)
{
  uint32_t *host = arena_array(mem, nodes->ranks, sizeof *host);
  for (uint32_t r = 0; host != NULL && r < nodes->ranks; r++)
    host[r] = nodes->host[r] * cores + core[r];
  return host;
}

/* a->core is chosen for the sum of the traffic, although only messages of the same phase share the
 * memory.  Therefore also simulates the program with the ranks of each node on its cores in order.
 * Sets a->core to this order if the program is faster by more than 1 %. */
static enum status choose_cores(const struct place *a, const struct platform *p,
                                const struct mapping *nodes, struct err *e)
{
  ARENA(mem, e);
  struct request x;
  struct simulator *s;
  const uint32_t cores = platform_inside(p)->cores;
  uint32_t best, *order = arena_array(&mem, a->ranks, sizeof *order);
  const struct cores_request q = {platform_inside(p), nodes, NULL, CORES_ORDER, a->threads};
  if (arena_status(&mem) != OK || cores_assign(&q, order, e) != OK)
    return FAIL;
  const uint32_t *host[2] = {join_cores(nodes, a->core, cores, &mem),
                             join_cores(nodes, order, cores, &mem)};
  if (arena_status(&mem) != OK || memcmp(host[0], host[1], a->ranks * sizeof *order) == 0)
    return arena_status(&mem);
  if (simulator_new(&s, a->options, p, a->trace, cores, e) != OK)
    return FAIL;
  const struct mapper_simulator simulator = simulator_of(s);
  make_request(&x, a, p, a->traffic);
  x.in.simulator = &simulator;
  const enum status status = choose_fastest(&x.in, host, 2, CORES_BUDGET, &best, e);
  simulator_free(s);
  if (status == OK && best == 1)
    memcpy(a->core, order, a->ranks * sizeof *order);
  return status;
}

/* Maps the ranks to nodes and their cores. */
static enum status run_on_cores(const struct place *a, const struct platform *p,
                                struct mapping *out, struct err *e)
{
  struct place nodes = *a;
  const uint32_t cores = platform_inside(p)->cores;
  nodes.cored = p;
  if ((nodes.core = mem_array(a->ranks, sizeof *nodes.core, e)) == NULL)
    return FAIL;
  enum status s = run_on_hosts(&nodes, platform_nodes(p), out, e);
  if (s == OK && mapper_leaves_cores(a->mapping) && can_simulate(a) &&
      (s = choose_cores(&nodes, p, out, e)) != OK)
    mapping_clear(out);
  for (uint32_t r = 0; s == OK && r < out->ranks; r++)
    out->host[r] = out->host[r] * cores + nodes.core[r];
  if (s == OK)
    out->cores = cores;
  free(nodes.core);
  return s;
}

/* Checks that a mapping from a file uses only hosts of the list. */
static enum status check_hosts(const struct place *a, const struct platform *p,
                               const struct mapping *m, struct err *e)
{
  struct allocation x;
  char name[PLATFORM_NAME_SIZE];
  enum status s = OK;
  if (a->hosts == NULL)
    return OK;
  if (allocation_new(&x, a->hosts, platform_nodes(p), a->ranks_per_host, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < m->ranks && s == OK; r++)
    if (platform_part_host(x.part, platform_node(p, m->host[r])) == UINT32_MAX)
      s = err_set(e, "%s: rank %" PRIu32 " is on host '%s', which is not in the list of hosts",
                  a->mapping, r, platform_host_name(p, m->host[r], name, sizeof name));
  allocation_clear(&x);
  return s;
}

enum status place_estimate(const struct place *a, const struct platform *p, const struct mapping *m,
                           double *time_s, struct err *e)
{
  struct request x;
  struct estimate *estimate;
  make_request(&x, a, p, a->traffic);
  x.placed = m;
  if (estimate_new(&estimate, &x.in, e) != OK)
    return FAIL;
  const enum status s = estimate_time(estimate, m->host, time_s, e);
  estimate_free(estimate);
  return s;
}

/* First temperature of place_exchange() (search_plan.start).  Cores in order, which are one of its
 * starts, may be far from the best cores. */
#define EXCHANGE_START 0.15

enum status place_exchange(const struct place *a, const struct platform *p, struct mapping *m,
                           struct err *e)
{
  enum { MOST_WORK = 1 << 17 };
  struct request x;
  swaps_value unused;
  make_request(&x, a, p, a->traffic);
  x.in.ranks_per_host = 1;
  const uint64_t work = refine_work(&x.in);
  const struct search_plan plan = {.objective = OBJECTIVE_TIME,
                                   .work = work < MOST_WORK ? work : MOST_WORK,
                                   .start = EXCHANGE_START,
                                   .exchanges = true,
                                   .seed = 1};
  return search(m->host, &x.in, &plan, &unused, e);
}

static enum status run_spec(const struct place *a, const struct platform *p, struct mapping *out,
                            struct err *e)
{
  return platform_inside(p) == NULL ? run_on_hosts(a, p, out, e) : run_on_cores(a, p, out, e);
}

/* True if the messages of ranks in order differ from those counted without the platform. */
static bool needs_order(const struct place *a)
{
  return a->traffic != NULL && a->trace != NULL && a->trace->asks_hosts && a->ranks_per_host == 0;
}

/* Runs a mapper for the messages of ranks in order on the slots of the nodes. */
static enum status run_in_order(const struct place *a, const struct platform *p,
                                struct mapping *out, struct err *e)
{
  struct place x = *a;
  struct mapping order;
  x.mapping = "xyz";
  if (run_on_hosts(&x, platform_nodes(p), &order, e) != OK)
    return FAIL;
  x.mapping = a->mapping;
  x.order = &order;
  enum status s = input_trace_placed_traffic(x.trace, &order, &x.traffic, e);
  if (s == OK)
    s = run_spec(&x, p, out, e);
  mapping_clear(&order);
  return s;
}

enum status place_ranks(const struct place *a, const struct platform *p, struct mapping *out,
                        struct err *e)
{
  if (a->moved != NULL)
    *a->moved = 0;
  if (mapper_is_spec(a->mapping))
    return needs_order(a) ? run_in_order(a, p, out, e) : run_spec(a, p, out, e);
  if (inputs_looks_like_spec(a->mapping))
    return inputs_unknown(&mappers, a->mapping, e);
  if (mapping_load(out, a->mapping, p, a->ranks, e) != OK)
    return FAIL;
  enum status s = OK;
  if (a->ranks_per_host > 0 && mapping_check(out, p, a->ranks_per_host, e) != OK)
    s = err_prefix(e, "%s: ", a->mapping);
  if (s == OK && check_hosts(a, p, out, e) == OK)
    return OK;
  mapping_clear(out);
  return FAIL;
}
