/** @file matrix_case.h
 *  Files of traffic matrices as rows of tests: a text, and the entries or the error that it gives.
 */
#pragma once

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"
#include "traces/matrix/load.h"

/** A text, and its matrix "RANKS: SRC>DST MESSAGESxBYTES ...", or its error after the file name.
 */
struct matrix_case {
  const char *text, *want;
};

/** Reads the text as @p format, NULL: detected, in @p unit, NULL: bytes. */
static inline enum status matrix_case_load(struct matrix *m, const char *text, const char *format,
                                           const char *unit, struct err *e)
{
  struct matrix_reading how = {.format = NULL};
  const struct scratch_file f = scratch_file(text, strlen(text));
  if (format != NULL && (how.format = registry_get(&matrix_formats, format, e)) == NULL)
    fail_msg("%s", e->text);
  if (unit != NULL && matrix_reading_unit(&how, unit, e) != OK)
    fail_msg("%s", e->text);
  const enum status s = matrix_load(m, f.path, &how, e);
  scratch_close(&f);
  return s;
}

/** Prints the matrix as in struct matrix_case. */
static inline void matrix_case_print(const struct matrix *m, char *out, size_t size)
{
  size_t n = (size_t)snprintf(out, size, "%" PRIu32 ":", m->ranks);
  for (size_t i = 0; i < m->count && n < size; i++) {
    const struct matrix_entry x = matrix_at(m, i);
    n += (size_t)snprintf(out + n, size - n, " %" PRIu32 ">%" PRIu32 " %" PRIu64 "x%" PRIu64, x.src,
                          x.dst, x.messages, x.bytes);
  }
}

/** The text must give the entries, as @p format and detected. */
static inline void matrix_case_good(const struct matrix_case *c, size_t n, const char *format,
                                    const char *unit)
{
  for (size_t i = 0; i < n; i++)
    for (int detected = 0; detected < 2; detected++) {
      struct matrix m = {.ranks = 99};
      struct err e;
      char got[512];
      if (matrix_case_load(&m, c[i].text, detected ? NULL : format, unit, &e) != OK)
        fail_msg("row %zu%s: %s", i, detected ? ", detected" : "", e.text);
      matrix_case_print(&m, got, sizeof got);
      if (strcmp(got, c[i].want) != 0)
        fail_msg("row %zu%s gives '%s', not '%s'", i, detected ? ", detected" : "", got, c[i].want);
      matrix_clear(&m);
    }
}

/** The text must be refused with an error that begins with the name of the file and @p want. */
static inline void matrix_case_bad(const struct matrix_case *c, size_t n, const char *format,
                                   const char *unit)
{
  for (size_t i = 0; i < n; i++) {
    struct matrix m = {.ranks = 99};
    struct err e;
    if (matrix_case_load(&m, c[i].text, format, unit, &e) == OK)
      fail_msg("row %zu is accepted; expected the error '%s'", i, c[i].want);
    assert_int_equal(m.ranks, 99);
    const char *after = strstr(e.text, "/fd/");
    after = after == NULL ? e.text : after + 4 + strspn(after + 4, "0123456789");
    if (strncmp(after, c[i].want, strlen(c[i].want)) != 0)
      fail_msg("row %zu says '%s', not '%s'", i, e.text, c[i].want);
  }
}
