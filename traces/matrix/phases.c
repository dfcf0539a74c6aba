#include "traces/matrix/phases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/containers/index.h"
#include "common/mem.h"
#include "common/numeric/rising.h"

struct phase_entry {
  struct phase_message message;
  uint64_t depth, times;
  uint32_t number;
  uint32_t place; /* of its message among the messages of its phase */
};

enum status phase_list_add(struct phase_list *l, const struct phase_message *x, uint64_t depth,
                           uint64_t times, uint32_t number, struct err *e)
{
  if (MEM_GROW(l->entry, l->room, l->count + 1, e) != OK)
    return FAIL;
  l->entry[l->count++] = (struct phase_entry){*x, depth, times, number, 0};
  return OK;
}

void phase_list_clear(struct phase_list *l)
{
  free(l->entry);
  *l = (struct phase_list){.entry = NULL};
}

/* --- steps ------------------------------------------------------------------------------------ */

static int compare_pairs(const struct phase_message *x, const struct phase_message *y)
{
  return RISING(x->src, y->src) ?: RISING(x->dst, y->dst);
}

static int compare_messages(const struct phase_message *x, const struct phase_message *y)
{
  return compare_pairs(x, y) ?: RISING(x->bytes, y->bytes);
}

static int compare_entries(const void *a, const void *b)
{
  const struct phase_entry *x = a, *y = b;
  return RISING(x->depth, y->depth) ?: RISING(x->times, y->times)
      ?: compare_messages(&x->message, &y->message)
      ?: RISING(x->message.messages, y->message.messages);
}

static bool same_step(const struct phase_entry *x, const struct phase_entry *y)
{
  return x->depth == y->depth && x->times == y->times;
}

/* Appends the messages of the step that begins at entry @p i, equal ones merged.  Returns the index
 * of the first entry of the next step. */
static size_t append(struct phases *p, struct phase_list *l, size_t i)
{
  const size_t begin = i;
  size_t *end = &p->first[p->count + 1];
  *end = p->first[p->count];
  for (; i < l->count && same_step(&l->entry[begin], &l->entry[i]); i++) {
    const struct phase_message *x = &l->entry[i].message;
    if (i > begin && compare_messages(&p->message[*end - 1], x) == 0)
      p->message[*end - 1].messages += x->messages;
    else
      p->message[(*end)++] = *x;
    l->entry[i].place = (uint32_t)(*end - 1 - p->first[p->count]);
  }
  return i;
}

static uint64_t hash(const void *phases, uint32_t number)
{
  const struct phases *p = phases;
  uint64_t h = p->first[number + 1] - p->first[number];
  for (size_t i = p->first[number]; i < p->first[number + 1]; i++) {
    const struct phase_message *x = &p->message[i];
    h = index_mix(h ^ index_mix((uint64_t)x->src << 32 | x->dst));
    h = index_mix(h ^ x->bytes) + (uint64_t)x->messages;
  }
  return h;
}

/* Compares with the phase after the last one, which is being made. */
static bool same_phase(const void *phases, uint32_t number, const void *unused)
{
  const struct phases *p = phases;
  const size_t n = p->first[p->count + 1] - p->first[p->count];
  (void)unused;
  return p->first[number + 1] - p->first[number] == n &&
         memcmp(&p->message[p->first[number]], &p->message[p->first[p->count]],
                n * sizeof *p->message) == 0;
}

static size_t count_steps(const struct phase_list *l)
{
  size_t n = 0;
  for (size_t i = 0; i < l->count; i++)
    n += i == 0 || !same_step(&l->entry[i - 1], &l->entry[i]);
  return n;
}

/* Sets the messages of the transfers of a step, the entries from @p i on, in @p phase. */
static void set_transfers(const struct phases *p, struct phase_order *order,
                          const struct phase_list *l, size_t i, size_t end, uint32_t phase)
{
  for (; i < end && order != NULL; i++) {
    const struct phase_entry *x = &l->entry[i];
    const uint32_t times = x->times < UINT32_MAX ? (uint32_t)x->times : UINT32_MAX;
    if (x->number != PHASE_NONE)
      order->transfer[x->number] =
          (struct phase_transfer){(uint32_t)p->first[phase] + x->place, times};
  }
}

static enum status make_steps(struct phases *p, struct phase_list *l, struct phase_order *order,
                              struct index *known, struct err *e)
{
  for (size_t i = 0; i < l->count;) {
    const uint64_t times = l->entry[i].times;
    const size_t begin = i;
    i = append(p, l, i);
    const uint64_t h = hash(p, p->count);
    uint32_t at = index_find(known, h, same_phase, p, NULL);
    if (at == INDEX_NONE) {
      if (index_reserve(known, p->count, hash, p, e) != OK)
        return FAIL;
      at = p->count++;
      index_add(known, h, at);
    }
    set_transfers(p, order, l, begin, i, at);
    p->step[p->steps++] = (struct phase_step){at, times};
  }
  return OK;
}

static enum status allocate(struct phases *p, size_t messages, size_t steps, struct err *e)
{
  p->first = mem_array(steps + 2, sizeof *p->first, e);
  p->message = mem_array(messages, sizeof *p->message, e);
  p->step = mem_array(steps, sizeof *p->step, e);
  p->flops = mem_array(p->ranks, sizeof *p->flops, e);
  return p->first != NULL && p->message != NULL && p->step != NULL && p->flops != NULL ? OK : FAIL;
}

enum status phases_new(struct phases *out, struct phase_list *l, uint32_t ranks,
                       struct phase_order *order, struct err *e)
{
  struct phases p = {.ranks = ranks};
  struct index known = {0};
  if (l->count > 0)
    qsort(l->entry, l->count, sizeof *l->entry, compare_entries);
  enum status s = allocate(&p, l->count, count_steps(l), e);
  if (s == OK)
    s = make_steps(&p, l, order, &known, e);
  index_clear(&known);
  if (s == OK)
    *out = p;
  else
    phases_clear(&p);
  return s;
}

enum status phases_of_matrix(struct phases *out, const struct matrix *m, uint32_t ranks,
                             struct err *e)
{
  struct phase_list l = {0};
  enum status s = OK;
  for (size_t i = 0; i < m->count && s == OK; i++) {
    const struct matrix_entry x = matrix_at(m, i);
    const struct phase_message message = {x.src, x.dst, x.bytes, 1};
    if (x.src != x.dst && x.bytes > 0)
      s = phase_list_add(&l, &message, 0, 1, PHASE_NONE, e);
  }
  if (s == OK)
    s = phases_new(out, &l, ranks, NULL, e);
  phase_list_clear(&l);
  return s;
}

/* --- merging ---------------------------------------------------------------------------------- */

/* Maximum number of groups with which a phase is compared, the latest first. */
enum { MOST_COMPARED = 64 };

/* Groups of similar phases. */
struct merging {
  const struct phases *p;
  double *times;    /* by phase */
  double *square;   /* by phase: sum of the squares of the bytes of its pairs */
  uint32_t *of;     /* by phase: its group */
  uint32_t *leader; /* by group: its first phase */
  uint32_t groups;
};

/* Sums up the bytes from message *i on, below @p end, of the same pair. */
static double pair_bytes(const struct phases *p, size_t *i, size_t end)
{
  const struct phase_message *first = &p->message[*i];
  double sum = 0;
  for (; *i < end && p->message[*i].src == first->src && p->message[*i].dst == first->dst; ++*i)
    sum += p->message[*i].messages * (double)p->message[*i].bytes;
  return sum;
}

/* The product of the bytes of two phases, over their pairs. */
static double product(const struct phases *p, uint32_t a, uint32_t b)
{
  size_t i = p->first[a], k = p->first[b];
  double sum = 0;
  while (i < p->first[a + 1] && k < p->first[b + 1]) {
    const int c = compare_pairs(&p->message[i], &p->message[k]);
    if (c == 0)
      sum += pair_bytes(p, &i, p->first[a + 1]) * pair_bytes(p, &k, p->first[b + 1]);
    else
      ++*(c < 0 ? &i : &k);
  }
  return sum;
}

/* Groups phases whose bytes form an angle with at least the cosine @p least. */
static void group(struct merging *m, double least)
{
  m->groups = 0;
  for (uint32_t a = 0; a < m->p->count; a++) {
    uint32_t g = m->groups;
    bool found = false;
    for (uint32_t n = 0; n < MOST_COMPARED && g > 0 && !found; n++) {
      const uint32_t b = m->leader[--g];
      const double norm = sqrt(m->square[a] * m->square[b]);
      found = least <= 0 || (norm > 0 ? product(m->p, a, b) >= least * norm
                                      : m->square[a] == m->square[b]); /* no bytes */
    }
    m->of[a] = found ? g : m->groups;
    if (!found)
      m->leader[m->groups++] = a;
  }
}

/* Collects the messages of all phases, each group at its own depth.  @p times: by group. */
static enum status collect(const struct merging *m, const double *times, struct phase_list *l,
                           struct err *e)
{
  const struct phases *p = m->p;
  for (uint32_t a = 0; a < p->count; a++)
    for (size_t i = p->first[a]; i < p->first[a + 1]; i++) {
      struct phase_message x = p->message[i];
      x.messages *= m->times[a] / times[m->of[a]];
      if (phase_list_add(l, &x, m->of[a], 1, PHASE_NONE, e) != OK)
        return FAIL;
    }
  return OK;
}

static enum status merge_groups(const struct merging *m, struct phases *out, struct err *e)
{
  ARENA(mem, e);
  struct phase_list l = {0};
  double *times = arena_array(&mem, m->groups, sizeof *times);
  if (times == NULL)
    return FAIL;
  for (uint32_t a = 0; a < m->p->count; a++)
    times[m->of[a]] += m->times[a];
  enum status s = collect(m, times, &l, e);
  if (s == OK)
    s = phases_new(out, &l, m->p->ranks, NULL, e);
  phase_list_clear(&l);
  if (s != OK)
    return FAIL;
  for (size_t k = 0; k < out->steps; k++) /* step k is group k */
    out->step[k].times = (uint64_t)times[k];
  memcpy(out->flops, m->p->flops, m->p->ranks * sizeof *out->flops);
  return OK;
}

static void measure(struct merging *m)
{
  const struct phases *p = m->p;
  for (size_t i = 0; i < p->steps; i++)
    m->times[p->step[i].phase] += (double)p->step[i].times;
  for (uint32_t a = 0; a < p->count; a++)
    m->square[a] = product(p, a, a);
}

enum status phases_merge(struct phases *out, const struct phases *p, size_t most, struct err *e)
{
  static const double LEAST[] = {1, 0.9, 0.75, 0.5, 0};
  ARENA(mem, e);
  struct merging m = {.p = p,
                      .times = arena_array(&mem, p->count, sizeof *m.times),
                      .square = arena_array(&mem, p->count, sizeof *m.square),
                      .of = arena_array(&mem, p->count, sizeof *m.of),
                      .leader = arena_array(&mem, p->count, sizeof *m.leader)};
  if (arena_status(&mem) != OK)
    return FAIL;
  measure(&m);
  for (size_t i = 0;; i++) {
    group(&m, LEAST[i]);
    if (merge_groups(&m, out, e) != OK)
      return FAIL;
    if (out->first[out->count] <= most || LEAST[i] <= 0)
      return OK;
    phases_clear(out);
  }
}

/* Lists the messages between groups. */
static enum status list_between(struct phase_list *l, const struct phases *p, const uint32_t *group,
                                struct err *e)
{
  ARENA(mem, e);
  uint64_t *times = arena_array(&mem, p->count, sizeof *times);
  if (times == NULL)
    return FAIL;
  for (size_t i = 0; i < p->steps; i++)
    times[p->step[i].phase] += p->step[i].times;
  for (uint32_t k = 0; k < p->count; k++)
    for (size_t i = p->first[k]; i < p->first[k + 1]; i++) {
      struct phase_message x = p->message[i];
      x.src = group[x.src];
      x.dst = group[x.dst];
      if (x.src != x.dst && phase_list_add(l, &x, k, times[k], PHASE_NONE, e) != OK)
        return FAIL;
    }
  return OK;
}

enum status phases_contract(struct phases *out, const struct phases *p, const uint32_t *group,
                            uint32_t groups, struct err *e)
{
  struct phase_list l = {.entry = NULL};
  enum status s = list_between(&l, p, group, e);
  if (s == OK)
    s = phases_new(out, &l, groups, NULL, e);
  for (uint32_t r = 0; s == OK && r < p->ranks; r++)
    out->flops[group[r]] += p->flops[r];
  phase_list_clear(&l);
  return s;
}

void phase_order_clear(struct phase_order *o)
{
  free(o->event);
  free(o->transfer);
  free(o->rest);
  *o = (struct phase_order){.event = NULL};
}

void phases_clear(struct phases *p)
{
  free(p->first);
  free(p->message);
  free(p->step);
  free(p->flops);
  phase_order_clear(&p->order);
  *p = (struct phases){.first = NULL};
}
