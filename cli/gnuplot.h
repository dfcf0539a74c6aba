/** @file gnuplot.h
 *  gnuplot as a child process, and text that it reads.  Knows nothing of what is drawn.
 */
#ifndef CLI_GNUPLOT_H
#define CLI_GNUPLOT_H

#include <stddef.h>
#include <stdio.h>

#include "common/err.h"

/** The longest label that gnuplot_label() lets through, in bytes. */
#define GNUPLOT_LABEL_SIZE 49

/** Runs gnuplot on @p settings and then on plot_common.gp and plot_KIND.gp, which stand in
 *  ../share/haichi/scripts or ../../scripts beside the program.  A failure of gnuplot is one
 *  sentence with the last line that it said. */
enum status gnuplot_run(const char *settings, const char *kind, struct err *e);

/** Writes a string that gnuplot reads back as it is; control characters become '?'. */
void gnuplot_quote(FILE *f, const char *text);

/** Writes NAME = 'TEXT'. */
void gnuplot_text(FILE *f, const char *name, const char *text);

/** Writes NAME_I = 'TEXT', as the templates find the I-th of several. */
void gnuplot_item(FILE *f, const char *name, size_t i, const char *text);

/** Copies @p text, its middle left out where it is too long. */
void gnuplot_label(char label[GNUPLOT_LABEL_SIZE], const char *text);

/** What to call a trace: the last part of its path without the endings of archives; of an
 *  index.txt, the folder; of a spec, what follows "npb:". */
void gnuplot_trace_label(char label[GNUPLOT_LABEL_SIZE], const char *trace);

/** A legend of @p count labels of which the longest has @p longest characters: writes key_columns
 *  and key_rows. */
void gnuplot_key(FILE *f, size_t count, size_t longest);

#endif
