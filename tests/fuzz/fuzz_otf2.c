/* Opens the input as an OTF2 archive of two locations and reads all actions twice, with equal
 * results. The input is the anchor, the definitions, and the events of each location, each behind
 * its length in two bytes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/input.h"
#include "tests/fuzz/recorded.h"

const char *__lsan_default_suppressions(void);

/* The library does not free all of an archive that it fails to open. */
const char *__lsan_default_suppressions(void)
{
  return "leak:libopen-trace-format2\n";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char *const NAMES[] = {"traces.otf2", "traces.def", "traces/0.evt", "traces/1.evt"};
  char folder[] = "/tmp/haichi-fuzz-XXXXXX", path[64];
  if (mkdtemp(folder) == NULL)
    abort();
  snprintf(path, sizeof path, "%s/traces", folder);
  mkdir(path, 0777);
  for (int i = 0; i < 4; i++) {
    size_t n = size < 2 ? 0 : (size_t)data[0] << 8 | data[1];
    const size_t head = size < 2 ? size : 2;
    data += head;
    size -= head;
    n = n < size ? n : size;
    recorded_write(folder, NAMES[i], data, n);
    data += n;
    size -= n;
  }
  snprintf(path, sizeof path, "%s/traces.otf2", folder);
  recorded_read(path);
  recorded_remove(folder);
  return 0;
}
