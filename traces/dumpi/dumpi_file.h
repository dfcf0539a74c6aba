/** @file dumpi_file.h
 *  Private to traces/: one rank's file of a DUMPI trace: its records in order, and its sections.
 *  Numbers are big-endian.  Errors name the file and the offset.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "traces/dumpi/dumpi_calls.h"

enum { DUMPI_NUMBERS = 24, DUMPI_ARRAYS = 8 };

/** An array argument: values[first..first + count - 1]. */
struct dumpi_array {
  size_t first;
  uint32_t count;
};

struct dumpi_status {
  int32_t bytes, source, tag;
  bool cancelled;
};

/** A record. */
struct dumpi_record {
  uint64_t offset;
  unsigned function;
  uint64_t begin, end;           /**< in ns: CPU times; wall times if CPU times are not recorded */
  uint64_t entry, leave;         /**< in ns: wall times; CPU times if wall times are not recorded */
  int32_t number[DUMPI_NUMBERS]; /**< arguments that are numbers, in order; the lower 32 bits */
  uint32_t numbers;
  struct dumpi_array array[DUMPI_ARRAYS]; /**< array arguments, in order */
  uint32_t arrays;
  int32_t *value;              /**< of the arrays; owned by the file, until its next record */
  struct dumpi_status *status; /**< owned by the file, until its next record */
  uint32_t statuses;
};

/** Zeroed: closed. */
struct dumpi_file {
  FILE *f;
  const char *name; /**< for messages; borrowed */
  uint64_t size, offset;
  uint64_t sizes, header, footer; /**< offsets of sections; 0: none */
  uint8_t version[3];
  int32_t bias[2];  /**< seconds to add to CPU times and to wall times */
  int32_t *size_of; /**< by datatype: bytes; owned */
  uint32_t types;
  uint64_t calls, missing;    /**< numbers of calls and of unrecorded calls, from the footer */
  struct dumpi_record record; /**< the last one */
  size_t value_room, values, status_room;
  bool broken; /**< read past the end */
};

/** Opens @p path and reads the sections. */
enum status dumpi_file_open(struct dumpi_file *d, const char *path, const char *name,
                            struct err *e);

/** Reads the next call into d->record; *more is false at the end. */
enum status dumpi_file_next(struct dumpi_file *d, bool *more, struct err *e);

void dumpi_file_close(struct dumpi_file *d);
