/** @file file.h
 *  Private to traces/matrix/: a file of a traffic matrix that is being read, and its entries so
 *  far.  Formats use these functions to read lines or words, parse numbers and add entries; errors
 *  name file and line.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/files/linefile.h"
#include "traces/matrix/load.h"

/** An open file.  Formats may read `in` and `rest`, and change no field. */
struct matrix_file {
  struct linefile in; /**< in.text is the current line */
  char *rest;         /**< the part of the current line that matrix_file_word() has not read */
  double unit;        /**< see struct matrix_reading; above 0 */
  bool rate;
  struct matrix m; /**< entries in the order of the file until matrix_file_sort() */
  size_t room;
  bool unsorted;            /**< the entries do not ascend strictly */
  uint64_t messages, bytes; /**< sums over the entries */
  double exact, moved;      /**< with `rate`: sums of the bytes per second before rounding, and of
                                 the changes by rounding */
};

/** The next line that is not blank and whose first word does not begin with one of @p comments. */
enum status matrix_file_line(struct matrix_file *f, const char *comments, bool *more,
                             struct err *e);

/** The next word of the file, on the current line or a later one; NULL at the end.  Words are
 *  delimited by white space; lines that begin with one of @p comments are skipped. */
enum status matrix_file_word(struct matrix_file *f, const char *comments, char **word,
                             struct err *e);

/** Parses a whole number in [least, most].  Errors call the number @p what. */
enum status matrix_file_number(const struct matrix_file *f, const char *what, const char *word,
                               uint64_t least, uint64_t most, uint64_t *out, struct err *e);

/** Parses a number in the unit of the file. */
enum status matrix_file_bytes(struct matrix_file *f, const char *word, uint64_t *bytes,
                              struct err *e);

/** Adds an entry with at least 1 message; several entries of one pair add up. */
enum status matrix_file_add(struct matrix_file *f, const struct matrix_entry *x, struct err *e);

/** Parses a number in the unit of the file and adds an entry with 1 message, or none for 0. */
enum status matrix_file_put(struct matrix_file *f, uint32_t src, uint32_t dst, const char *word,
                            struct err *e);

/** Sets the number of ranks, for formats whose files state it.  All entries must be below it. */
void matrix_file_set_ranks(struct matrix_file *f, uint32_t ranks);

/** Sorts the entries, adds up the entries of one pair, and checks the error of rounding. */
enum status matrix_file_sort(struct matrix_file *f, struct err *e);
