/** @file opened.h
 *  Platforms for tests.  A test fails if its platform is refused.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "platforms/platform.h"
#include "tests/unit/scratch.h"

/** The platform of a spec with @p params, NULL: defaults; the caller frees it. */
static inline struct platform *opened_platform_with(const char *spec,
                                                    const struct platform_params *params)
{
  struct platform *p = NULL;
  struct err e;
  if (platform_from_spec(&p, spec, params, &e) != OK)
    fail_msg("%s: %s", spec, e.text);
  return p;
}

/** The platform of a spec or of a file; the caller frees it. */
static inline struct platform *opened_platform(const char *name)
{
  struct platform *p = NULL;
  struct err e;
  if (platform_is_spec(name))
    return opened_platform_with(name, NULL);
  if (platform_load(&p, name, &e) != OK)
    fail_msg("%s: %s", name, e.text);
  return p;
}

/** The platform of a description of clusters; the caller frees it. */
static inline struct platform *opened_clusters(const char *text)
{
  const struct scratch_file f = scratch_file(text, strlen(text));
  char spec[64];
  snprintf(spec, sizeof spec, "clusters:%s", f.path);
  struct platform *p = opened_platform(spec);
  scratch_close(&f);
  return p;
}

/** The platform of an XML file with the element @p platform; the caller frees it.  SimGrid cannot
 *  read its file. */
static inline struct platform *opened_xml(const char *platform)
{
  char text[4096];
  const int n = snprintf(text, sizeof text,
                         "<?xml version='1.0'?>\n"
                         "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n%s",
                         platform);
  assert_true(n < (int)sizeof text);
  const struct scratch_file f = scratch_file(text, (size_t)n);
  struct platform *p = opened_platform(f.path);
  scratch_close(&f);
  return p;
}
