#include "plots/report/parts/means.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "campaign/plan/machine.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "common/num.h"
#include "common/report.h"

struct means {
  const struct sheet *s;
  size_t machine[MACHINE_OPTIONS], trace, mapper, status; /* columns */
  size_t cells;   /* number of distinct machines, traces and mappers */
  uint32_t *cell; /* by row */
  size_t *count;  /* number of values of a column, by cell */
  double *sum;
  double *value; /* by distinct text of a column: its value */
  bool shown[SHEET_MOST_COLUMNS];
};

static size_t cell_of(const struct means *m, size_t row)
{
  return m->cell[row];
}

/* The columns that make a cell: the machine, the trace and the mapper. */
static bool is_key(const struct means *m, size_t column)
{
  bool is = column == m->trace || column == m->mapper;
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    is |= column == m->machine[o];
  return is;
}

static enum status number_row(struct means *m, struct names *cells, size_t row, struct err *e)
{
  struct textout out;
  if (textout_begin(&out, e) != OK)
    return FAIL;
  for (size_t c = 0; c < m->s->columns; c++)
    if (is_key(m, c))
      fprintf(out.f, "%s\t", sheet_text(m->s, row, c));
  char *key = textout_end(&out, OK, e);
  const enum status s = key == NULL ? FAIL : names_add(cells, key, &m->cell[row], e);
  free(key);
  return s;
}

static enum status number_cells(struct means *m, struct err *e)
{
  struct names cells = {.count = 0};
  enum status s = (m->cell = mem_array(m->s->rows, sizeof *m->cell, e)) == NULL ? FAIL : OK;
  for (size_t r = 0; s == OK && r < m->s->rows; r++)
    s = number_row(m, &cells, r, e);
  m->cells = cells.count;
  names_clear(&cells);
  return s;
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
    m->shown[c] = !is_key(m, c) && c != m->status && sheet_is_number(m->s, c);
}

static void print_row(const struct means *m, size_t row, const double *mean, FILE *f)
{
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    if (m->machine[o] < m->s->columns)
      fprintf(f, "%s\t", sheet_text(m->s, row, m->machine[o]));
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
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    if (m->machine[o] < m->s->columns)
      fprintf(f, "%s\t", machine_column((enum machine_option)o));
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
  for (int o = 0; o < MACHINE_OPTIONS; o++)
    m.machine[o] = sheet_column(results, machine_column((enum machine_option)o));
  if (number_cells(&m, e) == OK)
    m.count = mem_array(m.cells, sizeof *m.count, e);
  m.sum = m.count == NULL ? NULL : mem_array(m.cells, sizeof *m.sum, e);
  m.value = m.sum == NULL ? NULL : mem_array(results->rows, sizeof *m.value, e);
  double *mean = m.value == NULL ? NULL : mem_array(m.cells * results->columns, sizeof *mean, e);
  if (mean != NULL) {
    choose_columns(&m);
    compute(&m, mean);
    print(&m, mean, f);
  }
  free(m.cell);
  free(m.count);
  free(m.sum);
  free(m.value);
  free(mean);
  return mean == NULL ? FAIL : OK;
}
