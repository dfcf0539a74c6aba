/** @file reader.h
 *  Reads the objects of a node by libhwloc, which is loaded on demand.  For platforms/inside/ only.
 */
#pragma once

#include "platforms/inside/inside.h"

/** Maximum size of an XML file in bytes. */
enum { READER_MOST_BYTES = 1 << 24 };

/** Sets cores, cpu[], and the levels with their objects from a synthetic description, or from an
 *  XML file if in->file is not NULL.  The outermost level comes first; levels with equal objects
 *  are in the order package, die, NUMA node, L3, L2.  The caller frees @p in also after a failure.
 */
enum status reader_read(struct inside *in, const char *description, struct err *e);
