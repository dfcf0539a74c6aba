/** @file page.h
 *  An HTML page made of the parts of a template.  Knows nothing of what is reported.
 *
 *  The template is a file of well-formed XML.  An element with the attribute data-part="NAME" is a
 *  part: it is taken out, and page_part() gives copies of it; what is left of the
 *  element "templates", which holds them, goes.  In a part, or in the page itself, an
 *  element with data-slot="NAME" is filled.  All text goes through libxml2, which escapes it.
 *
 *  A failure (memory, a part that the template lacks) is kept: what follows does nothing, and
 *  page_save() fails.  Nodes are the page's once they are added to it.
 */
#ifndef PLOTS_REPORT_PAGE_H
#define PLOTS_REPORT_PAGE_H

#include <libxml/tree.h>
#include <stdio.h>

#include "common/err.h"

struct page;

/** Reads a template.  The caller's: page_free(). */
enum status page_load(struct page **out, const char *path, struct err *e);

/** Makes the page one without pictures; @p why, a sentence, outlives it. */
void page_leave_out_pictures(struct page *p, const char *why);

/** Why the page has no pictures; NULL: it has. */
const char *page_why_no_pictures(const struct page *p);

/** Accepts NULL. */
void page_free(struct page *p);

/** The element that holds the whole page. */
xmlNode *page_root(const struct page *p);

/** A copy of a part; NULL after a failure, which all functions here take. */
xmlNode *page_part(struct page *p, const char *name);

/** Adds text, which is valid UTF-8, to a slot. */
void page_text(struct page *p, xmlNode *part, const char *slot, const char *text);

/** The same with a format of printf(3). */
void page_print(struct page *p, xmlNode *part, const char *slot, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** Adds @p child to a slot of @p part. */
void page_add(struct page *p, xmlNode *part, const char *slot, xmlNode *child);

/** Sets an attribute of a slot's element. */
void page_attribute(struct page *p, xmlNode *part, const char *slot, const char *name,
                    const char *value);

/** Removes the element of a slot. */
void page_remove(struct page *p, xmlNode *part, const char *slot);

/** Reads an SVG and gives its element, made fit to stand among others in a page: its identifiers
 *  begin with @p prefix, its title and description are these, and colours have one form. */
xmlNode *page_svg(struct page *p, FILE *svg, const char *prefix, const char *title,
                  const char *description);

/** Writes the page as HTML. */
enum status page_save(struct page *p, FILE *f, struct err *e);

#endif
