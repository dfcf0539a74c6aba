/** @file build.h
 *  Builds small networks from tables, for tests.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tasks/tasknet.h"

/** An array; a NULL name terminates a table. */
struct build_array {
  const char *name;
  uint32_t count;
  enum tasknet_pattern pattern;
  struct tasknet_cost cost;
};

/** A stream; spaces separate the names of arrays. */
struct build_stream {
  const char *name;
  uint32_t width;
  const char *from, *to;
  double volume; /**< volume per producer */
};

/** Adds the named arrays to the last stream, as producers if @p from, or as consumers. */
static inline enum status build_ends(struct tasknet *n, const struct build_stream *s, bool from,
                                     struct err *e)
{
  const char *names = from ? s->from : s->to;
  char copy[256], *rest = copy;
  assert_true((size_t)snprintf(copy, sizeof copy, "%s", names) < sizeof copy);
  for (char *name = strtok_r(copy, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
    const uint32_t a = tasknet_find(n, name);
    assert_true(a != TASKNET_NONE);
    if ((from ? tasknet_add_producer(n, a, s->volume, e) : tasknet_add_consumer(n, a, e)) != OK)
      return FAIL;
  }
  return OK;
}

/** Builds and seals a network from two tables. */
static inline enum status build_try(struct tasknet *n, const struct build_array *a,
                                    const struct build_stream *s, struct err *e)
{
  *n = (struct tasknet){0};
  for (; a->name != NULL; a++) {
    const struct tasknet_new_array array = {
        .name = a->name, .count = a->count, .pattern = a->pattern, .cost = a->cost};
    if (tasknet_add_array(n, &array, e) != OK)
      return FAIL;
  }
  for (; s != NULL && s->name != NULL; s++)
    if (tasknet_add_stream(n, s->name, s->width, 0, e) != OK || build_ends(n, s, true, e) != OK ||
        build_ends(n, s, false, e) != OK)
      return FAIL;
  return tasknet_seal(n, e);
}

static inline struct tasknet build(const struct build_array *a, const struct build_stream *s)
{
  struct tasknet n;
  struct err e = {""};
  if (build_try(&n, a, s, &e) != OK)
    fail_msg("%s", e.text);
  return n;
}
