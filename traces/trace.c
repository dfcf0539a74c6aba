#include "traces/trace.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/registry.h"
#include "traces/format.h"

/* The first format whose sniff() accepts a path is taken. */
#define LIST(ROW)                                                                                  \
  ROW(trace_generated)                                                                             \
  ROW(trace_goal)                                                                                  \
  ROW(trace_goal_binary)                                                                           \
  ROW(trace_chakra)                                                                                \
  ROW(trace_otf2)                                                                                  \
  ROW(trace_dumpi)                                                                                 \
  ROW(trace_dim)                                                                                   \
  ROW(trace_prv)                                                                                   \
  ROW(trace_smpi)

#define DECLARE(row) extern const struct trace_format row;
LIST(DECLARE)

static const struct registry FORMATS = REGISTRY("trace format", LIST);

static const struct trace_format *format_of(const char *path)
{
  const struct trace_format *f;
  size_t i = 0;
  while (f = registry_at(&FORMATS, i), !f->sniff(path))
    i++;
  return f;
}

bool trace_has_format(const char *path)
{
  return format_of(path) != &trace_smpi;
}

static void reset_ranks(struct trace *t)
{
  for (uint32_t r = 0; r < t->ranks; r++) {
    t->rank[r] = (struct trace_rank){.weight = 1};
    if (t->cut != NULL)
      t->cut[r].counted = t->cut[r].marks = 0;
  }
}

enum status trace_open(struct trace **out, const char *path, uint64_t unpack_limit, struct err *e)
{
  const struct trace_format *format = format_of(path);
  struct trace *t = mem_array(1, format->bytes, e);
  if (t == NULL)
    return FAIL;
  t->format = format;
  if ((t->name = mem_strdup(path, e)) == NULL) {
    free(t);
    return FAIL;
  }
  if (format->open(t, unpack_limit, e) != OK ||
      (t->rank = mem_array(t->ranks, sizeof *t->rank, e)) == NULL) {
    trace_free(t);
    return FAIL;
  }
  reset_ranks(t);
  *out = t;
  return OK;
}

void trace_free(struct trace *t)
{
  if (t == NULL)
    return;
  t->format->close(t);
  free(t->name);
  free(t->rank);
  free(t->cut);
  free(t);
}

enum status trace_configure(struct trace *t, const struct trace_settings *s, struct err *e)
{
  trace_rewind(t);
  return t->format->configure == NULL ? OK : t->format->configure(t, s, e);
}

const struct trace_gap *trace_gap(const struct trace *t)
{
  return t->gap.text[0] == '\0' ? NULL : &t->gap;
}

double trace_per_flop(const struct trace *t)
{
  return t->per_flop;
}

const char *trace_next_note(struct trace *t)
{
  const char *note = t->format->note == NULL ? NULL : t->format->note(t, t->notes);
  t->notes += note != NULL;
  return note;
}

uint32_t trace_ranks(const struct trace *t)
{
  return t->ranks;
}

uint64_t trace_pairs(const struct trace *t)
{
  return t->pairs;
}

const char *trace_name(const struct trace *t)
{
  return t->name;
}

const char *trace_input(const struct trace *t, size_t i)
{
  if (t->format->input == NULL)
    return i == 0 ? t->name : NULL;
  return t->format->input(t, i);
}

const char *trace_file(const struct trace *t, uint32_t rank)
{
  assert(rank < t->ranks);
  return t->format->file == NULL ? t->name : t->format->file(t, rank);
}

uint64_t trace_line(const struct trace *t, uint32_t rank)
{
  assert(rank < t->ranks);
  return t->rank[rank].record;
}

void trace_rewind(struct trace *t)
{
  reset_ranks(t);
  t->format->rewind(t);
}

void trace_single_iteration(struct trace *t)
{
  trace_rewind(t);
  if (t->format->single_iteration != NULL)
    t->format->single_iteration(t);
}

uint64_t trace_weight(const struct trace *t, uint32_t rank)
{
  return t->rank[rank].weight;
}

struct trace_loop trace_loop(const struct trace *t)
{
  return t->loop;
}

/* --- graphs ----------------------------------------------------------------------------------- */

bool trace_is_graph(const struct trace *t)
{
  return t->format->graph != NULL;
}

enum status trace_graph(struct trace *t, uint32_t rank, struct graph *out, struct err *e)
{
  assert(rank < t->ranks);
  return t->format->graph(t, rank, out, e);
}

void trace_at(struct trace *t, uint32_t rank, uint64_t record)
{
  t->rank[rank].record = record;
}

enum status trace_need_calls(const struct trace *t, struct err *e)
{
  return t->no_calls_reason == NULL ? OK : err_set(e, "%s: %s", t->name, t->no_calls_reason);
}

enum status trace_need_sequences(const struct trace *t, const char *what, struct err *e)
{
  if (trace_is_graph(t))
    return err_set(e, "%s: %s needs a sequence of calls for each rank; this trace (%s) has graphs",
                   t->name, what, t->format->name);
  return trace_need_calls(t, e);
}

/* --- marks and skipping ----------------------------------------------------------------------- */

void trace_cut(struct trace *t, struct trace_cut *cut, uint64_t iterations)
{
  assert(t->loop.iterations == 0 && t->cut == NULL);
  t->cut = cut;
  t->iterations = iterations;
}

/* Number of counted actions before the rank's next mark. */
static uint64_t next_mark(const struct trace *t, uint32_t rank)
{
  const struct trace_cut *c = &t->cut[rank];
  return c->marks > t->iterations ? UINT64_MAX : c->first + c->length * c->marks;
}

/* Gives the next action, or the mark that is due before it. */
static enum status cut_next(struct trace *t, uint32_t rank, const struct action **a, struct err *e)
{
  struct trace_rank *s = &t->rank[rank];
  struct trace_cut *c = &t->cut[rank];
  if (s->held != NULL)
    *a = s->held;
  else if (t->format->next(t, rank, a, e) != OK)
    return FAIL;
  s->held = NULL;
  if (*a == NULL || !action_is_counted((*a)->kind))
    return OK;
  if (c->counted != next_mark(t, rank)) {
    c->counted++;
    return OK;
  }
  s->held = *a;
  const uint64_t iteration = c->marks++ == t->iterations ? ACTION_MARK_END : c->marks;
  c->mark = (struct action){.kind = ACTION_MARK, .count = (int64_t)iteration};
  *a = &c->mark;
  return OK;
}

enum status trace_next(struct trace *t, uint32_t rank, const struct action **a, struct err *e)
{
  assert(rank < t->ranks);
  struct trace_rank *s = &t->rank[rank];
  if (t->cut != NULL)
    return cut_next(t, rank, a, e);
  if (s->held == NULL)
    return t->format->next(t, rank, a, e);
  *a = s->held;
  s->held = NULL;
  return OK;
}

/* Refuses a rank that does not reach iteration @p to. */
static enum status refuse_skip(const struct trace *t, uint32_t rank, const char *what, uint64_t to,
                               struct err *e)
{
  const char *file = trace_file(t, rank);
  const uint64_t line = trace_line(t, rank);
  return to == ACTION_MARK_END ? err_at(e, file, line, "%s the end of the iterations", what)
                               : err_at(e, file, line, "%s iteration %" PRIu64, what, to);
}

/* Reads up to the mark of iteration @p to, which trace_next() then gives. */
static enum status skip_marks(struct trace *t, uint32_t rank, uint64_t to, struct err *e)
{
  const struct action *a;
  do {
    if (t->format->next(t, rank, &a, e) != OK)
      return FAIL;
    if (a == NULL)
      return refuse_skip(t, rank, "no mark of", to, e);
  } while (a->kind != ACTION_MARK || a->count != (int64_t)to);
  t->rank[rank].held = a;
  return OK;
}

/* Reads up to the action that follows the mark of iteration @p to. */
static enum status skip_actions(struct trace *t, uint32_t rank, uint64_t to, struct err *e)
{
  const struct action *a;
  struct trace_rank *s = &t->rank[rank];
  struct trace_cut *c = &t->cut[rank];
  c->marks = to == ACTION_MARK_END ? t->iterations : to - 1;
  const uint64_t target = next_mark(t, rank);
  while (s->held == NULL || c->counted < target) {
    c->counted += s->held != NULL;
    if (t->format->next(t, rank, &a, e) != OK)
      return FAIL;
    if (a == NULL)
      return refuse_skip(t, rank, "ends before", to, e);
    s->held = action_is_counted(a->kind) ? a : NULL;
  }
  return OK;
}

enum status trace_skip(struct trace *t, uint32_t rank, uint64_t to, struct err *e)
{
  assert(rank < t->ranks);
  if (t->format->skip == NULL)
    return t->cut != NULL ? skip_actions(t, rank, to, e) : skip_marks(t, rank, to, e);
  t->format->skip(t, rank, to);
  return OK;
}
