/** @file plot.h
 *  Pictures of results, drawn by gnuplot.  Each kind is one file KIND.c, which reads, checks and
 *  aggregates the inputs, a template scripts/plot_KIND.gp, which draws them, and a row of the list
 *  in plot.c.
 *
 *  Pictures are designed for a width of 8.5 cm; the same inputs give the same bytes.
 */
#ifndef PLOTS_PLOT_H
#define PLOTS_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "common/registry.h"
#include "platforms/platform.h"
#include "plots/gnuplot.h"

struct plot_results;

/** What to draw; the caller's. */
struct plot {
  const char *kind;         /**< name of a row: "speedup" */
  const char *const *input; /**< files */
  size_t inputs;
  const char *const *label; /**< of each input; NULL: labels from the file names */
  const struct plot_results
      *results;         /**< the input, for kinds of results.tsv; NULL: not yet read */
  const char *baseline; /**< mapper to compare with; NULL: xyz if present, else the first */
  const struct platform *platform; /**< for kinds that need it, else ignored */
  const char *const *output;       /**< paths whose extensions name the formats */
  size_t outputs;
  const char *note; /**< a line in the picture, such as what is left out; NULL: none */
  bool *nothing;    /**< set to true if valid inputs have nothing to show; may be NULL */
};

/** Reads the inputs and draws every output, complete or untouched.  Needs gnuplot on the PATH. */
enum status plot_draw(const struct plot *p, struct err *e);

/** Draws one picture into @p f, in the format called @p format, as "svg"; p->output is not looked
 *  at.  On failure @p f may have a part of it. */
enum status plot_draw_to(const struct plot *p, const char *format, FILE *f, struct err *e);

struct plot_kind {
  const char *name;   /**< "speedup"; its template is plot_speedup.gp */
  const char *inputs; /**< "RESULTS.tsv" */
  const char *help;   /**< one line */
  size_t most;        /**< largest number of inputs */
  bool needs_platform;
  /** Writes the assignments and data blocks that the template needs. */
  enum status (*write)(const struct plot *p, FILE *f, struct err *e);
  /** Which of several templates draws it; NULL: the one that is named after the kind. */
  const char *(*template)(const struct plot *p);
};

/** Writes the label of input @p i: the one that is given, else one from the name of its file. */
void plot_label(const struct plot *p, size_t i, char label[GNUPLOT_LABEL_SIZE]);

/** Sets p->nothing and returns FAIL: for a kind whose error says why there is nothing to show. */
enum status plot_nothing(const struct plot *p);

/** The most formats of pictures. */
enum { PLOT_MOST_FORMATS = 8 };

/** Of struct plot_kind, and of the formats of pictures, whose names are the extensions. */
extern const struct registry plot_kinds, plot_formats;

/** Refuses a path without a known extension, or with control characters. */
enum status plot_check_output(const char *path, struct err *e);

#endif
