#include "mappers/mapper.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/plural.h"
#include "common/registry.h"
#include "mappers/inside/cores.h"
#include "mappers/on_box.h"
#include "mappers/peers/repair.h"
#include "mappers/refine/refine.h"

#define LIST(ROW)                                                                                  \
  ROW(map_xyz)                                                                                     \
  ROW(map_hostname)                                                                                \
  ROW(map_slurm_block)                                                                             \
  ROW(map_slurm_cyclic)                                                                            \
  ROW(map_random)                                                                                  \
  ROW(map_auto)                                                                                    \
  ROW(map_structure)                                                                               \
  ROW(map_geometry)                                                                                \
  ROW(map_bisect)                                                                                  \
  ROW(map_greedy)                                                                                  \
  ROW(map_anneal)                                                                                  \
  ROW(map_hcube)                                                                                   \
  ROW(map_exchange)                                                                                \
  ROW(map_file)                                                                                    \
  ROW(map_command)                                                                                 \
  ROW(map_none)                                                                                    \
  ROW(map_mopt)                                                                                    \
  ROW(map_fmopt)                                                                                   \
  ROW(map_sfmopt)                                                                                  \
  ROW(map_fmopt_half)                                                                              \
  ROW(map_qap)                                                                                     \
  ROW(map_scotch)                                                                                  \
  ROW(map_tune)                                                                                    \
  ROW(map_hostname_best)                                                                           \
  ROW(map_hostname_worst)

#define DECLARE(row) extern const struct mapper row;
LIST(DECLARE)

const struct registry mappers = REGISTRY("mapper", LIST);

/* A parsed spec. */
struct parsed {
  const struct mapper *row;
  struct spec spec;
  const char *refine;
  struct refine_plan plan; /* of refine= */
  enum cores_choice cores;
  bool refines;
  _Alignas(max_align_t) char record[MAPPER_RECORD];  /* of the row's options */
  struct spec_option option[MAPPER_MAX_OPTIONS + 4]; /* the row's, then the common ones; offsets are
                                                        in this struct */
};

#define AT(FIELD) offsetof(struct parsed, FIELD)

const struct spec_option mapper_common[] = {
    {"refine", SPEC_TEXT, AT(refine), "0",
     .help =
         "exchanges of ranks after the mapper: CPU seconds, or work:N for N exchanges; 0: none"},
    {"refine-objective", SPEC_CHOICE, AT(plan.objective), "blend",
     .help =
         "hopbytes, linkload (the fullest link), blend (both: docs/fit.md), or time (estimated)",
     .names = objectives_refine},
    {"cores", SPEC_CHOICE, AT(cores), "each",
     .help =
         "of the ranks of a node with an inside: each (by the traffic of the node), same (on all "
         "nodes), or order (of the ranks; default of the mappers that need no traffic)",
     .names = cores_choices},
    {.name = NULL},
};

static const struct mapper *find_row(const char *spec)
{
  return registry_find(&mappers, spec, strcspn(spec, ":"));
}

bool mapper_is_spec(const char *spec)
{
  return find_row(spec) != NULL;
}

bool mapper_overfills(const char *spec)
{
  const struct mapper *row = find_row(spec);
  return row != NULL && row->overfills;
}

/* Reads refine=.  The seed is the mapper's option seed=, or 1 if the mapper has no such option. */
static enum status read_refine(struct parsed *p, struct err *e)
{
  const struct spec_option *seed = spec_find(p->option, "seed");
  struct err why;
  p->refines = strcmp(p->refine, "0") != 0;
  p->plan.seed = seed == NULL ? 1 : *(const uint64_t *)((const char *)p + seed->at);
  if (!p->refines)
    return p->plan.objective == OBJECTIVE_BLEND ? OK
                                                : err_set(e, "refine-objective=%s without refine=",
                                                          objectives_refine[p->plan.objective]);
  return refine_budget(&p->plan, p->refine, &why) == OK ? OK : err_set(e, "refine: %s", why.text);
}

/* On success the caller clears p->spec. */
static enum status parse_spec(struct parsed *p, const char *spec, struct err *e)
{
  const char *text;
  struct err why;
  size_t n = 0;
  *p = (struct parsed){.row = spec_row(&mappers, spec, &text, e)};
  if (p->row == NULL)
    return FAIL;
  for (const struct spec_option *o = p->row->options; o != NULL && o->name != NULL; o++) {
    p->option[n] = *o;
    p->option[n++].at += AT(record);
  }
  memcpy(&p->option[n], mapper_common, sizeof mapper_common);
  if (spec_parse(&p->spec, p->option, text, p, &why) == OK) {
    if (read_refine(p, &why) == OK)
      return OK;
    spec_clear(&p->spec);
  }
  return err_set(e, "mapper '%s': %s", p->row->name, why.text);
}

/* True if the mapper or one of its common options needs the traffic. */
static bool wants_traffic(const struct parsed *p)
{
  return p->row->needs_traffic || p->refines ||
         (spec_given(&p->spec, "cores") && p->cores != CORES_ORDER);
}

bool mapper_leaves_cores(const char *spec)
{
  struct parsed p;
  struct err why;
  if (parse_spec(&p, spec, &why) != OK)
    return false;
  const bool leaves = p.row->by_time != NULL && p.row->by_time(p.record) && !p.refines &&
                      !spec_given(&p.spec, "cores");
  spec_clear(&p.spec);
  return leaves;
}

enum status mapper_find(const char *spec, const struct mapper **out, bool *needs_traffic,
                        struct err *e)
{
  struct parsed p;
  if (parse_spec(&p, spec, e) != OK)
    return FAIL;
  *out = p.row;
  if (needs_traffic != NULL)
    *needs_traffic = wants_traffic(&p);
  spec_clear(&p.spec);
  return OK;
}

enum status mapper_file(const char *spec, char **out, struct err *e)
{
  struct parsed p;
  *out = NULL;
  if (parse_spec(&p, spec, e) != OK)
    return FAIL;
  const char *file = p.row->file == NULL ? "" : p.row->file(p.record);
  const enum status s = *file == '\0' || (*out = mem_strdup(file, e)) != NULL ? OK : FAIL;
  spec_clear(&p.spec);
  return s;
}

/* True if the last option takes the rest of the spec. */
static bool takes_rest(const struct parsed *p)
{
  const struct spec_option *o = p->option;
  while (o->name != NULL && (o->type != SPEC_REST || !spec_given(&p->spec, o->name)))
    o++;
  return o->name != NULL;
}

char *mapper_with_seed(const char *spec, const char *seed, struct err *e)
{
  struct parsed p;
  if (parse_spec(&p, spec, e) != OK)
    return NULL;
  const int n = (int)strcspn(spec, ":");
  char *longer;
  if (spec_find(p.option, "seed") == NULL || spec_given(&p.spec, "seed"))
    longer = mem_strdup(spec, e);
  else if (takes_rest(&p))
    longer = mem_printf(e, "%.*s:seed=%s,%s", n, spec, seed, spec + n + 1);
  else
    longer = mem_printf(e, "%s%cseed=%s", spec, spec[n] == ':' ? ',' : ':', seed);
  spec_clear(&p.spec);
  return longer;
}

/* --- runs ------------------------------------------------------------------------------------- */

/* Checks the input, so that mappers need not. */
static enum status check_input(const struct parsed *p, const struct mapper_input *in, struct err *e)
{
  const struct mapper *m = p->row;
  const uint32_t hosts = platform_hosts(in->platform);
  const uint64_t slots = (uint64_t)hosts * in->ranks_per_host;
  if (in->ranks == 0)
    return err_set(e, "mapper '%s': no ranks to map", m->name);
  if (in->ranks > slots)
    return err_set(e, "%" PRIu32 " ranks do not fit on %" PRIu32 " host%s of %" PRIu32 " rank%s",
                   in->ranks, hosts, PLURAL(hosts), in->ranks_per_host, PLURAL(in->ranks_per_host));
  if (wants_traffic(p) && in->traffic == NULL)
    return err_set(e, "mapper '%s' needs the traffic of a trace or a matrix", m->name);
  if (m->simulates == MAPPER_SIMULATES && in->simulator == NULL)
    return err_set(e, "mapper '%s' simulates mappings: it needs a trace", m->name);
  char what[64];
  const struct topology *unused;
  snprintf(what, sizeof what, "mapper '%s'%s", m->name, p->refines ? " with refine=" : "");
  if (m->needs == MAPPER_GRID && !on_box_needed(in))
    return platform_need_grid(in->platform, what, &unused, e);
  return m->needs == MAPPER_ROUTES || p->refines ? platform_need_routes(in->platform, what, e) : OK;
}

static enum status map_row(const struct mapper_input *in, const void *row, struct mapping *out,
                           struct err *e)
{
  return ((const struct mapper *)row)->map(in, out, e);
}

/* Runs the mapper on the hosts of the platform, or on a box of them if it needs a grid. */
static enum status map_hosts(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const struct mapper *m = in->mapper;
  bool found = true;
  if (m->needs != MAPPER_GRID || !on_box_needed(in))
    return m->map(in, out, e);
  if (on_box_map(in, map_row, m, &found, out, e) != OK)
    return FAIL;
  return found ? OK
               : err_set(e,
                         "mapper '%s' needs a box of hosts for %" PRIu32
                         " ranks, and the allocation of %" PRIu32 " hosts has none",
                         m->name, in->ranks, platform_hosts(in->platform));
}

/* Gives the ranks of each node its cores, unless the mapper has done that. */
static enum status set_cores(const struct parsed *p, const struct mapper_input *in,
                             const struct mapping *m, struct err *e)
{
  const bool in_order = p->row->in_order && !spec_given(&p->spec, "cores");
  const struct cores_request q = {.inside = in->inside,
                                  .nodes = m,
                                  .traffic = in->traffic,
                                  .choice = in_order ? CORES_ORDER : p->cores,
                                  .threads = in->threads};
  if (p->row->sets_cores && !p->refines && in->core[0] != UINT32_MAX &&
      p->row->in_order == in_order)
    return OK;
  return cores_assign(&q, in->core, e);
}

/* Moves ranks away from hosts with fewer slots than ranks. */
static enum status respect_capacity(const struct mapper_input *in, struct mapping *m, struct err *e)
{
  uint32_t moved = 0;
  if (in->capacity == NULL)
    return OK;
  if (platform_need_routes(in->platform, "a list of hosts with unequal slots", e) != OK ||
      repair_mapping(m, in, &moved, e) != OK)
    return FAIL;
  if (moved > 0 && in->inside != NULL)
    in->core[0] = UINT32_MAX; /* cores that the mapper has set are for other nodes */
  if (in->moved != NULL)
    *in->moved += moved;
  return OK;
}

static enum status run_parsed(const struct parsed *p, const struct mapper_input *in,
                              struct mapping *out, struct err *e)
{
  struct mapper_input full = *in;
  struct mapping m;
  full.mapper = p->row;
  full.options = p->record;
  if (full.ranks_per_host > in->ranks) /* mappers take time for each slot */
    full.ranks_per_host = in->ranks;
  if (in->inside != NULL)
    in->core[0] = UINT32_MAX;
  if (check_input(p, in, e) != OK || map_hosts(&full, &m, e) != OK)
    return FAIL;
  if (in->moved != NULL && !p->row->overfills)
    *in->moved = 0; /* by mappers that this one has run */
  enum status s = respect_capacity(&full, &m, e);
  if (s == OK && p->refines)
    s = refine_mapping(&m, in, &p->plan, e);
  if (s == OK && in->inside != NULL)
    s = set_cores(p, &full, &m, e);
  if (s == OK)
    *out = m;
  else
    mapping_clear(&m);
  return s;
}

enum status mapper_run(const char *spec, const struct mapper_input *in, struct mapping *out,
                       struct err *e)
{
  struct parsed p;
  if (parse_spec(&p, spec, e) != OK)
    return FAIL;
  if (in->moved != NULL)
    *in->moved = 0;
  const enum status s = run_parsed(&p, in, out, e);
  spec_clear(&p.spec);
  return s;
}

void mapper_hosts(const struct mapper_input *in, const uint32_t *slot, uint32_t *host)
{
  for (uint32_t r = 0; r < in->ranks; r++)
    host[r] = slot[r] / in->ranks_per_host;
}

uint32_t *mapper_shuffled_slots(const struct mapper_input *in, const char *name, struct rng r,
                                struct err *e)
{
  const uint64_t slots = (uint64_t)platform_hosts(in->platform) * in->ranks_per_host;
  if (slots > UINT32_MAX) {
    err_set(e, "mapper '%s': %" PRIu64 " slots are more than %" PRIu32, name, slots, UINT32_MAX);
    return NULL;
  }
  uint32_t *slot = mem_array(slots, sizeof *slot, e);
  if (slot == NULL)
    return NULL;
  for (uint32_t i = 0; i < slots; i++)
    slot[i] = i;
  rng_shuffle(&r, slot, (uint32_t)slots);
  return slot;
}

enum status mapper_phases(const struct mapper_input *in, const struct phases **out, struct err *e)
{
  *out = NULL;
  return in->phases == NULL ? OK : in->phases->get(in->phases->data, out, e);
}

static enum status assign(const struct parsed *p, const struct qap *q, uint32_t threads,
                          uint32_t *at, struct err *e)
{
  if (p->row->assign == NULL)
    return err_set(e, "mapper '%s' places ranks on a platform; qap solves files of QAPLIB",
                   p->row->name);
  if (p->refines)
    return err_set(e, "mapper '%s': refine= is for ranks on a platform, not for files of QAPLIB",
                   p->row->name);
  return p->row->assign(q, p->record, threads, at, e);
}

enum status mapper_assign(const char *spec, const struct qap *q, uint32_t threads, uint32_t *at,
                          struct err *e)
{
  struct parsed p;
  if (parse_spec(&p, spec, e) != OK)
    return FAIL;
  const enum status s = assign(&p, q, threads, at, e);
  spec_clear(&p.spec);
  return s;
}
