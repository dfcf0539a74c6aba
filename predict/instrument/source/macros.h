/** @file macros.h
 *  Tells which macros may change a variable, by the text of their definitions: libclang gives no
 *  operators of the body of a macro.
 */
#pragma once

#include "predict/instrument/source/tree.h"

/** True if the macro whose use begins at @p use may change a variable, by its own text, by a macro
 *  in its text or by a macro among its arguments.  A text may change a variable if it has ++, --,
 *  or a '=' that is no comparison.  All definitions in the files of the tree count, since a source
 *  may choose among them.  True for a macro without a definition in these files. */
bool macros_change(const struct tree *t, const struct tree_file *f, uint32_t use);
