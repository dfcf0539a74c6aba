#include "sim/output/timeline.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/path.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "common/registry.h"

#define LIST(ROW)                                                                                  \
  ROW(timeline_csv)                                                                                \
  ROW(timeline_paje)                                                                               \
  ROW(timeline_chrome)                                                                             \
  ROW(timeline_otf2)

#define DECLARE(row) extern const struct timeline_format row;
LIST(DECLARE)

const struct timeline_format timeline_otf2 = {
    .name = "otf2",
    .endings = {".otf2"},
    .archive = true,
};

const struct registry timeline_formats = REGISTRY("format", LIST);

enum status timeline_format_of(const char *path, const struct timeline_format **out, struct err *e)
{
  const struct timeline_format *format;
  for (size_t i = 0; (format = registry_at(&timeline_formats, i)) != NULL; i++)
    for (const char *const *ending = format->endings; *ending != NULL; ending++)
      if (path_ends_with(path, *ending)) {
        *out = format;
        return OK;
      }
  char endings[128] = "";
  for (size_t i = 0; (format = registry_at(&timeline_formats, i)) != NULL; i++)
    for (const char *const *ending = format->endings; *ending != NULL; ending++)
      err_list(endings, sizeof endings, *ending);
  return err_set(e,
                 "the name '%.200s' does not say the format: end it in one of %s, or give "
                 "--timeline-format",
                 path, endings);
}

enum status timeline_check(const struct timeline_format *format, const char *path, struct err *e)
{
  return format->archive ? otf2_run_check(path, e) : OK;
}

struct rank_state {
  const char *now; /* state written last, which began at `since` */
  const char *next;
  double since;
  bool noted; /* `next` belongs to the current instant, and the rank is in noted[] */
};

struct timeline {
  const struct timeline_format *format;
  FILE *f;
  struct otf2_run *archive; /* NULL: the format is one file */
  struct err failure;       /* of the archive */
  bool failed;
  struct rank_state *rank;
  uint32_t *noted; /* ranks with a state noted at the current instant */
  uint32_t notes;
  double instant;
  const char *state[TIMELINE_STATES]; /* states that have appeared */
  uint32_t states;
};

enum status timeline_new(struct timeline **out, const struct timeline_target *to, uint32_t ranks,
                         struct err *e)
{
  struct timeline *t = mem_array(1, sizeof *t, e);
  if (t == NULL)
    return FAIL;
  t->format = to->format;
  t->f = to->f;
  if ((t->rank = mem_array(ranks, sizeof *t->rank, e)) == NULL ||
      (t->noted = mem_array(ranks, sizeof *t->noted, e)) == NULL ||
      (to->format->archive && otf2_run_new(&t->archive, to->path, ranks, e) != OK)) {
    timeline_free(t);
    return FAIL;
  }
  if (t->archive == NULL)
    to->format->begin(t->f, &(struct timeline_rows){"rank", ranks, NULL});
  *out = t;
  return OK;
}

void timeline_free(struct timeline *t)
{
  if (t == NULL)
    return;
  otf2_run_free(t->archive);
  free(t->rank);
  free(t->noted);
  free(t);
}

static bool same(const char *a, const char *b)
{
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* The number of a state; a new state gets the next number. */
static uint32_t number_of(struct timeline *t, const char *state)
{
  uint32_t i = 0;
  while (i < t->states && !same(t->state[i], state))
    i++;
  if (i == t->states) {
    assert(t->states < TIMELINE_STATES);
    t->state[t->states++] = state;
  }
  return i;
}

static void write_change(struct timeline *t, uint32_t rank)
{
  struct rank_state *s = &t->rank[rank];
  struct timeline_change c = {
      .rank = rank, .from = s->now, .since = s->since, .to = s->next, .at = t->instant};
  const uint32_t before = t->states;
  if (c.to != NULL)
    c.state = number_of(t, c.to);
  c.fresh = t->states > before;
  t->format->change(t->f, &c);
  s->now = s->next;
  s->since = t->instant;
}

/* Ends the instant: of several states noted for a rank the last one counts. */
static void write_instant(struct timeline *t)
{
  qsort(t->noted, t->notes, sizeof *t->noted, rising_u32);
  for (uint32_t i = 0; i < t->notes; i++) {
    struct rank_state *s = &t->rank[t->noted[i]];
    s->noted = false;
    if (!same(s->now, s->next))
      write_change(t, t->noted[i]);
  }
  t->notes = 0;
}

void timeline_note(struct timeline *t, uint32_t rank, const char *state, double at)
{
  struct rank_state *s = &t->rank[rank];
  if (t->archive != NULL) {
    t->failed = t->failed || otf2_run_state(t->archive, rank, state, at, &t->failure) != OK;
    return;
  }
  if (at > t->instant) {
    write_instant(t);
    t->instant = at;
  }
  if (!s->noted)
    t->noted[t->notes++] = rank;
  s->noted = true;
  s->next = state;
}

void timeline_message(struct timeline *t, const struct otf2_run_message *m, double at)
{
  if (t != NULL && t->archive != NULL)
    t->failed = t->failed || otf2_run_message(t->archive, m, at, &t->failure) != OK;
}

enum status timeline_finish(struct timeline *t, struct err *e)
{
  if (t->failed)
    return err_set(e, "%s", t->failure.text);
  if (t->archive != NULL)
    return otf2_run_commit(t->archive, e);
  write_instant(t);
  t->format->end(t->f);
  return OK;
}
