#include "campaign/plan/placement.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/plural.h"
#include "mappers/mapper.h"

/* --- mappers ---------------------------------------------------------------------------------- */

static enum status add_seed(struct plan_method *m, size_t *room, uint64_t seed, struct err *e)
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

/* Adds the seeds "1..10" or "3". */
static enum status add_range(struct plan_method *m, size_t *room, char *text, struct err *e)
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

/* Adds the seeds "1..3,7". */
static enum status parse_seeds(struct plan_method *m, char *text, const char *option, struct err *e)
{
  size_t room = 0;
  struct err why;
  for (char *word; (word = strsep(&text, ",")) != NULL;)
    if (add_range(m, &room, word, &why) != OK)
      return err_set(e, "%s: %s", option, why.text);
  return OK;
}

/* Moves the seeds from the options of the spec into m->seed; if there are none, uses @p fallback.
 */
static enum status take_seeds(struct plan_method *m, const struct mapper *row, uint64_t fallback,
                              struct err *e)
{
  char *seed = NULL, *seeds = NULL, *colon = strchr(m->spec, ':');
  size_t room = 0;
  struct err why;
  enum status s = OK;
  if (colon != NULL && (s = spec_cut(row->options, colon + 1, "seed", &seed, &why)) == OK)
    s = spec_cut(row->options, colon + 1, "seeds", &seeds, &why);
  if (s == OK && seed != NULL && seeds != NULL)
    s = err_set(&why, "both seed= and seeds=");
  else if (s == OK && (seed != NULL || seeds != NULL))
    s = parse_seeds(m, seed != NULL ? seed : seeds, seed != NULL ? "seed" : "seeds", &why);
  else if (s == OK)
    s = add_seed(m, &room, fallback, &why);
  if (colon != NULL && colon[1] == '\0')
    *colon = '\0';
  free(seed);
  free(seeds);
  return s == OK ? OK : err_set(e, "mapper '%s': %s", row->name, why.text);
}

/* Checks the options of the spec.  Sets m->file to the mapping file, or to the file that the mapper
 * reads. */
static enum status take_file(struct plan_method *m, struct err *e)
{
  if (mapper_is_spec(m->spec)) {
    if (mapper_file(m->spec, &m->file.name, e) != OK)
      return FAIL;
  } else if ((m->file.name = mem_strdup(m->spec, e)) == NULL) {
    return FAIL;
  }
  const char *path = m->file.name;
  if (path == NULL)
    return OK;
  return plan_check_lasting(path, e) == OK ? checksum_file(path, m->file.checksum, e) : FAIL;
}

/* The text is a mapper spec or the path of a mapping file; any other text is reported as an unknown
 * mapper. */
static enum status check_spec(struct plan_method *m, uint64_t fallback, struct err *e)
{
  const struct mapper *row;
  const char *options;
  struct stat st;
  if (!mapper_is_spec(m->spec) && stat(m->spec, &st) == 0)
    return OK;
  if ((row = spec_row(&mappers, m->spec, &options, e)) == NULL)
    return FAIL;
  m->library = row->library;
  m->seeded = row->options != NULL && spec_find(row->options, "seed") != NULL;
  return m->seeded ? take_seeds(m, row, fallback, e) : OK;
}

static enum status add_mapper(struct plan *p, const struct plan_args *a, const char *spec,
                              struct err *e)
{
  struct plan_method *m = &p->method[p->methods];
  if (plan_check_name(spec, false, e) != OK || (m->spec = mem_strdup(spec, e)) == NULL)
    return FAIL;
  p->methods++;
  if (check_spec(m, a->seed, e) != OK || take_file(m, e) != OK ||
      (m->label = mem_strdup(m->spec, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i + 1 < p->methods; i++)
    if (strcmp(p->method[i].label, m->label) == 0)
      return err_set(e, "mapper '%s' is given twice%s", m->label,
                     m->seeded ? "; seeds=1..10 gives it several seeds" : "");
  return OK;
}

enum status placement_add(struct plan *p, const struct plan_args *a, struct err *e)
{
  if ((p->method = mem_array(a->method.count, sizeof *p->method, e)) == NULL)
    return FAIL;
  for (size_t i = 0; i < a->method.count; i++)
    if (add_mapper(p, a, a->method.word[i], e) != OK)
      return FAIL;
  return OK;
}

enum status placement_add_subject(struct plan *p, const struct plan_args *a, size_t machine,
                                  size_t input, struct plan_subject **out, struct err *e)
{
  const char *name = a->subject.word[input];
  struct plan_subject *x = &p->subject[p->subjects];
  if (plan_check_name(name, true, e) != OK || (x->file.name = mem_strdup(name, e)) == NULL)
    return FAIL;
  p->subjects++;
  x->machine = machine;
  x->trace = (struct input_trace){.reading = &p->machine[machine].settings.reading};
  for (size_t i = 0; i < input; i++)
    if (strcmp(a->subject.word[i], name) == 0)
      return err_set(e, "%s '%s' is given twice", p->kind->subject[0], name);
  *out = x;
  return OK;
}

unsigned placement_groups(const struct plan *p)
{
  for (size_t i = 0; i < p->methods; i++)
    if (mapper_overfills(p->method[i].spec))
      return RUN_BIT(RUN_MOVES);
  return 0;
}

static bool is_placed_by_mapper(const struct plan_method *m)
{
  return mapper_is_spec(m->spec) && strncmp(m->spec, "file:", 5) != 0;
}

/* Sets *hosts to the number of usable hosts, and *slots to the number of ranks that fit on them. */
static enum status count_slots(const struct machine *m, uint64_t *slots, uint32_t *hosts,
                               struct err *e)
{
  const uint32_t each = m->settings.reading.collectives.ranks_per_host;
  struct allocation x;
  const struct platform *nodes = platform_nodes(m->on);
  *hosts = platform_hosts(nodes);
  *slots = (uint64_t)*hosts * (each == 0 ? allocation_default_slots(nodes) : each);
  if (m->settings.hosts == NULL)
    return OK;
  if (allocation_new(&x, m->settings.hosts, nodes, each, e) != OK)
    return FAIL;
  *hosts = platform_hosts(x.part);
  *slots = x.slots;
  allocation_clear(&x);
  return OK;
}

enum status placement_check_room(const struct plan *p, const struct plan_subject *subject,
                                 struct err *e)
{
  const struct machine *on = &p->machine[subject->machine];
  bool needed = false;
  uint64_t slots;
  uint32_t hosts;
  if (count_slots(on, &slots, &hosts, e) != OK)
    return FAIL;
  for (size_t m = 0; m < p->methods; m++)
    needed = needed || is_placed_by_mapper(&p->method[m]);
  if (!needed || subject->ranks <= slots)
    return OK;
  return err_set(e,
                 "%s: %" PRIu32 " ranks do not fit on the %" PRIu32 " host%s of %s with %" PRIu64
                 " slot%s (--ranks-per-host)",
                 subject->file.name, subject->ranks, hosts, PLURAL(hosts), on->name, slots,
                 PLURAL(slots));
}

/* --- printing --------------------------------------------------------------------------------- */

/* Prints consecutive seeds as ranges: " seeds 1..3,7..7". */
static void print_seeds(const struct plan_method *m, FILE *f)
{
  for (size_t i = 0, k; i < m->seeds; i = k) {
    for (k = i + 1; k < m->seeds && m->seed[k] == m->seed[k - 1] + 1;)
      k++;
    fprintf(f, "%s%" PRIu64 "..%" PRIu64, i == 0 ? " seeds " : ",", m->seed[i], m->seed[k - 1]);
  }
}

/* Prints the library of the mapper and the checksum of its file, if any. */
static void print_origin(const struct plan_method *m, FILE *f)
{
  if (m->library != NULL)
    fprintf(f, " of %s", m->library);
  if (m->file.name != NULL)
    fprintf(f, " sha256:%s", m->file.checksum);
  fputc('\n', f);
}

void placement_print(const struct plan *p, FILE *f)
{
  for (size_t i = 0; i < p->subjects / p->machines; i++)
    plan_print_input(p->kind->subject[0], &p->subject[i].file, f);
  for (size_t i = 0; i < p->methods; i++) {
    const struct plan_method *m = &p->method[i];
    fprintf(f, "mapper %s", m->label);
    if (m->seeded)
      print_seeds(m, f);
    print_origin(m, f);
  }
}

void placement_print_run(const struct plan *p, const struct plan_run *r, FILE *f)
{
  plan_print_input(p->kind->subject[0], &p->subject[r->subject].file, f);
  fprintf(f, "mapper %s", r->spec);
  print_origin(&p->method[r->method], f);
}
