/* Reads the input as measurements.  Accepted ones are fitted and give a platform. */
#include "predict/calibrate/calibration.h"
#include "predict/calibrate/loads.h"
#include "tests/fuzz/input.h"

/* A fit to this many rows is fast. */
enum { MOST_SAMPLES = 300 };

static void fit(struct measurements *m)
{
  static const struct platform_params none = {0};
  const struct calibration_options o = calibration_defaults();
  struct calibration c;
  struct platform *p;
  struct err e;
  if (calibration_fit(&c, m, &o, &e) != OK)
    return;
  if (c.segments == 0 || c.segment[0].first != 0 || c.segment[c.segments - 1].end != c.sizes)
    abort();
  if (calibration_platform(&p, &c, "star:2", &none, &e) == OK)
    platform_free(p);
  struct loads_fit l;
  if (loads_measure(&l, m, &e) != OK)
    abort();
  loads_extend(&l, &c, false);
  loads_set_effects(&l, &c, 3);
  for (size_t i = 0; i < l.effects; i++) {
    struct effects x = {.count = 0};
    if (effects_add(&x, l.effect[i], &e) != OK)
      abort();
  }
  calibration_clear(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char path[64];
  struct measurements m = {0};
  struct err e;
  const int fd = input_file(path, sizeof path, data, size);
  if (measurements_load(&m, path, &e) == OK && m.samples <= MOST_SAMPLES)
    fit(&m);
  measurements_clear(&m);
  close(fd);
  return 0;
}
