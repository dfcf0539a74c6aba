/** @file mapping_internal.h
 *  What a format of mapping files is made of.  For mapping.c and mapping_*.c only.
 */
#ifndef PLATFORMS_MAPPING_MAPPING_INTERNAL_H
#define PLATFORMS_MAPPING_MAPPING_INTERNAL_H

#include <stdbool.h>
#include <stdio.h>

#include "platforms/mapping/mapping.h"

/** The host of a rank that no line has named yet. */
#define MAPPING_NO_HOST UINT32_MAX

/** A file while it is read, line by line. */
struct mapping_reader {
  const struct platform *platform;
  struct mapping *m;
  uint32_t next;    /**< where lines name no rank: the first without a host */
  uint64_t line;    /**< the number of the current line, from 1 */
  uint64_t comment; /**< the line where a comment that is still open began; 0: none is */
};

struct mapping_format {
  const char *name;

  /** May a file whose first line (blank ones and comments apart) is @p line be of this format? */
  bool (*recognise)(const char *line, const struct platform *p);

  /** Takes one line without its newline, which it may change. */
  enum status (*read_line)(struct mapping_reader *r, char *line, struct err *e);

  /** After the last line: has every rank a host? */
  enum status (*finish)(const struct mapping_reader *r, struct err *e);

  /** Can the mapping be written? */
  enum status (*check)(const struct mapping *m, const struct platform *p, struct err *e);

  enum status (*write)(const struct mapping *m, const struct platform *p, FILE *f, struct err *e);
};

#endif
