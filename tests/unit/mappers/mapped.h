/** @file mapped.h
 *  Mappings for tests.  A test fails if a mapper does, or if its mapping is not valid.
 */
#pragma once

#include "mappers/mapper.h"
#include "tests/unit/opened.h"

/** The mapping of the mapper @p spec; the caller clears it. */
static inline struct mapping mapped(const char *spec, const struct mapper_input *in)
{
  struct mapping m;
  struct err e;
  if (mapper_run(spec, in, &m, &e) != OK)
    fail_msg("%s on %s: %s", spec, platform_name(in->platform), e.text);
  assert_int_equal(m.ranks, in->ranks);
  if (mapping_check(&m, in->platform, in->ranks_per_host, &e) != OK)
    fail_msg("%s on %s: %s", spec, platform_name(in->platform), e.text);
  return m;
}

static inline struct mapping mapped_traffic(const char *spec, const struct platform *p,
                                            const struct matrix *traffic, uint32_t per_host,
                                            uint32_t threads)
{
  return mapped(spec, &(struct mapper_input){.platform = p,
                                             .traffic = traffic,
                                             .ranks = traffic->ranks,
                                             .ranks_per_host = per_host,
                                             .threads = threads});
}
