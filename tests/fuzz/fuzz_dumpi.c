/* Opens the input as a rank's file of a DUMPI trace of two equal ranks; reads all actions twice,
 * with equal results. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/input.h"
#include "tests/fuzz/recorded.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char META[] = "numprocs=2\nfileprefix=t\n";
  char folder[] = "/tmp/haichi-fuzz-XXXXXX", path[64];
  if (mkdtemp(folder) == NULL)
    abort();
  recorded_write(folder, "t.meta", (const uint8_t *)META, strlen(META));
  recorded_write(folder, "t-0000.bin", data, size);
  recorded_write(folder, "t-0001.bin", data, size);
  snprintf(path, sizeof path, "%s/t.meta", folder);
  recorded_read(path);
  recorded_remove(folder);
  return 0;
}
