/** @file gnuplot.h
 *  Runs gnuplot as a child process and writes strings for it.  Does not depend on the picture.
 */
#pragma once

#include <stdio.h>

#include "common/err.h"

/** Size of a label in bytes, including the final NUL. */
#define GNUPLOT_LABEL_SIZE 49

/** Fails if PATH has no gnuplot; the error names the package. */
enum status gnuplot_check(struct err *e);

/** Runs gnuplot on @p settings, a flushed file that is read from its beginning, then on the
 *  templates plot_common.gp and plot_KIND.gp (common/files/share.h).  Errors quote gnuplot's last
 *  line. */
enum status gnuplot_run(FILE *settings, const char *kind, struct err *e);

/** Writes @p text as a gnuplot string in single quotes.  Control characters become '?', and "]]>"
 *  becomes "]]?", because gnuplot does not escape "]]>" in an SVG, where it is not allowed. */
void gnuplot_quote(FILE *f, const char *text);

/** Writes a label of an axis as a gnuplot string.  Each '%' is doubled, because gnuplot reads such
 *  labels as formats of numbers. */
void gnuplot_tick(FILE *f, const char *label);

/** Writes NAME = 'TEXT'. */
void gnuplot_text(FILE *f, const char *name, const char *text);

/** Copies @p text.  If it does not fit, "..." replaces its middle.  Bytes that are not UTF-8 become
 *  '?'. */
void gnuplot_label(char label[GNUPLOT_LABEL_SIZE], const char *text);

/** The same for the first @p n bytes of @p text. */
void gnuplot_label_part(char label[GNUPLOT_LABEL_SIZE], const char *text, size_t n);

/** Makes a label from the path of a file, for example a trace: the last component without
 *  extensions of compression, archive or text.  The label of FOLDER/index.txt is FOLDER; the label
 *  of a spec "npb:NAME" is NAME. */
void gnuplot_file_label(char label[GNUPLOT_LABEL_SIZE], const char *path);

/** Approximate upper bound of the width of a text in the font of the pictures, in pixels. */
size_t gnuplot_width(const char *text);

/** Replaces the middle of a label by "..." if it is wider than @p pixels. */
void gnuplot_fit(char label[GNUPLOT_LABEL_SIZE], size_t pixels);

/** Maximum width in pixels of labels below an axis.  Wider labels, which are turned, would take
 * half of the height of a picture. */
enum { GNUPLOT_AXIS_LABEL = 264 };

/** Writer of a legend, with entries from left to right, in several rows if needed.  For entry I,
 *  from 1, it writes the gnuplot variables key_I (label), key_series_I (number of its colour and
 *  symbol), key_x_I (pixels from the left edge of the canvas) and key_row_I (from 1); at the end,
 *  key_count and key_rows. */
struct gnuplot_key {
  FILE *f;
  size_t count, rows; /**< written so far; initially 0 */
  size_t x;           /**< position of the next entry in pixels; 0: it starts a row */
};

/** Adds an entry with the label of @p text (gnuplot_label()).  @p series, from 1, selects its
 *  colour and symbol.  Pictures of the same results use the same numbers. */
void gnuplot_key_add(struct gnuplot_key *k, const char *text, size_t series);

/** Makes the next entry start a new row. */
void gnuplot_key_break(struct gnuplot_key *k);

/** Writes key_count and key_rows. */
void gnuplot_key_end(const struct gnuplot_key *k);
