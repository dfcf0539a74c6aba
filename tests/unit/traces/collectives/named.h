/** @file named.h
 *  Finds an algorithm of a collective by name, for tests of algorithms.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "traces/collectives/lower.h"

/** Fails the test if there is none. */
static inline const struct lower_algorithm *named(enum action_kind kind, const char *name)
{
  for (size_t i = 0; lower_algorithm(kind, i) != NULL; i++)
    if (strcmp(lower_algorithm(kind, i)->row.name, name) == 0)
      return lower_algorithm(kind, i);
  fail_msg("%s has no algorithm %s", action_name(kind), name);
  return NULL;
}
