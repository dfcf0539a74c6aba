/* Reads the input as a task network; its first bytes tell the format.  The hierarchy of an accepted
 * network must contain each element once. */
#include "tasks/cost.h"
#include "tasks/files/files.h"
#include "tasks/hierarchy.h"
#include "tests/fuzz/input.h"

/* Larger networks take long and test nothing more. */
enum { MOST = 100000 };

static void check(const struct tasknet *n)
{
  struct dependence d;
  struct hierarchy h;
  struct err e;
  if (n->elements == 0 || n->elements > MOST || n->lanes > MOST)
    return;
  if (dependence_costs(&d, n, &e) != OK || hierarchy_make(&h, n, &e) != OK)
    abort();
  for (uint32_t i = 0; i < n->elements; i++)
    if (!(d.start[i] >= 0))
      abort();
  uint64_t elements = 0;
  for (uint32_t i = 0; i < h.roots; i++)
    elements += h.sum[h.root[i]].elements;
  if (elements != n->elements)
    abort();
  dependence_clear(&d);
  hierarchy_clear(&h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[64];
  struct tasknet n;
  struct err e;
  const int fd = input_file(path, sizeof path, data, size);
  if (tasknet_load(&n, path, &e) == OK) {
    check(&n);
    tasknet_clear(&n);
  }
  close(fd);
  return 0;
}
