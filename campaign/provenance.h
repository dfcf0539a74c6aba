/** @file provenance.h
 *  What the rows of results.tsv depend on, as its first lines say it (plan_print()): the version,
 *  platform, options, traces and mappers, with checksums.
 */
#ifndef CAMPAIGN_PROVENANCE_H
#define CAMPAIGN_PROVENANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/err.h"

/** One line, as "trace cg.tar.zst sha256:8071...". */
struct provenance_line {
  char *kind;     /**< its first word; owned, as the others */
  char *value;    /**< the rest without the seeds, the library and the checksum */
  char *seeds;    /**< of a mapper: "1..3,7..7"; "": none */
  char *library;  /**< of a mapper: "scotch 7.0.3"; "": none */
  char *checksum; /**< SHA-256 in hexadecimal; "": none */
};

/** Zeroed: empty. */
struct provenance {
  struct provenance_line *line;
  size_t lines, room;
};

/** Reads the comments before the header of @p path; a file without any gives none.  On success
 *  *p is the caller's: provenance_clear(). */
enum status provenance_load(struct provenance *p, const char *path, struct err *e);

/** Accepts a zeroed one. */
void provenance_clear(struct provenance *p);

/** Adds a line without its "# ". */
enum status provenance_add(struct provenance *p, const char *text, struct err *e);

/** The first line of a kind; NULL if there is none. */
const struct provenance_line *provenance_find(const struct provenance *p, const char *kind);

/** Is there a line with the same kind, value, library and checksum? */
bool provenance_has(const struct provenance *p, const struct provenance_line *line);

/** Prints @p text as a word for a shell, in quotes where it needs them. */
void provenance_quote(FILE *f, const char *text);

/** Prints the command that makes such a campaign in @p folder, for a shell, in one line. */
void provenance_print_command(const struct provenance *p, const char *folder, FILE *f);

#endif
