/** @file mapping_internal.h
 *  Interface of a mapping file format.  For the .c files of this folder only.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "platforms/mapping/binding.h"
#include "platforms/mapping/mapping.h"

/** Host of a rank that has not been assigned yet. */
#define MAPPING_NO_HOST UINT32_MAX

/** State while reading a file line by line. */
struct mapping_reader {
  const struct platform *platform;
  struct mapping *m;
  uint32_t next;    /**< first rank without a host, for formats whose lines contain no rank */
  uint64_t line;    /**< number of the current line, from 1 */
  uint64_t comment; /**< line where the open comment began; 0: none */
  struct binding_choices choices;
};

struct mapping_format {
  const char *name;

  /** True if a file of this format may begin with @p line, blank lines and comments aside.  NULL
   *  for write-only formats, which also lack read_line() and finish(). */
  bool (*recognise)(const char *line, const struct platform *p);

  /** Parses one line without its newline.  May change the line. */
  enum status (*read_line)(struct mapping_reader *r, char *line, struct err *e);

  /** Called after the last line.  Fails if a rank has no host. */
  enum status (*finish)(const struct mapping_reader *r, struct err *e);

  /** Fails if the format cannot hold the mapping. */
  enum status (*check)(const struct mapping *m, const struct platform *p, struct err *e);

  /** Writes a mapping that has passed check().  The caller checks @p f for write errors. */
  enum status (*write)(const struct mapping *m, const struct platform *p, FILE *f, struct err *e);
};

/** The number in a word "slots=N", "max_slots=N" or "max-slots=N" of a hostfile; NULL for other
 *  words.  Sets *limits to false for "slots=N". */
const char *mapping_slots_word(const char *word, bool *limits);

/** Writes the host name of each rank on a line, in rank order. */
enum status mapping_write_hosts(const struct mapping *m, const struct platform *p, FILE *f,
                                struct err *e);

/** Fails unless @p fits is true for the host name of each rank.  @p file names the kind of file in
 *  the error: "a hostfile". */
enum status mapping_check_names(const struct mapping *m, const struct platform *p,
                                bool (*fits)(const char *name), const char *file, struct err *e);
