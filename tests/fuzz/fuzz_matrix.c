/* Reads the input as a traffic matrix in every format, and in the detected format.  The entries
 * must be sorted and within their bounds, and the TSV of the matrix must give the same entries. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/input.h"
#include "traces/matrix/load.h"

static void check_order(const struct matrix *m)
{
  uint64_t messages = 0, bytes = 0;
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry *x = &m->entry[i], *before = i > 0 ? x - 1 : NULL;
    if (x->src >= m->ranks || x->dst >= m->ranks || x->messages == 0 ||
        (before != NULL &&
         (before->src > x->src || (before->src == x->src && before->dst >= x->dst))))
      abort();
    messages += x->messages;
    bytes += x->bytes;
    if (messages > INT64_MAX || bytes > INT64_MAX)
      abort();
  }
}

static void check_again(const struct matrix *m)
{
  char *text, path[64];
  size_t size;
  struct matrix again;
  struct err e;
  FILE *out = open_memstream(&text, &size);
  matrix_print(m, out);
  fclose(out);
  const int fd = input_file(path, sizeof path, (const uint8_t *)text, size);
  if (matrix_load(&again, path, NULL, &e) != OK || again.count != m->count ||
      (m->count > 0 && memcmp(again.entry, m->entry, m->count * sizeof *m->entry) != 0))
    abort();
  matrix_clear(&again);
  close(fd);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[64];
  const int fd = input_file(path, sizeof path, data, size);
  bool more = true;
  for (size_t i = 0; more; i++) {
    struct matrix_reading how = {.format = registry_at(&matrix_formats, i)};
    struct matrix m;
    struct err e;
    more = how.format != NULL;
    if (!more && size > 0 && data[0] % 2 == 1 && matrix_reading_unit(&how, "kbps", &e) != OK)
      abort();
    lseek(fd, 0, SEEK_SET);
    if (matrix_load(&m, path, &how, &e) != OK)
      continue;
    check_order(&m);
    check_again(&m);
    matrix_clear(&m);
  }
  close(fd);
  return 0;
}
