#include "common/names.h"

#include <stdint.h>
#include <string.h>

/* Longest name that names_nearest() compares, in bytes. */
enum { LONGEST = 32 };

bool names_find(names_fn *at, const char *name, size_t n, size_t *row)
{
  const char *candidate;
  for (size_t i = 0; (candidate = at(i)) != NULL; i++)
    if (strlen(candidate) == n && memcmp(candidate, name, n) == 0) {
      *row = i;
      return true;
    }
  return false;
}

static unsigned least(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* Damerau-Levenshtein distance, where no swapped pair is edited again.  d[i][k]: edits between the
 * first i letters of one word and the first k of the other. */
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

const char *names_nearest(names_fn *at, const char *name, size_t n)
{
  const char *candidate, *nearest = NULL;
  unsigned best = UINT32_MAX;
  for (size_t i = 0; n <= LONGEST && (candidate = at(i)) != NULL; i++) {
    const size_t m = strlen(candidate);
    if (m > LONGEST)
      continue;
    const unsigned edits = distance(name, n, candidate, m);
    if (edits < best && 3 * edits <= (n > m ? n : m)) {
      best = edits;
      nearest = candidate;
    }
  }
  return nearest;
}

enum status names_unknown(names_fn *at, const char *what, const char *name, size_t n, struct err *e)
{
  char all[700] = "";
  const char *candidate, *nearest = names_nearest(at, name, n);
  for (size_t i = 0; (candidate = at(i)) != NULL; i++)
    err_list(all, sizeof all, candidate);
  const int shown = n < 64 ? (int)n : 64;
  return err_set(e, "unknown %s '%.*s'%s%s%s; there are: %s", what, shown, name,
                 nearest == NULL ? "" : ", perhaps '", nearest == NULL ? "" : nearest,
                 nearest == NULL ? "" : "'", all);
}

enum status names_get(names_fn *at, const char *what, const char *name, size_t *row, struct err *e)
{
  const size_t n = strlen(name);
  return names_find(at, name, n, row) ? OK : names_unknown(at, what, name, n, e);
}
