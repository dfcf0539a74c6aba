/* Reads the input as timed calls of kernels.  Accepted ones are fitted, and the table of the fit is
 * read again. */
#include <math.h>

#include "predict/calibrate/kernel_costs.h"
#include "tests/fuzz/input.h"

/* The table may be refused, since it has limits of its own: a cost of at most 1 s. */
static void read_back(const struct kernel_rows *rows)
{
  char *text = NULL, path[64];
  size_t size;
  struct kernels *k = NULL;
  struct err e;
  FILE *f = open_memstream(&text, &size);
  if (f == NULL)
    abort();
  kernel_rows_print(rows, f);
  if (fclose(f) != 0)
    abort();
  const int fd = input_file(path, sizeof path, (const uint8_t *)text, size);
  if (kernels_load(&k, path, &e) == OK && kernels_of(k, 0, 0) == NULL)
    abort();
  kernels_free(k);
  free(text);
  close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[64];
  struct kernel_samples s = {0};
  struct kernel_rows rows = {0};
  struct err e;
  const int fd = input_file(path, sizeof path, data, size);
  if (kernel_samples_load(&s, path, &e) == OK && kernel_rows_fit(&rows, &s, &e) == OK) {
    for (size_t i = 0; i < rows.count; i++)
      for (int k = 0; k < KERNEL_TERMS; k++)
        if (!isfinite(rows.row[i].cost.mean[k]) || !(rows.row[i].cost.sd[k] >= 0))
          abort();
    read_back(&rows);
  }
  kernel_rows_clear(&rows);
  kernel_samples_clear(&s);
  close(fd);
  return 0;
}
