#include "traces/survey.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/containers/index.h"
#include "common/mem.h"
#include "traces/repetition.h"

/* Actions of one rank: a hash of each action except computations, and the positions in this
 * sequence where marked iterations begin. */
struct sequence {
  uint64_t *hash;
  size_t room, count;
  size_t *begin; /* by iteration; the last entry is the end of the last iteration */
  size_t begin_room, begins;
  bool ended; /* the mark after the last iteration was read */
};

/* The loop according to the ranks read so far. */
struct loop {
  uint64_t iterations;   /* number according to the marks of rank 0 */
  uint64_t *sum;         /* by iteration: sum of the hashes of all ranks; owned */
  struct trace_cut *cut; /* by rank; owned */
  uint64_t *count;       /* by rank: number of whole periods; owned */
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
  return index_mix(hash ^ index_mix(value + 0x9e3779b97f4a7c15));
}

/* Hash of the fields that determine messages.  Counts of vector collectives, which depend on data,
 * and communicators, which an iteration may create, are left out. */
static uint64_t hash_of(const struct action *a)
{
  uint64_t h = mix((uint64_t)a->kind, (uint64_t)a->mode);
  h = mix(h, (uint64_t)a->partner << 32 | (uint32_t)a->source);
  h = mix(h, (uint64_t)a->tag << 32 | a->root);
  h = mix(h, (uint64_t)a->count);
  h = mix(h, (uint64_t)a->count2);
  h = mix(h, (uint64_t)a->derived << 32 | a->derived2);
  h = mix(h, (uint64_t)a->name);
  return mix(h, (uint64_t)a->type << 32 | (uint16_t)a->type2);
}

static enum status note_mark(struct sequence *s, const struct action *a, struct err *e)
{
  const uint64_t expected = s->begins + 1;
  if (s->ended)
    return err_set(e, "a mark follows the mark of the end of the iterations");
  if (a->count != ACTION_MARK_END && (uint64_t)a->count != expected)
    return err_set(e, "iteration %" PRId64 " begins where iteration %" PRIu64 " is expected",
                   a->count, expected);
  s->ended = a->count == ACTION_MARK_END;
  if (MEM_GROW(s->begin, s->begin_room, s->begins + 1, e) != OK)
    return FAIL;
  s->begin[s->begins++] = s->count;
  return OK;
}

static enum status note(struct sequence *s, const struct action *a, struct err *e)
{
  if (a->kind == ACTION_MARK)
    return note_mark(s, a, e);
  if (!action_is_counted(a->kind))
    return OK;
  if (MEM_GROW(s->hash, s->room, s->count + 1, e) != OK)
    return FAIL;
  s->hash[s->count++] = hash_of(a);
  return OK;
}

static enum status read_rank(struct trace *t, uint32_t rank, struct sequence *s, struct err *e)
{
  const struct action *a;
  s->count = s->begins = 0;
  s->ended = false;
  do {
    if (trace_next(t, rank, &a, e) != OK)
      return FAIL;
    if (a != NULL && note(s, a, e) != OK)
      return err_place(e, trace_file(t, rank), trace_line(t, rank));
  } while (a != NULL);
  if (s->begins > 0 && !s->ended)
    return err_at(e, trace_file(t, rank), trace_line(t, rank),
                  "the mark of the end of the iterations is missing");
  return OK;
}

/* --- with marks ------------------------------------------------------------------------------- */

static enum status add_iterations(struct trace *t, uint32_t rank, const struct sequence *s,
                                  struct loop *l, struct err *e)
{
  const uint64_t n = s->begins == 0 ? 0 : s->begins - 1;
  if (rank == 0) {
    l->iterations = n;
    if ((l->sum = mem_array(n, sizeof *l->sum, e)) == NULL)
      return FAIL;
  }
  if (n != l->iterations)
    return err_set(e, "%s: rank %" PRIu32 " has %" PRIu64 " iterations and rank 0 has %" PRIu64,
                   trace_name(t), rank, n, l->iterations);
  for (uint64_t i = 0; i < n; i++) {
    uint64_t h = rank;
    for (size_t k = s->begin[i]; k < s->begin[i + 1]; k++)
      h = mix(h, s->hash[k]);
    l->sum[i] += h;
  }
  return OK;
}

static bool has_period(const uint64_t *sum, uint64_t n, uint64_t period)
{
  for (uint64_t i = period; i < n; i++)
    if (sum[i] != sum[i - period])
      return false;
  return true;
}

/* Sets the smallest period of the first n - 1 iterations that occurs at least twice; a period of 1
 * may occur once. */
static void judge(const struct loop *l, struct survey *out)
{
  const uint64_t n = l->iterations;
  out->iterations = n;
  out->marked = true;
  for (uint64_t p = 1; p <= (n - 1) / 2 || p == 1; p++)
    if (has_period(l->sum, n - 1, p)) {
      out->period = p;
      out->last_differs = n > p && l->sum[n - 1] != l->sum[n - 1 - p];
      return;
    }
}

/* --- without marks ---------------------------------------------------------------------------- */

static enum status add_repetition(struct trace *t, uint32_t rank, const struct sequence *s,
                                  struct loop *l, struct err *e)
{
  struct repetition r;
  if (repetition_find(s->hash, s->count, &r, e) != OK)
    return FAIL;
  if (r.period == 0 || r.length <= r.period)
    return err_set(e,
                   "%s: no marks of iterations, and the actions of rank %" PRIu32 " do not repeat",
                   trace_name(t), rank);
  l->cut[rank] = (struct trace_cut){.first = r.first, .length = r.period};
  /* The mark after the last iteration is placed before an action, so one must follow. */
  l->count[rank] = (r.length - (r.first + r.length == s->count)) / r.period;
  return OK;
}

/* A rank may repeat its actions several times per iteration of other ranks.  Its count is then
 * about a multiple of the least count: actions around the loop may look like a part of the loop and
 * change the count by a few. */
static enum status agree(struct trace *t, struct loop *l, struct survey *out, struct err *e)
{
  uint64_t least = UINT64_MAX;
  const uint32_t ranks = trace_ranks(t);
  for (uint32_t r = 0; r < ranks; r++)
    least = l->count[r] < least ? l->count[r] : least;
  for (uint32_t r = 0; r < ranks; r++) {
    const uint64_t times = (l->count[r] + least / 2) / least;
    const uint64_t rest = l->count[r] - times * least;
    if (l->count[r] > times * least ? rest > times : rest != 0 && -rest > times)
      return err_set(e,
                     "%s: no marks of iterations, and rank %" PRIu32 " repeats its actions %" PRIu64
                     " times, another rank %" PRIu64 " times",
                     trace_name(t), r, l->count[r], least);
    l->cut[r].length *= times;
    l->count[r] /= times;
  }
  for (uint32_t r = 0; r < ranks; r++)
    least = l->count[r] < least ? l->count[r] : least;
  out->iterations = least;
  out->period = 1;
  return OK;
}

/* --- the survey ------------------------------------------------------------------------------- */

static enum status add_rank(struct trace *t, uint32_t rank, const struct sequence *s,
                            struct loop *l, struct err *e)
{
  if (rank == 0 ? s->begins > 0 : l->sum != NULL)
    return add_iterations(t, rank, s, l, e);
  if (s->begins > 0)
    return err_set(e, "%s: rank %" PRIu32 " has marks of iterations and rank 0 has none",
                   trace_name(t), rank);
  return add_repetition(t, rank, s, l, e);
}

static enum status read_ranks(struct trace *t, struct loop *l, struct err *e)
{
  struct sequence s = {0};
  enum status status = OK;
  trace_rewind(t);
  for (uint32_t r = 0; r < trace_ranks(t) && status == OK; r++) {
    status = read_rank(t, r, &s, e);
    if (status == OK)
      status = add_rank(t, r, &s, l, e);
  }
  trace_rewind(t);
  free(s.hash);
  free(s.begin);
  return status;
}

static enum status survey_files(struct trace *t, struct survey *out, struct err *e)
{
  struct loop l = {.cut = mem_array(trace_ranks(t), sizeof *l.cut, e)};
  enum status s = FAIL;
  if (l.cut != NULL && (l.count = mem_array(trace_ranks(t), sizeof *l.count, e)) != NULL)
    s = read_ranks(t, &l, e);
  if (s == OK && l.sum != NULL && l.iterations > 0)
    judge(&l, out);
  if (s == OK && l.sum == NULL && (s = agree(t, &l, out, e)) == OK) {
    trace_cut(t, l.cut, out->iterations);
    l.cut = NULL;
  }
  free(l.sum);
  free(l.cut);
  free(l.count);
  return s;
}

enum status survey_loop(struct trace *t, struct survey *out, struct err *e)
{
  struct survey found = {0};
  const struct trace_loop known = trace_loop(t);
  if (trace_need_sequences(t, "the search for its main loop", e) != OK)
    return FAIL;
  if (known.iterations > 0)
    found = (struct survey){known.iterations, 1, known.last_differs, known.trend, true};
  else if (trace_input(t, 0) != NULL && survey_files(t, &found, e) != OK)
    return FAIL;
  if (found.iterations < 2)
    return err_set(e,
                   "%s: a main loop of 2 iterations or more is needed, and this one has %" PRIu64,
                   trace_name(t), found.iterations);
  *out = found;
  return OK;
}
