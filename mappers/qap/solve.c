#include "mappers/qap/solve.h"
#include "common/process/threads.h"

#include <string.h>

enum { STARTS = 4 };

/* Default work in swaps: proportional to the number of pairs; at most about 4 s on one core. */
enum { WORK_PER_PAIR = 200000 };
#define WORK_MOST ((uint64_t)4000000000)

struct contest {
  const struct form *form;
  const struct solve_options *options;
  uint32_t starts;
  uint64_t work;  /* of each search */
  uint32_t *best; /* assignment of the winner so far */
  int64_t value;
  uint32_t winner; /* its start; `starts`: no winner yet */
};

/* Keeps the result of a search if it is the best so far; ties: the lower start. */
static void judge(struct contest *c, const struct qap_search *s, uint32_t start)
{
  if (c->winner < c->starts &&
      (s->best_value > c->value || (s->best_value == c->value && start > c->winner)))
    return;
  c->winner = start;
  c->value = s->best_value;
  memcpy(c->best, s->best, c->form->n * sizeof *c->best);
}

static enum status search(struct contest *c, uint32_t start, struct err *e)
{
  ARENA(mem, e);
  const struct solve_options *o = c->options;
  const struct budget budget = budget_start(o->seconds, c->work);
  struct qap_search s;
  if (qap_search_new(&s, c->form, rng_new(o->seed, start), budget, &mem) != OK ||
      o->method->run(&s, &mem) != OK)
    return FAIL;
#pragma omp critical
  judge(c, &s, start);
  return OK;
}

static enum status search_all(struct contest *c, int threads, struct err *e)
{
  enum status status = OK;
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
  for (uint32_t i = 0; i < c->starts; i++) {
    struct err why;
    if (search(c, i, &why) == OK)
      continue;
#pragma omp critical
    {
      status = FAIL;
      *e = why;
    }
  }
  return status;
}

static uint64_t default_work(uint64_t n)
{
  const uint64_t work = WORK_PER_PAIR * n * n;
  return work < WORK_MOST ? work : WORK_MOST;
}

enum status solve(const struct qap *q, const struct solve_options *o, uint32_t *at, struct err *e)
{
  ARENA(mem, e);
  struct form *f;
  if (form_new(&f, q, &mem) != OK)
    return FAIL;
  const int threads = threads_of(o->threads);
  const uint32_t starts = o->seconds > 0 ? (uint32_t)threads : STARTS;
  struct contest c = {.form = f, .options = o, .starts = o->starts == 0 ? starts : o->starts};
  c.winner = c.starts;
  c.work = (o->work == 0 ? default_work(f->n) : o->work) / c.starts;
  if ((c.best = arena_array(&mem, f->n, sizeof *c.best)) == NULL)
    return FAIL;
  enum status s = OK;
  for (uint32_t u = 0; u < f->n; u++)
    c.best[u] = u;
  if (f->swaps > 0)
    s = search_all(&c, threads, e);
  if (s == OK)
    form_assignment(f, c.best, at);
  return s;
}
