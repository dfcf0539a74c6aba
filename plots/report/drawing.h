/** @file drawing.h
 *  One picture in a page: the SVG, its caption, the command that draws it, and its data.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "plots/plot.h"
#include "plots/report/page.h"
#include "plots/report/parts/sheet_part.h"

/** Maximum number of tables of one picture. */
enum { DRAWING_MOST_DATA = 8 };

/** A table behind a picture. */
struct drawing_data {
  char id[SHEET_ID_SIZE];   /**< identifier of a sheet in the page */
  char file[SHEET_ID_SIZE]; /**< file name of its download */
  const char *of;           /**< description, for example the mapper; may be invalid UTF-8 */
};

struct drawing {
  struct plot plot;                  /**< without outputs; drawing_add() sets `nothing` */
  const char *id;                    /**< "f1-speedup": prefix of identifiers and of file names */
  const char *caption, *description; /**< UTF-8 */
  const char *command;               /**< arguments after `haichi plot KIND`, UTF-8 */
  bool shaded;                       /**< colours from light to dark are values from low to high */
  bool may_fail;                     /**< a failure is a note in the page, not an error */
  struct drawing_data data[DRAWING_MOST_DATA];
  size_t datas;
};

/** Draws the picture into the slot "pictures" of @p part.  If there is nothing to show, or if
 *  drawing fails and may_fail is set, adds a note with the reason to the slot "notes" instead. Does
 *  nothing on a page without pictures. */
enum status drawing_add(struct page *p, xmlNode *part, const struct drawing *d, struct err *e);
