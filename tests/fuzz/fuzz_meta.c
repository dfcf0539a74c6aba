/* Parses the input as a meta program and runs it.  The resulting costs must be in range. */
#include "tasks/meta/meta.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[64];
  struct meta *m;
  struct err e;
  double arg[META_MOST_ARGS];
  for (int i = 0; i < META_MOST_ARGS; i++)
    arg[i] = i;
  const int fd = input_file(path, sizeof path, data, size);
  if (meta_load(&m, path, &e) == OK) {
    struct tasknet_cost c;
    if (meta_costs(m, arg, 3, &c, &e) == OK &&
        !(c.compute >= 0 && c.in >= 0 && c.out >= 0 && c.loops >= 1))
      abort();
    meta_free(m);
  }
  close(fd);
  return 0;
}
