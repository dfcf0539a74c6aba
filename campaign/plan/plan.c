#define _GNU_SOURCE
#include "campaign/plan/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/mem.h"
#include "mappers/mapper.h"
#include "sim/simgrid/api.h"

static void clear_subject(struct plan_subject *s)
{
  input_trace_clear(&s->trace);
  matrix_clear(&s->matrix);
  tasknet_clear(&s->net);
  free(s->file.name);
  free(s->load.name);
  free(s->problem);
}

static void clear_method(struct plan_method *m)
{
  free(m->label);
  free(m->spec);
  free(m->seed);
  free(m->file.name);
}

void plan_clear(struct plan *p)
{
  for (size_t i = 0; p->run != NULL && i < p->runs; i++)
    free(p->run[i].spec);
  for (size_t i = 0; p->subject != NULL && i < p->subjects; i++)
    clear_subject(&p->subject[i]);
  for (size_t i = 0; p->method != NULL && i < p->methods; i++)
    clear_method(&p->method[i]);
  free(p->run);
  free(p->subject);
  free(p->method);
  free(p->platform.name);
  free(p->options);
  platform_free(p->on);
  *p = (struct plan){0};
}

/* --- inputs ----------------------------------------------------------------------------------- */

enum status plan_check_lasting(const char *path, struct err *e)
{
  struct stat st;
  const bool standard_input = strcmp(path, "-") == 0;
  if (!standard_input && stat(path, &st) != 0)
    return err_errno(e, path, "cannot open");
  if (standard_input || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
    return err_set(e, "%s: every run reads it: a file is needed", path);
  return OK;
}

/* Names are fields of tab-separated files: refuses tabs, line ends and other control characters,
 * and # at the start of a row, which would make it a comment. */
enum status plan_check_name(const char *name, bool first, struct err *e)
{
  if (first && name[0] == '#')
    return err_set(e,
                   "'%.200s': in a table a row that begins with # is a comment; write './%.200s'",
                   name, name);
  for (const char *c = name; *c != '\0'; c++)
    if ((unsigned char)*c < ' ' || *c == 127)
      return err_set(e, "'%.200s': a table cannot hold the control character in this name", name);
  return OK;
}

/* A platform from files is identified by their checksum; an opaque platform also by the version of
 * SimGrid, which computes its routes.  @p name NULL: the files of a spec. */
static enum status check_platform_file(struct plan *plan, const char *name, struct err *e)
{
  const char *other;
  for (size_t i = 0; (other = platform_file(plan->on, i)) != NULL; i++)
    if (plan_check_lasting(other, e) != OK)
      return FAIL;
  if (platform_is_opaque(plan->on) &&
      simgrid_api_version(plan->router, sizeof plan->router, e) != OK)
    return FAIL;
  return checksum_platform(plan->on, name, plan->platform.checksum, e);
}

/* Opens the platform.  The inside of the hosts and names from a file are part of its name in
 * tables. */
static enum status add_platform(struct plan *plan, const char *name, const struct settings *with,
                                struct err *e)
{
  const char *file = !platform_is_spec(name) && inputs_is_file(name) ? name : NULL;
  if (plan_check_name(name, false, e) != OK ||
      (plan->platform.name = inputs_platform_text(name, with->node, with->names, e)) == NULL ||
      (file != NULL && plan_check_lasting(file, e) != OK) ||
      inputs_platform(&plan->on, plan->platform.name, with->cores,
                      "a change there would go unseen by compare", e) != OK)
    return FAIL;
  if (file == NULL)
    file = platform_path(plan->on); /* followed by names=, so that it was no file above */
  return file != NULL || platform_file(plan->on, 0) != NULL ? check_platform_file(plan, file, e)
                                                            : OK;
}

enum status plan_keep_problem(struct plan_subject *s, const struct err *why, struct err *e)
{
  if ((s->problem = mem_array(1, sizeof *s->problem, e)) == NULL)
    return FAIL;
  *s->problem = *why;
  return OK;
}

void plan_prepare(const struct plan *p, size_t i)
{
  p->kind->prepare(p, i);
}

void plan_drop(const struct plan *p, size_t i)
{
  p->kind->drop(p, i);
}

enum status plan_check(const struct plan *p, size_t i, struct err *e)
{
  if (p->subject[i].problem == NULL)
    return OK;
  *e = *p->subject[i].problem;
  return FAIL;
}

size_t plan_subjects(const struct plan_args *a)
{
  return a->subject.count * (a->load.count == 0 ? 1 : a->load.count);
}

/* --- runs ------------------------------------------------------------------------------------- */

/* Number of seeds, 1 for a method without seeds. */
static uint64_t seeds_of(const struct plan_method *m)
{
  return m->seeded ? m->seeds : 1;
}

/* @p which is the index of the seed; 0 for a method without seeds. */
static enum status add_run(struct plan *p, size_t subject, size_t method, size_t which,
                           uint32_t repeat, struct err *e)
{
  const struct plan_method *m = &p->method[method];
  const uint64_t seed = m->seeded ? m->seed[which] : 0;
  struct plan_run *r = &p->run[p->runs];
  char number[24];
  snprintf(number, sizeof number, "%" PRIu64, seed);
  *r = (struct plan_run){.subject = subject,
                         .method = method,
                         .seeded = m->seeded,
                         .seed = seed,
                         .repeat = repeat,
                         .first = which == 0 && repeat == 0};
  r->spec = m->seeded ? mapper_with_option(m->spec, "seed", number, e) : mem_strdup(m->spec, e);
  p->runs += r->spec != NULL;
  return r->spec != NULL ? OK : FAIL;
}

static enum status add_runs(struct plan *p, struct err *e)
{
  uint64_t columns = 0;
  for (size_t m = 0; m < p->methods; m++)
    columns += seeds_of(&p->method[m]) * p->repeats;
  if (columns * p->subjects > PLAN_MAX_RUNS)
    return err_set(e, "%" PRIu64 " runs are more than %d", columns * p->subjects, PLAN_MAX_RUNS);
  if ((p->run = mem_array(columns * p->subjects, sizeof *p->run, e)) == NULL)
    return FAIL;
  for (size_t t = 0; t < p->subjects; t++)
    for (size_t m = 0; m < p->methods; m++)
      for (uint64_t i = 0; i < seeds_of(&p->method[m]) * p->repeats; i++)
        if (add_run(p, t, m, i / p->repeats, (uint32_t)(i % p->repeats), e) != OK)
          return FAIL;
  return OK;
}

enum status plan_make(struct plan *p, const struct plan_args *a, struct err *e)
{
  *p = (struct plan){.kind = a->kind,
                     .reading = a->settings.reading,
                     .tasknets = a->tasknets,
                     .seed = a->seed,
                     .repeats = a->repeats == 0 ? 1 : a->repeats};
  if (add_platform(p, a->platform, &a->settings, e) == OK && p->kind->add(p, a, e) == OK &&
      add_runs(p, e) == OK)
    return OK;
  plan_clear(p);
  return FAIL;
}

/* --- printing --------------------------------------------------------------------------------- */

void plan_print_input(const char *word, const struct plan_input *in, FILE *f)
{
  fprintf(f, "%s %s%s%s\n", word, in->name,
          in->checksum[0] == '\0' ? "" : " sha256:", in->checksum);
}

static void print_common(const struct plan *p, const char *options, FILE *f)
{
  fprintf(f, "haichi %s\n", HAICHI_VERSION);
  plan_print_input("platform", &p->platform, f);
  if (p->router[0] != '\0')
    fprintf(f, "routes of SimGrid %s\n", p->router);
  fprintf(f, "options %s\n", options);
}

void plan_print(const struct plan *p, FILE *f)
{
  print_common(p, p->options, f);
  if (p->repeats > 1)
    fprintf(f, "repeat %" PRIu32 "\n", p->repeats);
  p->kind->print(p, f);
}

void plan_print_run(const struct plan *p, const struct plan_run *r, const char *options, FILE *f)
{
  print_common(p, options, f);
  p->kind->print_run(p, r, f);
  if (r->repeat > 0)
    fprintf(f, "repetition %" PRIu32 "\n", r->repeat);
}

void plan_print_subject(const struct plan *p, size_t i, FILE *f)
{
  const bool all = i == p->subjects;
  const char *name[KIND_MOST_SUBJECT] = {all ? "*" : p->subject[i].file.name,
                                         all ? "*" : p->subject[i].load.name};
  for (size_t k = 0; p->kind->subject[k] != NULL; k++)
    fprintf(f, "%s\t", name[k]);
}

size_t plan_find_method(const struct plan *p, const char *label)
{
  size_t i = 0;
  while (i < p->methods && strcmp(p->method[i].label, label) != 0)
    i++;
  return i;
}
