/** @file clusters.h
 *  Platforms of a few clusters from a textual description, for tests.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "platforms/platform.h"

/** The caller frees the result with platform_free().  Fails the test if the description is
 *  refused. */
static inline struct platform *clusters_from(const char *text)
{
  static const struct platform_params PARAMS;
  char path[] = "/tmp/overlay-XXXXXX.clusters", spec[64];
  struct platform *p;
  struct err e;
  const int fd = mkstemps(path, 9);
  assert_true(fd >= 0);
  FILE *f = fdopen(fd, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  snprintf(spec, sizeof spec, "clusters:%s", path);
  if (platform_from_spec(&p, spec, &PARAMS, &e) != OK)
    fail_msg("%s", e.text);
  unlink(path);
  return p;
}
