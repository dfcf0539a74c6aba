/** @file scratch.h
 *  Scratch space for tests: a folder that the tear-down removes completely, also after a
 *  failure, and files without a name, which leave nothing behind.
 */
#pragma once

#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/count.h"

/** cmocka set-up: creates the folder and makes it the current folder. */
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

/** cmocka tear-down: removes the folder and its contents. */
static inline int scratch_leave(void **state)
{
  (void)state;
  char *name = get_current_dir_name();
  const int failed =
      name == NULL || chdir("/") != 0 || nftw(name, scratch_remove, 16, FTW_DEPTH | FTW_PHYS) != 0;
  free(name);
  return failed;
}

/** Entry in the list of tests for a test that runs in a scratch folder. */
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

/** Writes a file of @p size bytes. */
static inline void scratch_write_bytes(const char *path, const void *data, size_t size)
{
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_int_equal(fwrite(data, 1, size, f), size);
  assert_int_equal(fclose(f), 0);
}

static inline void scratch_write(const char *path, const char *text)
{
  scratch_write_bytes(path, text, strlen(text));
}

/** A regular file in memory, closed by scratch_close(). */
struct scratch_file {
  int fd;
  char path[32]; /**< path for reading the file */
};

static inline struct scratch_file scratch_file(const char *text, size_t n)
{
  struct scratch_file f = {.fd = memfd_create("scratch", MFD_CLOEXEC)};
  assert_true(f.fd >= 0);
  assert_int_equal(write(f.fd, text, n), n);
  snprintf(f.path, sizeof f.path, "/proc/self/fd/%d", f.fd);
  return f;
}

static inline void scratch_close(const struct scratch_file *f)
{
  close(f->fd);
}
