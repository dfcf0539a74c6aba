/** @file err.h
 *  The error of a failed function: a status and one sentence.  Not a log: libraries fill a
 *  struct err and return; only cli/ prints it, as "haichi: SENTENCE", and picks the exit code.
 */
#ifndef COMMON_ERR_H
#define COMMON_ERR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum status { OK = 0, FAIL = 1 };

/** One sentence without a final newline, cut if it is longer, in UTF-8: tabs become "\\t", other
 *  control characters and bytes that are no UTF-8 become '?'. */
struct err {
  char text[1024];
};

/** Writes the sentence and returns FAIL, so that a caller can `return err_set(...)`. */
enum status err_set(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** The same, preceded by "FILE:LINE: ".  A file name above 511 bytes loses its middle; an empty one
 *  is written as ''. */
enum status err_at(struct err *e, const char *file, uint64_t line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/** Writes "FILE: what: strerror(errno)", without the last part if errno is 0; the name as above. */
enum status err_errno(struct err *e, const char *file, const char *what);

/** Is the system the reason: does the sentence end as one of err_errno(), or say that memory is
 *  missing?  Another machine, or another day, may have no such failure. */
bool err_of_environment(const struct err *e);

/** Appends @p name to @p list, a string "a, b, c" in a buffer of @p size bytes; what does not fit
 *  is cut. */
void err_list(char *list, size_t size, const char *name);

#endif
