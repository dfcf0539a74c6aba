#include "common/registry.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Longest name that registry_nearest() compares, in bytes. */
enum { LONGEST = 32 };

const void *registry_at(const struct registry *r, size_t i)
{
  size_t k = 0;
  while (k < i && r->rows[k] != NULL)
    k++;
  return r->rows[k];
}

static const char *name_of(const void *row)
{
  return *(const char *const *)row;
}

const char *registry_name(const struct registry *r, size_t i)
{
  const void *row = registry_at(r, i);
  return row == NULL ? NULL : name_of(row);
}

const void *registry_find(const struct registry *r, const char *name, size_t n)
{
  const void *const *row = r->rows;
  while (*row != NULL && (strlen(name_of(*row)) != n || memcmp(name_of(*row), name, n) != 0))
    row++;
  return *row;
}

static unsigned least(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* Damerau-Levenshtein distance in which no swapped pair is edited again (optimal string alignment).
 * d[i][k]: edits between the first i letters of @p a and the first k letters of @p b. */
static unsigned distance(const char *a, size_t n, const char *b, size_t m)
{
  unsigned d[LONGEST + 1][LONGEST + 1];
  for (size_t i = 0; i <= n; i++)
    for (size_t k = 0; k <= m; k++) {
      if (i == 0 || k == 0) {
        d[i][k] = (unsigned)(i + k);
        continue;
      }
      d[i][k] =
          least(least(d[i - 1][k], d[i][k - 1]) + 1, d[i - 1][k - 1] + (a[i - 1] != b[k - 1]));
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        d[i][k] = least(d[i][k], d[i - 2][k - 2] + 1);
    }
  return d[n][m];
}

const char *registry_nearest(const struct registry *r, const char *name, size_t n)
{
  const char *nearest = NULL;
  unsigned best = UINT32_MAX;
  for (const void *const *row = r->rows; n <= LONGEST && *row != NULL; row++) {
    const size_t m = strlen(name_of(*row));
    if (m > LONGEST)
      continue;
    const unsigned edits = distance(name, n, name_of(*row), m);
    if (edits < best && 3 * edits <= (n > m ? n : m)) {
      best = edits;
      nearest = name_of(*row);
    }
  }
  return nearest;
}

enum status registry_unknown(const struct registry *r, const char *name, size_t n, struct err *e)
{
  char all[700];
  const char *nearest = registry_nearest(r, name, n);
  registry_list(r, all, sizeof all);
  const int shown = n < 64 ? (int)n : 64;
  return err_set(e, "unknown %s '%.*s'%s%s%s; expected %s", r->what, shown, name,
                 nearest == NULL ? "" : ", perhaps '", nearest == NULL ? "" : nearest,
                 nearest == NULL ? "" : "'", all);
}

const void *registry_get(const struct registry *r, const char *name, struct err *e)
{
  const void *row = registry_find(r, name, strlen(name));
  if (row == NULL)
    registry_unknown(r, name, strlen(name), e);
  return row;
}

void registry_list(const struct registry *r, char *text, size_t size)
{
  size_t n = 0;
  text[0] = '\0';
  for (const void *const *row = r->rows; *row != NULL && n < size; row++)
    n += (size_t)snprintf(text + n, size - n, "%s%s",
                          row == r->rows   ? ""
                          : row[1] == NULL ? " or "
                                           : ", ",
                          name_of(*row));
}
