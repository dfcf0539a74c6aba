/* Loads the input as a mapping of any format.  An accepted mapping is checked, written in each
 * format and read again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platforms/mapping/mapping.h"
#include "tests/fuzz/input.h"

extern const struct mapping_format mapping_hostfile, mapping_rankfile, mapping_coordinates,
    mapping_vcoordfile, mapping_slurm;

static void check_round_trip(const struct mapping *m, const struct platform *p,
                             const struct mapping_format *format)
{
  char path[64];
  struct err e;
  struct mapping again;
  snprintf(path, sizeof path, "/tmp/haichi-fuzz.%ld", (long)getpid());
  if (mapping_check(m, p, m->ranks, &e) != OK || mapping_save(m, p, format, path, &e) != OK ||
      mapping_load(&again, path, p, m->ranks, &e) != OK)
    abort();
  if (memcmp(m->host, again.host, m->ranks * sizeof *m->host) != 0)
    abort();
  mapping_clear(&again);
  unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const struct mapping_format *const FORMATS[] = {&mapping_hostfile, &mapping_rankfile,
                                                         &mapping_coordinates, &mapping_vcoordfile,
                                                         &mapping_slurm};
  char path[64];
  struct err e;
  struct platform *p;
  struct mapping m = {0};
  if (size == 0 || platform_from_spec(&p, "mesh:3x2", NULL, &e) != OK)
    return 0;
  const int fd = input_file(path, sizeof path, data + 1, size - 1);
  if (mapping_load(&m, path, p, data[0] % 16, &e) == OK)
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++)
      check_round_trip(&m, p, FORMATS[i]);
  mapping_clear(&m);
  platform_free(p);
  close(fd);
  return 0;
}
