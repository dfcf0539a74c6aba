#include "setup/runs/tuning.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "setup/runs/batch.h"
#include "traces/files/spool.h"

/* --- runs to simulate ------------------------------------------------------------------------- */

static uint32_t algorithms_of(enum action_kind kind)
{
  uint32_t n = 0;
  while (collective_algorithm(kind, n) != NULL)
    n++;
  return n;
}

static enum status add_size(struct tuning *t, size_t *room, enum action_kind kind, uint64_t bytes,
                            struct err *e)
{
  const uint32_t n = algorithms_of(kind);
  if (MEM_GROW(t->run, *room, (size_t)t->runs + n, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    t->run[t->runs++] = (struct tuning_run){.kind = kind, .algorithm = i, .bytes = bytes};
  return OK;
}

static enum status add_sizes(struct tuning *t, size_t *room, const struct tuning_spec *s,
                             enum action_kind kind, struct err *e)
{
  if (kind == ACTION_BARRIER)
    return add_size(t, room, kind, 0, e);
  for (uint64_t bytes = s->from; bytes < s->to; bytes *= s->factor)
    if (add_size(t, room, kind, bytes, e) != OK)
      return FAIL;
  return add_size(t, room, kind, s->to, e);
}

static enum status list_runs(struct tuning *t, const struct tuning_spec *s, struct err *e)
{
  size_t room = 0;
  for (int k = 0; k < COLLECTIVE_KINDS; k++)
    if (s->wanted[k] && add_sizes(t, &room, s, (enum action_kind)(ACTION_BARRIER + k), e) != OK)
      return FAIL;
  return OK;
}

/* --- one simulation --------------------------------------------------------------------------- */

struct work {
  const struct tuning_spec *spec;
  const struct tuning *tuning;
};

static enum status simulate(const struct tuning_spec *s, const struct tuning_run *r,
                            struct sim_result *out, struct err *e)
{
  char spec[96];
  struct collectives choice = {.ranks_per_host = 0};
  struct trace *t;
  snprintf(spec, sizeof spec, "collective:%" PRIu32 ":call=%s,size=%" PRIu64, s->mapping->ranks,
           action_name(r->kind), r->bytes);
  choice.algorithm[r->kind - ACTION_BARRIER] = (uint8_t)r->algorithm;
  if (trace_open(&t, spec, SPOOL_LIMIT, e) != OK)
    return FAIL;
  const struct sim_job job = {.trace = t, .collectives = &choice, .mapping = s->mapping};
  const enum status status = sim_run(s->sim, &job, 1, s->platform, NULL, out, e);
  trace_free(t);
  return status;
}

static void run_one(const void *arg, uint32_t i, void *answer)
{
  const struct work *w = arg;
  struct tuning_run *r = answer;
  struct sim_result result;
  struct err e;
  *r = w->tuning->run[i];
  if (simulate(w->spec, r, &result, &e) == OK) {
    r->time_s = result.simulated_time_s;
    r->messages = result.messages;
    r->sent_bytes = result.bytes;
    return;
  }
  r->time_s = NAN;
  snprintf(r->why, sizeof r->why, "%.*s", (int)sizeof r->why - 1, e.text);
  r->by_system = err_of_environment(&e);
}

/* Fails if the system made a simulation fail: the algorithm may be the fastest. */
static enum status check_system(const struct tuning *t, struct err *e)
{
  for (uint32_t i = 0; i < t->runs; i++)
    if (t->run[i].by_system)
      return err_set(e, "%s with '%s': %s", action_name(t->run[i].kind),
                     collective_algorithm(t->run[i].kind, t->run[i].algorithm)->name,
                     t->run[i].why);
  return OK;
}

/* --- results ---------------------------------------------------------------------------------- */

/* End (exclusive) of the runs that have the size of run @p i. */
static uint32_t end_of_size(const struct tuning *t, uint32_t i)
{
  const struct tuning_run *first = &t->run[i];
  while (i < t->runs && t->run[i].kind == first->kind && t->run[i].bytes == first->bytes)
    i++;
  return i;
}

/* Fastest of the runs from @p i to @p end (exclusive); @p end if all failed.  Among equal times the
 * first run wins, except that the default (run @p i) loses, because it may be the algorithm of
 * another run. */
static uint32_t fastest(const struct tuning *t, uint32_t i, uint32_t end)
{
  uint32_t best = end;
  for (uint32_t k = i + 1; k <= end; k++) {
    const uint32_t at = k < end ? k : i;
    if (!isnan(t->run[at].time_s) && (best == end || t->run[at].time_s < t->run[best].time_s))
      best = at;
  }
  return best;
}

static void compare_all(struct tuning *t)
{
  for (uint32_t i = 0, end; i < t->runs; i = end) {
    end = end_of_size(t, i);
    const uint32_t best = fastest(t, i, end);
    const double least = best == end ? NAN : t->run[best].time_s;
    for (uint32_t k = i; k < end; k++)
      t->run[k].slowdown = t->run[k].time_s == least ? 1 : t->run[k].time_s / least;
  }
}

enum status tuning_simulate(struct tuning *out, const struct tuning_spec *s, struct err *e)
{
  struct tuning t = {.ranks = s->mapping->ranks};
  const struct work w = {s, &t};
  enum status status = list_runs(&t, s, e);
  if (status == OK) {
    const struct batch b = {run_one, &w, t.runs, sizeof *t.run, s->sim->engine->runs_again};
    status = batch_run(&b, platform_is_opaque(s->platform) ? 1 : s->parallel, t.run, e);
  }
  if (status == OK)
    status = check_system(&t, e);
  if (status == OK) {
    compare_all(&t);
    *out = t;
  } else {
    tuning_clear(&t);
  }
  return status;
}

void tuning_clear(struct tuning *t)
{
  free(t->run);
  *t = (struct tuning){.ranks = 0};
}

static enum status select_one(const struct tuning *t, const struct tuning_run *r, uint64_t from,
                              struct tuned *out, struct err *e)
{
  const struct tuned_row *last = out->rows == 0 ? NULL : &out->row[out->rows - 1];
  const struct tuned_row row = {.from_bytes = from,
                                .ranks = t->ranks,
                                .collective = (uint16_t)(r->kind - ACTION_BARRIER),
                                .algorithm = (uint16_t)r->algorithm};
  if (last != NULL && last->collective == row.collective && last->algorithm == row.algorithm)
    return OK;
  return tuned_add(out, &row, e);
}

/* Selects the fastest algorithm of each size for the collective that begins at run @p i. */
static enum status select_by_size(const struct tuning *t, uint32_t i, struct tuned *out,
                                  struct err *e)
{
  const enum action_kind kind = t->run[i].kind;
  uint64_t from = 0;
  for (uint32_t end; i < t->runs && t->run[i].kind == kind; i = end) {
    end = end_of_size(t, i);
    const uint32_t best = fastest(t, i, end);
    if (best == end)
      continue;
    if (select_one(t, &t->run[best], from == 0 ? 0 : t->run[best].bytes, out, e) != OK)
      return FAIL;
    from = 1;
  }
  return OK;
}

/* Selects the algorithm with the least product of slowdowns for the collective that begins at run
 * @p i. */
static enum status select_for_all(const struct tuning *t, uint32_t i, struct tuned *out,
                                  struct err *e)
{
  const uint32_t n = algorithms_of(t->run[i].kind);
  double least = INFINITY;
  uint32_t best = 0;
  for (uint32_t a = 0; a < n; a++) {
    double sum = 0;
    for (uint32_t k = i + a; k < t->runs && t->run[k].kind == t->run[i].kind; k += n)
      sum += log(t->run[k].slowdown);
    if (sum < least) { /* false if a simulation failed: the sum is NAN */
      least = sum;
      best = a;
    }
  }
  return least < INFINITY ? select_one(t, &t->run[i + best], 0, out, e) : OK;
}

enum status tuning_select(const struct tuning *t, struct tuned *out, struct err *e)
{
  out->rows = 0;
  for (uint32_t i = 0; i < t->runs; i++) {
    const enum action_kind kind = t->run[i].kind;
    if (i > 0 && t->run[i - 1].kind == kind)
      continue;
    const enum status s =
        tuned_by_bytes(kind) ? select_by_size(t, i, out, e) : select_for_all(t, i, out, e);
    if (s != OK)
      return FAIL;
  }
  return OK;
}

static void print_number(double x, FILE *f)
{
  if (isnan(x))
    fputs("nan", f);
  else
    fprintf(f, "%.9g", x);
}

void tuning_print(const struct tuning *t, enum action_kind kind, FILE *f)
{
  fputs("collective\tbytes\talgorithm\tsimulated_time_s\tslowdown\tmessages\tsent_bytes\n", f);
  for (uint32_t i = 0; i < t->runs; i++) {
    const struct tuning_run *r = &t->run[i];
    if (kind != ACTION_KINDS && r->kind != kind)
      continue;
    fprintf(f, "%s\t%" PRIu64 "\t%s\t", action_name(r->kind), r->bytes,
            collective_algorithm(r->kind, r->algorithm)->name);
    print_number(r->time_s, f);
    fputc('\t', f);
    print_number(r->slowdown, f);
    fprintf(f, "\t%" PRIu64 "\t%" PRIu64 "\n", r->messages, r->sent_bytes);
  }
}
