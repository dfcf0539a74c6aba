#include "wan/connectivity.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/process/threads.h"
#include "wan/draws.h"

/* Number of graphs that a thread takes at a time. */
#define CHUNK 1024

/* Components as bit sets: joining two is an OR of their words, and only the processes of the
 * smaller component change their representative. */
struct components {
  uint32_t n, count, words;
  uint32_t *of;   /* by process: representative of its component */
  uint32_t *size; /* by representative: number of processes of the component */
  uint64_t *set; /* by representative: processes of the component; not valid for a single process */
  uint32_t largest;
};

/* State of a thread. */
struct worker {
  struct components c;
  struct draws d;
};

static enum status new_components(struct components *c, uint32_t n, struct err *e)
{
  c->n = n;
  c->words = n / 64 + 1;
  if ((c->of = mem_array(n, sizeof *c->of, e)) == NULL ||
      (c->size = mem_array(n, sizeof *c->size, e)) == NULL ||
      (c->set = mem_array((size_t)n * c->words, sizeof *c->set, e)) == NULL)
    return FAIL;
  return OK;
}

static void reset(struct components *c)
{
  c->count = c->n;
  c->largest = 0;
  for (uint32_t p = 0; p < c->n; p++) {
    c->of[p] = p;
    c->size[p] = 1;
  }
}

static uint64_t *set_of(struct components *c, uint32_t at)
{
  uint64_t *set = c->set + (size_t)at * c->words;
  if (c->size[at] == 1) {
    memset(set, 0, c->words * sizeof *set);
    set[at / 64] = UINT64_C(1) << at % 64;
  }
  return set;
}

static void join(struct components *c, uint32_t p, uint32_t q)
{
  uint32_t to = c->of[p], from = c->of[q];
  if (to == from)
    return;
  if (c->size[to] < c->size[from]) {
    to = c->of[q];
    from = c->of[p];
  }
  uint64_t *grown = set_of(c, to);
  const uint64_t *gone = set_of(c, from);
  for (uint32_t w = 0; w < c->words; w++) {
    grown[w] |= gone[w];
    for (uint64_t bits = gone[w]; bits != 0; bits &= bits - 1)
      c->of[w * 64 + (uint32_t)__builtin_ctzll(bits)] = to;
  }
  c->size[to] += c->size[from];
  c->count--;
  if (c->size[to] > c->size[c->largest])
    c->largest = to;
}

/* Reveals one more selection of each process that, at its turn, is inside the largest component, or
 * outside if @p inside is false.  Returns false if no process had a selection left. */
static bool reveal(struct worker *w, bool inside)
{
  struct components *c = &w->c;
  bool any = false;
  for (uint32_t p = 0; p < c->n && c->count > 1; p++) {
    if ((c->of[p] == c->largest) != inside || !draws_more(&w->d, p))
      continue;
    const uint32_t q = draws_reveal(&w->d, p);
    any = true;
    if (q != DRAWS_NONE)
      join(c, p, q);
  }
  return any;
}

/* Reveals selections of processes outside of the largest component first: they connect the graph
 * sooner than selections of the many processes inside, which follow once no others are left. */
static bool is_connected(struct worker *w, uint64_t seed, uint64_t graph)
{
  reset(&w->c);
  draws_begin(&w->d, seed, graph);
  while (w->c.count > 1)
    if (!reveal(w, false) && !reveal(w, true))
      return false;
  return true;
}

static uint64_t count_disconnected(struct worker *w, const struct connectivity_input *in,
                                   uint64_t chunk)
{
  uint64_t disconnected = 0;
  for (uint64_t g = chunk * CHUNK; g < (chunk + 1) * CHUNK && g < in->graphs; g++)
    disconnected += !is_connected(w, in->seed, g);
  return disconnected;
}

static enum status new_workers(struct worker *w, uint32_t count, const struct draws_plan *plan,
                               struct err *e)
{
  for (uint32_t i = 0; i < count; i++)
    if (new_components(&w[i].c, plan->processes->n, e) != OK || draws_new(&w[i].d, plan, e) != OK)
      return FAIL;
  return OK;
}

static void free_workers(struct worker *w, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    free(w[i].c.of);
    free(w[i].c.size);
    free(w[i].c.set);
    draws_clear(&w[i].d);
  }
  free(w);
}

static enum status draw_graphs(const struct draws_plan *plan, const struct connectivity_input *in,
                               uint64_t *out, struct err *e)
{
  const uint32_t threads = (uint32_t)threads_of(in->threads);
  struct worker *w = mem_array(threads, sizeof *w, e);
  if (w == NULL)
    return FAIL;
  const enum status s = new_workers(w, threads, plan, e);
  const uint64_t chunks = in->graphs / CHUNK + (in->graphs % CHUNK > 0);
  uint64_t disconnected = 0;
  if (s == OK) {
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(+ : disconnected)
    for (uint64_t i = 0; i < chunks; i++)
      disconnected += count_disconnected(&w[omp_get_thread_num()], in, i);
    *out = disconnected;
  }
  free_workers(w, threads);
  return s;
}

/* @p none: scratch array with an entry for each cluster: the probability that no process of the
 * cluster opens a connection to another cluster; 0 if a process of the cluster accepts connections;
 * -1 once the cluster is counted. */
static double cut_off_probability(const struct draws_plan *plan, double *none)
{
  const struct processes *p = plan->processes;
  double log_reach = 0;  /* log of the probability that no cluster is cut off */
  uint32_t clusters = 0; /* number of clusters with processes */
  for (uint32_t c = 0; c < p->clusters; c++)
    none[c] = 1;
  for (uint32_t i = 0; i < p->n; i++)
    none[p->cluster[i]] *= p->closed[i] ? draws_none_outside(plan, i) : 0;
  for (uint32_t i = 0; i < p->n; i++) {
    if (none[p->cluster[i]] < 0)
      continue;
    log_reach += log1p(-none[p->cluster[i]]);
    none[p->cluster[i]] = -1;
    clusters++;
  }
  return log_reach == 0 || clusters == 1 ? 0 : -expm1(log_reach);
}

static void sum_up(struct connectivity *c)
{
  const double z = 1.959963984540054, n = (double)c->graphs;
  const double p = (double)c->disconnected / n, z2 = z * z / n;
  const double middle = (p + z2 / 2) / (1 + z2);
  const double half = sqrt(z2 * p * (1 - p) + z2 * z2 / 4) / (1 + z2);
  c->probability = p;
  c->low = c->disconnected == 0 ? 0 : middle - half;
  c->high = c->disconnected == c->graphs ? 1 : middle + half;
}

enum status connectivity_run(struct connectivity *out, const struct connectivity_input *in,
                             struct err *e)
{
  struct connectivity made = {.graphs = in->graphs};
  struct draws_plan plan;
  if (draws_plan_new(&plan, in->processes, in->beta, e) != OK)
    return FAIL;
  OWNED double *none = mem_array(in->processes->clusters, sizeof *none, e);
  enum status s = none == NULL ? FAIL : draw_graphs(&plan, in, &made.disconnected, e);
  if (s == OK) {
    made.cut_off_probability = cut_off_probability(&plan, none);
    sum_up(&made);
    *out = made;
  }
  draws_plan_clear(&plan);
  return s;
}
