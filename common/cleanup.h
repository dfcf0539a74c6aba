/** @file cleanup.h
 *  Names of temporary files and folders, so that a signal that ends the process does not leave
 *  them behind.  Not for the ordinary end of a process: whoever made a file removes it.
 */
#ifndef COMMON_CLEANUP_H
#define COMMON_CLEANUP_H

#include "common/err.h"

struct cleanup;

/** Has SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGALRM and SIGXCPU remove the registered names
 *  before they end the process.  Signals that were ignored at the first call stay
 *  ignored.  Called again, it puts back handlers that a library has replaced. */
void cleanup_catch_signals(void);

/** Registers @p path, before the file or folder is created; a folder goes with all in it.
 *  *out stays valid until the process ends. */
enum status cleanup_add(struct cleanup **out, const char *path, struct err *e);

/** The file is no longer temporary, or gone.  Accepts NULL. */
void cleanup_drop(struct cleanup *c);

/** Drops all: for a child process, whose parent made the files. */
void cleanup_drop_all(void);

/** Removes a file, or a folder with all in it. */
void cleanup_remove(const char *path);

/** Removes what is registered.  May be called in a signal handler. */
void cleanup_now(void);

#endif
