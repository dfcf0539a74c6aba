#include "mappers/merge/comm.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/arena.h"
#include "common/mem.h"

/* Tasks with DENSE_ROW entries on average are processed in blocks of BLOCK_ROWS rows. */
#define BLOCK_ROWS 128
#define DENSE_ROW  256

void merge_comm_clear(struct merge_comm *c)
{
  free(c->row);
  free(c->peer);
  free(c->bytes);
  *c = (struct merge_comm){.groups = 0};
}

/* Turns the lengths of rows in row[1..] into offsets and allocates the entries. */
static enum status make_rows(struct merge_comm *c, struct err *e)
{
  for (uint32_t g = 0; g < c->groups; g++)
    c->row[g + 1] += c->row[g];
  c->peer = mem_array(c->row[c->groups], sizeof *c->peer, e);
  c->bytes = c->peer == NULL ? NULL : mem_array(c->row[c->groups], sizeof *c->bytes, e);
  return c->bytes == NULL ? FAIL : OK;
}

/* Unites the entries of each row that have equal peers.  where[peer] is one past the index of the
 * last united entry of the peer, which is in this row if where[peer] > start. */
static void unite_peers(struct merge_comm *c, size_t *where)
{
  size_t out = 0, from = 0;
  for (uint32_t g = 0; g < c->groups; g++) {
    const size_t to = c->row[g + 1], start = out;
    for (; from < to; from++) {
      size_t *place = &where[c->peer[from]];
      if (*place > start) {
        c->bytes[*place - 1] += c->bytes[from];
        continue;
      }
      c->peer[out] = c->peer[from];
      c->bytes[out] = c->bytes[from];
      *place = ++out;
    }
    c->row[g + 1] = out;
  }
}

/* Filling has moved the start of each row to its end; restores the starts. */
static void restore_starts(struct merge_comm *c)
{
  for (uint32_t g = c->groups; g > 0; g--)
    c->row[g] = c->row[g - 1];
  c->row[0] = 0;
}

static enum status finish(struct merge_comm *c, struct err *e)
{
  ARENA(mem, e);
  restore_starts(c);
  size_t *where = arena_array(&mem, c->groups, sizeof *where);
  if (where == NULL)
    return FAIL;
  unite_peers(c, where);
  const size_t n = c->row[c->groups] == 0 ? 1 : c->row[c->groups];
  uint32_t *peer = realloc(c->peer, n * sizeof *peer);
  uint64_t *bytes = realloc(c->bytes, n * sizeof *bytes);
  c->peer = peer == NULL ? c->peer : peer; /* if shrinking fails, the longer array is kept */
  c->bytes = bytes == NULL ? c->bytes : bytes;
  return OK;
}

static void put(struct merge_comm *c, uint32_t a, uint32_t b, uint64_t bytes)
{
  const size_t place = c->row[a < b ? a : b]++;
  c->peer[place] = a < b ? b : a;
  c->bytes[place] = bytes;
}

/* The entries from which rows are made.  A row has first the task's entries to higher tasks, then
 * the entries from higher tasks to which the task sends nothing. */
struct source {
  const struct matrix_entry *entry;
  const size_t *row;
  size_t *upper; /* by task: its first entry to a higher task */
  size_t *next;  /* by task: the first of these entries not yet passed */
  size_t *end;   /* by task: end of the filled part of its row; NULL while rows are counted */
};

static size_t first_at_least(const struct source *s, uint32_t src, uint32_t dst)
{
  return matrix_search(s->entry, s->row[src], s->row[src + 1], src, dst);
}

/* Adds an entry to a lower task to the opposite entry, or appends it to that task's row. */
static void add_lower(struct merge_comm *c, struct source *s, const struct matrix_entry *x)
{
  const uint32_t low = x->dst;
  size_t i = s->next[low];
  while (i < s->row[low + 1] && s->entry[i].dst < x->src)
    i++;
  s->next[low] = i;
  const bool opposite = i < s->row[low + 1] && s->entry[i].dst == x->src;
  if (s->end == NULL) {
    c->row[low + 1] += !opposite;
  } else if (opposite) {
    c->bytes[c->row[low] + i - s->upper[low]] += x->bytes;
  } else {
    c->peer[s->end[low]] = x->src;
    c->bytes[s->end[low]++] = x->bytes;
  }
}

static void add_upper(struct merge_comm *c, struct source *s, uint32_t task)
{
  s->next[task] = s->upper[task];
  if (s->end == NULL) {
    c->row[task + 1] = s->row[task + 1] - s->upper[task];
    return;
  }
  s->end[task] = c->row[task];
  for (size_t i = s->upper[task]; i < s->row[task + 1]; i++) {
    c->peer[s->end[task]] = s->entry[i].dst;
    c->bytes[s->end[task]++] = s->entry[i].bytes;
  }
}

/* Makes rows first..last-1.  It writes to one place in each of these rows at a time, and the places
 * fit in a cache.  Calls for other rows write elsewhere and may run in parallel. */
static void add_block(struct merge_comm *c, struct source *s, uint32_t first, uint32_t last)
{
  const bool all = first == 0 && last == c->groups;
  for (uint32_t task = first; task < last; task++)
    add_upper(c, s, task);
  for (uint32_t src = first + 1; src < c->groups; src++) {
    size_t i = all ? s->row[src] : first_at_least(s, src, first);
    for (; i < s->row[src + 1] && s->entry[i].dst < last && s->entry[i].dst < src; i++)
      add_lower(c, s, &s->entry[i]);
  }
}

/* Makes all rows, in blocks only if they are dense, since each block searches all rows of the
 * matrix for its first entry. */
static void add_all(struct merge_comm *c, struct source *s, int threads)
{
  const size_t degree = c->groups == 0 ? 0 : s->row[c->groups] / c->groups;
  const uint32_t rows = degree < DENSE_ROW || c->groups < BLOCK_ROWS ? c->groups : BLOCK_ROWS;
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (rows < c->groups)
  for (uint32_t first = 0; first < c->groups; first += rows)
    add_block(c, s, first, c->groups - first < rows ? c->groups : first + rows);
}

/* True if there is an entry for each pair or more.  Each row then gets room for every higher task,
 * and the rows need not be counted; unused entries have 0 bytes. */
static bool is_dense(const struct source *s, uint32_t tasks)
{
  return s->row[tasks] >= (size_t)tasks * (tasks - 1) / 2;
}

static void count_rows(struct merge_comm *c, struct source *s, int threads)
{
  if (!is_dense(s, c->groups))
    add_all(c, s, threads);
  else
    for (uint32_t t = 0; t < c->groups; t++)
      c->row[t + 1] = c->groups - 1 - t;
}

static enum status fill_from_rows(struct merge_comm *c, const struct matrix *m, const size_t *row,
                                  int threads, struct err *e)
{
  ARENA(mem, e);
  const uint32_t n = c->groups;
  struct source s = {.entry = m->entry,
                     .row = row,
                     .upper = arena_array(&mem, n, sizeof *s.upper),
                     .next = arena_array(&mem, n, sizeof *s.next)};
  if (arena_status(&mem) != OK)
    return FAIL;
  for (uint32_t t = 0; t < n; t++)
    s.upper[t] = first_at_least(&s, t, t + 1);
  count_rows(c, &s, threads);
  if (make_rows(c, e) != OK || (s.end = arena_array(&mem, n, sizeof *s.end)) == NULL)
    return FAIL;
  add_all(c, &s, threads);
  return OK;
}

/* Fills rows first..last-1.  Adds the entries from higher tasks for this block of destinations
 * only, so that the places it writes to fit in a cache. */
static void fill_dense_block(struct merge_comm *c, const struct matrix *m, uint32_t first,
                             uint32_t last)
{
  for (uint32_t t = first; t < last; t++)
    for (uint32_t peer = t + 1; peer < m->ranks; peer++) {
      const size_t i = c->row[t] + peer - t - 1;
      c->peer[i] = peer;
      c->bytes[i] = matrix_dense(m, t, peer);
    }
  for (uint32_t src = first + 1; src < m->ranks; src++)
    for (uint32_t t = first; t < last && t < src; t++)
      c->bytes[c->row[t] + src - t - 1] += matrix_dense(m, src, t);
}

static enum status fill_from_dense(struct merge_comm *c, const struct matrix *m, int threads,
                                   struct err *e)
{
  for (uint32_t t = 0; t < m->ranks; t++)
    c->row[t + 1] = m->ranks - 1 - t; /* tasks from m->ranks on are idle */
  if (make_rows(c, e) != OK)
    return FAIL;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (uint32_t first = 0; first < m->ranks; first += BLOCK_ROWS)
    fill_dense_block(c, m, first, m->ranks - first < BLOCK_ROWS ? m->ranks : first + BLOCK_ROWS);
  return OK;
}

enum status merge_comm_new(struct merge_comm *c, uint32_t tasks, const struct matrix *m,
                           const size_t *row, int threads, struct err *e)
{
  struct merge_comm made = {.groups = tasks};
  made.row = mem_array((size_t)tasks + 1, sizeof *made.row, e);
  enum status status = FAIL;
  if (made.row != NULL)
    status = m->dense != NULL ? fill_from_dense(&made, m, threads, e)
                              : fill_from_rows(&made, m, row, threads, e);
  if (status == OK)
    *c = made;
  else
    merge_comm_clear(&made);
  return status;
}

static enum status fill_from_groups(struct merge_comm *c, const struct merge_comm *old,
                                    const uint32_t *parent, struct err *e)
{
  for (uint32_t g = 0; g < old->groups; g++)
    for (size_t i = old->row[g]; i < old->row[g + 1]; i++) {
      const uint32_t a = parent[g], b = parent[old->peer[i]];
      if (a != b && old->bytes[i] > 0)
        c->row[(a < b ? a : b) + 1]++;
    }
  if (make_rows(c, e) != OK)
    return FAIL;
  for (uint32_t g = 0; g < old->groups; g++)
    for (size_t i = old->row[g]; i < old->row[g + 1]; i++)
      if (parent[g] != parent[old->peer[i]] && old->bytes[i] > 0)
        put(c, parent[g], parent[old->peer[i]], old->bytes[i]);
  return finish(c, e);
}

/* The index of the entry of two groups if each row has an entry for every higher group. */
static size_t dense_place(const struct merge_comm *c, uint32_t a, uint32_t b)
{
  return a < b ? c->row[a] + b - a - 1 : c->row[b] + a - b - 1;
}

/* Makes new rows that have an entry for every higher group.  Reuses the array of peers, which is
 * long enough because the number of entries does not grow. */
static enum status contract_densely(struct merge_comm *c, const uint32_t *parent, uint32_t groups,
                                    struct err *e)
{
  const size_t n = (size_t)groups * (groups - 1) / 2;
  struct merge_comm made = {.groups = groups, .peer = c->peer};
  if ((made.row = mem_array((size_t)groups + 1, sizeof *made.row, e)) == NULL ||
      (made.bytes = mem_array(n, sizeof *made.bytes, e)) == NULL) {
    free(made.row);
    return FAIL;
  }
  for (uint32_t g = 0; g < groups; g++)
    made.row[g + 1] = made.row[g] + groups - 1 - g;
  for (uint32_t g = 0; g < c->groups; g++)
    for (size_t i = c->row[g]; i < c->row[g + 1]; i++)
      if (parent[g] != parent[c->peer[i]])
        made.bytes[dense_place(&made, parent[g], parent[c->peer[i]])] += c->bytes[i];
  c->peer = NULL;
  merge_comm_clear(c);
  uint32_t *peer = realloc(made.peer, (n == 0 ? 1 : n) * sizeof *peer);
  made.peer = peer == NULL ? made.peer : peer; /* if shrinking fails, the longer array is kept */
  for (uint32_t g = 0; g < groups; g++)
    for (uint32_t k = g + 1; k < groups; k++)
      made.peer[dense_place(&made, g, k)] = k;
  *c = made;
  return OK;
}

enum status merge_comm_contract(struct merge_comm *c, const uint32_t *parent, uint32_t groups,
                                struct err *e)
{
  if (c->row[c->groups] >= (size_t)groups * (groups - 1) / 2)
    return contract_densely(c, parent, groups, e);
  struct merge_comm made = {.groups = groups};
  made.row = mem_array((size_t)groups + 1, sizeof *made.row, e);
  if (made.row == NULL || fill_from_groups(&made, c, parent, e) != OK) {
    merge_comm_clear(&made);
    return FAIL;
  }
  merge_comm_clear(c);
  *c = made;
  return OK;
}
