/** @file page.h
 *  An HTML page made of the parts of a template.  Does not depend on the content of the report.
 *
 *  The template is a file of well-formed XML.  An element with the attribute data-part="NAME" is a
 *  part: it is removed from the page, and page_part() returns copies of it.  The element
 *  "templates", which contains the parts, is removed too.  In a part, or in the page itself, an
 *  element with data-slot="NAME" is filled with content.  All text passes through libxml2, which
 *  escapes it.
 *
 *  After the first failure (no memory, a part missing in the template) all calls do nothing, and
 *  page_save() fails with its error.  The page owns nodes once they are added to it.
 */
#pragma once

#include <libxml/tree.h>
#include <stdio.h>

#include "common/err.h"

struct page;

/** Reads a template.  The caller frees *out with page_free(). */
enum status page_load(struct page **out, const char *path, struct err *e);

/** Declares that the page has no pictures.  @p why, a sentence, must outlive the page. */
void page_leave_out_pictures(struct page *p, const char *why);

/** The reason why the page has no pictures; NULL if it has pictures. */
const char *page_why_no_pictures(const struct page *p);

/** Accepts NULL. */
void page_free(struct page *p);

/** The root element of the page. */
xmlNode *page_root(const struct page *p);

/** A copy of a part; NULL after a failure.  All functions here accept NULL as a part. */
xmlNode *page_part(struct page *p, const char *name);

/** Adds text, which must be valid UTF-8, to a slot. */
void page_text(struct page *p, xmlNode *part, const char *slot, const char *text);

/** Like page_text(), with a printf(3) format. */
void page_print(struct page *p, xmlNode *part, const char *slot, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** Adds @p child to a slot of @p part. */
void page_add(struct page *p, xmlNode *part, const char *slot, xmlNode *child);

/** Sets an attribute of a slot's element. */
void page_attribute(struct page *p, xmlNode *part, const char *slot, const char *name,
                    const char *value);

/** Removes the element of a slot. */
void page_remove(struct page *p, xmlNode *part, const char *slot);

/** Reads an SVG and returns its element.  Adds @p prefix to all identifiers, so that they are
 *  unique in the page, replaces title and description, and removes spaces from colours. */
xmlNode *page_svg(struct page *p, FILE *svg, const char *prefix, const char *title,
                  const char *description);

/** Writes the page as HTML. */
enum status page_save(struct page *p, FILE *f, struct err *e);
