#include "mappers/schedule/scheduler.h"

#include <stddef.h>

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

/* Parses @p spec into a record and runs the scheduler unless @p in is NULL. */
static enum status parse_and_run(const char *spec, const struct scheduler **row,
                                 const struct scheduler_input *in, uint32_t *host, uint32_t *order,
                                 struct err *e)
{
  static const struct spec_option NONE[] = {{.name = NULL}};
  _Alignas(max_align_t) char record[SCHEDULER_RECORD];
  const char *text;
  struct spec s;
  struct err why;
  if ((*row = spec_row(&schedulers, spec, &text, e)) == NULL)
    return FAIL;
  const struct spec_option *options = (*row)->options == NULL ? NONE : (*row)->options;
  if (spec_parse(&s, options, text, record, &why) != OK)
    return err_set(e, "scheduler '%s': %s", (*row)->name, why.text);
  enum status status = OK;
  if (in != NULL) {
    struct scheduler_input full = *in;
    full.scheduler = *row;
    full.options = record;
    status = (*row)->run(&full, host, order, e);
  }
  spec_clear(&s);
  return status;
}

enum status scheduler_check(const char *spec, const struct scheduler **out, struct err *e)
{
  return parse_and_run(spec, out, NULL, NULL, NULL, e);
}

enum status scheduler_order(const char *spec, const struct scheduler_input *in, uint32_t *host,
                            uint32_t *order, struct err *e)
{
  const struct scheduler *row;
  return parse_and_run(spec, &row, in, host, order, e);
}

enum status scheduler_run(const char *spec, const struct scheduler_input *in, struct schedule *out,
                          struct err *e)
{
  struct schedule made = {0};
  OWNED uint32_t *order = NULL;
  enum status s = schedule_new(&made, in->net->elements, e);
  if (s == OK && (order = mem_array(in->net->elements, sizeof *order, e)) == NULL)
    s = FAIL;
  if (s == OK)
    s = scheduler_order(spec, in, made.host, order, e);
  if (s == OK)
    s = schedule_date(&made, in->net, in->farm, order, e);
  if (s == OK)
    *out = made;
  else
    schedule_clear(&made);
  return s;
}
