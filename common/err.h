/** @file err.h
 *  The error of a failed function: a status and one sentence.  Libraries fill a struct err and
 *  return.  Only cli/ prints it, as "haichi: SENTENCE", and chooses the exit code.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum status { OK = 0, FAIL = 1 };

/** One sentence in UTF-8 without a final newline, truncated to fit.  Tabs become "\\t"; other
 *  control characters and invalid UTF-8 bytes become '?'. */
struct err {
  char text[1024];
};

/** Stores the sentence and returns FAIL, so that a caller can `return err_set(...)`. */
enum status err_set(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** Like err_set(), with the prefix "FILE:LINE: ", or "FILE: " if @p line is 0.  A file name above
 *  511 bytes is shortened in the middle; an empty one is shown as ''. */
enum status err_at(struct err *e, const char *file, uint64_t line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/** Puts text in front of the stored sentence.  Returns FAIL. */
enum status err_prefix(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** Puts "FILE:LINE: " in front of the stored sentence.  Returns FAIL. */
enum status err_place(struct err *e, const char *file, uint64_t line);

/** Stores "FILE: WHAT: strerror(errno)", or "FILE: WHAT" if errno is 0, and returns FAIL.  Shortens
 *  the file name like err_at(). */
enum status err_errno(struct err *e, const char *file, const char *what);

/** True if the system caused the error: the sentence ends with the text of an errno or reports
 *  missing memory.  A retry on another machine or at another time may succeed. */
bool err_of_environment(const struct err *e);

/** Appends @p name to @p list, a string "a, b, c" in a buffer of @p size bytes, truncated to fit.
 */
void err_list(char *list, size_t size, const char *name);
