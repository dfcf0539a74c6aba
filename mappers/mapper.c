#define _GNU_SOURCE
#include "mappers/mapper.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/registry.h"

#define LIST(ROW)                                                                                  \
  ROW(map_xyz)                                                                                     \
  ROW(map_hostname)                                                                                \
  ROW(map_random)                                                                                  \
  ROW(map_auto)                                                                                    \
  ROW(map_structure)                                                                               \
  ROW(map_geometry)                                                                                \
  ROW(map_bisect)                                                                                  \
  ROW(map_greedy)                                                                                  \
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

/* A parsed spec; the values point into `text` or at the row's defaults. */
struct parsed {
  const struct mapper *row;
  char *text; /* owned: the options, cut at ',' and '=' */
  struct mapper_values values;
  bool given[MAPPER_MAX_OPTIONS];
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
  if (m->options[0].name == NULL)
    return err_set(e, "mapper '%s' takes no options, but is given '%s'", m->name, name);
  char names[512] = "";
  for (const struct mapper_option *o = m->options; o->name != NULL; o++)
    err_list(names, sizeof names, o->name);
  return err_set(e, "mapper '%s' has no option '%s'; it has: %s", m->name, name, names);
}

/* The index of the row's option @p name, or MAPPER_MAX_OPTIONS. */
static size_t option_index(const struct mapper *m, const char *name)
{
  for (size_t i = 0; m->options[i].name != NULL; i++)
    if (strcmp(m->options[i].name, name) == 0)
      return i;
  return MAPPER_MAX_OPTIONS;
}

/* Cuts the next "name=value" off the rest of the spec. */
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

/* One "name=value" of the spec. */
static enum status parse_option(struct parsed *p, char *item, struct err *e)
{
  char *value = strchr(item, '=');
  if (value != NULL)
    *value++ = '\0';
  const size_t i = option_index(p->row, item);
  if (i == MAPPER_MAX_OPTIONS)
    return unknown_option(p->row, item, e);
  if (value == NULL || *value == '\0')
    return err_set(e, "mapper '%s': option '%s' has no value", p->row->name, item);
  if (p->given[i])
    return err_set(e, "mapper '%s': option '%s' is given twice", p->row->name, item);
  p->given[i] = true;
  p->values.value[i] = value;
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
  const size_t i = option_index(p.row, name);
  char *longer = NULL;
  if (i == MAPPER_MAX_OPTIONS || p.given[i])
    longer = mem_strdup(spec, e);
  else if (asprintf(&longer, "%s%c%s=%s", spec, p.text == NULL ? ':' : ',', name, value) < 0) {
    longer = NULL;
    err_set(e, "out of memory");
  }
  parsed_clear(&p);
  return longer;
}

/* The checks of input that every mapper may rely on. */
static enum status check_input(const struct mapper *m, const struct mapper_input *in, struct err *e)
{
  const uint32_t hosts = platform_hosts(in->platform);
  const uint64_t slots = (uint64_t)hosts * in->ranks_per_host;
  if (in->ranks == 0)
    return err_set(e, "mapper '%s': no ranks to map", m->name);
  if (in->ranks > slots)
    return err_set(e, "%" PRIu32 " ranks do not fit on %" PRIu32 " hosts of %" PRIu32 " rank%s",
                   in->ranks, hosts, in->ranks_per_host, in->ranks_per_host == 1 ? "" : "s");
  if (m->needs_traffic && in->traffic == NULL)
    return err_set(e, "mapper '%s' needs the traffic of a trace or a matrix", m->name);
  if (m->simulates && in->simulator == NULL)
    return err_set(e, "mapper '%s' simulates what it tries: it needs a trace", m->name);
  char what[64];
  const struct topology *unused;
  snprintf(what, sizeof what, "mapper '%s'", m->name);
  if (m->needs == MAPPER_ROUTES)
    return platform_need_routes(in->platform, what, e);
  return m->needs == MAPPER_GRID ? platform_need_grid(in->platform, what, &unused, e) : OK;
}

enum status mapper_run(const char *spec, const struct mapper_input *in, struct mapping *out,
                       struct err *e)
{
  struct parsed p;
  if (parse_spec(&p, spec, e) != OK)
    return FAIL;
  if (in->moved != NULL)
    *in->moved = 0;
  enum status s = check_input(p.row, in, e);
  if (s == OK)
    s = p.row->map(in, &p.values, out, e);
  parsed_clear(&p);
  return s;
}

enum status mapper_assign(const char *spec, const struct qap *q, uint32_t threads, uint32_t *at,
                          struct err *e)
{
  struct parsed p;
  if (parse_spec(&p, spec, e) != OK)
    return FAIL;
  const enum status s =
      p.row->assign != NULL
          ? p.row->assign(q, &p.values, threads, at, e)
          : err_set(e, "mapper '%s' places ranks on a platform; qap solves files of QAPLIB",
                    p.row->name);
  parsed_clear(&p);
  return s;
}
