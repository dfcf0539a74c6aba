/** @file input.h
 *  Makes the bytes of a fuzzer available as a file with a path.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Writes the path to @p path.  The file exists until the returned descriptor is closed. */
static inline int input_file(char *path, size_t room, const uint8_t *data, size_t size)
{
  const int fd = memfd_create("fuzz", MFD_CLOEXEC);
  if (fd < 0 || write(fd, data, size) != (ssize_t)size)
    abort();
  snprintf(path, room, "/proc/self/fd/%d", fd);
  return fd;
}
