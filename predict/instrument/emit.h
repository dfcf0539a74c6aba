/** @file emit.h
 *  Writes the folder of an instrumented program: sources, runtime, Makefile and tables.
 */
#pragma once

#include <stdio.h>

#include "predict/instrument/instrument.h"
#include "predict/instrument/source/edits.h"
#include "predict/instrument/source/tree.h"
#include "predict/instrument/split.h"

/* The table of the blocks, in the folder. */
#define EMIT_BLOCKS "blocks.tsv"

struct emit_input {
  const struct tree *t;
  const struct split *split;
  const struct instrument_job *job;
  const struct instrument_result *result;
};

/** Writes the files below the common folder of all sources, with their edits, to FOLDER/NAME. Fails
 *  if a header outside of the common folder has edits. */
enum status emit_sources(const struct emit_input *in, const char *name, const struct edits *edits,
                         struct err *e);

/** Prints the loops around communication as a table. */
void emit_loops(const struct instrument_result *r, FILE *f);

/** Writes the tables, the Makefile, the notes and the runtime. */
enum status emit_rest(const struct emit_input *in, struct err *e);
