#include "sim/flow/cpu.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "sim/effects/effects.h"

struct cpu_task {
  bool computes;
  uint32_t host, previous, next; /* neighbours in the list of the host's ranks: rank + 1; 0: none */
  double traffic;                /* bytes per flop */
  double flops, speed, since;    /* flops left at time `since`, falling at `speed` */
  struct cpu_turn turn;          /* scheduling position of a sleep */
  uint64_t begun;
};

enum status cpu_new(struct cpu *c, uint32_t hosts, uint32_t ranks, struct err *e)
{
  *c = (struct cpu){0};
  c->host = mem_array(hosts, sizeof *c->host, e);
  if (c->host != NULL)
    c->task = mem_array(ranks, sizeof *c->task, e);
  if (c->task != NULL)
    c->ended = mem_array(ranks, sizeof *c->ended, e);
  c->date = 1; /* date 0 marks a host without a begin or end */
  if (c->ended != NULL && heap_reserve(&c->end, ranks, e) == OK)
    return OK;
  cpu_clear(c);
  return FAIL;
}

void cpu_clear(struct cpu *c)
{
  free(c->host);
  free(c->task);
  free(c->ended);
  heap_clear(&c->end);
  *c = (struct cpu){0};
}

static double flops_left(const struct cpu_task *t, double now)
{
  return fmax(t->flops - t->speed * (now - t->since), 0);
}

double cpu_left(const struct cpu *c, uint32_t rank, double now)
{
  return flops_left(&c->task[rank], now);
}

/* The speed of a rank on a host whose core has @p speed.  Flops and memory traffic take their time
 * one after the other. */
static double slowed(const struct cpu *c, const struct cpu_host *h, const struct cpu_task *t,
                     double speed)
{
  const struct effects *x = c->effects;
  if (x->contention.count > 0)
    speed *= curve_at(&x->contention, h->running);
  if (x->memory.count > 0 && t->traffic > 0 && speed > 0)
    speed = 1 / (1 / speed + t->traffic * h->running / curve_at(&x->memory, h->running));
  return speed;
}

/* True if the speed of a computation depends on the number of computations on its host even if
 * there are enough cores. */
static bool is_crowd_felt(const struct cpu *c)
{
  return c->effects != NULL && (c->effects->contention.count > 0 || c->effects->memory.count > 0);
}

/* Updates the speeds and ends of the computations on a host.  @p newest: rank + 1 of one that has
 * just begun; 0: none.  The others often keep their speed. */
static void share(struct cpu *c, struct cpu_host *h, uint32_t newest, double now)
{
  const double even = h->running <= h->cores ? h->speed : h->speed * h->cores / h->running;
  const bool all = even != h->even || is_crowd_felt(c);
  h->even = even;
  for (uint32_t r = all ? h->first : newest; r != 0; r = all ? c->task[r - 1].next : 0) {
    struct cpu_task *t = &c->task[r - 1];
    const double speed = c->effects == NULL ? even : slowed(c, h, t, even);
    if (t->speed == speed)
      continue;
    t->flops = flops_left(t, now);
    t->since = now;
    t->speed = speed;
    heap_set_key(&c->end, r - 1, speed > 0 ? now + t->flops / speed : INFINITY);
  }
}

/* A computation begins or ends on the host: SimGrid reschedules all ends there. */
static void touch(struct cpu *c, struct cpu_host *h)
{
  if (h->turn.date != c->date)
    h->turn = (struct cpu_turn){c->date, c->touched++};
}

void cpu_compute(struct cpu *c, uint32_t rank, uint32_t host, struct cpu_work w, double now)
{
  struct cpu_host *h = &c->host[host];
  c->task[rank] = (struct cpu_task){.computes = true,
                                    .host = host,
                                    .next = h->first,
                                    .flops = w.flops,
                                    .traffic = w.traffic,
                                    .since = now,
                                    .begun = c->begun++};
  if (h->first != 0)
    c->task[h->first - 1].previous = rank + 1;
  h->first = rank + 1;
  h->running++;
  touch(c, h);
  share(c, h, h->first, now);
}

void cpu_set_speed(struct cpu *c, uint32_t host, double speed, double now)
{
  struct cpu_host *h = &c->host[host];
  h->speed = speed;
  if (h->running == 0)
    return;
  touch(c, h);
  share(c, h, 0, now);
}

void cpu_sleep(struct cpu *c, uint32_t rank, double seconds, double now)
{
  c->task[rank] = (struct cpu_task){.turn = {c->date, -++c->sleeps}, .begun = c->begun++};
  heap_set_key(&c->end, rank, now + seconds);
}

void cpu_end_sleep(struct cpu *c, uint32_t rank)
{
  heap_remove(&c->end, rank);
}

static void end_task(struct cpu *c, uint32_t rank, double now)
{
  const struct cpu_task *t = &c->task[rank];
  heap_remove(&c->end, rank);
  if (!t->computes)
    return;
  struct cpu_host *h = &c->host[t->host];
  if (t->previous == 0)
    h->first = t->next;
  else
    c->task[t->previous - 1].next = t->next;
  if (t->next != 0)
    c->task[t->next - 1].previous = t->previous;
  h->running--;
  touch(c, h);
  share(c, h, 0, now);
}

static int by_turn(const void *a, const void *b)
{
  const struct cpu_ended *x = a, *y = b;
  return RISING(x->date, y->date) ?: RISING(x->turn.date, y->turn.date)
         ?: RISING(x->turn.turn, y->turn.turn) ?: RISING(y->begun, x->begun);
}

uint32_t cpu_end(struct cpu *c, double now, double precision)
{
  uint32_t n = 0;
  while (heap_count(&c->end) > 0 && heap_first_key(&c->end) - now < precision) {
    const uint32_t rank = heap_first(&c->end);
    const struct cpu_task *t = &c->task[rank];
    c->ended[n++] = (struct cpu_ended){.rank = rank,
                                       .date = heap_first_key(&c->end),
                                       .turn = t->computes ? c->host[t->host].turn : t->turn,
                                       .begun = t->begun};
    heap_remove(&c->end, rank);
  }
  if (n > 1)
    qsort(c->ended, n, sizeof *c->ended, by_turn);
  c->date++;
  c->touched = c->sleeps = 0;
  for (uint32_t i = 0; i < n; i++)
    end_task(c, c->ended[i].rank, now);
  return n;
}
