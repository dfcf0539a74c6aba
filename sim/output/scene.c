#include "sim/output/scene.h"

#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "sim/output/timeline.h"

extern const struct scene_format scene_paje, scene_chrome;

void scene_clear(struct scene *s)
{
  for (uint32_t i = 0; s->group != NULL && i < s->groups; i++)
    free(s->group[i]);
  for (uint32_t i = 0; s->row != NULL && i < s->rows; i++)
    free(s->row[i].name);
  for (uint32_t i = 0; s->quantity != NULL && i < s->quantities; i++)
    free(s->quantity[i]);
  free(s->group);
  free(s->row);
  free(s->quantity);
  free(s->state);
  free(s->arrow);
  free(s->value);
  *s = (struct scene){0};
}

static int by_date(const void *a, const void *b)
{
  const struct scene_moment *x = a, *y = b;
  return RISING(x->at, y->at) ?: RISING(x->kind, y->kind) ?: RISING(x->index, y->index);
}

static size_t list_moments(const struct scene *s, struct scene_moment *m)
{
  size_t n = 0;
  for (size_t i = 0; i < s->states; i++)
    m[n++] = (struct scene_moment){s->state[i].begin, SCENE_STATE, i};
  for (size_t i = 0; i < s->values; i++)
    m[n++] = (struct scene_moment){s->value[i].at, SCENE_VALUE, i};
  for (size_t i = 0; i < s->arrows; i++) {
    m[n++] = (struct scene_moment){s->arrow[i].begin, SCENE_SEND, i};
    m[n++] = (struct scene_moment){s->arrow[i].end, SCENE_RECEIVE, i};
  }
  return n;
}

static const struct scene_format *find_format(const struct timeline_format *format)
{
  static const struct scene_format *const ALL[] = {&scene_paje, &scene_chrome};
  for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++)
    if (ALL[i]->format == format)
      return ALL[i];
  return NULL;
}

enum status scene_check(const struct timeline_format *format, struct err *e)
{
  return find_format(format) != NULL
             ? OK
             : err_set(e, "format %s shows no critical path; use .json or .paje", format->name);
}

enum status scene_print(const struct scene *s, const struct timeline_format *format, FILE *f,
                        struct err *e)
{
  const struct scene_format *x = find_format(format);
  OWNED struct scene_moment *m = mem_array(s->states + s->values + 2 * s->arrows, sizeof *m, e);
  if (m == NULL)
    return FAIL;
  const size_t n = list_moments(s, m);
  if (n > 0)
    qsort(m, n, sizeof *m, by_date);
  x->begin(f, s);
  for (size_t i = 0; i < n; i++)
    x->moment(f, s, &m[i]);
  x->end(f, s);
  return OK;
}
