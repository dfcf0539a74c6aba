#define _GNU_SOURCE
#include "campaign/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/mem.h"
#include "common/num.h"
#include "mappers/mapper.h"
#include "sim/simgrid/api.h"
#include "traces/generators/generator.h"

void plan_clear(struct plan *p)
{
  for (size_t i = 0; p->run != NULL && i < p->runs; i++)
    free(p->run[i].spec);
  for (size_t i = 0; p->trace != NULL && i < p->traces; i++) {
    input_trace_clear(&p->trace[i].input);
    free(p->trace[i].file.name);
    free(p->trace[i].problem);
  }
  for (size_t i = 0; p->mapper != NULL && i < p->mappers; i++) {
    free(p->mapper[i].label);
    free(p->mapper[i].seed);
    free(p->mapper[i].file.name);
  }
  free(p->run);
  free(p->trace);
  free(p->mapper);
  free(p->platform.name);
  free(p->options);
  platform_free(p->on);
  *p = (struct plan){0};
}

/* --- inputs ----------------------------------------------------------------------------------- */

/* Refuses pipes and devices: every run opens its inputs again. */
static enum status check_lasting(const char *path, struct err *e)
{
  struct stat st;
  if (stat(path, &st) != 0)
    return err_errno(e, path, "cannot open");
  if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
    return err_set(e, "%s: every run reads it: a file is needed", path);
  return OK;
}

/* Names go into tab-separated files: no tabs, no line ends. */
static enum status check_name(const char *name, struct err *e)
{
  for (const char *c = name; *c != '\0'; c++)
    if ((unsigned char)*c < ' ' || *c == 127)
      return err_set(e, "'%.200s': a table cannot hold the control character in this name", name);
  return OK;
}

/* The trace comes first in a row of results.tsv, where a line that begins with # is a comment. */
static enum status check_trace_name(const char *name, struct err *e)
{
  if (name[0] == '#')
    return err_set(e,
                   "'%.200s': in a table a row that begins with # is a comment; write './%.200s'",
                   name, name);
  return check_name(name, e);
}

/* A platform file is identified by its checksum; an opaque one also by the version of SimGrid,
 * which computes its routes. */
static enum status check_platform_file(struct plan *plan, const char *name, struct err *e)
{
  if (platform_is_opaque(plan->on) &&
      simgrid_api_version(plan->router, sizeof plan->router, e) != OK)
    return FAIL;
  return checksum_platform(plan->on, name, plan->platform.checksum, e);
}

static enum status add_platform(struct plan *plan, const char *name, struct err *e)
{
  const bool spec = platform_is_spec(name);
  const char *file = spec ? platform_spec_file(name) : inputs_is_file(name) ? name : NULL;
  if (check_name(name, e) != OK || (plan->platform.name = mem_strdup(name, e)) == NULL ||
      (file != NULL && check_lasting(file, e) != OK) ||
      inputs_platform(&plan->on, name, "a change there would go unseen by compare", e) != OK)
    return FAIL;
  return file != NULL ? check_platform_file(plan, file, e) : OK;
}

static bool is_placed_by_mapper(const struct plan_mapper *m)
{
  return mapper_is_spec(m->label) && strncmp(m->label, "file:", 5) != 0;
}

/* Refuses more ranks than the hosts take, unless all mappings are files: these are checked when
 * they are read. */
static enum status check_room(const struct plan *p, const struct plan_args *a, const char *trace,
                              uint32_t ranks, struct err *e)
{
  const uint32_t each = a->settings.reading.collectives.ranks_per_host == 0
                            ? 1
                            : a->settings.reading.collectives.ranks_per_host;
  const uint32_t hosts = platform_hosts(p->on);
  bool needed = false;
  for (size_t m = 0; m < p->mappers; m++)
    needed = needed || is_placed_by_mapper(&p->mapper[m]);
  if (!needed || ranks <= (uint64_t)hosts * each)
    return OK;
  return err_set(e,
                 "%s: %" PRIu32 " ranks do not fit on the %" PRIu32 " hosts of %s, %" PRIu32
                 " a host (--ranks-per-host)",
                 trace, ranks, hosts, p->platform.name, each);
}

static enum status keep_problem(struct plan_trace *t, const struct err *why, struct err *e)
{
  if ((t->problem = mem_array(1, sizeof *t->problem, e)) == NULL)
    return FAIL;
  *t->problem = *why;
  return OK;
}

/* A bad spec is an error.  A file that is no valid trace is a problem of its runs, which still have
 * an identity: the file's checksum. */
static enum status look_at_trace(struct plan_trace *t, uint32_t *ranks, struct err *e)
{
  const char *name = t->file.name;
  struct trace *trace;
  struct err why;
  *ranks = 0;
  if (!generator_is_spec(name) && check_lasting(name, e) != OK)
    return FAIL;
  if (input_trace_open(&t->input, &trace, &why) == OK) {
    *ranks = trace_ranks(trace);
    return trace_input(trace, 0) == NULL ? OK : checksum_trace(trace, t->file.checksum, e);
  }
  if (!generator_is_spec(name) && checksum_file(name, t->file.checksum, e) == OK)
    return keep_problem(t, &why, e);
  *e = why;
  return FAIL;
}

static enum status add_trace(struct plan *p, const struct plan_args *a, const char *name,
                             struct err *e)
{
  struct plan_trace *t = &p->trace[p->traces];
  uint32_t ranks;
  if (check_trace_name(name, e) != OK || (t->file.name = mem_strdup(name, e)) == NULL)
    return FAIL;
  p->traces++;
  t->input = (struct input_trace){.name = t->file.name, .reading = &p->reading};
  for (size_t i = 0; i + 1 < p->traces; i++)
    if (strcmp(p->trace[i].file.name, name) == 0)
      return err_set(e, "trace '%s' is given twice", name);
  if (a->needed != NULL && !a->needed[p->traces - 1])
    return OK;
  const enum status s = look_at_trace(t, &ranks, e);
  input_trace_rest(&t->input);
  return s == OK ? check_room(p, a, name, ranks, e) : FAIL;
}

void plan_count_traffic(const struct plan *p, size_t i)
{
  struct plan_trace *t = &p->trace[i];
  const struct matrix *ignored;
  struct err why, e;
  if (t->problem == NULL && input_trace_traffic(&t->input, &ignored, &why) != OK)
    keep_problem(t, &why, &e); /* if out of memory, each run meets the failure itself */
}

void plan_drop_trace(const struct plan *p, size_t i)
{
  input_trace_clear(&p->trace[i].input);
}

enum status plan_check_trace(const struct plan *p, size_t i, struct err *e)
{
  if (p->trace[i].problem == NULL)
    return OK;
  *e = *p->trace[i].problem;
  return FAIL;
}

/* --- mappers ---------------------------------------------------------------------------------- */

/* The separator (':' or ',') before "NAME=" in a spec; NULL if the option is absent. */
static char *find_option(char *spec, const char *name)
{
  const size_t n = strlen(name);
  char *item = strpbrk(spec, ":");
  while (item != NULL && (strncmp(item + 1, name, n) != 0 || item[n + 1] != '='))
    item = strpbrk(item + 1, ",");
  return item;
}

/* The end of an option's value: the next comma that does not continue a list such as "1,2,5..7".
 * A comma continues the list before a digit, unless a "NAME=" begins there. */
static char *end_of_value(char *value)
{
  char *end = value + strcspn(value, ",");
  while (*end == ',' && end[1] >= '0' && end[1] <= '9' && end[1 + strcspn(end + 1, ",=")] != '=')
    end += 1 + strcspn(end + 1, ",");
  return end;
}

/* Cuts "NAME=VALUE" out of a spec; *value, if not NULL, is the caller's. */
static enum status cut_option(char *spec, const char *name, char **value, struct err *e)
{
  char *item = find_option(spec, name);
  *value = NULL;
  if (item == NULL)
    return OK;
  char *begin = item + strlen(name) + 2, *end = end_of_value(begin);
  if ((*value = strndup(begin, (size_t)(end - begin))) == NULL)
    return err_set(e, "out of memory");
  /* The separator before the option now precedes the next option, if any. */
  if (*end == ',')
    memmove(item + 1, end + 1, strlen(end + 1) + 1);
  else
    memmove(item, end, strlen(end) + 1);
  if (find_option(spec, name) != NULL)
    return err_set(e, "mapper '%.*s': option '%s' is given twice", (int)strcspn(spec, ":"), spec,
                   name);
  return OK;
}

static enum status add_seed(struct plan_mapper *m, size_t *room, uint64_t seed, struct err *e)
{
  for (size_t i = 0; i < m->seeds; i++)
    if (m->seed[i] == seed)
      return err_set(e, "%" PRIu64 " is given twice", seed);
  if (m->seeds == PLAN_MAX_SEEDS)
    return err_set(e, "more than %d seeds", PLAN_MAX_SEEDS);
  if (MEM_GROW(m->seed, *room, m->seeds + 1, e) != OK)
    return FAIL;
  m->seed[m->seeds++] = seed;
  return OK;
}

/* "1..10" or "3". */
static enum status add_range(struct plan_mapper *m, size_t *room, char *text, struct err *e)
{
  char *dots = strstr(text, "..");
  uint64_t first, last;
  if (dots != NULL)
    *dots = '\0';
  if (num_u64(text, UINT64_MAX, &first, e) != OK ||
      num_u64(dots == NULL ? text : dots + 2, UINT64_MAX, &last, e) != OK)
    return FAIL;
  if (last < first)
    return err_set(e, "%" PRIu64 "..%" PRIu64 " is empty", first, last);
  if (last - first >= PLAN_MAX_SEEDS)
    return err_set(e, "%" PRIu64 "..%" PRIu64 " is more than %d seeds", first, last,
                   PLAN_MAX_SEEDS);
  for (uint64_t i = 0; i <= last - first; i++)
    if (add_seed(m, room, first + i, e) != OK)
      return FAIL;
  return OK;
}

/* "1..3,7". */
static enum status parse_seeds(struct plan_mapper *m, char *text, struct err *e)
{
  size_t room = 0;
  for (char *word; (word = strsep(&text, ",")) != NULL;)
    if (add_range(m, &room, word, e) != OK)
      return FAIL;
  return OK;
}

static bool has_seed(const struct mapper *row)
{
  for (const struct mapper_option *o = row->options; o->name != NULL; o++)
    if (strcmp(o->name, "seed") == 0)
      return true;
  return false;
}

/* Moves the seeds from the label into m->seed; @p standard is the seed if none is given. */
static enum status take_seeds(struct plan_mapper *m, uint64_t standard, struct err *e)
{
  char *seed = NULL, *seeds = NULL;
  size_t room = 0;
  struct err why;
  enum status s = cut_option(m->label, "seed", &seed, e);
  if (s == OK)
    s = cut_option(m->label, "seeds", &seeds, e);
  if (s == OK && seed != NULL && seeds != NULL)
    s = err_set(e, "mapper '%s' has both seed= and seeds=", m->label);
  else if (s == OK && (seed != NULL || seeds != NULL) &&
           parse_seeds(m, seed != NULL ? seed : seeds, &why) != OK)
    s = err_set(e, "mapper '%s': %s: %s", m->label, seed != NULL ? "seed" : "seeds", why.text);
  else if (s == OK && seed == NULL && seeds == NULL)
    s = add_seed(m, &room, standard, e);
  free(seed);
  free(seeds);
  return s;
}

/* The file that the mappings come from: the label itself, or what its mapper reads. */
static enum status take_file(struct plan_mapper *m, struct err *e)
{
  if (mapper_is_spec(m->label)) {
    if (mapper_file(m->label, &m->file.name, e) != OK)
      return FAIL;
  } else if ((m->file.name = mem_strdup(m->label, e)) == NULL) {
    return FAIL;
  }
  const char *path = m->file.name;
  if (path == NULL)
    return OK;
  return check_lasting(path, e) == OK ? checksum_file(path, m->file.checksum, e) : FAIL;
}

/* A label is an existing file or a mapper spec; anything else is reported as an unknown mapper. */
static enum status check_spec(struct plan_mapper *m, uint64_t standard, struct err *e)
{
  const struct mapper *row;
  struct stat st;
  if (!mapper_is_spec(m->label) && stat(m->label, &st) == 0)
    return OK;
  char *name = strndup(m->label, strcspn(m->label, ":"));
  if (name == NULL)
    return err_set(e, "out of memory");
  enum status s = mapper_find(name, &row, e);
  m->seeded = s == OK && has_seed(row);
  free(name);
  if (s == OK && m->seeded)
    s = take_seeds(m, standard, e);
  return s == OK ? mapper_find(m->label, &row, e) : FAIL;
}

static enum status add_mapper(struct plan *p, const struct plan_args *a, const char *spec,
                              struct err *e)
{
  struct plan_mapper *m = &p->mapper[p->mappers];
  if (check_name(spec, e) != OK || (m->label = mem_strdup(spec, e)) == NULL)
    return FAIL;
  p->mappers++;
  if (check_spec(m, a->seed, e) != OK || take_file(m, e) != OK)
    return FAIL;
  for (size_t i = 0; i + 1 < p->mappers; i++)
    if (strcmp(p->mapper[i].label, m->label) == 0)
      return err_set(e, "mapper '%s' is given twice; seeds=1..10 gives it several seeds", m->label);
  return OK;
}

/* --- runs ------------------------------------------------------------------------------------- */

/* A mapper without seeds has one run. */
static uint64_t seeds_of(const struct plan_mapper *m)
{
  return m->seeded ? m->seeds : 1;
}

/* @p which is the index of the seed; 0 for a mapper without seeds. */
static enum status add_run(struct plan *p, size_t trace, size_t mapper, size_t which,
                           uint32_t repeat, struct err *e)
{
  const struct plan_mapper *m = &p->mapper[mapper];
  const uint64_t seed = m->seeded ? m->seed[which] : 0;
  struct plan_run *r = &p->run[p->runs];
  char number[24];
  snprintf(number, sizeof number, "%" PRIu64, seed);
  *r = (struct plan_run){.trace = trace,
                         .mapper = mapper,
                         .seeded = m->seeded,
                         .seed = seed,
                         .repeat = repeat,
                         .first = which == 0 && repeat == 0};
  r->spec = m->seeded ? mapper_with_option(m->label, "seed", number, e) : mem_strdup(m->label, e);
  p->runs += r->spec != NULL;
  return r->spec != NULL ? OK : FAIL;
}

static enum status add_runs(struct plan *p, struct err *e)
{
  uint64_t columns = 0;
  for (size_t m = 0; m < p->mappers; m++)
    columns += seeds_of(&p->mapper[m]) * p->repeats;
  if (columns * p->traces > PLAN_MAX_RUNS)
    return err_set(e, "%" PRIu64 " runs are more than %d", columns * p->traces, PLAN_MAX_RUNS);
  if ((p->run = mem_array(columns * p->traces, sizeof *p->run, e)) == NULL)
    return FAIL;
  for (size_t t = 0; t < p->traces; t++)
    for (size_t m = 0; m < p->mappers; m++)
      for (uint64_t i = 0; i < seeds_of(&p->mapper[m]) * p->repeats; i++)
        if (add_run(p, t, m, i / p->repeats, (uint32_t)(i % p->repeats), e) != OK)
          return FAIL;
  return OK;
}

static enum status fill(struct plan *p, const struct plan_args *a, struct err *e)
{
  p->trace = mem_array(a->traces, sizeof *p->trace, e);
  p->mapper = p->trace == NULL ? NULL : mem_array(a->mappers, sizeof *p->mapper, e);
  if (p->mapper == NULL || add_platform(p, a->platform, e) != OK)
    return FAIL;
  for (size_t i = 0; i < a->mappers; i++)
    if (add_mapper(p, a, a->mapper[i], e) != OK)
      return FAIL;
  for (size_t i = 0; i < a->traces; i++)
    if (add_trace(p, a, a->trace[i], e) != OK)
      return FAIL;
  p->options = settings_text(&a->settings, e);
  p->loaded = settings_have_load(&a->settings);
  p->overlay = a->settings.options.overlay.kind != NULL;
  for (size_t i = 0; i < p->mappers; i++)
    p->overfills |= mapper_overfills(p->mapper[i].label);
  return p->options != NULL ? add_runs(p, e) : FAIL;
}

enum status plan_make(struct plan *p, const struct plan_args *a, struct err *e)
{
  *p = (struct plan){.reading = a->settings.reading, .repeats = a->repeats == 0 ? 1 : a->repeats};
  if (fill(p, a, e) == OK)
    return OK;
  plan_clear(p);
  return FAIL;
}

/* --- words ------------------------------------------------------------------------------------ */

static void print_input(const char *kind, const struct plan_input *in, FILE *f)
{
  fprintf(f, "%s %s%s%s\n", kind, in->name,
          in->checksum[0] == '\0' ? "" : " sha256:", in->checksum);
}

static void print_common(const struct plan *p, const char *options, FILE *f)
{
  fprintf(f, "haichi %s\n", HAICHI_VERSION);
  print_input("platform", &p->platform, f);
  if (p->router[0] != '\0')
    fprintf(f, "routes of SimGrid %s\n", p->router);
  fprintf(f, "options %s\n", options);
}

/* " seeds 1..3,7..7": consecutive seeds as ranges. */
static void print_seeds(const struct plan_mapper *m, FILE *f)
{
  for (size_t i = 0, k; i < m->seeds; i = k) {
    for (k = i + 1; k < m->seeds && m->seed[k] == m->seed[k - 1] + 1;)
      k++;
    fprintf(f, "%s%" PRIu64 "..%" PRIu64, i == 0 ? " seeds " : ",", m->seed[i], m->seed[k - 1]);
  }
}

/* What a mapper or its mappings come from, besides haichi. */
static void print_origin(const struct plan_mapper *m, FILE *f)
{
  const struct mapper *row;
  struct err ignored;
  if (mapper_is_spec(m->label) && mapper_find(m->label, &row, &ignored) == OK &&
      row->library != NULL)
    fprintf(f, " of %s", row->library);
  if (m->file.name != NULL)
    fprintf(f, " sha256:%s", m->file.checksum);
  fputc('\n', f);
}

void plan_print(const struct plan *p, FILE *f)
{
  print_common(p, p->options, f);
  if (p->repeats > 1)
    fprintf(f, "repeat %" PRIu32 "\n", p->repeats);
  for (size_t i = 0; i < p->traces; i++)
    print_input("trace", &p->trace[i].file, f);
  for (size_t i = 0; i < p->mappers; i++) {
    const struct plan_mapper *m = &p->mapper[i];
    fprintf(f, "mapper %s", m->label);
    if (m->seeded)
      print_seeds(m, f);
    print_origin(m, f);
  }
}

void plan_print_run(const struct plan *p, const struct plan_run *r, const char *options, FILE *f)
{
  const struct plan_mapper *m = &p->mapper[r->mapper];
  print_common(p, options, f);
  print_input("trace", &p->trace[r->trace].file, f);
  fprintf(f, "mapper %s", r->spec);
  print_origin(m, f);
  if (r->repeat > 0)
    fprintf(f, "repetition %" PRIu32 "\n", r->repeat);
}

size_t plan_find_mapper(const struct plan *p, const char *label)
{
  size_t i = 0;
  while (i < p->mappers && strcmp(p->mapper[i].label, label) != 0)
    i++;
  return i;
}
