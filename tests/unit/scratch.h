/** @file scratch.h
 *  What tests write: a folder that a test's tear-down removes whole, also after a failure, and
 *  files without a name, of which nothing can be left.
 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

/** cmocka set-up: creates the folder and makes it the current one. */
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

/** cmocka tear-down: removes the folder with all that is in it. */
static inline int scratch_leave(void **state)
{
  (void)state;
  char *name = get_current_dir_name();
  const int failed =
      name == NULL || chdir("/") != 0 || nftw(name, scratch_remove, 16, FTW_DEPTH | FTW_PHYS) != 0;
  free(name);
  return failed;
}

/** Of a test that works in a folder of its own: its entry in the list. */
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, scratch_enter, scratch_leave)

/** A regular file in memory; scratch_close(). */
struct scratch_file {
  int fd;
  char path[32]; /**< by which it can be read */
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

#endif
