#include "plots/report/parts/means.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/report.h"

struct means {
  const struct sheet *s;
  size_t trace, mapper, status; /* columns */
  size_t cells;                 /* number of mappers times number of traces */
  size_t *count;                /* number of values of a column, by cell */
  double *sum;
  double *value; /* by distinct text of a column: its value */
  bool shown[SHEET_MOST_COLUMNS];
};

static size_t cell_of(const struct means *m, size_t row)
{
  const struct sheet_column *c = m->s->column;
  return (size_t)c[m->trace].row[row] * c[m->mapper].text.count + c[m->mapper].row[row];
}

static bool is_ok(const struct means *m, size_t row)
{
  return strcmp(sheet_text(m->s, row, m->status), "ok") == 0;
}

static void add_column(struct means *m, size_t column)
{
  const struct sheet_column *c = &m->s->column[column];
  struct err unused;
  memset(m->count, 0, m->cells * sizeof *m->count);
  memset(m->sum, 0, m->cells * sizeof *m->sum);
  for (uint32_t i = 0; i < c->text.count; i++)
    if (num_double(c->text.name[i], -DBL_MAX, DBL_MAX, &m->value[i], &unused) != OK)
      m->value[i] = NAN;
  for (size_t r = 0; r < m->s->rows; r++) {
    const double value = m->value[c->row[r]];
    if (!is_ok(m, r) || isnan(value))
      continue;
    m->count[cell_of(m, r)]++;
    m->sum[cell_of(m, r)] += value;
  }
}

/* Fills @p mean, by column and cell; NAN: the cell has no value in the column. */
static void compute(struct means *m, double *mean)
{
  for (size_t c = 0; c < m->s->columns; c++) {
    add_column(m, c);
    for (size_t i = 0; i < m->cells; i++)
      mean[c * m->cells + i] = m->count[i] == 0 ? NAN : m->sum[i] / (double)m->count[i];
  }
}

static void choose_columns(struct means *m)
{
  for (size_t c = 0; c < m->s->columns; c++)
    m->shown[c] = c != m->trace && c != m->mapper && c != m->status && sheet_is_number(m->s, c);
}

static void print_row(const struct means *m, size_t row, const double *mean, FILE *f)
{
  fprintf(f, "%s\t%s\tok", sheet_text(m->s, row, m->trace), sheet_text(m->s, row, m->mapper));
  for (size_t c = 0; c < m->s->columns; c++) {
    const double value = mean[c * m->cells + cell_of(m, row)];
    if (!m->shown[c])
      continue;
    fputc('\t', f);
    if (isnan(value))
      fputc('-', f);
    else
      report_number(f, value);
  }
  fputc('\n', f);
}

static void print(struct means *m, const double *mean, FILE *f)
{
  fputs("trace\tmapper\tstatus", f);
  for (size_t c = 0; c < m->s->columns; c++)
    if (m->shown[c])
      fprintf(f, "\t%s", m->s->column[c].name);
  fputc('\n', f);
  memset(m->count, 0, m->cells * sizeof *m->count);
  for (size_t r = 0; r < m->s->rows; r++)
    if (is_ok(m, r) && m->count[cell_of(m, r)]++ == 0)
      print_row(m, r, mean, f);
}

enum status means_write(const struct sheet *results, FILE *f, struct err *e)
{
  struct means m = {.s = results,
                    .trace = sheet_column(results, "trace"),
                    .mapper = sheet_column(results, "mapper"),
                    .status = sheet_column(results, "status")};
  if (m.trace == results->columns || m.mapper == results->columns || m.status == results->columns)
    return err_set(e, "no column trace, mapper or status in the results");
  m.cells = (size_t)results->column[m.trace].text.count * results->column[m.mapper].text.count;
  m.count = mem_array(m.cells, sizeof *m.count, e);
  m.sum = m.count == NULL ? NULL : mem_array(m.cells, sizeof *m.sum, e);
  m.value = m.sum == NULL ? NULL : mem_array(results->rows, sizeof *m.value, e);
  OWNED double *mean =
      m.value == NULL ? NULL : mem_array(m.cells * results->columns, sizeof *mean, e);
  if (mean != NULL) {
    choose_columns(&m);
    compute(&m, mean);
    print(&m, mean, f);
  }
  free(m.count);
  free(m.sum);
  free(m.value);
  return mean == NULL ? FAIL : OK;
}
