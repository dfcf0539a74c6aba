#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/linefile.h"
#include "common/files/outfile.h"
#include "common/num.h"
#include "common/report.h"
#include "mappers/schedule/schedule.h"
#include "tasks/timing/dates.h"

enum { TASK, HOST, ORDER, START, COLUMNS };

static const char HEADER[] = "task\thost\torder\tstart_s";

#define UNPLACED UINT32_MAX

/* --- writing ---------------------------------------------------------------------------------- */

enum status schedule_save(const struct schedule *s, const struct tasknet *n,
                          const struct platform *p, const char *path, struct err *e)
{
  char host[PLATFORM_NAME_SIZE];
  struct outfile o;
  if (outfile_open(&o, path, e) != OK)
    return FAIL;
  fprintf(o.f, "%s\n", HEADER);
  for (uint32_t i = 0; i < s->elements; i++) {
    tasknet_print_element(n, i, o.f);
    fprintf(o.f, "\t%s\t%" PRIu32 "\t", platform_host_name(p, s->host[i], host, sizeof host),
            s->place[i]);
    report_number(o.f, s->start[i]);
    fputc('\n', o.f);
  }
  return outfile_commit(&o, e);
}

/* --- reading ---------------------------------------------------------------------------------- */

struct reading {
  const struct tasknet *n;
  const struct platform *p;
  struct schedule *s;
  bool tabs; /* columns are separated by tabs, as in the header; false: by blanks */
  struct linefile f;
};

static enum status split(struct reading *r, char **column, struct err *e)
{
  char *rest = r->f.text;
  size_t columns = 0;
  for (char *one; (one = r->tabs ? strsep(&rest, "\t") : linefile_word(&rest)) != NULL; columns++)
    if (columns < COLUMNS)
      column[columns] = one;
  return columns == COLUMNS
             ? OK
             : err_at(e, r->f.path, r->f.line, "expected the columns 'task host order start_s'");
}

/* Parses "NAME" of a single task, or "NAME[K]". */
static enum status find_element(const struct reading *r, char *name, uint32_t *out, struct err *e)
{
  const size_t length = strlen(name);
  uint32_t array = tasknet_find(r->n, name);
  if (array != TASKNET_NONE && r->n->array[array].count == 1) {
    *out = r->n->array[array].first;
    return OK;
  }
  char *bracket = strrchr(name, '[');
  if (array != TASKNET_NONE || bracket == NULL || name[length - 1] != ']')
    return err_at(e, r->f.path, r->f.line, "'%s' is no task of the network%s", name,
                  array != TASKNET_NONE ? " but an array, whose elements are NAME[K]" : "");
  uint64_t k;
  struct err why;
  name[length - 1] = *bracket = '\0';
  array = tasknet_find(r->n, name);
  if (array == TASKNET_NONE)
    return err_at(e, r->f.path, r->f.line, "'%s' is no task of the network", name);
  if (num_u64(bracket + 1, r->n->array[array].count - 1, &k, &why) != OK)
    return err_at(e, r->f.path, r->f.line, "element of '%s': %s", name, why.text);
  *out = r->n->array[array].first + (uint32_t)k;
  return OK;
}

static enum status read_line(struct reading *r, struct err *e)
{
  char *column[COLUMNS];
  struct err why;
  uint32_t element = 0, host;
  uint64_t place;
  double start;
  if (split(r, column, e) != OK || find_element(r, column[TASK], &element, e) != OK)
    return FAIL;
  if (r->s->host[element] != UNPLACED)
    return err_at(e, r->f.path, r->f.line, "a second line for task '%s'", column[TASK]);
  if (!platform_find_host(r->p, column[HOST], &host))
    return err_at(e, r->f.path, r->f.line, "the platform has no host '%s'", column[HOST]);
  if (num_u64(column[ORDER], r->n->elements - 1, &place, &why) != OK)
    return err_at(e, r->f.path, r->f.line, "order: %s", why.text);
  if (num_double(column[START], 0, 1e300, &start, &why) != OK)
    return err_at(e, r->f.path, r->f.line, "start_s: %s", why.text);
  r->s->host[element] = host;
  r->s->place[element] = (uint32_t)place;
  return OK;
}

static enum status read_lines(struct reading *r, struct err *e)
{
  bool more;
  if (linefile_next(&r->f, &more, e) != OK)
    return FAIL;
  if (!more || !linefile_is_header(r->f.text, HEADER))
    return err_at(e, r->f.path, 1, "expected the header 'task host order start_s'");
  r->tabs = strchr(r->f.text, '\t') != NULL;
  for (uint32_t i = 0; i < r->s->elements; i++)
    r->s->host[i] = UNPLACED;
  while (linefile_next(&r->f, &more, e) == OK) {
    if (!more)
      return OK;
    if (read_line(r, e) != OK)
      return FAIL;
  }
  return FAIL;
}

static enum status check_all(const struct reading *r, struct err *e)
{
  for (uint32_t i = 0; i < r->s->elements; i++) {
    const struct tasknet_array *a = &r->n->array[r->n->array_of[i]];
    if (r->s->host[i] == UNPLACED)
      return err_set(e, "%s: no line for task '%s', element %" PRIu32, r->f.path,
                     tasknet_name(r->n, r->n->array_of[i]), i - a->first);
  }
  return OK;
}

static enum status date_all(const struct reading *r, const struct farm *m, struct err *e)
{
  const struct dates_plan plan = {r->s->host, r->s->place};
  struct err why;
  return dates_compute(r->n, m, &plan, r->s->start, r->s->end, &why) == OK
             ? OK
             : err_set(e, "%s: %s", r->f.path, why.text);
}

enum status schedule_load(struct schedule *s, const struct tasknet *n, const struct farm *m,
                          const struct platform *p, const char *path, struct err *e)
{
  struct schedule made;
  struct reading r = {.n = n, .p = p, .s = &made};
  if (schedule_new(&made, n->elements, e) != OK)
    return FAIL;
  enum status status = linefile_open(&r.f, path, e);
  if (status == OK)
    status = read_lines(&r, e);
  if (status == OK)
    status = check_all(&r, e);
  if (status == OK)
    status = date_all(&r, m, e);
  linefile_close(&r.f);
  if (status == OK)
    *s = made;
  else
    schedule_clear(&made);
  return status;
}
