#include "traces/matrix/counter.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"

enum { CAPACITY_MIN = 8 };

struct cell {
  uint32_t dst;
  uint64_t messages, bytes;
};

/* Open addressing with linear probing; a cell of 0 messages is empty. */
struct counter_row {
  struct cell *cell;
  uint32_t capacity; /* 0 or a power of 2, at least twice used; as at most 2^20 ranks are named */
  uint32_t used;
};

enum status counter_init(struct counter *c, uint32_t ranks, struct err *e)
{
  struct counter_row *row = mem_array(ranks, sizeof *row, e);
  if (row == NULL)
    return FAIL;
  *c = (struct counter){.row = row, .ranks = ranks};
  return OK;
}

void counter_clear(struct counter *c)
{
  for (uint32_t r = 0; r < c->ranks; r++)
    free(c->row[r].cell);
  free(c->row);
  *c = (struct counter){.row = NULL};
}

/* The cell of @p dst, or the empty one where it belongs. */
static struct cell *cell_of(const struct counter_row *row, uint32_t dst)
{
  uint32_t i = (dst * 0x9e3779b1u >> 7) & (row->capacity - 1);
  while (row->cell[i].messages != 0 && row->cell[i].dst != dst)
    i = (i + 1) & (row->capacity - 1);
  return &row->cell[i];
}

static enum status grow(struct counter *c, struct counter_row *row, struct err *e)
{
  struct counter_row more = {.capacity = row->capacity == 0 ? CAPACITY_MIN : 2 * row->capacity,
                             .used = row->used};
  const size_t cells = c->cells - row->capacity + more.capacity;
  /* A matrix of these takes half as much again. */
  if (mem_fits(cells + cells / 2, sizeof *more.cell, e) != OK ||
      (more.cell = mem_array(more.capacity, sizeof *more.cell, e)) == NULL)
    return FAIL;
  c->cells = cells;
  for (uint32_t i = 0; i < row->capacity; i++)
    if (row->cell[i].messages != 0)
      *cell_of(&more, row->cell[i].dst) = row->cell[i];
  free(row->cell);
  *row = more;
  return OK;
}

enum status counter_add(struct counter *c, const struct matrix_entry *x, struct err *e)
{
  struct counter_row *row = &c->row[x->src];
  if (row->capacity == 0 && grow(c, row, e) != OK)
    return FAIL;
  struct cell *cell = cell_of(row, x->dst);
  if (cell->messages == 0) {
    if (c->pairs == MATRIX_PAIRS_MAX)
      return err_set(e, "more than %" PRIu64 " pairs of ranks exchange messages", MATRIX_PAIRS_MAX);
    if (2 * (row->used + 1) > row->capacity && grow(c, row, e) != OK)
      return FAIL;
    cell = cell_of(row, x->dst);
    cell->dst = x->dst;
    row->used++;
    c->pairs++;
  }
  cell->messages += x->messages;
  cell->bytes += x->bytes;
  return OK;
}

static int compare_destinations(const void *a, const void *b)
{
  const struct matrix_entry *x = a, *y = b;
  return (x->dst > y->dst) - (x->dst < y->dst);
}

enum status counter_matrix(const struct counter *c, struct matrix *m, struct err *e)
{
  struct matrix_entry *entry = mem_array(c->pairs, sizeof *entry, e);
  if (entry == NULL)
    return FAIL;
  size_t n = 0;
  for (uint32_t src = 0; src < c->ranks; src++) {
    const struct counter_row *row = &c->row[src];
    for (uint32_t i = 0; i < row->capacity; i++)
      if (row->cell[i].messages != 0)
        entry[n++] =
            (struct matrix_entry){src, row->cell[i].dst, row->cell[i].messages, row->cell[i].bytes};
    qsort(entry + n - row->used, row->used, sizeof *entry, compare_destinations);
  }
  *m = (struct matrix){.ranks = c->ranks, .count = n, .entry = entry};
  return OK;
}
