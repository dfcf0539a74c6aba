/** @file gnuplot.h
 *  gnuplot as a child process, and text that it reads.  Knows nothing of what is drawn.
 */
#ifndef PLOTS_GNUPLOT_H
#define PLOTS_GNUPLOT_H

#include <stddef.h>
#include <stdio.h>

#include "common/err.h"

/** The longest label that gnuplot_label() lets through, in bytes. */
#define GNUPLOT_LABEL_SIZE 49

/** Runs gnuplot on @p settings, a file that has been flushed, from its beginning, and then on
 *  plot_common.gp and plot_KIND.gp, which stand in ../share/haichi/scripts or ../../scripts
 *  beside the program.  A failure of gnuplot is one sentence with the last line that it said. */
enum status gnuplot_run(FILE *settings, const char *kind, struct err *e);

/** Writes a string that gnuplot reads back as it is; control characters become '?'. */
void gnuplot_quote(FILE *f, const char *text);

/** Writes NAME = 'TEXT'. */
void gnuplot_text(FILE *f, const char *name, const char *text);

/** Copies @p text, its middle left out where it is too long, and '?' for what is no UTF-8. */
void gnuplot_label(char label[GNUPLOT_LABEL_SIZE], const char *text);

/** What to call a file, as a trace: the last part of its path without endings that say how it is
 *  packed or written; of an index.txt, the folder; of a spec, what follows "npb:". */
void gnuplot_file_label(char label[GNUPLOT_LABEL_SIZE], const char *path);

/** A legend above a picture: entries from left to right, in as many lines as they take.  The
 *  templates find key_I (the label), key_series_I (which colour and mark it has), key_x_I (from the
 *  left, in pixels of the canvas) and key_row_I, I from 1, then key_count and key_rows. */
struct gnuplot_key {
  FILE *f;
  size_t count, rows; /**< so far; begins zeroed but for f */
  size_t x;           /**< where the next entry begins */
};

/** @p series, from 1, is the same number in every picture of the same results. */
void gnuplot_key_add(struct gnuplot_key *k, const char *label, size_t series);

/** The next entry begins a line. */
void gnuplot_key_break(struct gnuplot_key *k);
void gnuplot_key_end(const struct gnuplot_key *k);

#endif
