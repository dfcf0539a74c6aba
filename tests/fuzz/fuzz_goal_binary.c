/* Reads the input as GOAL in LogGOPSim's binary form, without the magic number. */
#include <string.h>

#include "tests/fuzz/graph_check.h"
#include "tests/fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const uint8_t HEAD[8] = {0x7f, 0x10};
  char path[64];
  uint8_t *bytes = malloc(size + sizeof HEAD);
  if (bytes == NULL)
    abort();
  memcpy(mempcpy(bytes, HEAD, sizeof HEAD), data, size);
  const int fd = input_file(path, sizeof path, bytes, size + sizeof HEAD);
  graph_check_file(path);
  close(fd);
  free(bytes);
  return 0;
}
