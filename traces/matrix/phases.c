#include "traces/matrix/phases.h"

#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/containers/index.h"
#include "common/mem.h"

struct phase_entry {
  struct phase_message message;
  uint64_t depth, times;
};

enum status phase_list_add(struct phase_list *l, const struct phase_message *x, uint64_t depth,
                           uint64_t times, struct err *e)
{
  if (MEM_GROW(l->entry, l->room, l->count + 1, e) != OK)
    return FAIL;
  l->entry[l->count++] = (struct phase_entry){*x, depth, times};
  return OK;
}

void phase_list_clear(struct phase_list *l)
{
  free(l->entry);
  *l = (struct phase_list){.entry = NULL};
}

/* --- steps ------------------------------------------------------------------------------------ */

static int compare(uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

static int compare_messages(const struct phase_message *x, const struct phase_message *y)
{
  int c = compare(x->src, y->src);
  c = c != 0 ? c : compare(x->dst, y->dst);
  return c != 0 ? c : compare(x->bytes, y->bytes);
}

static int compare_entries(const void *a, const void *b)
{
  const struct phase_entry *x = a, *y = b;
  int c = compare(x->depth, y->depth);
  c = c != 0 ? c : compare(x->times, y->times);
  return c != 0 ? c : compare_messages(&x->message, &y->message);
}

static bool same_step(const struct phase_entry *x, const struct phase_entry *y)
{
  return x->depth == y->depth && x->times == y->times;
}

/* Appends the messages of the step that begins at entry @p i, equal ones merged.  Returns the index
 * of the first entry of the next step. */
static size_t append(struct phases *p, const struct phase_list *l, size_t i)
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
    h = index_mix(h ^ x->bytes) + x->messages;
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

static enum status make_steps(struct phases *p, const struct phase_list *l, struct index *known,
                              struct err *e)
{
  for (size_t i = 0; i < l->count;) {
    const uint64_t times = l->entry[i].times;
    i = append(p, l, i);
    const uint64_t h = hash(p, p->count);
    uint32_t at = index_find(known, h, same_phase, p, NULL);
    if (at == INDEX_NONE) {
      if (index_reserve(known, p->count, hash, p, e) != OK)
        return FAIL;
      at = p->count++;
      index_add(known, h, at);
    }
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

enum status phases_new(struct phases *out, struct phase_list *l, uint32_t ranks, struct err *e)
{
  struct phases p = {.ranks = ranks};
  struct index known = {0};
  if (l->count > 0)
    qsort(l->entry, l->count, sizeof *l->entry, compare_entries);
  enum status s = allocate(&p, l->count, count_steps(l), e);
  if (s == OK)
    s = make_steps(&p, l, &known, e);
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
      s = phase_list_add(&l, &message, 0, 1, e);
  }
  if (s == OK)
    s = phases_new(out, &l, ranks, e);
  phase_list_clear(&l);
  return s;
}

void phases_clear(struct phases *p)
{
  free(p->first);
  free(p->message);
  free(p->step);
  free(p->flops);
  *p = (struct phases){.first = NULL};
}
