#include "mappers/schedule/schedule.h"

#include <math.h>
#include <stdlib.h>

#include "common/arena.h"
#include "common/mem.h"
#include "tasks/timing/dates.h"

void schedule_clear(struct schedule *s)
{
  free(s->host);
  free(s->place);
  free(s->start);
  free(s->end);
  *s = (struct schedule){0};
}

enum status schedule_new(struct schedule *s, uint32_t elements, struct err *e)
{
  struct schedule made = {.elements = elements};
  if ((made.host = mem_array(elements, sizeof *made.host, e)) == NULL ||
      (made.place = mem_array(elements, sizeof *made.place, e)) == NULL ||
      (made.start = mem_array(elements, sizeof *made.start, e)) == NULL ||
      (made.end = mem_array(elements, sizeof *made.end, e)) == NULL) {
    schedule_clear(&made);
    return FAIL;
  }
  *s = made;
  return OK;
}

enum status schedule_date(struct schedule *s, const struct tasknet *n, const struct farm *m,
                          const uint32_t *order, struct err *e)
{
  const struct dates_plan plan = {s->host, s->place};
  ARENA(mem, e);
  uint32_t *count = arena_array(&mem, m->hosts, sizeof *count);
  if (count == NULL)
    return FAIL;
  for (uint32_t i = 0; i < s->elements; i++)
    s->place[order[i]] = count[s->host[order[i]]]++;
  return dates_compute(n, m, &plan, s->start, s->end, e);
}

double schedule_makespan(const struct schedule *s)
{
  double last = 0;
  for (uint32_t i = 0; i < s->elements; i++)
    last = fmax(last, s->end[i]);
  return last;
}
