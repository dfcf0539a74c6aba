#include "wan/bounding.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/arena.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "common/numeric/rng.h"

const struct bounding_method bounding_mcmpi = {"mcmpi"}, bounding_random = {"random"},
                             bounding_all = {"all"};

#define LIST(ROW) ROW(bounding_mcmpi) ROW(bounding_random) ROW(bounding_all)

const struct registry bounding_methods = REGISTRY("selection method", LIST);

/* --- blocks ----------------------------------------------------------------------------------- */

uint32_t bounding_blocks(struct bounding_block block[BOUNDING_BLOCKS], uint32_t n, uint32_t beta)
{
  const uint64_t near = beta < n ? beta : n;
  uint32_t count = 0;
  if (near > 1)
    block[count++] = (struct bounding_block){1, (uint32_t)near, (uint32_t)near - 1, 0, 1};
  uint32_t unit = 1;
  for (uint64_t first = beta; first < n; first *= 2, unit *= 2) {
    const uint64_t end = 2 * first < n ? 2 * first : n;
    const uint32_t size = (uint32_t)(end - first);
    block[count++] =
        (struct bounding_block){(uint32_t)first, (uint32_t)end, size / unit, size % unit, unit};
  }
  return count;
}

/* --- selection -------------------------------------------------------------------------------- */

/* Another process, as a candidate of the selecting process. */
struct candidate {
  uint64_t rtt_ps, messages;
  uint32_t tie; /* position in a random order; breaks ties of RTTs */
  uint32_t process;
};

struct selector {
  const struct bounding_input *in;
  const uint64_t *rtt_ps;
  uint32_t n;
  uint64_t *messages; /* sent by the selecting process, by destination */
  size_t entry;       /* index of the first traffic entry with a source >= the selecting process */
  struct candidate *candidate; /* n - 1 entries */
  uint32_t *order;
  struct bounding_block block[BOUNDING_BLOCKS];
  uint32_t blocks;
  struct adjacency_open *selected; /* all selections */
  size_t selected_count, selected_room;
  struct adjacency_open *allowed; /* selections that no firewall blocks */
  size_t allowed_count, allowed_room;
  struct bounding *out;
};

static int compare_rtts(const void *a, const void *b)
{
  const struct candidate *x = a, *y = b;
  return RISING(x->rtt_ps, y->rtt_ps) ?: RISING(x->tie, y->tie);
}

/* Sets the messages that process @p p sends, or resets them to 0. */
static void mark_messages(struct selector *s, uint32_t p, bool set)
{
  const struct matrix *m = s->in->traffic;
  struct matrix_entry x;
  size_t i = s->entry;
  if (m == NULL)
    return;
  for (; i < m->count && (x = matrix_at(m, i)).src == p; i++)
    s->messages[x.dst] = set ? x.messages : 0;
  if (!set)
    s->entry = i;
}

/* Lists the candidates of process @p p: by RTT, ties in random order, with mcmpi; in random order
 * with other methods. */
static void sort_others(struct selector *s, uint32_t p, struct rng *r)
{
  uint32_t count = 0;
  for (uint32_t q = 0; q < s->n; q++)
    if (q != p)
      s->order[count++] = q;
  rng_shuffle(r, s->order, count);
  mark_messages(s, p, true);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t q = s->order[i];
    s->candidate[i] = (struct candidate){s->rtt_ps[(size_t)p * s->n + q], s->messages[q], i, q};
  }
  mark_messages(s, p, false);
  if (s->in->method == &bounding_mcmpi)
    qsort(s->candidate, count, sizeof *s->candidate, compare_rtts);
}

static enum status take(struct selector *s, uint32_t p, uint32_t q, struct err *e)
{
  const struct processes *all = s->in->processes;
  const struct adjacency_open x = {p, q};
  if (MEM_GROW(s->selected, s->selected_room, s->selected_count + 1, e) != OK ||
      MEM_GROW(s->allowed, s->allowed_room, s->allowed_count + 1, e) != OK)
    return FAIL;
  s->selected[s->selected_count++] = x;
  s->out->selected_between += all->cluster[p] != all->cluster[q];
  if (!processes_blocked(all, p, q))
    s->allowed[s->allowed_count++] = x;
  return OK;
}

static void swap(struct candidate *a, struct candidate *b)
{
  const struct candidate t = *a;
  *a = *b;
  *b = t;
}

/* Moves the candidates with messages to the front; returns their number and, in *sum, their
 * messages. */
static uint32_t gather(struct candidate *c, uint32_t count, uint64_t *sum)
{
  uint32_t n = 0;
  *sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (c[i].messages == 0)
      continue;
    *sum += c[i].messages;
    swap(&c[n++], &c[i]);
  }
  return n;
}

/* Returns the index of a candidate, drawn with probability proportional to its messages.  @p sum
 * > 0 is the sum of the messages of all candidates. */
static uint32_t hit(const struct candidate *c, uint64_t sum, struct rng *r)
{
  uint64_t x = rng_below(r, sum);
  uint32_t i = 0;
  while (x >= c[i].messages)
    x -= c[i++].messages;
  return i;
}

/* Selects @p want of @p count candidates with probability proportional to their messages; uniformly
 * once no remaining candidate has messages.  Reorders @p c. */
static enum status choose(struct selector *s, uint32_t p, struct candidate *c, uint32_t count,
                          uint32_t want, struct rng *r, struct err *e)
{
  uint64_t sum;
  uint32_t heavy = gather(c, count, &sum);
  for (uint32_t i = 0; i < want; i++, c++, count--) {
    const uint32_t k = want - i == count ? 0
                       : heavy > 0       ? hit(c, sum, r)
                                         : (uint32_t)rng_below(r, count);
    if (heavy > 0) {
      sum -= c[k].messages;
      heavy--;
    }
    swap(&c[0], &c[k]);
    if (take(s, p, c[0].process, e) != OK)
      return FAIL;
  }
  return OK;
}

static uint32_t quota(const struct bounding_block *b, struct rng *r)
{
  return b->whole + (b->part > 0 && rng_below(r, b->unit) < b->part);
}

static enum status select_by_rtt(struct selector *s, uint32_t p, struct rng *r, struct err *e)
{
  for (uint32_t i = 0; i < s->blocks; i++) {
    const struct bounding_block *b = &s->block[i];
    if (choose(s, p, s->candidate + b->first - 1, b->end - b->first, quota(b, r), r, e) != OK)
      return FAIL;
  }
  return OK;
}

/* Selects as many processes on average as select_by_rtt(), or all, regardless of the traffic. */
static enum status select_uniformly(struct selector *s, uint32_t p, struct rng *r, struct err *e)
{
  uint32_t want = 0;
  for (uint32_t i = 0; i < s->blocks; i++)
    want += quota(&s->block[i], r);
  want = s->in->method == &bounding_all ? s->n - 1 : want;
  for (uint32_t i = 0; i < want; i++) /* candidates are in random order */
    if (take(s, p, s->candidate[i].process, e) != OK)
      return FAIL;
  return OK;
}

static enum status select_for_each_process(struct selector *s, struct err *e)
{
  for (uint32_t p = 0; p < s->n; p++) {
    struct rng r = rng_new(s->in->seed, p);
    sort_others(s, p, &r);
    if ((s->in->method == &bounding_mcmpi ? select_by_rtt : select_uniformly)(s, p, &r, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status make_graph(struct selector *s, struct err *e)
{
  struct adjacency pairs;
  s->out->selected = s->selected_count;
  s->out->blocked = s->selected_count - s->allowed_count;
  if (adjacency_new(&pairs, s->n, s->selected, s->selected_count, e) != OK)
    return FAIL;
  s->out->selected_pairs = adjacency_count(&pairs);
  adjacency_clear(&pairs);
  return adjacency_new(&s->out->graph, s->n, s->allowed, s->allowed_count, e);
}

static enum status prepare(struct selector *s, struct arena *mem)
{
  const struct matrix *m = s->in->traffic;
  if (m != NULL && m->ranks > s->n)
    return err_set(mem->e,
                   "the traffic has %" PRIu32 " ranks, but there are only %" PRIu32 " processes",
                   m->ranks, s->n);
  s->blocks = bounding_blocks(s->block, s->n, s->in->beta);
  s->messages = arena_array(mem, s->n, sizeof *s->messages);
  s->candidate = arena_array(mem, s->n, sizeof *s->candidate);
  s->order = arena_array(mem, s->n, sizeof *s->order);
  return arena_status(mem);
}

enum status bounding_new(struct bounding *out, const struct bounding_input *in, struct err *e)
{
  struct bounding_input filled = *in;
  struct bounding made = {.selected = 0};
  if (filled.method == NULL)
    filled.method = &bounding_mcmpi;
  struct selector s = {.in = &filled,
                       .rtt_ps = in->rtt_ps != NULL ? in->rtt_ps : in->processes->rtt_ps,
                       .n = in->processes->n,
                       .out = &made};
  ARENA(mem, e);
  enum status status = prepare(&s, &mem);
  if (status == OK && (status = select_for_each_process(&s, e)) == OK)
    status = make_graph(&s, e);
  if (status == OK)
    *out = made;
  free(s.allowed);
  free(s.selected);
  return status;
}

void bounding_clear(struct bounding *b)
{
  adjacency_clear(&b->graph);
  *b = (struct bounding){0};
}
