/** @file edits.h
 *  Changes to the text of the files of a tree: insertions and replacements by place, applied
 *  together.  Unchanged text stays the same byte for byte; replaced text keeps its line ends.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "predict/instrument/source/tree.h"

struct edit {
  uint32_t file, begin, end; /**< begin == end: an insertion */
  bool closes;               /**< precedes the other edits at its place */
  uint32_t number;           /**< order among the edits at one place */
  char text[96];
};

struct edits {
  struct edit *edit; /**< owned */
  size_t count, room;
};

/** Inserts @p text at a place, after any text inserted there before. */
enum status edits_insert(struct edits *s, uint32_t file, uint32_t at, const char *text,
                         struct err *e);

/** Like edits_insert(), for text that ends a construct: it precedes all text that begins at the
 *  place. */
enum status edits_close(struct edits *s, uint32_t file, uint32_t at, const char *text,
                        struct err *e);

/** Replaces [begin, end) by @p text and the line ends of the old text.  Replacements may be nested:
 *  the outermost counts, or the first of equal ones, and insertions within it are lost. */
enum status edits_replace(struct edits *s, uint32_t file, uint32_t begin, uint32_t end,
                          const char *text, struct err *e);

/** Sorts the edits; must be called before edits_write(). */
void edits_sort(struct edits *s);

/** Writes the text of a file with its edits. */
void edits_write(const struct edits *s, const struct tree *t, uint32_t file, FILE *out);

/** Accepts a zeroed struct. */
void edits_clear(struct edits *s);
