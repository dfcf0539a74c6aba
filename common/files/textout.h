/** @file textout.h
 *  Text that is printed through a stream into memory.
 */
#pragma once

#include <stdio.h>

#include "common/err.h"

struct textout {
  FILE *f;     /**< write here */
  char *text;  /**< valid after fflush(f) and after textout_end() */
  size_t size; /**< bytes of the text, without its final NUL */
  size_t room; /**< allocated bytes of the text */
};

/** On success the caller calls textout_end(), and does not move *t before. */
enum status textout_begin(struct textout *t, struct err *e);

/** Closes the stream.  @p s is the status of the printing.  Returns the text, which the caller
 *  frees with free(), or NULL if @p s is FAIL or memory ran out. */
char *textout_end(struct textout *t, enum status s, struct err *e);
