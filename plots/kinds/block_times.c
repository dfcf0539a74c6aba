/* The time of the slowest rank by block: its blocks with the most time, with their lines. */

#include "common/files/path.h"
#include "plots/plot.h"
#include "predict/blocks/estimate.h"

enum { MOST_BARS = 12 };

/* Blocks with a smaller share of the time are left out. */
#define SMALLEST 0.001

/* The block of the rank with the most time among those not chosen yet. */
static uint32_t next_block(const struct estimate *x, const struct block_estimate *b,
                           const uint32_t *chosen, size_t n)
{
  const double least = SMALLEST * x->rank[x->slowest].total;
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < x->table.count; i++) {
    bool taken = b[i].time <= least;
    for (size_t k = 0; k < n; k++)
      taken |= chosen[k] == i;
    if (!taken && (best == UINT32_MAX || b[i].time > b[best].time))
      best = i;
  }
  return best;
}

/* Writes a bar with a label such as "himeno.c:157 MPI_Waitall". */
static void write_bar(const struct estimate *x, uint32_t block, double share, size_t bar, FILE *out)
{
  char text[256], label[GNUPLOT_LABEL_SIZE];
  const struct block_row *row = &x->table.row[block];
  snprintf(text, sizeof text, "%s:%u %s", path_name(row->file), row->line,
           row->communication ? row->call : row->function);
  gnuplot_label(label, text);
  fprintf(out, "label[%zu] = ", bar + 1);
  gnuplot_quote(out, label);
  fprintf(out, "\nshare[%zu] = %.9g\nkind[%zu] = %d\n", bar + 1, share, bar + 1,
          row->communication ? 2 : 1);
}

static enum status write(const struct plot *p, FILE *out, struct err *e)
{
  struct estimate x;
  uint32_t chosen[MOST_BARS];
  size_t n = 0;
  if (estimate_load(&x, p->input[0], registry_at(&estimate_methods, 0), e) != OK)
    return FAIL;
  const struct block_estimate *b = &x.block[(size_t)x.slowest * x.table.count];
  struct gnuplot_key key = {.f = out};
  gnuplot_key_add(&key, "computation", 1);
  gnuplot_key_add(&key, "communication", 2);
  gnuplot_key_end(&key);
  fprintf(out, "array label[%d]\narray share[%d]\narray kind[%d]\n", MOST_BARS, MOST_BARS,
          MOST_BARS);
  for (; n < MOST_BARS && (chosen[n] = next_block(&x, b, chosen, n)) != UINT32_MAX; n++)
    write_bar(&x, chosen[n], b[chosen[n]].time / x.rank[x.slowest].total, n, out);
  fprintf(out, "bars = %zu\n", n);
  estimate_clear(&x);
  if (n > 0)
    return OK;
  return plot_nothing(p, e, "%s: no block takes time", p->input[0]);
}

const struct plot_kind plot_block_times = {
    .name = "block-times",
    .inputs = "DIR",
    .help = "where the time of the slowest rank goes, by block",
    .most = 1,
    .write = write,
};
