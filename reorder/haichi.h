/** @file haichi.h
 *  The functions of libhaichi.so, loaded on first use: only a rank that maps loads the library.
 */
#pragma once

#include <haichi/haichi.h>
#include <stdbool.h>
#include <stddef.h>

/* clang-format off */
#define HAICHI_FUNCTIONS(F) \
  F(platform_open) F(platform_free) F(traffic_of_pairs) F(traffic_of_trace) F(traffic_load) \
  F(traffic_free) F(traffic_ranks) F(trace_open) F(trace_free) F(mapping_load) F(mapping_free) \
  F(mapping_hosts) F(locate) F(reorder)
/* clang-format on */

#define HAICHI_POINTER(X) __typeof__(haichi_##X) *X;

struct haichi {
  HAICHI_FUNCTIONS(HAICHI_POINTER)
};

/** Loads libhaichi.so: from the parent of the folder of this library, from that folder, or by the
 *  search path of the loader.  It stays loaded.  On failure returns false and fills @p why of
 *  @p size bytes. */
bool haichi_load(struct haichi *h, char *why, size_t size);
