/* Reads the input as blocks.tsv, as a table of block times and as a table of block counts.
 * Accepted values must be in range and consistent. */
#include <math.h>

#include "predict/blocks/tables.h"
#include "predict/settle.h"
#include "tests/fuzz/input.h"

enum { BLOCKS = 8 };

static void check_series(const struct rank_series *r)
{
  for (uint32_t i = 0; i < r->blocks; i++) {
    const struct block_series *s = &r->block[i];
    if (s->values > 0 && (s->executions < s->values || s->sum < 0 || s->last > s->width))
      abort();
    const struct settled all = settle_find(s->value, s->values);
    if (all.start > s->values / 2 || isnan(all.mean) || isnan(all.error))
      abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[64];
  struct block_table t;
  struct rank_series r;
  uint64_t count[BLOCKS];
  struct err e;
  const int fd = input_file(path, sizeof path, data, size);
  if (block_table_load(&t, path, &e) == OK) {
    if (t.count == 0 || t.row[0].function == NULL)
      abort();
    block_table_clear(&t);
  }
  if (rank_series_load(&r, path, BLOCKS, &e) == OK) {
    check_series(&r);
    rank_series_clear(&r);
  }
  if (rank_counts_load(count, path, BLOCKS, &e) == OK)
    for (int i = 0; i < BLOCKS; i++)
      if (count[i] > UINT64_MAX / 2)
        abort();
  close(fd);
  return 0;
}
