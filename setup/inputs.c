#include "setup/inputs.h"

#include <string.h>
#include <unistd.h>

#include "platforms/topology/topology.h"
#include "setup/runs/phases.h"
#include "sim/simgrid/opaque.h"
#include "traces/files/spool.h"
#include "traces/generators/generator.h"

struct reading reading_defaults(void)
{
  return (struct reading){.unpack_limit = SPOOL_LIMIT, .recorded = {.speed = 1e9}};
}

bool inputs_is_file(const char *text)
{
  return strcmp(text, "-") == 0 || access(text, F_OK) == 0;
}

bool inputs_looks_like_spec(const char *text)
{
  const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz-");
  return n > 0 && (text[n] == ':' || text[n] == '\0') && !inputs_is_file(text);
}

enum status inputs_unknown(const struct registry *r, const char *text, struct err *e)
{
  struct err why;
  registry_unknown(r, text, strcspn(text, ":"), &why);
  return err_set(e, "%.200s: no such file; %s", text, why.text);
}

/* Reports missing parameters if @p text is a bare name of @p r, and an unknown name if it is not.
 */
static enum status bare_name(const struct registry *r, const char *(*example)(size_t i),
                             const char *text, struct err *e)
{
  for (size_t i = 0; registry_at(r, i) != NULL; i++)
    if (strcmp(registry_name(r, i), text) == 0)
      return err_set(e, "'%s' alone is no %s: give its parameters, as in %s", text, r->what,
                     example(i));
  return inputs_unknown(r, text, e);
}

static const char *generator_example(size_t i)
{
  return ((const struct generator_kind *)registry_at(&generators, i))->example;
}

/* Refuses parameters of a platform that has its own. */
static enum status check_own(const char *text, const struct platform_params *params, struct err *e)
{
  const char *owner = platform_is_spec(text) ? "description of the clusters" : "file";
  if (platform_is_spec(text) && !topology_is_multicluster(text))
    return OK;
  if (params->cores > 0)
    return err_set(e, "--cores: the hosts of '%.200s' have the cores that the %s gives them", text,
                   owner);
  if (params->bandwidth != NULL || params->latency != NULL)
    return err_set(e, "--%s: the links of '%.200s' have the %s that the %s gives them",
                   params->bandwidth != NULL ? "bandwidth" : "latency", text,
                   params->bandwidth != NULL ? "bandwidth" : "latency", owner);
  return OK;
}

enum status inputs_platform_with(struct platform **out, const char *text,
                                 const struct platform_params *params, const char *whole,
                                 struct err *e)
{
  struct platform *p;
  if (check_own(text, params, e) != OK)
    return FAIL;
  if (platform_is_spec(text))
    return platform_from_spec(out, text, params, e);
  if (inputs_looks_like_spec(text))
    return bare_name(&topologies, topology_example, text, e);
  if (platform_load(&p, text, e) != OK)
    return FAIL;
  /* Only SimGrid knows the hosts of an opaque platform. */
  if ((whole != NULL && platform_need_whole(p, whole, e) != OK) ||
      (platform_is_opaque(p) && opaque_open(p, e) != OK)) {
    platform_free(p);
    return FAIL;
  }
  *out = p;
  return OK;
}

enum status inputs_platform(struct platform **out, const char *text, uint32_t cores, struct err *e)
{
  const struct platform_params params = {.cores = cores};
  return inputs_platform_with(out, text, &params, NULL, e);
}

/* Refuses a trace with a gap, unless the command allows it. */
static enum status check_gap(const struct reading *r, const struct trace *t, struct err *e)
{
  const struct trace_gap *gap = trace_gap(t);
  if (gap == NULL || r->partial || (r->counts && !gap->whole))
    return OK;
  if (gap->whole)
    return err_set(e, "%s (--partial continues without it)", gap->text);
  return err_set(e, "%s; --partial simulates the rest", gap->text);
}

static void give_notes(struct input_trace *t)
{
  const char *note;
  if (t->reading->note == NULL)
    return;
  if (trace_gap(t->trace) != NULL && !t->noted)
    t->reading->note(trace_gap(t->trace)->text);
  while ((note = trace_next_note(t->trace)) != NULL)
    if (!t->noted)
      t->reading->note(note);
  t->noted = true;
}

static enum status need_open(struct input_trace *t, struct err *e)
{
  if (t->trace != NULL)
    return OK;
  if (!trace_has_format(t->name) && inputs_looks_like_spec(t->name))
    return bare_name(&generators, generator_example, t->name, e);
  if (trace_open(&t->trace, t->name, t->reading->unpack_limit, e) != OK)
    return FAIL;
  if (check_gap(t->reading, t->trace, e) != OK ||
      trace_configure(t->trace, &t->reading->recorded, e) != OK) {
    trace_free(t->trace);
    t->trace = NULL;
    return FAIL;
  }
  give_notes(t);
  return OK;
}

enum status input_trace_open(struct input_trace *t, struct trace **out, struct err *e)
{
  if (need_open(t, e) != OK)
    return FAIL;
  *out = t->trace;
  return OK;
}

enum status input_trace_program(struct input_trace *t, const struct mapping *m,
                                struct program **out, struct err *e)
{
  if (need_open(t, e) != OK)
    return FAIL;
  struct collectives c = t->reading->collectives;
  if (m != NULL) {
    c.host = m->host;
    c.node_cores = m->cores;
  }
  trace_rewind(t->trace);
  return program_new(out, t->trace, &c, e);
}

/* Counts the traffic of ranks on the hosts of @p m; NULL: not placed yet. */
static enum status count(struct input_trace *t, const struct mapping *m, struct matrix *out,
                         struct err *e)
{
  struct program *p;
  if (input_trace_program(t, m, &p, e) != OK)
    return FAIL;
  const enum status s = matrix_from_program(out, p, false, e);
  t->asks_hosts = program_asks_hosts(p);
  program_free(p);
  return s;
}

enum status input_trace_traffic(struct input_trace *t, const struct matrix **out, struct err *e)
{
  if (!t->counted && count(t, NULL, &t->traffic, e) != OK)
    return FAIL;
  t->counted = true;
  *out = &t->traffic;
  return OK;
}

enum status input_trace_placed_traffic(struct input_trace *t, const struct mapping *m,
                                       const struct matrix **out, struct err *e)
{
  if (input_trace_traffic(t, out, e) != OK)
    return FAIL;
  if (!t->asks_hosts)
    return OK;
  matrix_clear(&t->placed);
  if (count(t, m, &t->placed, e) != OK)
    return FAIL;
  *out = &t->placed;
  return OK;
}

static enum status placed_phases(struct input_trace *t, const struct mapping *m,
                                 const struct phases **out, struct err *e)
{
  phases_clear(&t->placed_phases);
  *out = &t->placed_phases;
  return phases_of_trace(&t->placed_phases, t, m, e);
}

enum status input_trace_phases(struct input_trace *t, const struct mapping *m,
                               const struct phases **out, struct err *e)
{
  const struct matrix *traffic;
  if (m != NULL && input_trace_traffic(t, &traffic, e) != OK)
    return FAIL;
  if (m != NULL && t->asks_hosts)
    return placed_phases(t, m, out, e);
  if (!t->phased && phases_of_trace(&t->phases, t, NULL, e) != OK)
    return FAIL;
  t->phased = true;
  *out = &t->phases;
  return OK;
}

void input_trace_close_files(struct input_trace *t)
{
  if (t->trace == NULL || generator_is_spec(t->name))
    return;
  trace_free(t->trace);
  t->trace = NULL;
}

void input_trace_clear(struct input_trace *t)
{
  trace_free(t->trace);
  t->trace = NULL;
  if (t->counted)
    matrix_clear(&t->traffic);
  matrix_clear(&t->placed);
  phases_clear(&t->phases);
  phases_clear(&t->placed_phases);
  t->counted = t->phased = false;
}
