/** @file recorded.h
 *  Traces of several files for fuzzers, in a temporary folder.
 */
#pragma once

#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "traces/trace.h"

/** Writes a file into the folder. */
static inline void recorded_write(const char *folder, const char *name, const uint8_t *data,
                                  size_t size)
{
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "wb");
  if (f == NULL || fwrite(data, 1, size, f) != size || fclose(f) != 0)
    abort();
}

/** A checksum of all actions and of the failure, if any. */
static inline uint64_t recorded_sum(struct trace *t)
{
  uint64_t sum = 0;
  for (uint32_t r = 0; r < trace_ranks(t) && r < 64; r++) {
    const struct action *a;
    struct err e = {{0}};
    while (trace_next(t, r, &a, &e) == OK && a != NULL)
      sum = sum * 31 + a->kind + (uint64_t)a->count + trace_line(t, r) + (uint64_t)a->tag;
    for (const char *c = e.text; *c != '\0'; c++)
      sum = sum * 31 + (uint64_t)*c;
  }
  return sum;
}

/** Opens the trace and reads it twice. */
static inline void recorded_read(const char *path)
{
  struct trace *t;
  struct err e;
  if (trace_open(&t, path, 1 << 26, &e) != OK)
    return;
  const uint64_t first = recorded_sum(t);
  trace_rewind(t);
  if (recorded_sum(t) != first)
    abort();
  trace_free(t);
}

static inline int recorded_remove_one(const char *path, const struct stat *st, int kind,
                                      struct FTW *at)
{
  (void)st;
  (void)kind;
  (void)at;
  return remove(path);
}

static inline void recorded_remove(const char *folder)
{
  nftw(folder, recorded_remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
