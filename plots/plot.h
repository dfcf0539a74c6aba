/** @file plot.h
 *  Pictures of results, drawn by gnuplot.  Each kind is one file KIND.c, which reads, checks and
 *  aggregates the inputs, a template scripts/plot_KIND.gp, which draws them, and a row of the list
 *  in plot.c.
 *
 *  Pictures are designed for a width of 8.5 cm.  The same inputs give the same bytes.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "common/err.h"
#include "common/registry.h"
#include "platforms/platform.h"
#include "plots/gnuplot.h"

struct plot_results;

/** A picture to draw; owned by the caller. */
struct plot {
  const char *kind;         /**< name of a row: "speedup" */
  const char *const *input; /**< paths of files */
  size_t inputs;
  const char *const *label; /**< labels of the inputs; NULL: made from the file names */
  const struct plot_results
      *results;         /**< the input, for kinds that read results.tsv; NULL: not read yet */
  const char *baseline; /**< mapper to compare with; NULL: xyz if present, or the first */
  const char *machine;  /**< machine_label(): draws only rows of this machine; NULL: all rows */
  const struct platform *platform; /**< used only by kinds that need it */
  const char *const *output;       /**< paths; their extensions name the formats */
  size_t outputs;
  const char *note; /**< a line in the picture, for example "not shown: greedy"; NULL: none */
  bool *nothing;    /**< set to true if plot_draw() fails because valid inputs have nothing to show;
                         may be NULL */
};

/** Reads the inputs and draws all outputs.  Each output is complete or untouched.  Needs gnuplot on
 *  the PATH. */
enum status plot_draw(const struct plot *p, struct err *e);

/** Draws one picture into @p f, in the format named @p format, for example "svg"; ignores
 *  p->output. On failure @p f may contain a part of the picture. */
enum status plot_draw_to(const struct plot *p, const char *format, FILE *f, struct err *e);

struct plot_kind {
  const char *name;    /**< "speedup"; its template is plot_speedup.gp */
  const char *inputs;  /**< "RESULTS.tsv" */
  const char *help;    /**< one line */
  size_t most;         /**< maximum number of inputs */
  bool needs_platform; /**< refuses p->platform NULL */
  bool takes_platform; /**< uses p->platform if it is given */
  bool takes_baseline; /**< uses p->baseline */
  bool by_machine;     /**< the input may have rows of several machines: see p->machine */
  /** Writes the assignments and data blocks that the template needs. */
  enum status (*write)(const struct plot *p, FILE *f, struct err *e);
  /** Selects one of several templates; NULL: the template is named after the kind. */
  const char *(*template)(const struct plot *p);
};

/** Writes the label of input @p i: the given one, or one made from its file name. */
void plot_label(const struct plot *p, size_t i, char label[GNUPLOT_LABEL_SIZE]);

/** Stores the reason why a kind has nothing to show, sets p->nothing and returns FAIL. */
enum status plot_nothing(const struct plot *p, struct err *e, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/** Maximum number of formats of a picture. */
enum { PLOT_MOST_FORMATS = 8 };

/** Registries of struct plot_kind, and of the picture formats, whose names are the extensions. */
extern const struct registry plot_kinds, plot_formats;

/** Fails for a path without a known extension, or with control characters. */
enum status plot_check_output(const char *path, struct err *e);
