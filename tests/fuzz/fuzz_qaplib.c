/* Loads the input as a QAPLIB file.  Each method solves an accepted problem of up to MOST
 * facilities, and the tables of the searches must agree with the objective. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mappers/qap/qaplib.h"
#include "mappers/qap/solve.h"
#include "mappers/qap/tables.h"
#include "tests/fuzz/input.h"

enum { MOST = 12 };

static void check_permutation(const uint32_t *at, uint32_t n)
{
  bool seen[MOST] = {false};
  for (uint32_t i = 0; i < n; i++) {
    if (at[i] >= n || seen[at[i]])
      abort();
    seen[at[i]] = true;
  }
}

/* The change of the objective by each swap must be the same in the tables and by qap_value(). */
static void check_tables(const struct qap *q)
{
  struct form *f;
  struct tables t;
  struct err e;
  ARENA(mem, &e);
  uint32_t at[MOST], before[MOST], after[MOST];
  if (form_new(&f, q, &mem) != OK || tables_new(&t, f, &mem) != OK)
    abort();
  for (uint32_t u = 0; u < q->n; u++)
    at[u] = u;
  tables_start(&t, at, tables_value(f, at));
  for (uint32_t u = 0; u < q->n; u++)
    for (uint32_t v = f->skip[u]; v < q->n; v++) {
      form_assignment(f, t.at, before);
      const int64_t change = tables_change(&t, u, v) * f->scale;
      tables_swap(&t, u, v);
      form_assignment(f, t.at, after);
      if (qap_value(q, after) - qap_value(q, before) != change)
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[64];
  struct qap q;
  struct err e;
  const struct method *m;
  const int fd = input_file(path, sizeof path, data, size);
  if (qaplib_load(&q, path, &e) == OK) {
    uint32_t at[MOST];
    for (size_t i = 0; q.n <= MOST && (m = registry_at(&methods, i)) != NULL; i++) {
      const struct solve_options o = {.method = m, .work = 20000, .threads = 1, .starts = 1};
      if (solve(&q, &o, at, &e) != OK)
        abort();
      check_permutation(at, q.n);
    }
    if (q.n <= MOST)
      check_tables(&q);
    qap_clear(&q);
  }
  close(fd);
  return 0;
}
