/* Reads the input as GOAL in its text form. */
#include <string.h>

#include "tests/fuzz/graph_check.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char HEAD[] = "num_ranks ";
  char path[64], *text = malloc(size + sizeof HEAD);
  if (text == NULL)
    abort();
  memcpy(mempcpy(text, HEAD, sizeof HEAD - 1), data, size);
  const int fd = input_file(path, sizeof path, (uint8_t *)text, size + sizeof HEAD - 1);
  graph_check_file(path);
  close(fd);
  free(text);
  return 0;
}
