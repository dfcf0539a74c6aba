#include "mappers/tune/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "mappers/tune/descent.h"
#include "mappers/tune/guess.h"
#include "mappers/tune/moves.h"
#include "mappers/tune/odds.h"

/* A mapping, and the times at which its simulation passed each point. */
struct state {
  uint32_t *at; /* by rank, then by empty place: its slot */
  double passed_s[MAPPER_POINTS];
  bool optional; /* a start mapping that may be dropped */
};

enum {
  KEPT = 3,               /* best mappings of a phase, which are simulated to the end after it */
  PREFIX_MESSAGES = 4096, /* a point tells mappings apart if this number of messages is sent before
                             it */
  RACE_BATCHES = 4        /* least number of batches for a mapping in a round of the race */
};

/* The first limit of a worsening that is accepted, in units of the median worsening by a change. */
#define HEAT 0.25

/* No phase begins with less than this share of the budget. */
#define LEAST_SHARE 0.01

/* Limit of the share of the budget for simulating optional start mappings. */
#define STARTS_SHARE 0.2

/* The race of the start mappings gets this share of the budget that is left when it begins. */
#define RACE_SHARE 0.5

/* The simulation of a start mapping stops if it is behind the best by more than this share. */
#define START_SLACK 0.03

/* The simulation of a change stops early if it is behind its limit by more than this share of the
 * time. */
#define TRIAL_SLACK 0.002

/* Limit of the steps of annealing by one norm of the guess, about 0.1 s, and limit per run of the
 * budget. */
#define GUESS_WORK         UINT64_C(100000000)
#define GUESS_WORK_PER_RUN UINT64_C(1000000)

/* Limit of the steps of the guesses that choose one change to simulate: about 5 ms. */
#define LOOK_WORK UINT64_C(4000000)

/* A change to simulate. */
struct proposal {
  struct state state;
  enum move kind;
  uint32_t norm; /* norm of the guess that chose it; GUESS_NORMS: none */
};

struct tuning {
  struct arena mem; /* owns the moves and the mappings of all states */
  struct trials *trials;
  const struct mapper_input *in;
  struct moves *moves;
  struct guess *guess; /* NULL: the input is too large */
  struct rng rng;
  uint32_t slots;
  struct state *start; /* start mappings; in the race, the best first */
  size_t starts, start_room;
  struct state given;      /* best of the mappings that were added */
  struct state best;       /* best of all mappings that were simulated to the end */
  bool blamed;             /* moves know the pairs of ranks that cost time under `best` */
  struct state current;    /* current mapping of a phase, simulated up to its point */
  struct state kept[KEPT]; /* best mappings of a phase, the newest last */
  uint32_t keeps;
  struct proposal next[TRIALS_BATCH];
  struct state other;                             /* scratch */
  struct odds move[MOVES], norm[GUESS_NORMS + 1]; /* norm: the last one is the choice of none */
};

static enum status new_state(struct tuning *s, struct state *x, struct err *e)
{
  s->mem.e = e;
  *x = (struct state){.at = arena_array(&s->mem, s->slots, sizeof *x->at)};
  return arena_status(&s->mem);
}

static void copy_state(const struct tuning *s, struct state *to, const struct state *from)
{
  memcpy(to->at, from->at, s->slots * sizeof *to->at);
  memcpy(to->passed_s, from->passed_s, sizeof to->passed_s);
}

static enum status new_states(struct tuning *s, struct err *e)
{
  if (new_state(s, &s->given, e) != OK || new_state(s, &s->best, e) != OK ||
      new_state(s, &s->other, e) != OK || new_state(s, &s->current, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < KEPT; i++)
    if (new_state(s, &s->kept[i], e) != OK)
      return FAIL;
  for (uint32_t i = 0; i < TRIALS_BATCH; i++)
    if (new_state(s, &s->next[i].state, e) != OK)
      return FAIL;
  return OK;
}

enum status tuning_new(struct tuning **out, struct trials *t, uint64_t seed, struct err *e)
{
  struct tuning *s = mem_array(1, sizeof *s, e);
  if (s == NULL)
    return FAIL;
  s->trials = t;
  s->in = t->in;
  s->rng = rng_new(seed, 0);
  s->mem.e = e;
  enum status status = moves_new(&s->moves, t->in, &s->mem);
  if (status == OK)
    status = guess_new(&s->guess, t->in, e);
  if (status == OK) {
    s->slots = moves_slots(s->moves);
    status = new_states(s, e);
  }
  if (status == OK)
    *out = s;
  else
    tuning_free(s);
  return status;
}

void tuning_free(struct tuning *s)
{
  if (s == NULL)
    return;
  free(s->start);
  guess_free(s->guess);
  arena_clear(&s->mem);
  free(s);
}

/* --- starts ----------------------------------------------------------------------------------- */

enum status tuning_add(struct tuning *s, const struct mapping *m, bool optional, struct err *e)
{
  if (MEM_GROW(s->start, s->start_room, s->starts + 1, e) != OK)
    return FAIL;
  struct state *x = &s->start[s->starts];
  if (new_state(s, x, e) != OK || moves_place(s->moves, m->host, x->at, e) != OK)
    return FAIL;
  for (size_t i = 0; i < s->starts; i++)
    if (memcmp(s->start[i].at, x->at, s->slots * sizeof *x->at) == 0)
      return OK;
  x->optional = optional;
  s->starts++;
  return OK;
}

/* Adds a simulation to the end.  It stops at @p point or later if it is behind the best mapping by
 * more than the share @p slack of the time. */
static void add_whole(struct tuning *s, const uint32_t *at, uint32_t point, double slack)
{
  struct mapper_trial *x = trials_add(s->trials, at, MAPPER_END);
  const double end_s = s->best.passed_s[MAPPER_END];
  for (uint32_t k = 0; k < MAPPER_END; k++)
    x->limit_s[k] = k < point ? end_s : fmin(s->best.passed_s[k] * (1 + slack), end_s);
  x->limit_s[MAPPER_END] = end_s;
}

/* Makes the mapping the best one if it is faster.  Returns whether it is. */
static bool take_whole(struct tuning *s, const uint32_t *at, const double *passed_s)
{
  if (passed_s[MAPPER_END] >= s->best.passed_s[MAPPER_END])
    return false;
  memcpy(s->best.at, at, s->slots * sizeof *at);
  memcpy(s->best.passed_s, passed_s, sizeof s->best.passed_s);
  s->blamed = false;
  return true;
}

/* Simulates the start mappings from index @p i on, up to a point. */
static enum status pass_starts(struct tuning *s, size_t i, uint32_t point, struct err *e)
{
  while (i < s->starts) {
    const size_t first = i;
    for (; i < s->starts && i < first + TRIALS_BATCH; i++)
      trials_add(s->trials, s->start[i].at, point);
    if (trials_run(s->trials, e) != OK)
      return FAIL;
    for (size_t k = first; k < i; k++)
      memcpy(s->start[k].passed_s, s->trials->trial[k - first].passed_s,
             sizeof s->start[k].passed_s);
  }
  return OK;
}

/* Sorts @p n start mappings by their times at a point. */
static void sort_starts(struct state *start, size_t n, uint32_t point)
{
  for (size_t i = 1; i < n; i++) {
    const struct state x = start[i];
    size_t k = i;
    for (; k > 0 && start[k - 1].passed_s[point] > x.passed_s[point]; k--)
      start[k] = start[k - 1];
    start[k] = x;
  }
}

/* Simulates the start mappings from index @p i on to the end, fastest at @p point first. */
static enum status run_starts(struct tuning *s, size_t i, uint32_t point, struct err *e)
{
  if (pass_starts(s, i, point, e) != OK)
    return FAIL;
  sort_starts(s->start + i, s->starts - i, point);
  for (; point == MAPPER_END && i < s->starts; i++)
    take_whole(s, s->start[i].at, s->start[i].passed_s);
  while (i < s->starts) {
    const size_t first = i;
    const size_t most = first + (first == 0 ? 2 : TRIALS_BATCH);
    for (; i < s->starts && i < most; i++)
      add_whole(s, s->start[i].at, point, START_SLACK);
    if (trials_run(s->trials, e) != OK)
      return FAIL;
    for (size_t k = first; k < i; k++)
      take_whole(s, s->start[k].at, s->trials->trial[k - first].passed_s);
  }
  return OK;
}

/* The number of changes to score in annealing by a norm. */
static uint32_t guess_steps(const struct tuning *s, uint32_t norm)
{
  const double runs = fmin(s->trials->most, (double)(GUESS_WORK / GUESS_WORK_PER_RUN));
  const uint64_t work = (uint64_t)runs * GUESS_WORK_PER_RUN;
  const uint64_t most = work / guess_work(s->guess, norm),
                 some = 25 * (uint64_t)s->slots * s->slots;
  return (uint32_t)(some < most ? some : most);
}

struct scoring {
  struct guess *guess;
  uint32_t norm;
};

static double score_of(void *data, const uint32_t *at)
{
  const struct scoring *x = data;
  return guess_score(x->guess, at, x->norm);
}

/* Anneals the best mapping by norm @p norm of the guess. */
static enum status anneal_guess(struct tuning *s, uint32_t norm, struct state *out, struct err *e)
{
  struct scoring by = {s->guess, norm};
  const struct descent d = {.moves = s->moves,
                            .score = score_of,
                            .data = &by,
                            .heat = 0.05 * (norm + 1),
                            .steps = guess_steps(s, norm)};
  double unused;
  copy_state(s, out, &s->best);
  return descent_run(&d, &s->rng, out->at, &unused, e);
}

/* Adds mappings with good scores to the start mappings. */
static enum status add_guesses(struct tuning *s, struct err *e)
{
  for (uint32_t norm = 0; s->guess != NULL && norm < GUESS_NORMS; norm++) {
    if (MEM_GROW(s->start, s->start_room, s->starts + 1, e) != OK ||
        new_state(s, &s->start[s->starts], e) != OK ||
        anneal_guess(s, norm, &s->start[s->starts], e) != OK)
      return FAIL;
    s->starts++;
  }
  return OK;
}

/* --- annealing -------------------------------------------------------------------------------- */

/* Writes a change of the current mapping to @p to.  Gives up after 100 changes that have no effect.
 */
static enum move change(struct tuning *s, uint32_t *to)
{
  const enum move kind = (enum move)odds_draw(s->move, MOVES, &s->rng);
  uint32_t tries = 0;
  do
    moves_make(s->moves, kind, &s->rng, s->current.at, to);
  while (memcmp(to, s->current.at, s->in->ranks * sizeof *to) == 0 && ++tries < 100);
  return kind;
}

/* Draws the number of changes to score before one is simulated: 2 to 128, fewer for a large
 * program.
 */
static uint64_t draw_looks(struct tuning *s, uint32_t norm)
{
  const uint64_t most = LOOK_WORK / guess_work(s->guess, norm), looks = 2u << rng_below(&s->rng, 7);
  return looks < most ? looks : most;
}

/* Proposes the best of several changes by a norm of the guess, or one change without a score. */
static void propose(struct tuning *s, struct proposal *p)
{
  p->kind = change(s, p->state.at);
  p->norm = GUESS_NORMS;
  if (s->guess != NULL)
    p->norm = odds_draw(s->norm, GUESS_NORMS + 1, &s->rng);
  if (p->norm == GUESS_NORMS)
    return;
  double least = guess_score(s->guess, p->state.at, p->norm);
  for (uint64_t k = draw_looks(s, p->norm); k > 1; k--) {
    const enum move kind = change(s, s->other.at);
    const double score = guess_score(s->guess, s->other.at, p->norm);
    if (score >= least)
      continue;
    least = score;
    p->kind = kind;
    memcpy(p->state.at, s->other.at, s->slots * sizeof *s->other.at);
  }
}

/* Simulates a batch of changes of the current mapping up to a point.  @p limit_s: time at the point
 * above which a change will not be accepted. */
static enum status try_batch(struct tuning *s, uint32_t point, double limit_s, struct err *e)
{
  const double *passed_s = s->current.passed_s;
  const double slack_s = limit_s + (TRIAL_SLACK - 1) * passed_s[point];
  for (uint32_t i = 0; i < TRIALS_BATCH; i++) {
    propose(s, &s->next[i]);
    struct mapper_trial *x = trials_add(s->trials, s->next[i].state.at, point);
    for (uint32_t k = 0; k <= point; k++)
      x->limit_s[k] = fmin(passed_s[k] + slack_s, limit_s);
  }
  return trials_run(s->trials, e);
}

/* Keeps the current mapping, in place of the oldest one if there are KEPT. */
static void keep(struct tuning *s)
{
  if (s->keeps == KEPT) {
    const struct state oldest = s->kept[0];
    memmove(s->kept, s->kept + 1, (KEPT - 1) * sizeof *s->kept);
    s->kept[--s->keeps] = oldest;
  }
  copy_state(s, &s->kept[s->keeps++], &s->current);
}

/* Makes the fastest change of the batch current if its time is below the limit.  Keeps it if its
 * time is below *least_s, the least time so far. */
static void take_best(struct tuning *s, uint32_t point, double limit_s, double *least_s)
{
  uint32_t best = TRIALS_BATCH;
  double time_s = limit_s;
  for (uint32_t i = 0; i < TRIALS_BATCH; i++) {
    const double t = trials_time(s->trials, i);
    odds_note(&s->move[s->next[i].kind], t < s->current.passed_s[point]);
    odds_note(&s->norm[s->next[i].norm], t < s->current.passed_s[point]);
    if (t < time_s) {
      time_s = t;
      best = i;
    }
  }
  if (best == TRIALS_BATCH)
    return;
  memcpy(s->current.at, s->next[best].state.at, s->slots * sizeof *s->current.at);
  memcpy(s->current.passed_s, s->trials->trial[best].passed_s, sizeof s->current.passed_s);
  if (time_s >= *least_s)
    return;
  *least_s = time_s;
  keep(s);
}

/* Measures the median worsening of the time by a change. */
static enum status measure(struct tuning *s, uint32_t point, double *out, struct err *e)
{
  double worse[TRIALS_BATCH];
  if (try_batch(s, point, INFINITY, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < TRIALS_BATCH; i++)
    worse[i] = fmax(trials_time(s->trials, i) - s->current.passed_s[point], 0);
  qsort(worse, TRIALS_BATCH, sizeof *worse, rising_double);
  *out = worse[TRIALS_BATCH / 2];
  return OK;
}

/* Anneals the time of the current mapping at one point, until the share @p until of the budget is
 * used.  The limit of a worsening falls to 0. */
static enum status anneal(struct tuning *s, uint32_t point, double heat, double until,
                          struct err *e)
{
  const double from = trials_share(s->trials);
  double worse_s, least_s = s->current.passed_s[point];
  s->keeps = 0;
  if (measure(s, point, &worse_s, e) != OK)
    return FAIL;
  for (double share; (share = trials_share(s->trials)) < until;) {
    const double left = (until - share) / (until - from);
    const double limit_s = s->current.passed_s[point] + heat * left * worse_s;
    if (try_batch(s, point, limit_s, e) != OK)
      return FAIL;
    take_best(s, point, limit_s, &least_s);
  }
  return OK;
}

/* --- the race and phases ---------------------------------------------------------------------- */

/* Simulates the kept mappings to the end.  Sets *better to whether one is faster than the best. */
static enum status verify(struct tuning *s, uint32_t point, bool *better, struct err *e)
{
  *better = false;
  const uint32_t n = s->keeps;
  for (uint32_t i = 0; i < n; i++)
    add_whole(s, s->kept[i].at, point, START_SLACK);
  if (n > 0 && trials_run(s->trials, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    *better = take_whole(s, s->kept[i].at, s->trials->trial[i].passed_s) || *better;
  return OK;
}

/* Finds the pairs of ranks that cost time under the best mapping, if there is time to use them. */
static enum status blame_best(struct tuning *s, struct err *e)
{
  struct mapper_blame *blame;
  size_t count;
  if (s->blamed || trials_share(s->trials) >= 1)
    return OK;
  enum status status = trials_blame(s->trials, s->best.at, &blame, &count, e);
  if (status == OK)
    status = moves_blame(s->moves, blame, count, e);
  free(blame);
  s->blamed = true;
  return status;
}

/* Anneals the best mapping, then simulates the best results to the end. */
static enum status phase(struct tuning *s, uint32_t point, double heat, double until, bool *better,
                         struct err *e)
{
  copy_state(s, &s->current, &s->best);
  if (blame_best(s, e) != OK)
    return FAIL;
  return anneal(s, point, heat, until, e) == OK ? verify(s, point, better, e) : FAIL;
}

/* The number of start mappings that can race within a share of the budget. */
static size_t count_racers(const struct tuning *s, uint32_t point, double room)
{
  const double batch = TRIALS_BATCH * mapper_share(s->in->simulator, point) / s->trials->runs *
                       trials_share(s->trials);
  const double most = room / (2 * RACE_BATCHES * batch);
  return most < (double)s->starts ? (size_t)most : s->starts;
}

/* Anneals a start mapping, and replaces it by the result. */
static enum status run_racer(struct tuning *s, struct state *racer, uint32_t point, double until,
                             struct err *e)
{
  copy_state(s, &s->current, racer);
  if (anneal(s, point, HEAT, until, e) != OK)
    return FAIL;
  if (s->keeps > 0)
    copy_state(s, racer, &s->kept[s->keeps - 1]);
  return OK;
}

/* Anneals the first @p n start mappings in rounds, after each of which the better half stays.  The
 * rounds have equal shares of the budget up to @p until. */
static enum status run_rounds(struct tuning *s, size_t n, uint32_t point, double until,
                              struct err *e)
{
  uint32_t rounds = 0;
  for (size_t k = n; k > 1; k = (k + 1) / 2)
    rounds++;
  for (; n > 1; n = (n + 1) / 2, rounds--) {
    const double from = trials_share(s->trials), each = (until - from) / rounds / (double)n;
    for (size_t i = 0; i < n; i++)
      if (run_racer(s, &s->start[i], point, from + (double)(i + 1) * each, e) != OK)
        return FAIL;
    sort_starts(s->start, n, point);
  }
  return OK;
}

/* Anneals several start mappings, because the best start need not lead to the best end.  Simulates
 * the best two results to the end.  If neither is better than the best mapping, *point is too early
 * to tell mappings apart: advances it. */
static enum status race(struct tuning *s, uint32_t *point, struct err *e)
{
  const double from = trials_share(s->trials), room = RACE_SHARE * (1 - from);
  const size_t n = room > 0 ? count_racers(s, *point, room) : 0;
  bool better;
  if (n < 2)
    return OK;
  sort_starts(s->start, s->starts, *point);
  if (run_rounds(s, n, *point, from + room, e) != OK)
    return FAIL;
  for (s->keeps = 0; s->keeps < 2; s->keeps++)
    copy_state(s, &s->kept[s->keeps], &s->start[s->keeps]);
  if (verify(s, *point, &better, e) != OK)
    return FAIL;
  if (!better && *point < MAPPER_END)
    (*point)++;
  return OK;
}

/* The first point up to which ranks send enough messages to tell mappings apart. */
static uint32_t first_point(const struct tuning *s)
{
  double messages = 0;
  for (size_t i = 0; i < s->in->traffic->count; i++)
    messages += (double)matrix_at(s->in->traffic, i).messages;
  uint32_t point = MAPPER_END;
  while (point > 0 && messages * mapper_share(s->in->simulator, point - 1) >= PREFIX_MESSAGES)
    point--;
  return point;
}

/* An estimate of the share of the budget that verify() takes after a phase. */
static double share_of_verifying(const struct tuning *s)
{
  return KEPT / s->trials->runs * trials_share(s->trials);
}

static enum status run_phases(struct tuning *s, uint32_t point, struct err *e)
{
  double heat = HEAT;
  for (double share, most;
       (share = trials_share(s->trials)) < (most = 1 - share_of_verifying(s)) - LEAST_SHARE;) {
    bool better;
    const double until = share + fmax((most - share) / 3, 0.1);
    if (phase(s, point, heat, fmin(most, until), &better, e) != OK)
      return FAIL;
    if (!better && point < MAPPER_END)
      point++;
    heat *= 0.5;
  }
  return OK;
}

/* Sorts the start mappings by estimated time.  Drops optional mappings whose index is not below
 * STARTS_SHARE of the runs. */
static void drop_starts(struct tuning *s)
{
  const double most = STARTS_SHARE * s->trials->most;
  size_t n = 0;
  for (size_t i = 0; i < s->starts; i++)
    s->start[i].passed_s[0] = guess_score(s->guess, s->start[i].at, GUESS_NORMS - 1);
  sort_starts(s->start, s->starts, 0);
  for (size_t i = 0; i < s->starts; i++)
    if (!s->start[i].optional || (double)n < most)
      s->start[n++] = s->start[i];
  s->starts = n;
}

static enum status simulate_starts(struct tuning *s, uint32_t point, struct err *e)
{
  if (s->guess != NULL)
    drop_starts(s);
  for (uint32_t k = 0; k < MAPPER_POINTS; k++)
    s->best.passed_s[k] = INFINITY;
  if (run_starts(s, 0, point, e) != OK)
    return FAIL;
  const size_t first = s->starts;
  copy_state(s, &s->given, &s->best);
  return add_guesses(s, e) == OK ? run_starts(s, first, point, e) : FAIL;
}

enum status tuning_run(struct tuning *s, struct err *e)
{
  uint32_t point = first_point(s);
  if (simulate_starts(s, point, e) != OK || blame_best(s, e) != OK || race(s, &point, e) != OK ||
      run_phases(s, point, e) != OK)
    return FAIL;
  if (s->best.passed_s[MAPPER_END] > s->given.passed_s[MAPPER_END] * (1 - TRIALS_CHAOS))
    copy_state(s, &s->best, &s->given);
  return OK;
}

const uint32_t *tuning_best(const struct tuning *s)
{
  return s->best.at;
}
