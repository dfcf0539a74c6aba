#include "traces/collectives/tuned.h"

#include <inttypes.h>
#include <string.h>

#include "common/files/linefile.h"
#include "common/num.h"
#include "common/plural.h"
#include "traces/collectives/collective.h"

enum { COLLECTIVE, RANKS, FROM_BYTES, ALGORITHM, COLUMNS };
static const char *const COLUMN[COLUMNS] = {"collective", "ranks", "from_bytes", "algorithm"};

static enum action_kind kind_of(const struct tuned_row *r)
{
  return (enum action_kind)(ACTION_BARRIER + r->collective);
}

bool tuned_by_bytes(enum action_kind kind)
{
  return kind != ACTION_BARRIER && kind != ACTION_ALLTOALLV && kind != ACTION_GATHERV &&
         kind != ACTION_SCATTERV;
}

static bool same_table(const struct tuned_row *a, const struct tuned_row *b)
{
  return a->collective == b->collective && a->ranks == b->ranks;
}

/* True if row @p b comes after row @p a. */
static bool in_order(const struct tuned_row *a, const struct tuned_row *b)
{
  if (a->collective != b->collective)
    return a->collective < b->collective;
  return a->ranks != b->ranks ? a->ranks < b->ranks : a->from_bytes < b->from_bytes;
}

enum status tuned_add(struct tuned *s, const struct tuned_row *row, struct err *e)
{
  const struct tuned_row *last = s->rows == 0 ? NULL : &s->row[s->rows - 1];
  const char *name = action_name(kind_of(row));
  if (s->rows == TUNED_MOST)
    return err_set(e, "more than %d rows", TUNED_MOST);
  if (last != NULL && !in_order(last, row))
    return err_set(e, "%s on %" PRIu32 " ranks from %" PRIu64 " bytes is out of order", name,
                   row->ranks, row->from_bytes);
  if (row->from_bytes > 0 && (last == NULL || !same_table(last, row)))
    return err_set(e, "the first row of %s on %" PRIu32 " ranks is from %" PRIu64 " bytes, not 0",
                   name, row->ranks, row->from_bytes);
  if (row->from_bytes > 0 && !tuned_by_bytes(kind_of(row)))
    return err_set(
        e, "ranks choose the algorithm of %s before they know the bytes: from_bytes must be 0",
        name);
  s->row[s->rows++] = *row;
  return OK;
}

/* --- the file --------------------------------------------------------------------------------- */

/* Cuts @p line at its tabs or blanks into COLUMNS fields. */
static enum status cut(char *line, char *field[COLUMNS], struct err *e)
{
  size_t n = 0;
  for (char *rest = line, *word; (word = linefile_word(&rest)) != NULL; n++)
    if (n < COLUMNS)
      field[n] = word;
  return n == COLUMNS ? OK : err_set(e, "%zu field%s instead of %d", n, PLURAL(n), COLUMNS);
}

static enum status check_header(char *line, struct err *e)
{
  char *field[COLUMNS];
  if (cut(line, field, e) != OK)
    return FAIL;
  for (size_t i = 0; i < COLUMNS; i++)
    if (strcmp(field[i], COLUMN[i]) != 0)
      return err_set(e, "column %zu is '%.32s', not '%s'", i + 1, field[i], COLUMN[i]);
  return OK;
}

static enum status find_algorithm(const char *name, struct tuned_row *row, struct err *e)
{
  const struct collective_algorithm *a;
  for (size_t i = 0; (a = collective_algorithm(kind_of(row), i)) != NULL; i++)
    if (strcmp(a->name, name) == 0) {
      row->algorithm = (uint16_t)i;
      return OK;
    }
  return err_set(e, "%s has no algorithm '%.64s'; see 'haichi list collectives'",
                 action_name(kind_of(row)), name);
}

static enum status take_row(struct tuned *s, char *line, struct err *e)
{
  char *field[COLUMNS];
  enum action_kind kind;
  struct tuned_row row;
  uint64_t ranks;
  struct err why;
  if (cut(line, field, e) != OK ||
      collective_kind(&kind, field[COLLECTIVE], strlen(field[COLLECTIVE]), e) != OK)
    return FAIL;
  row.collective = (uint16_t)(kind - ACTION_BARRIER);
  if (find_algorithm(field[ALGORITHM], &row, e) != OK)
    return FAIL;
  if (num_u64(field[RANKS], UINT32_MAX, &ranks, &why) != OK)
    return err_set(e, "ranks: %s", why.text);
  if (ranks == 0)
    return err_set(e, "ranks: 0 is below the minimum of 1");
  if (num_u64(field[FROM_BYTES], UINT64_MAX, &row.from_bytes, &why) != OK)
    return err_set(e, "from_bytes: %s", why.text);
  row.ranks = (uint32_t)ranks;
  return tuned_add(s, &row, e);
}

static enum status read_lines(struct tuned *s, struct linefile *in, struct err *e)
{
  bool more, header = false;
  enum status status;
  while ((status = linefile_next(in, &more, e)) == OK && more) {
    if (in->text[0] == '#')
      continue;
    status = header ? take_row(s, in->text, e) : check_header(in->text, e);
    if (status != OK)
      return err_place(e, in->path, in->line);
    header = true;
  }
  if (status == OK && s->rows == 0)
    return err_set(e, "%s: the selection has no rows", in->path);
  return status;
}

enum status tuned_load(struct tuned *out, const char *path, struct err *e)
{
  struct linefile in;
  struct tuned s = {.rows = 0};
  enum status status = linefile_open(&in, path, e);
  if (status == OK)
    status = read_lines(&s, &in, e);
  linefile_close(&in);
  if (status == OK)
    *out = s;
  return status;
}

void tuned_print(const struct tuned *s, FILE *f)
{
  for (size_t i = 0; i < COLUMNS; i++)
    fprintf(f, "%s%c", COLUMN[i], i + 1 < COLUMNS ? '\t' : '\n');
  for (uint32_t i = 0; i < s->rows; i++) {
    const struct tuned_row *r = &s->row[i];
    fprintf(f, "%s\t%" PRIu32 "\t%" PRIu64 "\t%s\n", action_name(kind_of(r)), r->ranks,
            r->from_bytes, collective_algorithm(kind_of(r), r->algorithm)->name);
  }
}

/* --- lookup ----------------------------------------------------------------------------------- */

size_t tuned_find(const struct tuned *s, enum action_kind kind, uint32_t ranks, uint64_t bytes)
{
  const struct tuned_row *best = NULL;
  for (uint32_t i = 0; i < s->rows && kind_of(&s->row[i]) <= kind; i++) {
    const struct tuned_row *r = &s->row[i];
    if (kind_of(r) == kind && r->ranks <= ranks && r->from_bytes <= bytes)
      best = r;
  }
  return best == NULL ? SIZE_MAX : best->algorithm;
}
