/** @file scratch.h
 *  A folder of its own for each test: cmocka set-up and tear-down functions.
 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/** Creates the folder and makes it the current one. */
static inline int scratch_enter(void **state)
{
  (void)state;
  char name[] = "/tmp/haichi-test.XXXXXX";
  return mkdtemp(name) == NULL || chdir(name) != 0;
}

static inline int scratch_remove(const char *path, const struct stat *st, int type,
                                 struct FTW *where)
{
  (void)st;
  (void)type;
  (void)where;
  return remove(path);
}

/** Removes the folder with all that is in it. */
static inline int scratch_leave(void **state)
{
  (void)state;
  char *name = get_current_dir_name();
  const int failed =
      name == NULL || chdir("/") != 0 || nftw(name, scratch_remove, 16, FTW_DEPTH | FTW_PHYS) != 0;
  free(name);
  return failed;
}

#endif
