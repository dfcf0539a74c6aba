/** @file provenance.h
 *  The first lines of results.tsv, printed by plan_print(), which list all that its rows depend on:
 *  version, platform, options, traces and mappers, with checksums.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"

/** One line, as "trace cg.tar.zst sha256:8071...". */
struct provenance_line {
  char *kind;     /**< first word; owned, like all texts */
  char *value;    /**< the other words, without seeds, library and checksum */
  char *seeds;    /**< of a mapper: "1..3,7..7"; "": none */
  char *library;  /**< of a mapper: "scotch 7.0.3"; "": none */
  char *checksum; /**< SHA-256 in hexadecimal; "": none */
};

/** Empty if zeroed. */
struct provenance {
  struct provenance_line *line;
  size_t lines, room;
};

/** Reads the comments before the header of @p path; there may be none.  On success, free *p with
 *  provenance_clear(). */
enum status provenance_load(struct provenance *p, const char *path, struct err *e);

/** Accepts a zeroed struct. */
void provenance_clear(struct provenance *p);

/** Parses a line, given without its "# ", and adds it. */
enum status provenance_add(struct provenance *p, const char *text, struct err *e);

/** The first line of a kind; NULL if there is none. */
const struct provenance_line *provenance_find(const struct provenance *p, const char *kind);

/** True if @p p has a line with the same kind, value, library and checksum. */
bool provenance_has(const struct provenance *p, const struct provenance_line *line);

/** The number of rows of the finished table: methods with their seeds, times subjects.  0 if no
 * input is listed. */
uint64_t provenance_rows(const struct provenance *p);

/** The number of repetitions of each row. */
uint64_t provenance_repeats(const struct provenance *p);

/** Prints the shell command, in one line, that makes the campaign again in @p folder. */
void provenance_print_command(const struct provenance *p, const char *folder, FILE *f);

/** Prints the lines of @p text as comments: "# LINE". */
void provenance_print_lines(const char *text, FILE *f);
