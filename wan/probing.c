#include "wan/probing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/arena.h"
#include "common/containers/heap.h"
#include "common/mem.h"
#include "common/numeric/rng.h"
#include "common/report.h"

enum phase { REQUEST_ARRIVES, ANSWER_ARRIVES, TIMES_OUT };

/* An RTT in a request or an answer. */
struct rtt_entry {
  uint64_t rtt_ps;
  uint32_t process, depth;
};

struct rtt_list {
  struct rtt_entry *entry;
  size_t count, room;
};

struct prober {
  struct rng rng;
  enum phase phase;     /* event at date_ps */
  uint32_t r;           /* process that it measures */
  uint32_t unknowns;    /* number of its entries in estimator.unknown */
  struct rtt_list list; /* answer of r */
  uint64_t date_ps;     /* of the next event; once the process has ended, of its end */
  uint64_t timeouts;
};

struct estimator {
  const struct probing_input *in;
  uint32_t n;
  struct prober *prober;
  uint32_t *unknown; /* processes that p has yet to measure or estimate, from p * n on */
  uint32_t *place;   /* position of q in the unknown processes of p, at p * n + q; PROBING_NONE: not
                        in the list */
  uint32_t *through; /* process r that the estimate of p to q came from, at p * n + q */
  struct rtt_list request;
  struct heap dates; /* date of the next event of each process, in ps */
  struct probing *out;
};

static size_t cell(const struct estimator *x, uint32_t p, uint32_t q)
{
  return (size_t)p * x->n + q;
}

static void forget_unknown(struct estimator *x, uint32_t p, uint32_t q)
{
  uint32_t *list = x->unknown + cell(x, p, 0), *at = &x->place[cell(x, p, q)];
  if (*at == PROBING_NONE)
    return;
  const uint32_t last = list[--x->prober[p].unknowns];
  list[*at] = last;
  x->place[cell(x, p, last)] = *at;
  *at = PROBING_NONE;
}

/* Stores the RTT *t of process @p p, measured (depth 0) or estimated through @p r. */
static void learn(struct estimator *x, uint32_t p, const struct rtt_entry *t, uint32_t r)
{
  const size_t at = cell(x, p, t->process);
  x->out->rtt_ps[at] = t->rtt_ps;
  x->out->depth[at] = t->depth;
  x->through[at] = r;
  forget_unknown(x, p, t->process);
}

static void wait(struct estimator *x, uint32_t p, enum phase phase, uint64_t ps)
{
  struct prober *b = &x->prober[p];
  b->phase = phase;
  b->date_ps += ps;
  heap_set(&x->dates, p, b->date_ps);
}

/* Starts the next measurement of process @p p.  Ends the process if no RTT is left to measure. */
static void start_next(struct estimator *x, uint32_t p)
{
  struct prober *b = &x->prober[p];
  if (b->unknowns == 0) {
    heap_remove(&x->dates, p);
    return;
  }
  b->r = x->unknown[cell(x, p, (uint32_t)rng_below(&b->rng, b->unknowns))];
  const uint64_t rtt = processes_rtt(x->in->processes, p, b->r);
  if (processes_blocked(x->in->processes, p, b->r)) {
    b->timeouts++;
    wait(x, p, TIMES_OUT, x->in->timeout_ps);
  } else {
    wait(x, p, REQUEST_ARRIVES, (1 + x->in->pings) * rtt + rtt / 2);
  }
}

/* Lists the RTTs that @p from knows at this date and @p to does not. */
static enum status list_unknown(struct estimator *x, uint32_t from, uint32_t to,
                                struct rtt_list *out, struct err *e)
{
  const uint32_t *unknown = x->unknown + cell(x, to, 0), count = x->prober[to].unknowns;
  out->count = 0;
  if (MEM_GROW(out->entry, out->room, count, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < count; i++) {
    const size_t at = cell(x, from, unknown[i]);
    if (unknown[i] != from && x->out->depth[at] != PROBING_NONE)
      out->entry[out->count++] =
          (struct rtt_entry){x->out->rtt_ps[at], unknown[i], x->out->depth[at]};
  }
  x->out->figures.bytes += out->count * PROBING_ENTRY_BYTES;
  return OK;
}

/* Lines 10 to 17 of figure 1: process @p p has measured its RTT to @p r and received RTTs of r. */
static void use_answer(struct estimator *x, uint32_t p, uint32_t r, const struct rtt_list *list)
{
  const uint64_t rtt = processes_rtt(x->in->processes, p, r);
  learn(x, p, &(struct rtt_entry){rtt, r, 0}, r);
  for (size_t i = 0; i < list->count; i++) {
    struct rtt_entry t = list->entry[i];
    const bool far = (double)rtt > x->in->alpha * (double)t.rtt_ps;
    const bool close = (double)rtt < (double)t.rtt_ps / x->in->alpha;
    if (x->place[cell(x, p, t.process)] == PROBING_NONE || (!far && !close))
      continue; /* already known, or no estimate: the RTTs are too similar */
    t.rtt_ps = far ? rtt : t.rtt_ps;
    t.depth++;
    learn(x, p, &t, r);
  }
}

/* The request of @p p arrives at r, which answers. */
static enum status ask(struct estimator *x, uint32_t p, struct err *e)
{
  struct prober *b = &x->prober[p];
  const uint64_t rtt = processes_rtt(x->in->processes, p, b->r);
  if (list_unknown(x, b->r, p, &b->list, e) != OK)
    return FAIL;
  if (!x->in->one_sided) {
    if (list_unknown(x, p, b->r, &x->request, e) != OK)
      return FAIL;
    use_answer(x, b->r, p, &x->request);
  }
  wait(x, p, ANSWER_ARRIVES, rtt - rtt / 2);
  return OK;
}

static enum status simulate(struct estimator *x, struct err *e)
{
  for (uint32_t p = 0; p < x->n; p++)
    start_next(x, p);
  while (heap_count(&x->dates) > 0) {
    const uint32_t p = heap_first(&x->dates);
    struct prober *b = &x->prober[p];
    if (b->phase == REQUEST_ARRIVES) {
      if (ask(x, p, e) != OK)
        return FAIL;
      continue;
    }
    x->out->figures.measured += b->phase == ANSWER_ARRIVES;
    if (b->phase == ANSWER_ARRIVES)
      use_answer(x, p, b->r, &b->list);
    else
      forget_unknown(x, p, b->r);
    start_next(x, p);
  }
  return OK;
}

/* --- figures ---------------------------------------------------------------------------------- */

static bool is_triangle(uint64_t a, uint64_t b, uint64_t c)
{
  return a <= b + c && b <= a + c && c <= a + b;
}

static void add_error(struct probing_errors *x, double error)
{
  x->mean += (error - x->mean) / (double)++x->count;
  x->most = error > x->most ? error : x->most;
}

/* Adds the error of an estimated entry (depth above 0) to the figures. */
static void judge(struct estimator *x, uint32_t p, uint32_t q)
{
  const struct processes *all = x->in->processes;
  struct probing_figures *f = &x->out->figures;
  const size_t at = cell(x, p, q);
  const uint32_t r = x->through[at], depth = x->out->depth[at];
  const double rtt = (double)processes_rtt(all, p, q), off = (double)x->out->rtt_ps[at] - rtt;
  const bool triangle =
      is_triangle(processes_rtt(all, p, q), processes_rtt(all, p, r), processes_rtt(all, r, q));
  f->longest_chain = depth > f->longest_chain ? depth : f->longest_chain;
  add_error(depth > 1  ? &f->chained
            : triangle ? &f->direct
                       : &f->crooked,
            off == 0 ? 0 : fabs(off) / rtt);
}

static void complete(struct estimator *x, uint32_t p, uint32_t q)
{
  const size_t at = cell(x, p, q), other = cell(x, q, p);
  const bool known = x->out->depth[other] != PROBING_NONE;
  if (x->out->depth[at] != PROBING_NONE)
    return;
  x->out->rtt_ps[at] = known ? x->out->rtt_ps[other] : x->in->timeout_ps;
  x->out->figures.filled += known;
  x->out->figures.unknown += !known;
}

static void sum_up(struct estimator *x)
{
  struct probing_figures *f = &x->out->figures;
  for (uint32_t p = 0; p < x->n; p++) {
    const struct prober *b = &x->prober[p];
    const double end = (double)b->date_ps, waited = (double)b->timeouts * (double)x->in->timeout_ps;
    f->timeouts += b->timeouts;
    f->time_s = end > f->time_s ? end : f->time_s;
    f->mean_time_s += end;
    f->round_trips_s += end - waited;
    for (uint32_t q = 0; q < x->n; q++) {
      const uint32_t depth = x->out->depth[cell(x, p, q)];
      if (depth != 0 && depth != PROBING_NONE)
        judge(x, p, q);
      complete(x, p, q);
    }
  }
  f->time_s /= PROCESSES_PS_PER_S;
  f->mean_time_s /= PROCESSES_PS_PER_S * x->n;
  f->round_trips_s /= PROCESSES_PS_PER_S * x->n;
}

/* --- all -------------------------------------------------------------------------------------- */

static enum status alloc(struct estimator *x, struct arena *mem)
{
  const size_t pairs = (size_t)x->n * x->n;
  x->prober = arena_array(mem, x->n, sizeof *x->prober);
  x->unknown = arena_array(mem, pairs, sizeof *x->unknown);
  x->place = arena_array(mem, pairs, sizeof *x->place);
  x->through = arena_array(mem, pairs, sizeof *x->through);
  if (arena_status(mem) != OK ||
      (x->out->rtt_ps = mem_array(pairs, sizeof *x->out->rtt_ps, mem->e)) == NULL ||
      (x->out->depth = mem_array(pairs, sizeof *x->out->depth, mem->e)) == NULL)
    return FAIL;
  return heap_reserve(&x->dates, x->n, mem->e);
}

static void prepare(struct estimator *x)
{
  for (uint32_t p = 0; p < x->n; p++) {
    struct prober *b = &x->prober[p];
    b->rng = rng_new(x->in->seed, p);
    for (uint32_t q = 0; q < x->n; q++) {
      x->place[cell(x, p, q)] = p == q ? PROBING_NONE : b->unknowns;
      x->out->depth[cell(x, p, q)] = p == q ? 0 : PROBING_NONE;
      if (p != q)
        x->unknown[cell(x, p, b->unknowns++)] = q;
    }
  }
}

static void clear(struct estimator *x)
{
  for (uint32_t p = 0; x->prober != NULL && p < x->n; p++)
    free(x->prober[p].list.entry);
  free(x->request.entry);
  heap_clear(&x->dates);
}

/* Fails if dates could overflow. */
static enum status check(const struct probing_input *in, struct err *e)
{
  const struct processes *p = in->processes;
  double longest = (double)in->timeout_ps;
  for (size_t i = 0; i < (size_t)p->n * p->n; i++) {
    const double time = (double)p->rtt_ps[i] * (2 + in->pings);
    longest = time > longest ? time : longest;
  }
  return longest * p->n < 0x1p63 ? OK
                                 : err_set(e,
                                           "measurements of up to %g s by %u processes exceed the "
                                           "range of simulated time",
                                           longest / PROCESSES_PS_PER_S, p->n);
}

enum status probing_run(struct probing *out, const struct probing_input *in, struct err *e)
{
  struct probing made = {.n = in->processes->n};
  struct estimator x = {.in = in, .n = made.n, .out = &made};
  ARENA(mem, e);
  enum status s = check(in, e) == OK ? alloc(&x, &mem) : FAIL;
  if (s == OK) {
    prepare(&x);
    s = simulate(&x, e);
  }
  if (s == OK) {
    sum_up(&x);
    *out = made;
  } else {
    probing_clear(&made);
  }
  clear(&x);
  return s;
}

void probing_print(const struct probing *x, const struct processes *p, FILE *f)
{
  fputs("from\tto\trtt_s\ttrue_rtt_s\tchain\n", f);
  for (uint32_t i = 0; i < x->n; i++)
    for (uint32_t k = 0; k < x->n; k++) {
      const size_t at = (size_t)i * x->n + k;
      if (i == k)
        continue;
      fprintf(f, "%" PRIu32 "\t%" PRIu32 "\t", i, k);
      report_number(f, (double)x->rtt_ps[at] / PROCESSES_PS_PER_S);
      fputc('\t', f);
      report_number(f, (double)processes_rtt(p, i, k) / PROCESSES_PS_PER_S);
      if (x->depth[at] == PROBING_NONE)
        fputs("\t-\n", f);
      else
        fprintf(f, "\t%" PRIu32 "\n", x->depth[at]);
    }
}

void probing_clear(struct probing *x)
{
  free(x->rtt_ps);
  free(x->depth);
  *x = (struct probing){0};
}
