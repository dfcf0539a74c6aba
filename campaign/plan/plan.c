#include "campaign/plan/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/mem.h"
#include "mappers/mapper.h"

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
  for (size_t i = 0; p->machine != NULL && i < p->machines; i++)
    machine_clear(&p->machine[i]);
  free(p->machine);
  free(p->options);
  free(p->rest);
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
    return err_set(e, "%s: must be a file or a folder, since every run reads it", path);
  return OK;
}

/* Names are fields of tab-separated files: refuses control characters, such as tabs and newlines,
 * and # at the start of a row, which would make the row a comment. */
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

enum status plan_keep_problem(struct plan_subject *s, const struct err *why, struct err *e)
{
  if ((s->problem = mem_array(1, sizeof *s->problem, e)) == NULL)
    return FAIL;
  *s->problem = *why;
  return OK;
}

enum status plan_copy_file(struct plan_subject *to, const struct plan_subject *from, struct err *e)
{
  memcpy(to->file.checksum, from->file.checksum, sizeof to->file.checksum);
  to->ranks = from->ranks;
  return from->problem == NULL ? OK : plan_keep_problem(to, from->problem, e);
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

/* Compares the checksums of a file, before and @p now. */
static enum status check_same(const char *name, const char *before, const char *now, struct err *e)
{
  return strcmp(before, now) == 0 ? OK
                                  : err_set(e, "%s: has changed since the command began", name);
}

enum status plan_check_inputs(const struct plan *p, const struct plan_run *r, struct err *e)
{
  struct plan_subject *x = &p->subject[r->subject];
  const struct plan_input *mapping = &p->method[r->method].file;
  const struct machine *m = plan_machine(p, r->subject);
  char hex[CHECKSUM_SIZE];
  if (x->file.checksum[0] != '\0' && (p->kind->checksum(x, hex, e) != OK ||
                                      check_same(x->file.name, x->file.checksum, hex, e) != OK))
    return FAIL;
  if (mapping->checksum[0] != '\0' && (checksum_file(mapping->name, hex, e) != OK ||
                                       check_same(mapping->name, mapping->checksum, hex, e) != OK))
    return FAIL;
  if (m->checksum[0] != '\0' &&
      (machine_checksum(m, hex, e) != OK || check_same(m->name, m->checksum, hex, e) != OK))
    return FAIL;
  return OK;
}

static size_t subjects_each(const struct plan_args *a)
{
  return a->subject.count * (a->load.count == 0 ? 1 : a->load.count);
}

size_t plan_subjects(const struct plan_args *a)
{
  return machine_count(a->machine) * subjects_each(a);
}

const struct plan_subject *plan_find_opened(const struct plan *p, size_t first, size_t each)
{
  for (size_t i = first; i < p->subjects; i += each)
    if (p->subject[i].opened)
      return &p->subject[i];
  return NULL;
}

/* --- machines --------------------------------------------------------------------------------- */

static bool is_needed(const struct plan_args *a, size_t machine)
{
  const size_t n = subjects_each(a);
  bool needed = a->needed == NULL;
  for (size_t i = 0; i < n && !needed; i++)
    needed = a->needed[machine * n + i];
  return needed;
}

/* Refuses equal texts.  1GBps and 1000MBps are different texts and make two machines. */
static enum status check_values(const struct plan_words *v, enum machine_option o, struct err *e)
{
  for (size_t i = 0; i < v->count; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(v->word[i], v->word[k]) == 0)
        return err_set(e, "%s '%.200s' is given twice", machine_word(o), v->word[i]);
  return OK;
}

static enum status add_machines(struct plan *p, const struct plan_args *a, struct err *e)
{
  const size_t n = machine_count(a->machine);
  if (n > MACHINE_MOST)
    return err_set(e, "more than %d machines: platforms and their swept options", MACHINE_MOST);
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    if (check_values(&a->machine[o], (enum machine_option)o, e) != OK)
      return FAIL;
  if ((p->machine = mem_array(n, sizeof *p->machine, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < n; i++) {
    p->machines++;
    if (machine_make(&p->machine[i], a->machine, i, &a->settings, is_needed(a, i), e) != OK)
      return FAIL;
  }
  return OK;
}

const struct machine *plan_machine(const struct plan *p, size_t i)
{
  return &p->machine[p->subject[i].machine];
}

/* Compares the first and the last machine, which differ in all options with several values. */
static bool has_column(const struct plan *p, enum machine_option o)
{
  const struct machine *first = &p->machine[0], *last = &p->machine[p->machines - 1];
  return p->machines > 1 &&
         (o == MACHINE_PLATFORM ||
          (first->value[o] != NULL && strcmp(first->value[o], last->value[o]) != 0));
}

char *plan_machine_label(const struct plan *p, size_t i, struct err *e)
{
  const char *field[MACHINE_OPTIONS];
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    field[o] = has_column(p, (enum machine_option)o) ? p->machine[i].value[o] : NULL;
  return machine_label(field, e);
}

char *plan_subject_label(const struct plan *p, size_t i, struct err *e)
{
  char *machine = plan_machine_label(p, p->subject[i].machine, e);
  char *label = machine == NULL ? NULL : machine_subject_label(p->subject[i].file.name, machine, e);
  free(machine);
  return label;
}

size_t plan_groups(const struct plan *p)
{
  return p->machines == 1 ? 1 : p->machines + 1;
}

struct plan_group plan_group_at(const struct plan *p, size_t g)
{
  const size_t each = p->subjects / p->machines;
  if (g + 1 == plan_groups(p))
    return (struct plan_group){.first = 0, .count = p->subjects};
  return (struct plan_group){.first = g * each, .count = each};
}

/* --- runs ------------------------------------------------------------------------------------- */

/* Number of seeds, 1 for a method without seeds. */
static uint64_t seeds_of(const struct plan_method *m)
{
  return m->seeded ? m->seeds : 1;
}

/* Adds a run.  @p which: index of the seed, 0 for a method without seeds. */
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
  r->spec = m->seeded ? mapper_with_seed(m->spec, number, e) : mem_strdup(m->spec, e);
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
                     .tasknets = a->tasknets,
                     .seed = a->seed,
                     .repeats = a->repeats == 0 ? 1 : a->repeats};
  p->rest = settings_text(&a->settings, &cli_option_rest, e);
  if (p->rest != NULL && add_machines(p, a, e) == OK && p->kind->add(p, a, e) == OK &&
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

static void print_platform(const struct machine *m, FILE *f)
{
  fprintf(f, "platform %s%s%s\n", m->name, m->checksum[0] == '\0' ? "" : " sha256:", m->checksum);
}

static void print_value(const struct machine *m, enum machine_option o, FILE *f)
{
  if (m->value[o] != NULL)
    fprintf(f, "%s %s\n", machine_word(o), m->value[o]);
}

/* True if an earlier machine has the same value of the option. */
static bool is_repeated(const struct plan *p, size_t machine, enum machine_option o)
{
  for (size_t i = 0; i < machine; i++)
    if (p->machine[machine].value[o] != NULL &&
        strcmp(p->machine[i].value[o], p->machine[machine].value[o]) == 0)
      return true;
  return false;
}

/* Prints each value of each option once. */
static void print_machines(const struct plan *p, FILE *f)
{
  const char *router = "";
  for (size_t i = 0; i < p->machines; i++) {
    if (!is_repeated(p, i, MACHINE_PLATFORM))
      print_platform(&p->machine[i], f);
    if (p->machine[i].router[0] != '\0')
      router = p->machine[i].router;
  }
  if (*router != '\0')
    fprintf(f, "routes of SimGrid %s\n", router);
  for (int o = MACHINE_PLATFORM + 1; o < MACHINE_OPTIONS; o++)
    for (size_t i = 0; i < p->machines; i++)
      if (!is_repeated(p, i, (enum machine_option)o))
        print_value(&p->machine[i], (enum machine_option)o, f);
}

void plan_print(const struct plan *p, FILE *f)
{
  fprintf(f, "haichi %s\n", HAICHI_VERSION);
  print_machines(p, f);
  fprintf(f, "options %s\n%s", p->options, p->rest);
  if (p->repeats > 1)
    fprintf(f, "repeat %" PRIu32 "\n", p->repeats);
  p->kind->print(p, f);
}

void plan_print_run(const struct plan *p, const struct plan_run *r, const char *options, FILE *f)
{
  const struct machine *m = plan_machine(p, r->subject);
  fprintf(f, "haichi %s\n", HAICHI_VERSION);
  print_platform(m, f);
  if (m->router[0] != '\0')
    fprintf(f, "routes of SimGrid %s\n", m->router);
  for (int o = MACHINE_PLATFORM + 1; o < MACHINE_OPTIONS; o++)
    print_value(m, (enum machine_option)o, f);
  fprintf(f, "options %s\n", options);
  p->kind->print_run(p, r, f);
  if (r->repeat > 0)
    fprintf(f, "repetition %" PRIu32 "\n", r->repeat);
}

void plan_print_columns(const struct plan *p, FILE *f)
{
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    if (has_column(p, (enum machine_option)o))
      fprintf(f, "%s\t", machine_column((enum machine_option)o));
  for (size_t i = 0; p->kind->subject[i] != NULL; i++)
    fprintf(f, "%s\t", p->kind->subject[i]);
}

void plan_print_subject(const struct plan *p, size_t i, FILE *f)
{
  const bool mean = i >= p->subjects, all = i + 1 == p->subjects + plan_groups(p);
  const struct plan_subject *x = &p->subject[mean ? plan_group_at(p, i - p->subjects).first : i];
  const char *name[KIND_MOST_SUBJECT] = {mean ? "*" : x->file.name, mean ? "*" : x->load.name};
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    if (has_column(p, (enum machine_option)o))
      fprintf(f, "%s\t", all ? "*" : p->machine[x->machine].value[o]);
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
