/* Reads the input as the file of rank 0 of 2 of a Chakra execution trace. */
#include "tests/fuzz/graph_check.h"
#include "tests/fuzz/input.h"
#include "traces/graph/chakra.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct chakra_groups groups = {.ranks = 2};
  struct chakra_names names = {.comm = NULL};
  struct chakra_doubts doubts;
  struct graph_counts counts = {0};
  struct graph g;
  struct action a;
  struct bytes file;
  struct err e;
  char path[64];
  const int fd = input_file(path, sizeof path, data, size);
  if (bytes_open(&file, path, SPOOL_LIMIT, &e) == OK) {
    const struct chakra_rank from = {&file, 0, &groups, &names};
    if (chakra_read_rank(&from, &g, &doubts, &e) == OK) {
      graph_check(&g);
      for (uint32_t i = 0; i < g.nodes; i++)
        (void)graph_action(&g.node[i], 0, 2, &counts, &a, &e);
      graph_clear(&g);
    }
    bytes_close(&file);
  }
  (void)chakra_read_groups(&names, &groups, (const char *)data, size, &e);
  free(counts.count);
  chakra_names_clear(&names);
  chakra_groups_clear(&groups);
  close(fd);
  return 0;
}
