/** @file inputs.h
 *  The files that the process has read, so that an output does not replace one of them.
 */
#pragma once

#include <stdbool.h>

/** From now on inputs_note() notes files.  The program calls this; the library notes nothing. */
void inputs_watch(void);

/** Notes the regular file @p fd.  Thread-safe.  O(1) on average. */
void inputs_note(int fd);

/** Lets an output replace the file @p path, also if it is read later: for a command that rewrites
 *  its input. */
void inputs_release(const char *path);

/** True if @p path is a noted file that no output may replace. */
bool inputs_has(const char *path);
