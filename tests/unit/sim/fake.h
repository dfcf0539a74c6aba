/** @file fake.h
 *  An engine for the tests of sim/replay/replay.h with times that can be calculated by hand: a
 *  flop takes 1 s, and a message takes T(bytes) after both sides (eager: the send) are posted.
 *  Include it after cmocka.h.
 */
#pragma once

#include <math.h>
#include <string.h>

#include "sim/replay/replay.h"
#include "tests/unit/scratch.h"
#include "traces/files/spool.h"

enum { FAKE_RANKS = 4, FAKE_TRANSFERS = 80 };
#define FAKE_TURN 1e-14 /* duration of a yield */
#define T(bytes)  (1 + (bytes)*1e-6)

struct fake {
  bool nested;     /**< other ranks run while one posts, as under SimGrid */
  uint32_t yields; /**< if not 0, ranks run when one yields */
  struct replay *replay;
  struct driver driver;
  double slow;                     /**< extra seconds per flop */
  double now, end[FAKE_TRANSFERS]; /**< transfer->own points to its end; 0: not started */
  const struct transfer *posted[FAKE_TRANSFERS];
  size_t transfers;
  struct step *step[FAKE_RANKS];
  double until[FAKE_RANKS]; /**< end of a timed step, start of a wait */
  bool inside[FAKE_RANKS];  /**< step() has not returned yet */
  bool stopped, hung;       /**< told to stop; unreported deadlock */
  enum status status;       /**< result of replay_finish() */
  struct err err;
  struct rank_result result[FAKE_RANKS];
  char blocked[512]; /**< output of replay_print_blocked() for at most two ranks */
};

static inline double fake_now(void *engine)
{
  return ((struct fake *)engine)->now;
}

static inline double fake_ready(const struct fake *f, uint32_t rank)
{
  struct step *s = f->step[rank];
  const uint32_t awaits = s != NULL && s->kind == STEP_WAIT ? s->awaits : 0;
  double ready = awaits > 0 ? INFINITY : 0;
  for (uint32_t i = 0; i < awaits; i++) {
    const struct await a = s->await[i];
    const double *at = a.transfer->own, end = *at > 0 ? *at : INFINITY;
    assert_true(a.transfer->posted[a.side] && a.transfer->awaited[a.side]);
    s->completed = end < ready ? i : s->completed;
    ready = fmin(ready, end);
  }
  return fmax(ready, f->until[rank]);
}

static inline void fake_step(struct fake *f, uint32_t rank)
{
  f->inside[rank] = true;
  struct step *s = f->step[rank] = f->driver.step(f->driver.state, rank);
  f->inside[rank] = false;
  f->stopped |= s->kind == STEP_STOP;
  const double unit = s->kind == STEP_EXEC ? 1 + f->slow : s->kind <= STEP_SLEEP;
  const double turn = s->kind == STEP_YIELD ? FAKE_TURN : 0;
  f->until[rank] = s->kind >= STEP_END ? INFINITY : f->now + unit * s->amount + turn;
}

static inline void fake_post(void *engine, struct transfer *t, enum side side)
{
  struct fake *f = engine;
  assert_true(t->posted[side] && f->transfers < FAKE_TRANSFERS);
  double *end = t->own = t->own == NULL ? &f->end[f->transfers++] : t->own;
  f->posted[end - f->end] = t;
  if (*end == 0 && (t->posted[!side] || t->eager))
    *end = f->now + T((double)t->bytes);
  for (uint32_t r = 0; f->nested && r < replay_ranks(f->replay); r++)
    if (!f->stopped && !f->inside[r] && fake_ready(f, r) <= f->now)
      fake_step(f, r);
}

static inline bool fake_ended(void *engine, struct transfer *t, enum side side)
{
  return t->posted[side] && *(double *)t->own > 0 && *(double *)t->own <= fake_now(engine);
}

/* The forgotten transfer must have ended, and cannot be used any more. */
static inline void fake_forget(void *engine, struct transfer *t)
{
  assert_true(t->posted[SEND_SIDE] && t->posted[RECV_SIDE] && fake_ended(engine, t, SEND_SIDE));
  t->own = NULL;
}

/** Replays a merged trace and leaves the results in @p f. */
static inline void fake_run(struct fake *f, const char *text, const struct replay_options *o)
{
  static const struct collectives DEFAULTS;
  const struct scratch_file file = scratch_file(text, strlen(text));
  struct trace *t;
  struct program *p;
  assert_int_equal(trace_open(&t, file.path, SPOOL_LIMIT, &f->err), OK);
  assert_int_equal(program_new(&p, t, &DEFAULTS, &f->err), OK);
  assert_int_equal(replay_new(&f->replay, p, o, &f->err), OK);
  const struct services services = {.engine = f,
                                    .others = &f->yields,
                                    .now = fake_now,
                                    .post = fake_post,
                                    .ended = fake_ended,
                                    .forget = fake_forget};
  f->driver = replay_driver(f->replay, NULL);
  f->driver.attach(f->driver.state, &services);
  while (!f->stopped) {
    uint32_t next = 0;
    for (uint32_t r = 1; r < replay_ranks(f->replay); r++)
      next = fake_ready(f, r) < fake_ready(f, next) ? r : next;
    if (isinf(fake_ready(f, next)))
      break;
    f->now = fmax(f->now, fake_ready(f, next));
    fake_step(f, next);
  }
  f->status = replay_finish(f->replay, &f->err);
  FILE *to = fmemopen(f->blocked, sizeof f->blocked, "w");
  replay_print_blocked(f->replay, 2, to);
  fclose(to);
  for (uint32_t r = 0; r < replay_ranks(f->replay); r++) {
    f->hung |= !f->stopped && f->step[r]->kind != STEP_END;
    f->result[r] = *replay_result(f->replay, r);
  }
  replay_free(f->replay);
  program_free(p);
  trace_free(t);
  scratch_close(&file);
}
