/* Loads the input as tuned algorithms of collectives.  An accepted file is written, read again and
 * used. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/input.h"
#include "traces/collectives/tuned.h"

static void check_round_trip(const struct tuned *t)
{
  char path[64];
  struct err e;
  struct tuned again;
  snprintf(path, sizeof path, "/tmp/haichi-fuzz.%ld", (long)getpid());
  FILE *f = fopen(path, "we");
  if (f == NULL)
    abort();
  tuned_print(t, f);
  if (fclose(f) != 0 || tuned_load(&again, path, &e) != OK)
    abort();
  if (again.rows != t->rows || memcmp(again.row, t->row, t->rows * sizeof *t->row) != 0)
    abort();
  unlink(path);
}

/* A look-up with the ranks and bytes of a row must find the algorithm of the row. */
static void check_rows(const struct tuned *t)
{
  for (uint32_t i = 0; i < t->rows; i++) {
    const struct tuned_row *r = &t->row[i];
    const enum action_kind kind = (enum action_kind)(ACTION_BARRIER + r->collective);
    if (tuned_find(t, kind, r->ranks, r->from_bytes) != r->algorithm)
      abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[64];
  struct err e;
  struct tuned t;
  const int fd = input_file(path, sizeof path, data, size);
  if (tuned_load(&t, path, &e) == OK) {
    check_round_trip(&t);
    check_rows(&t);
  }
  close(fd);
  return 0;
}
