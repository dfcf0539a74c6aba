/** @file pdf.h
 *  Makes PDF files from gnuplot independent of the time at which they were written.
 */
#pragma once

#include <stdio.h>

#include "common/err.h"

/** Writes the PDF @p text of @p n bytes to @p to, with a constant date of creation.  Uses libqpdf,
 *  because the date may be in a compressed stream.  The caller checks @p to for write errors. */
enum status pdf_write_dateless(const char *text, size_t n, FILE *to, struct err *e);
