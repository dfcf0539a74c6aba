#define _GNU_SOURCE
#include "mappers/mapper.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/registry.h"
#include "mappers/refine/refine.h"

#define LIST(ROW)                                                                                  \
  ROW(map_xyz)                                                                                     \
  ROW(map_hostname)                                                                                \
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

enum { REFINE, REFINE_OBJECTIVE, COMMON_OPTIONS };

const struct mapper_option mapper_common[] = {
    {.name = "refine",
     .default_value = "0",
     .help =
         "exchanges of ranks afterwards: for CPU seconds, or as many as in work:100000; 0: none"},
    {.name = "refine-objective",
     .default_value = "blend",
     .help = "hopbytes, linkload (the fullest link), or blend (both: docs/fit.md)"},
    {.name = NULL},
};

/* A parsed spec.  Values point into `text` or to the defaults of the row. */
struct parsed {
  const struct mapper *row;
  char *text; /* owned copy of the options; '\0' replaces ',' and '=' */
  struct mapper_values values;
  const char *common[COMMON_OPTIONS];
  bool given[MAPPER_MAX_OPTIONS + COMMON_OPTIONS];
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

static enum status unknown_option(const struct mapper *m, const char *name, struct err *e)
{
  char names[512] = "";
  for (const struct mapper_option *o = m->options; o->name != NULL; o++)
    err_list(names, sizeof names, o->name);
  for (const struct mapper_option *o = mapper_common; o->name != NULL; o++)
    err_list(names, sizeof names, o->name);
  return err_set(e, "mapper '%s' has no option '%s'; it has: %s", m->name, name, names);
}

/* The index of option @p name in the list @p o; @p none if it is not in the list. */
static size_t option_index(const struct mapper_option *o, const char *name, size_t none)
{
  for (size_t i = 0; o[i].name != NULL; i++)
    if (strcmp(o[i].name, name) == 0)
      return i;
  return none;
}

/* Cuts the next "name=value" off *rest.  An option with takes_rest takes all of *rest. */
static char *next_item(const struct mapper *m, char **rest)
{
  for (const struct mapper_option *o = m->options; o->name != NULL; o++) {
    const size_t n = strlen(o->name);
    if (!o->takes_rest || strncmp(*rest, o->name, n) != 0 || (*rest)[n] != '=')
      continue;
    char *item = *rest;
    *rest = NULL;
    return item;
  }
  return strsep(rest, ",");
}

/* Parses one "name=value" of the spec. */
static enum status parse_option(struct parsed *p, char *item, struct err *e)
{
  char *value = strchr(item, '=');
  if (value != NULL)
    *value++ = '\0';
  size_t i = option_index(p->row->options, item, MAPPER_MAX_OPTIONS);
  if (i == MAPPER_MAX_OPTIONS)
    i += option_index(mapper_common, item, COMMON_OPTIONS);
  if (i == MAPPER_MAX_OPTIONS + COMMON_OPTIONS)
    return unknown_option(p->row, item, e);
  if (value == NULL || *value == '\0')
    return err_set(e, "mapper '%s': option '%s' has no value", p->row->name, item);
  if (p->given[i])
    return err_set(e, "mapper '%s': option '%s' is given twice", p->row->name, item);
  p->given[i] = true;
  if (i < MAPPER_MAX_OPTIONS)
    p->values.value[i] = value;
  else
    p->common[i - MAPPER_MAX_OPTIONS] = value;
  return OK;
}

static void parsed_clear(struct parsed *p)
{
  free(p->text);
}

/* On failure @p p needs no clearing. */
static enum status parse_spec(struct parsed *p, const char *spec, struct err *e)
{
  *p = (struct parsed){.row = find_row(spec)};
  if (p->row == NULL)
    return registry_unknown(&mappers, spec, strcspn(spec, ":"), e);
  for (size_t i = 0; p->row->options[i].name != NULL; i++)
    p->values.value[i] = p->row->options[i].default_value;
  for (size_t i = 0; i < COMMON_OPTIONS; i++)
    p->common[i] = mapper_common[i].default_value;
  const char *colon = strchr(spec, ':');
  if (colon == NULL)
    return OK;
  p->text = mem_strdup(colon + 1, e);
  enum status s = p->text == NULL ? FAIL : OK;
  char *rest = p->text;
  while (s == OK && rest != NULL) {
    char *item = next_item(p->row, &rest);
    s = parse_option(p, item, e);
  }
  if (s != OK)
    parsed_clear(p);
  return s;
}

enum status mapper_find(const char *spec, const struct mapper **out, struct err *e)
{
  struct parsed p;
  if (parse_spec(&p, spec, e) != OK)
    return FAIL;
  *out = p.row;
  parsed_clear(&p);
  return OK;
}

enum status mapper_file(const char *spec, char **out, struct err *e)
{
  struct parsed p;
  *out = NULL;
  if (parse_spec(&p, spec, e) != OK)
    return FAIL;
  const char *file = p.row->file == NULL ? "" : p.row->file(&p.values);
  const enum status s = *file == '\0' || (*out = mem_strdup(file, e)) != NULL ? OK : FAIL;
  parsed_clear(&p);
  return s;
}

char *mapper_with_option(const char *spec, const char *name, const char *value, struct err *e)
{
  struct parsed p;
  if (parse_spec(&p, spec, e) != OK)
    return NULL;
  const size_t i = option_index(p.row->options, name, MAPPER_MAX_OPTIONS);
  char *longer;
  if (i == MAPPER_MAX_OPTIONS || p.given[i])
    longer = mem_strdup(spec, e);
  else
    longer = mem_printf(e, "%s%c%s=%s", spec, p.text == NULL ? ':' : ',', name, value);
  parsed_clear(&p);
  return longer;
}

/* --- refine= ---------------------------------------------------------------------------------- */

static bool refines(const struct parsed *p)
{
  return strcmp(p->common[REFINE], mapper_common[REFINE].default_value) != 0;
}

/* Parses refine= and refine-objective=.  The seed is the mapper's option seed=, or 1 if the mapper
 * has no such option. */
static enum status read_refine(const struct parsed *p, struct refine_plan *plan, struct err *e)
{
  const char *name = p->row->name;
  const size_t seed = option_index(p->row->options, "seed", MAPPER_MAX_OPTIONS);
  const struct objective_name *objective;
  struct err why;
  *plan = (struct refine_plan){.seed = 1};
  if (!refines(p))
    return strcmp(p->common[REFINE_OBJECTIVE], mapper_common[REFINE_OBJECTIVE].default_value) == 0
               ? OK
               : err_set(e, "mapper '%s': refine-objective=%s without refine=", name,
                         p->common[REFINE_OBJECTIVE]);
  if (refine_budget(plan, p->common[REFINE], &why) != OK)
    return err_set(e, "mapper '%s': refine: %s", name, why.text);
  if ((objective = registry_get(&objectives_refine, p->common[REFINE_OBJECTIVE], &why)) == NULL)
    return err_set(e, "mapper '%s': refine-objective: %s", name, why.text);
  plan->objective = objective->objective;
  if (seed < MAPPER_MAX_OPTIONS &&
      num_u64(p->values.value[seed], UINT64_MAX, &plan->seed, &why) != OK)
    return err_set(e, "mapper '%s': seed: %s", name, why.text);
  return OK;
}

enum status mapper_needs_traffic(const char *spec, bool *out, struct err *e)
{
  struct parsed p;
  if (parse_spec(&p, spec, e) != OK)
    return FAIL;
  *out = p.row->needs_traffic || refines(&p);
  parsed_clear(&p);
  return OK;
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
    return err_set(e, "%" PRIu32 " ranks do not fit on %" PRIu32 " hosts of %" PRIu32 " rank%s",
                   in->ranks, hosts, in->ranks_per_host, in->ranks_per_host == 1 ? "" : "s");
  if ((m->needs_traffic || refines(p)) && in->traffic == NULL)
    return err_set(e, "mapper '%s' needs the traffic of a trace or a matrix", m->name);
  if (m->simulates && in->simulator == NULL)
    return err_set(e, "mapper '%s' simulates what it tries: it needs a trace", m->name);
  char what[64];
  const struct topology *unused;
  snprintf(what, sizeof what, "mapper '%s'%s", m->name, refines(p) ? " with refine=" : "");
  if (m->needs == MAPPER_GRID)
    return platform_need_grid(in->platform, what, &unused, e);
  return m->needs == MAPPER_ROUTES || refines(p) ? platform_need_routes(in->platform, what, e) : OK;
}

static enum status run_parsed(const struct parsed *p, const struct mapper_input *in,
                              struct mapping *out, struct err *e)
{
  struct refine_plan plan;
  struct mapping m;
  if (check_input(p, in, e) != OK || read_refine(p, &plan, e) != OK ||
      p->row->map(in, &p->values, &m, e) != OK)
    return FAIL;
  if (refines(p) && refine_mapping(&m, in, &plan, e) != OK) {
    mapping_clear(&m);
    return FAIL;
  }
  *out = m;
  return OK;
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
  parsed_clear(&p);
  return s;
}

static enum status assign(const struct parsed *p, const struct qap *q, uint32_t threads,
                          uint32_t *at, struct err *e)
{
  if (p->row->assign == NULL)
    return err_set(e, "mapper '%s' places ranks on a platform; qap solves files of QAPLIB",
                   p->row->name);
  if (refines(p))
    return err_set(e, "mapper '%s': refine= is for ranks on a platform, not for files of QAPLIB",
                   p->row->name);
  return p->row->assign(q, &p->values, threads, at, e);
}

enum status mapper_assign(const char *spec, const struct qap *q, uint32_t threads, uint32_t *at,
                          struct err *e)
{
  struct parsed p;
  if (parse_spec(&p, spec, e) != OK)
    return FAIL;
  const enum status s = assign(&p, q, threads, at, e);
  parsed_clear(&p);
  return s;
}
