/** @file plot.h
 *  Pictures of results, drawn by gnuplot from the templates scripts/plot_*.gp.  Each kind is one
 *  file, plot_KIND.c, with a template of that name and a row of the table in plot.c: C reads,
 *  checks and aggregates, gnuplot only draws.
 *
 *  Pictures are made to be shown 8.5 cm wide; the same inputs give the same bytes.
 */
#ifndef PLOTS_PLOT_H
#define PLOTS_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "platforms/platform.h"

/** What to draw; the caller's. */
struct plot {
  const char *kind;         /**< name of a row: "speedup" */
  const char *const *input; /**< files */
  size_t inputs;
  const char *const *label; /**< what to call them; NULL: by the names of the files */
  const char *baseline;     /**< mapper to compare with; NULL: xyz if it is there, else the first */
  const struct platform *platform; /**< of links */
  const char *const *output;       /**< each ends in a format's name; complete or untouched */
  size_t outputs;
  const char *note; /**< a line for the picture, as of what is left out; NULL: none */
  bool *nothing;    /**< NULL, or set to true if the inputs are right, but not to be shown */
};

/** Reads the inputs and draws them in all formats.  Needs gnuplot on the PATH. */
enum status plot_draw(const struct plot *p, struct err *e);

struct plot_kind {
  const char *name;   /**< "speedup"; its template is plot_speedup.gp */
  const char *inputs; /**< "RESULTS.tsv" */
  const char *help;   /**< a sentence */
  size_t most;        /**< inputs */
  bool needs_platform;
  /** Writes what the template needs, as gnuplot's assignments and data blocks. */
  enum status (*write)(const struct plot *p, FILE *f, struct err *e);
};

/** What a kind returns that has said in its error why there is nothing to show. */
enum status plot_nothing(const struct plot *p);

/** Row @p i of the table; NULL past the last. */
const struct plot_kind *plot_kind_at(size_t i);

enum status plot_kind_find(const char *name, const struct plot_kind **out, struct err *e);

/** The name of format @p i of pictures, "svg", "png", ...; NULL past the last. */
const char *plot_format(size_t i);

/** Is it the name of a picture that can be drawn? */
enum status plot_check_output(const char *path, struct err *e);

#endif
