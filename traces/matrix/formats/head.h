/** @file head.h
 *  Private to traces/matrix/: the beginning of a file, from which formats recognise their files.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/** The beginning of a file. */
struct matrix_head {
  const char *text; /**< NUL-terminated */
  bool whole;       /**< the text is the whole file */
};

/** A part of the text, without a terminator. */
struct matrix_span {
  const char *at;
  size_t length;
};

/** Moves *text past the next line, and sets *line to the line without its newline.  False if there
 *  is none, or if the text ends within the line. */
bool matrix_head_line(const struct matrix_head *h, const char **text, struct matrix_span *line);

/** The first line that is not blank and does not begin with one of the characters @p comments, cut
 *  off at the end of the text.  Its length is 0 if there is no such line. */
struct matrix_span matrix_head_first(const struct matrix_head *h, const char *comments);

/** True if the first line consists of the words of @p header. */
bool matrix_head_is(const struct matrix_head *h, const char *header);

/** Cuts the next word, delimited by blanks or tabs, from @p line.  False if none is left. */
bool matrix_span_word(struct matrix_span *line, struct matrix_span *word);

/** Number of words in a line. */
size_t matrix_span_words(struct matrix_span line);

/** Copies a word for the parsers of numbers; false if it is longer than 63 bytes. */
bool matrix_span_text(struct matrix_span word, char text[64]);

/** The lines of a text that begins like a table of numbers. */
struct matrix_rows {
  bool numbers; /**< the first line consists of numbers; false: the other fields are 0 */
  size_t width; /**< words in the first line */
  size_t rows;  /**< number of complete lines that are neither blank nor comments (# and %) */
  bool square;  /**< the text is the whole file, and rows == width */
};

/** Looks at all lines.  O(length). */
struct matrix_rows matrix_head_rows(const struct matrix_head *h);
