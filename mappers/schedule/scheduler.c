#include "mappers/schedule/scheduler.h"

#include <stdlib.h>
#include <string.h>

#include "common/fields.h"
#include "common/mem.h"

#define LIST(ROW)                                                                                  \
  ROW(schedule_hierarchical)                                                                       \
  ROW(schedule_best_of)                                                                            \
  ROW(schedule_local)                                                                              \
  ROW(schedule_heft)                                                                               \
  ROW(schedule_cpop)                                                                               \
  ROW(schedule_peft)                                                                               \
  ROW(schedule_mcp)                                                                                \
  ROW(schedule_optimal)                                                                            \
  ROW(schedule_minmin)                                                                             \
  ROW(schedule_maxmin)

#define DECLARE(row) extern const struct scheduler row;
LIST(DECLARE)

const struct registry schedulers = REGISTRY("scheduler", LIST);

struct parsed {
  const struct scheduler *row;
  struct field field[SCHEDULER_MAX_OPTIONS];
  struct scheduler_values values; /* from `field`, or defaults */
};

static enum status parse(struct parsed *p, const char *spec, struct err *e)
{
  const size_t length = strcspn(spec, ":");
  struct err why;
  size_t n = 0;
  *p = (struct parsed){.row = registry_find(&schedulers, spec, length)};
  if (p->row == NULL)
    return registry_unknown(&schedulers, spec, length, e);
  for (; p->row->options[n].name != NULL; n++)
    p->field[n].name = p->row->options[n].name;
  if (spec[length] == ':' && n == 0)
    return err_set(e, "scheduler '%s' has no options", p->row->name);
  if (spec[length] == ':' && fields_parse(p->field, n, spec + length + 1, &why) != OK)
    return err_set(e, "scheduler '%s': %s", p->row->name, why.text);
  for (size_t i = 0; i < n; i++)
    p->values.value[i] =
        p->field[i].value[0] != '\0' ? p->field[i].value : p->row->options[i].default_value;
  return OK;
}

enum status scheduler_check(const char *spec, const struct scheduler **out, struct err *e)
{
  struct parsed p;
  if (parse(&p, spec, e) != OK)
    return FAIL;
  if (out != NULL)
    *out = p.row;
  return OK;
}

enum status scheduler_order(const char *spec, const struct scheduler_input *in, uint32_t *host,
                            uint32_t *order, struct err *e)
{
  struct parsed p;
  return parse(&p, spec, e) == OK ? p.row->run(in, &p.values, host, order, e) : FAIL;
}

enum status scheduler_run(const char *spec, const struct scheduler_input *in, struct schedule *out,
                          struct err *e)
{
  struct schedule made = {0};
  uint32_t *order = NULL;
  enum status s = schedule_new(&made, in->net->elements, e);
  if (s == OK && (order = mem_array(in->net->elements, sizeof *order, e)) == NULL)
    s = FAIL;
  if (s == OK)
    s = scheduler_order(spec, in, made.host, order, e);
  if (s == OK)
    s = schedule_date(&made, in->net, in->farm, order, e);
  free(order);
  if (s == OK)
    *out = made;
  else
    schedule_clear(&made);
  return s;
}
