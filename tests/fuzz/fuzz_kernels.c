/* Reads the input as a table of kernels of HPL.  The time of a call must be finite and at least 0.
 */
#include <math.h>

#include "tests/fuzz/input.h"
#include "traces/generators/hpl/kernels.h"

static void price(const struct kernels *k, uint32_t host, uint32_t core)
{
  static const struct kernel_size size[] = {{1, 1, 1}, {4096, 128, 128}, {1e6, 1, 1}};
  const struct kernel_cost *cost = kernels_of(k, host, core);
  for (int which = 0; which < KERNELS; which++)
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
      for (int deviate = -1; deviate <= 3; deviate++) {
        const double t = kernel_time(&cost[which], &size[i], deviate);
        if (!isfinite(t) || t < 0)
          abort();
      }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[64];
  struct kernels *k = NULL;
  struct err e;
  const int fd = input_file(path, sizeof path, data, size);
  if (kernels_load(&k, path, &e) == OK) {
    const uint32_t hosts = kernels_hosts(k);
    price(k, 0, 0);
    price(k, hosts > 0 ? hosts - 1 : 7, 63);
  }
  kernels_free(k);
  close(fd);
  return 0;
}
