/** @file texts.h
 *  Small trace files for cmocka tests, and checks of sources that read them.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/scratch.h"
#include "traces/files/source.h"

/* A file to create, on disk or in an archive.  Its text may be another file, compressed. */
struct file {
  const char *name, *text;
  size_t size; /* 0: strlen(text) */
};

static inline void write_file(const struct file *f)
{
  scratch_write_bytes(f->name, f->text, f->size > 0 ? f->size : strlen(f->text));
}

#define A "0 init\n0 barrier\n"
#define B "1 init\n1 barrier\n"

/* Compares all bytes of a rank, read in small pieces. */
static inline void assert_text(struct source *s, uint32_t rank, const char *want)
{
  struct text_cursor c = source_start(s, rank);
  char text[256];
  size_t used = 0, got;
  struct err e;
  do {
    assert_int_equal(text_read(&c, text + used, 5, &got, &e), OK);
    used += got;
  } while (got > 0);
  text[used] = '\0';
  assert_string_equal(text, want);
}

/* Checks two ranks with the texts A and B, or with the texts of a merged file, and the file
 * names. */
static inline void assert_source(const char *path, const char *file0, const char *file1)
{
  struct source *s = NULL;
  struct err e = {{0}};
  if (source_open(&s, path, SPOOL_LIMIT, &e) != OK)
    fail_msg("%s", e.text);
  assert_int_equal(source_ranks(s), 2);
  const bool merged = strcmp(file0, file1) == 0;
  assert_int_equal(source_numbered(s), merged);
  assert_text(s, 0, merged ? "1 0 init\n4 0 barrier\n" : A);
  assert_text(s, 1, merged ? "2 1 init\n5 1 barrier\n" : B);
  assert_text(s, 0, merged ? "1 0 init\n4 0 barrier\n" : A);
  assert_string_equal(source_file(s, 0), file0);
  assert_string_equal(source_file(s, 1), file1);
  source_free(s);
}

#define MERGED "0 init\n 1 init\n# c\n0 barrier\n1 barrier"
