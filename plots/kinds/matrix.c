/* A traffic matrix as a heat map.  With more than MOST_CELLS ranks a cell sums a block of rank
 * pairs. */
#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"
#include "plots/plot.h"
#include "traces/matrix/load.h"

#define MOST_CELLS 512

struct cells {
  uint32_t side, ranks_a_cell;
  uint64_t *bytes; /* source * side + destination */
  uint64_t min, max;
};

static enum status add_up(struct cells *c, const struct matrix *m, struct err *e)
{
  c->ranks_a_cell = (m->ranks + MOST_CELLS - 1) / MOST_CELLS;
  c->side = (m->ranks + c->ranks_a_cell - 1) / c->ranks_a_cell;
  c->bytes = mem_array((size_t)c->side * c->side, sizeof *c->bytes, e);
  if (c->bytes == NULL)
    return FAIL;
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry x = matrix_at(m, i);
    const uint32_t src = x.src / c->ranks_a_cell, dst = x.dst / c->ranks_a_cell;
    c->bytes[(size_t)src * c->side + dst] += x.bytes;
  }
  for (size_t i = 0; i < (size_t)c->side * c->side; i++) {
    const uint64_t b = c->bytes[i];
    c->min = b > 0 && (c->min == 0 || b < c->min) ? b : c->min;
    c->max = b > c->max ? b : c->max;
  }
  return OK;
}

static void write_cells(const struct cells *c, uint32_t ranks, FILE *f)
{
  fprintf(f, "ranks = %" PRIu32 "\nside = %" PRIu32 "\na_cell = %" PRIu32 "\n", ranks, c->side,
          c->ranks_a_cell);
  fprintf(f, "min_bytes = %" PRIu64 ".\nmax_bytes = %" PRIu64 ".\n", c->min, c->max);
  fputs("$cells << EOD\n", f);
  for (uint32_t src = 0; src < c->side; src++)
    for (uint32_t dst = 0; dst < c->side; dst++) {
      const uint64_t b = c->bytes[(size_t)src * c->side + dst];
      if (b == 0)
        fputs("NaN", f);
      else
        fprintf(f, "%" PRIu64, b);
      fputc(dst + 1 < c->side ? ' ' : '\n', f);
    }
  fputs("EOD\n", f);
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  struct matrix m;
  struct cells c = {0};
  if (matrix_load(&m, p->input[0], NULL, e) != OK)
    return FAIL;
  enum status s = m.ranks == 0 ? OK : add_up(&c, &m, e);
  if (s == OK && c.max == 0)
    s = plot_nothing(p, e, "%s: no bytes to draw", p->input[0]);
  if (s == OK)
    write_cells(&c, m.ranks, f);
  free(c.bytes);
  matrix_clear(&m);
  return s;
}

const struct plot_kind plot_matrix = {
    .name = "matrix",
    .inputs = "MATRIX",
    .help = "bytes from each rank to each other (haichi list matrices)",
    .most = 1,
    .write = write,
};
