/** @file drawing.h
 *  One picture in a page: the SVG, its caption, the command that draws it, and its data.
 */
#ifndef PLOTS_REPORT_DRAWING_H
#define PLOTS_REPORT_DRAWING_H

#include <stdbool.h>
#include <stddef.h>

#include "plots/plot.h"
#include "plots/report/page.h"
#include "plots/report/sheet_part.h"

/** The most data that one picture has. */
enum { DRAWING_MOST_DATA = 8 };

/** A table behind a picture. */
struct drawing_data {
  char id[SHEET_ID_SIZE];   /**< of a sheet in the page */
  char file[SHEET_ID_SIZE]; /**< the name of its download */
  const char *of;           /**< what it is, such as the mapper; any bytes */
};

struct drawing {
  struct plot plot; /**< without outputs; `nothing` is set by drawing_add() */
  const char *id;   /**< "f1-speedup": the first part of identifiers, and of names of files */
  const char *caption, *description; /**< UTF-8, as the next */
  const char *command;               /**< what follows the kind of plot in the command */
  bool shaded;                       /**< light to dark means little to much */
  bool may_fail; /**< a failure is a note in the page, as nothing to show always is */
  struct drawing_data data[DRAWING_MOST_DATA];
  size_t datas;
};

/** Draws it into the slot "pictures" of @p part, or says in its slot "notes" why it is not drawn;
 *  neither on a page without pictures. */
enum status drawing_add(struct page *p, xmlNode *part, const struct drawing *d, struct err *e);

#endif
