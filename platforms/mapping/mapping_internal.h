/** @file mapping_internal.h
 *  The functions of a mapping file format.  For the .c files of this folder only.
 */
#ifndef PLATFORMS_MAPPING_MAPPING_INTERNAL_H
#define PLATFORMS_MAPPING_MAPPING_INTERNAL_H

#include <stdbool.h>
#include <stdio.h>

#include "platforms/mapping/mapping.h"

/** The host of a rank that no line has named yet. */
#define MAPPING_NO_HOST UINT32_MAX

/** State of reading a file line by line. */
struct mapping_reader {
  const struct platform *platform;
  struct mapping *m;
  uint32_t next;    /**< where lines name no rank: the first rank without a host */
  uint64_t line;    /**< the number of the current line, from 1 */
  uint64_t comment; /**< line where the open comment began; 0: no comment is open */
};

struct mapping_format {
  const char *name;

  /** May a file be of this format if @p line is its first, blank lines and comments apart?  NULL if
   *  the format is only written: then read_line() and finish() are NULL too. */
  bool (*recognise)(const char *line, const struct platform *p);

  /** Parses one line without its newline; may change it. */
  enum status (*read_line)(struct mapping_reader *r, char *line, struct err *e);

  /** After the last line: fails if a rank has no host. */
  enum status (*finish)(const struct mapping_reader *r, struct err *e);

  /** Fails if the format cannot hold the mapping. */
  enum status (*check)(const struct mapping *m, const struct platform *p, struct err *e);

  /** Writes a mapping that passed check(); the caller checks @p f for write errors. */
  enum status (*write)(const struct mapping *m, const struct platform *p, FILE *f, struct err *e);
};

/** A line for each rank, in order: the name of its host. */
enum status mapping_write_hosts(const struct mapping *m, const struct platform *p, FILE *f,
                                struct err *e);

#endif
