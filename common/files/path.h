/** @file path.h
 *  Parts of paths, and the kinds of files at them.
 */
#pragma once

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

/** The part of @p path after its last slash, or all of it. */
static inline const char *path_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

/** Number of bytes of @p path up to and including its last slash; 0 without a slash. */
static inline int path_folder(const char *path)
{
  return (int)(path_name(path) - path);
}

/** True if @p path ends with @p ending and is longer. */
static inline bool path_ends_with(const char *path, const char *ending)
{
  const size_t n = strlen(path), k = strlen(ending);
  return n > k && strcmp(path + n - k, ending) == 0;
}

/** True for an existing folder, and for an existing regular file; both follow links. */
static inline bool path_is_folder(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static inline bool path_is_regular(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}
