/* Reads the input as a list of hosts and finds them on a platform.  The slots of an accepted list
 * are consistent. */
#include <stdlib.h>
#include <unistd.h>

#include "platforms/mapping/allocation.h"
#include "platforms/part.h"
#include "tests/fuzz/input.h"

static void check(const struct allocation *a)
{
  const uint32_t hosts = platform_hosts(a->part);
  uint64_t slots = 0;
  for (uint32_t h = 0; h < hosts; h++)
    slots += a->capacity == NULL ? a->each : a->capacity[h];
  if (slots != a->slots || a->slots == 0)
    abort();
  for (uint32_t i = 0; i < a->slots; i++)
    if (a->order[i] >= hosts)
      abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[64];
  struct err e;
  struct platform *p;
  struct allocation_list *l;
  struct allocation a;
  if (size == 0 || platform_from_spec(&p, "torus:4x3", NULL, &e) != OK)
    return 0;
  const int fd = input_file(path, sizeof path, data + 1, size - 1);
  if (allocation_list_read(&l, path, &e) == OK) {
    if (allocation_new(&a, l, p, data[0] % 4, &e) == OK) {
      check(&a);
      allocation_clear(&a);
    }
    allocation_list_free(l);
  }
  platform_free(p);
  close(fd);
  return 0;
}
